"""The catalogues: no language lacks a text, and no text lacks a value."""

from __future__ import annotations

import ast
import re
import string
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import rankwalk
from rankwalk.messages import DEFAULT_LANGUAGE, Refused, languages, lookup, say
from rankwalk.scenarios import SCENARIOS

PACKAGE = Path(rankwalk.__file__).parent
OTHERS = [lang for lang in languages() if lang != DEFAULT_LANGUAGE]

SAME_IN_EVERY_LANGUAGE = {
    "exercises_04.three-inputs.example",
}
"""Keys of texts with letters that rightly read the same everywhere, such as code."""

PUT_TOGETHER_THE_OWN_WAY = {"walk.day"}
"""Keys whose languages use different values on purpose, such as a date."""


TAKEN_AS_THEY_ARE = "exercises_"
"""How topics begin whose texts are no templates: they hold code, whose braces mean something else."""


def texts(entry: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every key of a catalogue entry with its template, or with those for one and for more."""
    if isinstance(entry, dict) and entry.keys() == {"one", "other"}:
        yield ".".join(path), (entry["one"], entry["other"])
    elif isinstance(entry, dict):
        for name, inner in entry.items():
            yield from texts(inner, (*path, name))
    elif isinstance(entry, list):
        for place, inner in enumerate(entry):
            yield from texts(inner, (*path, str(place)))
    else:
        assert isinstance(entry, str), f"{'.'.join(path)} is {entry!r}, not a text"
        yield ".".join(path), (entry,)


def catalogue(lang: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for file in sorted((PACKAGE / "locale" / lang).glob("*.toml")):
        entries = tomllib.loads(file.read_text(encoding="utf-8"))
        found.update(texts(entries, (file.stem,)))
    return found


CATALOGUES = {lang: catalogue(lang) for lang in languages()}


def placeholders(*templates: str) -> set[str]:
    """Return the names that templates put in; it fails on one that is no valid template."""
    fields = {
        field
        for template in templates
        for _, field, _, _ in string.Formatter().parse(template)
        if field is not None
    }
    assert all(field.isidentifier() for field in fields), f"{templates} have {fields}"
    return fields


def test_both_languages_are_there() -> None:
    assert {"en", "zh"} <= set(languages())
    assert all(CATALOGUES.values())


@pytest.mark.parametrize("lang", OTHERS)
def test_no_text_is_missing_in_a_language(lang: str) -> None:
    default, other = CATALOGUES[DEFAULT_LANGUAGE], CATALOGUES[lang]
    assert sorted(default.keys() - other.keys()) == [], f"missing in {lang}"
    assert sorted(other.keys() - default.keys()) == [], f"only in {lang}"


@pytest.mark.parametrize("lang", OTHERS)
def test_the_placeholders_are_the_same(lang: str) -> None:
    default, other = CATALOGUES[DEFAULT_LANGUAGE], CATALOGUES[lang]
    for key in default.keys() & other.keys() - PUT_TOGETHER_THE_OWN_WAY:
        if key.startswith(TAKEN_AS_THEY_ARE):
            continue
        here, there = placeholders(*default[key]), placeholders(*other[key])
        if (
            len(default[key]) + len(other[key]) > 2
        ):  # where n chooses the form, it need not be shown
            here, there = here - {"n"}, there - {"n"}
        assert here == there, f"{key}: {sorted(here)} in en, {sorted(there)} in {lang}"


@pytest.mark.parametrize("lang", OTHERS)
def test_every_text_is_translated(lang: str) -> None:
    same = {
        key
        for key, templates in CATALOGUES[DEFAULT_LANGUAGE].items()
        if CATALOGUES[lang].get(key) == templates and any(map(_has_words, templates))
    }
    assert same - SAME_IN_EVERY_LANGUAGE == set(), f"left in English in {lang}"
    assert SAME_IN_EVERY_LANGUAGE - same == set(), "listed here and not the same"


def _has_words(template: str) -> bool:
    """Whether there is an English word in it: ids (A), names (nDCG, MRR) and formulas are no words."""
    return re.search(r"[a-z]{3,}", re.sub(r"\{.*?\}", "", template)) is not None


@pytest.mark.parametrize("lang", languages())
def test_no_text_is_empty(lang: str) -> None:
    assert [key for key, templates in CATALOGUES[lang].items() if not all(templates)] == []


@dataclass(frozen=True)
class Call:
    """A place in the code that asks for a text.

    Attributes:
        where: file and line.
        key: the key, or how it begins.
        whole: which of the two.
        given: the names of the values it puts in; None if that cannot be seen.
    """

    where: str
    key: str
    whole: bool
    given: frozenset[str] | None


PREFIXES = {"say": "", "lookup": "", "Refused": "errors.", "SettingError": "errors."}


def calls() -> Iterator[Call]:
    """Find every ``say("…")``, ``lookup("…")`` and ``Refused("…")`` of the package."""
    for file in sorted(PACKAGE.rglob("*.py")):
        module = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(module):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            prefix = _prefix(node.func, module)
            if prefix is None:
                continue
            hidden = any(word.arg is None for word in node.keywords) or len(node.args) > 2
            given = None if hidden else frozenset(word.arg or "" for word in node.keywords)
            where = f"{file.relative_to(PACKAGE)}:{node.lineno}"
            for key, whole in _keys(node.args[0]):
                yield Call(where, prefix + key, whole, given)


def _prefix(function: ast.expr, module: ast.Module) -> str | None:
    """Return what a call puts in front of its key; None for a call of something else."""
    if isinstance(function, ast.Name):
        return PREFIXES.get(function.id)
    if not isinstance(function, ast.Attribute) or function.attr != "say":
        return None
    for method in ast.walk(module):  # a class's own say(), which puts its topic in front
        if isinstance(method, ast.FunctionDef) and method.name == "say":
            for inner in ast.walk(method):
                if isinstance(inner, ast.Call) and inner.args:
                    for key, whole in _keys(inner.args[0]):
                        return key if not whole else None
    return None


def _keys(argument: ast.expr) -> Iterator[tuple[str, bool]]:
    """Yield the keys that an argument can be, and whether each is whole."""
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        yield argument.value, True
    elif isinstance(argument, ast.JoinedStr) and isinstance(argument.values[0], ast.Constant):
        yield str(argument.values[0].value), False
    elif isinstance(argument, ast.IfExp):
        yield from _keys(argument.body)
        yield from _keys(argument.orelse)


def test_every_key_in_the_code_exists() -> None:
    keys = CATALOGUES[DEFAULT_LANGUAGE]
    found = list(calls())
    assert found
    for call in found:
        if call.whole:
            there = call.key in keys or any(key.startswith(f"{call.key}.") for key in keys)
        else:
            there = any(key.startswith(call.key) for key in keys)
        assert there, f"{call.where}: no text {call.key!r}"


@pytest.mark.parametrize("lang", languages())
def test_every_call_gives_what_its_text_needs(lang: str) -> None:
    for call in calls():
        templates = CATALOGUES[lang].get(call.key)
        if not call.whole or call.given is None or templates is None:
            continue
        needed = placeholders(*templates) | ({"n"} if len(templates) > 1 else set())
        lacking = needed - call.given
        assert not lacking, f"{call.where}: {call.key} ({lang}) needs {sorted(lacking)}"


def test_values_are_never_read_as_templates() -> None:
    said = say("errors.language", "en", found="{allowed}", allowed="{0}")
    assert "{allowed}" in said
    assert "{0}" in said


def test_an_unknown_language_is_refused_by_name() -> None:
    with pytest.raises(Refused, match=r"no language 'fr'. Allowed: en, zh"):
        lookup("errors.language", "fr")


def test_a_refusal_speaks_every_language() -> None:
    refused = Refused("not_a_score", field="run", where="run['q']['d']", found="nan")
    assert isinstance(refused, ValueError)
    assert refused.field == "run"
    assert str(refused) == refused.in_language("en")
    assert refused.in_language("zh") != refused.in_language("en")
    for lang in languages():
        assert "run['q']['d']" in refused.in_language(lang)
        assert "nan" in refused.in_language(lang)


def test_every_word_of_the_player_is_used() -> None:
    files = [*PACKAGE.glob("widgets/walkthrough*.js"), PACKAGE / "widgets" / "walkthrough.py"]
    code = "\n".join(file.read_text(encoding="utf-8") for file in files)
    found = set(re.findall(r"\b(?:ui|note)\.(\w+)|[\"'](\w+)[\"']", code))
    named = {name for pair in found for name in pair} | set(SCENARIOS)
    words = {
        key.rpartition(".")[2] for key in CATALOGUES[DEFAULT_LANGUAGE] if key.startswith("player.")
    }
    assert words
    assert words - named == set()
