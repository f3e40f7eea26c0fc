"""What every widget here has in common: settings go in, one view comes out.

A widget keeps frozen settings. Each setting is also a trait, so that ``w.k = 10`` and ``observe``
work, but none is synced to the browser. The browser gets one synced trait, ``_view``: plain data, words
included, computed from the settings. It asks for changes by a message with numbered wishes, each
``{name: value, …}``, and never writes a setting itself. So one change is one computation and one
message, from either side, and a bad value leaves the last good picture.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from rankwalk.messages import DEFAULT_LANGUAGE, Refused, check_language, languages

HERE = Path(__file__).parent


def esm(name: str) -> str:
    """Return a widget's JavaScript: the shared files, in order of name, then the widget's own.

    A large widget has parts, ``<name>_<part>.js``, put before ``<name>.js``. All are joined, since
    an ES module that is handed over as text cannot import its neighbours.
    """
    parts = sorted(HERE.glob(f"{name}_*.js"))
    return _joined([*sorted((HERE / "js").glob("*.js")), *parts, HERE / f"{name}.js"])


def css(name: str) -> str:
    """Return a widget's style sheet: the shared one, then the widget's own."""
    return _joined([*sorted((HERE / "js").glob("*.css")), HERE / f"{name}.css"])


def _joined(files: list[Path]) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def _asked(content: Any) -> tuple[str, dict[int, dict[str, Any]]] | None:
    """Read a browser's message: who asks, and the wishes by number; ``None`` if it is none."""
    if not isinstance(content, dict):
        return None
    first, wishes = content.get("first"), content.get("wishes")
    if not isinstance(first, int) or not isinstance(wishes, list) or not wishes:
        return None
    if not all(isinstance(wish, dict) for wish in wishes):
        return None
    return str(content.get("asker", "")), dict(enumerate(wishes, start=first))


class SettingError(traitlets.TraitError, ValueError):
    """A setting that a widget does not take, worded in the widget's language.

    Where the language itself is what was refused, it is worded in English.

    Attributes:
        field: the setting at fault.
    """

    def __init__(self, refused: Refused, lang: str) -> None:
        self.field = refused.field
        known = isinstance(lang, str) and lang in languages()
        super().__init__(refused.in_language(lang if known else DEFAULT_LANGUAGE))


class Setting(traitlets.Any):  # type: ignore[misc, unused-ignore]
    """A trait that mirrors one setting: an assignment is checked by the widget before it happens."""

    def validate(self, obj: Stage, value: Any) -> Any:
        """Return the canonical form of ``value``, or raise `SettingError`."""
        return obj._checked(str(self.name), value)


class Stage(anywidget.AnyWidget):
    """A widget whose picture is a function of its settings.

    A subclass sets ``_esm`` and ``_css`` (by `esm` and `css`), gives a `Setting` trait to each setting,
    and defines the five methods below. Its ``__init__`` calls ``super().__init__(settings, lang)``.

    Attributes:
        name: the widget's files, ``widgets/<name>.js`` and ``.css``.
    """

    name = ""
    _view = traitlets.Dict().tag(sync=True)

    # ---- what a subclass says -------------------------------------------------------------------

    def _with(self, settings: Any, changes: Mapping[str, Any]) -> Any:
        """Return new settings with ``changes`` made, or raise `Refused`; ``settings`` stays."""
        raise NotImplementedError

    def _values(self, settings: Any) -> dict[str, Any]:
        """Return the value of each `Setting` trait."""
        raise NotImplementedError

    def _picture(self, settings: Any, lang: str) -> dict[str, Any]:
        """Compute the view: plain data for JSON, with its words in ``lang``."""
        raise NotImplementedError

    def _text(self) -> str:
        """Return the static text form; its first line, ``repr(self)``, is put before it."""
        raise NotImplementedError

    def _html(self) -> str:
        """Return the static HTML form: it reads well without a style sheet."""
        raise NotImplementedError

    # ---- settings in, view out ------------------------------------------------------------------

    def __init__(self, settings: Any, lang: str, **synced: Any) -> None:
        self._settings: Any = None  # until the traits are set, nothing is checked against them
        # The last wish of each page that was granted or refused.
        self._answered: dict[str, int] = {}
        self._lang = check_language(lang)
        super().__init__(
            _view={**self._picture(settings, lang), "answers": ""},
            **self._values(settings),
            **synced,
        )
        self._settings = settings
        self._applying = False
        self.observe(self._on_trait, names=list(self._values(settings)))
        self.on_msg(self._on_message)
        if os.environ.get("ANYWIDGET_HMR") == "1":
            threading.Thread(target=self._reload_when_edited, daemon=True).start()

    @property
    def lang(self) -> str:
        """The language of the widget's words; it stays as given."""
        return self._lang

    def set(self, /, **changes: Any) -> None:
        """Change several settings at once: one computation, one message.

        Raises:
            SettingError: a `ValueError`; nothing is changed then, and the widget shows the message at
                the control it belongs to.
        """
        self._apply(self._accepted(changes))

    def _accepted(self, changes: Mapping[str, Any]) -> Any:
        """Return the new settings, or show what is wrong and raise `SettingError`."""
        try:
            return self._with(self._settings, changes)
        except Refused as refused:
            raise self._shown(refused) from None

    def _shown(self, refused: Refused, answers: str = "") -> SettingError:
        """Let the widget show what is wrong, at the control it belongs to; return it as an error."""
        error = SettingError(refused, self.lang)
        self.send({"refused": {"field": error.field, "text": str(error), "answers": answers}})
        return error

    def _apply(self, settings: Any, answers: str = "") -> None:
        """Put ``settings`` in force. ``answers`` names the browser's page and its last wish in them."""
        view = {**self._picture(settings, self.lang), "answers": answers}
        self._settings = settings
        self._note_answered(
            answers
        )  # from here on it has had its effect, whatever an observer does
        # The view goes first: an observer of a setting may set another, whose view must be last.
        with self.hold_trait_notifications():
            self._view = view
            self._mirror(settings)

    def _mirror(self, settings: Any) -> None:
        """Let each trait say what ``settings`` says, unchecked."""
        self._applying = True
        try:
            for name, value in self._values(settings).items():
                setattr(self, name, value)
        finally:
            self._applying = False

    def _checked(self, name: str, value: Any) -> Any:
        """Check an assignment such as ``w.k = 10``; `_on_trait` then puts it in force."""
        if self._settings is None or self._applying:
            return value
        return self._values(self._accepted({name: value}))[name]

    def _on_trait(self, _: Any) -> None:
        """Put in force whatever was assigned: several at once, where notifications were held."""
        current = self._values(self._settings)
        changes = {
            name: new for name, old in current.items() if (new := getattr(self, name)) != old
        }
        if not changes:
            return
        try:
            settings = self._accepted(changes)
        except SettingError:
            with self.hold_trait_notifications():  # each was fine by itself, together they are not
                self._mirror(self._settings)
            raise
        self._apply(settings)

    def _on_message(self, _: Any, content: Any, buffers: Any) -> None:
        """Answer ``{"asker": …, "first": n, "wishes": [{…}, …]}`` from the browser.

        The wishes are numbered from n. They are granted in their order, each as a whole or not at all,
        and shown together: one view, and a message for each that is wrong. A page that had no answer
        sends its wishes again; what was answered before is not done twice.
        """
        del buffers
        asked = _asked(content)
        if asked is None:
            return
        asker, wishes = asked
        answers = f"{asker} {max(wishes)}"
        done = self._answered.get(asker, 0)
        settings, granted = self._settings, False
        wrong: dict[str, Refused] = {}
        try:
            for number, wish in wishes.items():
                if number <= done:
                    continue
                try:
                    settings, granted = self._with(settings, wish), True
                except Refused as refused:
                    wrong[refused.field] = refused
                else:
                    for name in wish:
                        wrong.pop(name, None)  # a later good value settles it
            if granted:
                self._apply(settings, answers)
        except Exception:  # ours, or an observer's: to be asked again would not mend it
            self._answer(answers, wrong.values(), shown=False)
            raise
        self._answer(answers, wrong.values(), shown=granted)

    def _answer(self, answers: str, wrong: Iterable[Refused], *, shown: bool) -> None:
        """Say what is wrong, after the view, which takes older messages away; or that it is done."""
        self._note_answered(answers)
        refusals = list(wrong)
        for refused in refusals:
            self._shown(refused, answers)
        if not refusals and not shown:
            self.send({"answers": answers})

    def _note_answered(self, answers: str) -> None:
        """Remember what was answered: the name of a page and the number of its wish, or nothing."""
        if answers:
            asker, number = answers.rsplit(" ", 1)
            self._answered[asker] = max(self._answered.get(asker, 0), int(number))

    # ---- forms ----------------------------------------------------------------------------------

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Give the static forms beside the widget; a front end that can show the widget prefers it."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        forms = {"text/plain": f"{self!r}\n\n{self._text()}", "text/html": self._html()}
        return {**data, **forms}, metadata

    # ---- for `make dev` -------------------------------------------------------------------------

    def _reload_when_edited(self) -> None:
        """Send the files again whenever one of them was saved; anywidget redraws its views then."""
        seen = (esm(self.name), css(self.name))
        while True:
            time.sleep(0.5)
            now = (esm(self.name), css(self.name))
            if now != seen:
                seen = now
                self._esm, self._css = now
