"""The words of Rankwalk in every language, and the one exception that is worded here.

Each language is a folder in ``locale/`` with one TOML file a topic. A key names the topic, then the
place in the file: ``walk.step2.title`` is the entry ``step2.title`` of ``walk.toml``. An entry is a
``str.format`` template; where a number decides between singular and plural it is a table with
``one`` and ``other``, chosen by the parameter ``n``.
"""

from __future__ import annotations

import os.path  # pathlib would be a tenth of the time that `import rankwalk` takes
from functools import cache
from typing import Any

DEFAULT_LANGUAGE = "en"
_CATALOGUES = os.path.join(os.path.dirname(__file__), "locale")  # noqa: PTH118, PTH120


@cache
def languages() -> tuple[str, ...]:
    """The language codes that have a catalogue, the default one first."""
    found = sorted(
        entry.name
        for entry in os.scandir(_CATALOGUES)
        if entry.is_dir() and not entry.name.startswith(("_", "."))
    )
    return (DEFAULT_LANGUAGE, *(code for code in found if code != DEFAULT_LANGUAGE))


@cache
def _topic(topic: str, lang: str) -> dict[str, Any]:
    import tomllib  # only here: it would be a fifth of the time that `import rankwalk` takes

    file = os.path.join(_CATALOGUES, lang, f"{topic}.toml")  # noqa: PTH118
    with open(file, encoding="utf-8") as text:  # noqa: PTH123
        return tomllib.loads(text.read())


def lookup(key: str, lang: str) -> Any:
    """Return the catalogue entry under ``key``: a template, a list of them, or a table.

    Raises:
        Refused: if ``lang`` has no catalogue.
        KeyError: if the catalogue lacks ``key``; a test makes sure that no language lacks any.
    """
    check_language(lang)
    topic, *path = key.split(".")
    entry: Any = _topic(topic, lang)
    for part in path:
        entry = entry[part]
    return entry


def say(key: str, lang: str, **values: object) -> str:
    """Return the text under ``key`` in ``lang``, with ``values`` put in.

    Values are put in as they are and never read as templates, so an id such as ``{0}`` is safe.
    """
    entry = lookup(key, lang)
    if isinstance(entry, dict):
        entry = entry["one" if values["n"] == 1 else "other"]
    return str(entry).format(**values)


def check_language(lang: str) -> str:
    """Return ``lang`` if there is a catalogue for it, else raise `Refused` naming those there are."""
    if not isinstance(lang, str) or lang not in languages():
        raise Refused("language", found=repr(lang), allowed=", ".join(languages()))
    return lang


class Refused(ValueError):  # noqa: N818 - named for what happened to the input
    """Input that Rankwalk does not take: says what was wrong, where, and what is allowed.

    Args:
        key: the entry in the topic ``errors``.
        field: the argument or setting at fault, so that a form can show the text beside it.
        values: what the text names.

    ``str(error)`` is English; `in_language` gives the same in another language.
    """

    def __init__(self, key: str, *, field: str = "", **values: object) -> None:
        self.key = key
        self.field = field
        self.values = values
        super().__init__(self.in_language(DEFAULT_LANGUAGE))

    def in_language(self, lang: str) -> str:
        """Return the message in ``lang``."""
        return say(f"errors.{self.key}", lang, **self.values)
