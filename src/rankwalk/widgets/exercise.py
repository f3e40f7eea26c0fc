"""An exercise in a lesson: answer it, see why, and find the answer again next time."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from html import escape
from typing import Any, Literal
from weakref import WeakSet

from rankwalk import checks
from rankwalk.answers_store import AnswerStore, Aside, Contents, Saved
from rankwalk.exercise_keys import Kind
from rankwalk.exercises import Answer, Feedback, Question, grade, question, read_answer
from rankwalk.exercises import shown_decimal as decimal
from rankwalk.messages import Refused, lookup, say
from rankwalk.widgets.base import Setting, SettingError, Stage, css, esm

FEEDBACK_VARIABLE = "RANKWALK_FEEDBACK"
"""``off`` here switches feedback off for every exercise, for a test in class."""

NOTHING = Contents()
Todo = Literal["save", "delete", "export"]


@dataclass(frozen=True, slots=True)
class State:
    """What an exercise shows.

    Attributes:
        question: the exercise.
        store: where answers are saved.
        feedback: whether it says what holds and why.
        answer: the answer last submitted; ``None`` if there is none.
        contents: what is saved of the lesson.
        todo: what was asked for and is not done yet, in order, each with the answer to save. One message
            may ask for several things: what is asked for while Python is busy comes together.
        told: what has just been done, in words.
        problem: what did not work, in words.
        export: the text of a file to hand out, once.
    """

    question: Question
    store: AnswerStore
    feedback: bool
    answer: Answer | None = None
    contents: Contents = NOTHING
    todo: tuple[tuple[Todo, Answer | None], ...] = ()
    told: str = ""
    problem: str = ""
    export: str = ""

    @property
    def saved(self) -> Saved | None:
        """The latest saved answer to this exercise."""
        return self.contents.last(self.question.id)


class Exercise(Stage):
    """Show one exercise of a lesson: ``Exercise("01", "fusion-order", lang=LANG)``.

    An answer is saved only when it is submitted, on this machine, by `rankwalk.answers_store`.
    ``w.answer = [...]`` submits from Python as the button does.

    Args:
        lesson: the lesson's two digits.
        id: the exercise; see `rankwalk.exercises.questions`.
        lang: ``"en"`` or ``"zh"``.
        feedback: whether it says what holds and why; if not given, yes, unless the environment
            variable ``RANKWALK_FEEDBACK`` is ``off``.
        folder: where answers are saved; by default ``my-answers`` beside the notebook, or what the
            environment variable ``RANKWALK_ANSWERS`` names.

    Raises:
        SettingError: a `ValueError` that says what was wrong and what is allowed.
    """

    name = "exercise"
    _esm = esm(name)
    _css = css(name)

    answer = Setting()
    feedback = Setting()
    folder = Setting()

    def __init__(
        self,
        lesson: str,
        id: str,
        lang: str = "en",
        *,
        feedback: bool | None = None,
        folder: str | os.PathLike[str] | None = None,
    ) -> None:
        if feedback is None:
            feedback = os.environ.get(FEEDBACK_VARIABLE, "").lower() != "off"
        try:
            asked = question(lesson, id, lang)
            state = State(asked, AnswerStore(lesson, folder), _switch(feedback))
        except Refused as refused:
            raise SettingError(refused, lang) from None
        super().__init__(_remembered(state), lang)
        _SHOWN.add(self)

    @property
    def question(self) -> Question:
        """The exercise that is shown."""
        state: State = self._settings
        return state.question

    def __repr__(self) -> str:
        """Return the call that makes this widget; answers are not part of it."""
        asked = self.question
        lang = f", lang={self.lang!r}" if self.lang != "en" else ""
        feedback = "" if self.feedback else ", feedback=False"
        return f"Exercise({asked.lesson!r}, {asked.id!r}{lang}{feedback})"

    # ---- what Stage asks for --------------------------------------------------------------------

    def _with(self, settings: State, changes: Mapping[str, Any]) -> State:
        state = replace(settings, told="", problem="", export="")
        for name, value in changes.items():
            if name == "answer":
                answer = None if value is None else read_answer(state.question, value)
                state = replace(state, answer=answer)
                if answer is not None:
                    state = replace(state, todo=(*state.todo, ("save", answer)))
            elif name == "feedback":
                state = replace(state, feedback=_switch(value))
            elif name == "folder":
                store = AnswerStore(state.question.lesson, value)
                state = _remembered(replace(state, store=store, answer=None))
            elif name == "delete":
                state = replace(state, todo=(*state.todo, ("delete", None)))
            elif name == "export":
                state = replace(state, todo=(*state.todo, ("export", None)))
            else:
                raise Refused("no_setting", found=repr(name), allowed="answer, feedback, folder")
        return state

    def _values(self, settings: State) -> dict[str, Any]:
        return {
            "answer": settings.answer,
            "feedback": settings.feedback,
            "folder": str(settings.store.folder),
        }

    def _apply(self, settings: State, answers: str = "") -> None:
        """Do what was asked for, once, and show how it went."""
        done = replace(settings, todo=())
        for what, answer in settings.todo:
            done = _done(done, what, answer)
        super()._apply(done, answers)
        if ("delete", None) in settings.todo:
            self._tell_others()

    def _tell_others(self) -> None:
        """Let the lesson's other exercises forget what has just been deleted."""
        for other in list(_SHOWN):
            state: State = other._settings
            if other is not self and state.store.file == self._settings.store.file:
                Stage._apply(other, _remembered(replace(state, answer=None, told="", problem="")))

    def _picture(self, settings: State, lang: str) -> dict[str, Any]:
        asked = settings.question
        feedback = _feedback(settings)
        return {
            "lang": lang,
            "heading": _heading(asked),
            "point": say("exercises.point_label", lang, point=asked.point),
            "kind": str(asked.kind),
            "text": asked.text,
            "instruction": _instruction(asked),
            "options": [asdict(option) for option in asked.options],
            "several": asked.several,
            "starter": asked.starter.strip("\n"),
            "answer": list(a) if isinstance(a := settings.answer, tuple) else a,
            "remembered": _remembered_words(settings),
            "feedback": asdict(feedback) if feedback else None,
            "silenced": "" if settings.feedback else say("exercises.feedback_is_off", lang),
            "told": settings.told,
            "problem": settings.problem,
            "aside": _aside_words(settings.contents.aside, lang, done=False)
            if not settings.told
            else "",
            "kept": say("exercises.kept", lang, file=str(settings.store.file)),
            "count": len(settings.contents.saved),
            "count_words": say("exercises.count", lang, n=len(settings.contents.saved)),
            "delete_sure": say("exercises.delete_count", lang, n=len(settings.contents.saved)),
            "export": {"name": settings.store.file.name, "text": settings.export}
            if settings.export
            else None,
            "ui": lookup("exercises", lang),
        }

    def _text(self) -> str:
        asked = self.question
        lines = [_heading(asked), asked.text]
        lines += [f"- {option.label}" for option in asked.options]
        lines += [asked.starter.strip("\n")] if asked.starter else []
        return "\n".join([*lines, say("exercises.static_note", self.lang)])

    def _html(self) -> str:
        asked = self.question
        options = "".join(f"<li>{escape(option.label)}</li>" for option in asked.options)
        starter = f"<pre>{escape(asked.starter.strip())}</pre>" if asked.starter else ""
        text = escape(asked.text).replace("\n", "<br>")
        point = say("exercises.point_label", self.lang, point=asked.point)
        return (
            f'<div lang="{escape(self.lang)}"><p><b>{escape(_heading(asked))}</b> '
            f"<small>({escape(point)})</small></p><p>{text}</p>"
            f"{f'<ul>{options}</ul>' if options else ''}{starter}"
            f'<p class="rw-static-note"><small>{escape(_instruction(asked))} '
            f"{escape(say('exercises.static_note', self.lang))}</small></p></div>"
        )


_SHOWN: WeakSet[Exercise] = WeakSet()


def _switch(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Refused(
            "one_of",
            field="feedback",
            where="feedback",
            found=checks.shown(value),
            allowed="True, False",
        )
    return value


def _remembered(state: State) -> State:
    """Return the state with what the disk remembers of this exercise."""
    try:
        contents = state.store.read()
    except Refused as refused:
        return replace(state, contents=NOTHING, problem=_in(state, refused))
    last = contents.last(state.question.id)
    answer: Answer | None = None
    if last:
        try:
            answer = read_answer(state.question, last.answer)
        except Refused:  # saved for an earlier version, with other options
            answer = None
    return replace(state, contents=contents, answer=answer)


def _done(state: State, what: Todo, answer: Answer | None) -> State:
    """Save ``answer``, delete or export, and return what to show then; what does not work is told."""
    asked, lang = state.question, state.question.lang
    try:
        if what == "save" and answer is not None:
            holds = grade(asked, answer).holds if state.feedback else None
            contents = state.store.add(asked.id, asked.version, answer, holds)
            told = say("exercises.saved", lang, file=str(state.store.file))
            aside = _aside_words(contents.aside, lang, done=True)
            contents = replace(contents, aside=None)
            return replace(state, answer=answer, contents=contents, told=f"{told} {aside}".strip())
        if what == "delete":
            aside = _aside_words(state.store.delete().aside, lang, done=True)
            told = say("exercises.deleted", lang, file=str(state.store.file))
            return replace(state, answer=None, contents=NOTHING, told=f"{told} {aside}".strip())
        if what == "export":
            told = say("exercises.exported", lang, file=state.store.file.name)
            contents, text = state.store.read(), state.store.export()
            return replace(state, contents=contents, told=told, export=text)
    except Refused as refused:
        return replace(state, problem=_in(state, refused))
    return state


def _in(state: State, refused: Refused) -> str:
    return refused.in_language(state.question.lang)


def _heading(asked: Question) -> str:
    kind = say(f"exercises.kind.{asked.kind}", asked.lang)
    return f"{say('exercises.heading', asked.lang, place=asked.place, of=asked.of)} · {kind}"


def _instruction(asked: Question) -> str:
    if asked.kind is Kind.CHOICE:
        key = "exercises.choose_several" if asked.several else "exercises.choose_one"
    elif asked.kind is Kind.ORDER:
        key = "exercises.put_in_order"
    elif asked.kind is Kind.NUMBER:
        key = "exercises.number_label" if asked.tolerance else "exercises.number_exact_label"
    else:
        key = "exercises.code_label" if asked.kind is Kind.CODE else "exercises.text_label"
    return say(key, asked.lang, tolerance=decimal(asked.tolerance))


def _feedback(state: State) -> Feedback | None:
    """Return what to say of the answer shown; nothing for one given to an earlier version."""
    if state.answer is None:
        return None
    if not state.feedback:
        return Feedback(None, say("exercises.feedback_off", state.question.lang))
    if _of_earlier_version(state):
        return None
    return grade(state.question, state.answer)


def _of_earlier_version(state: State) -> bool:
    saved = state.saved
    is_this = saved is not None and state.answer == saved.answer
    return is_this and saved is not None and saved.version != state.question.version


def _remembered_words(state: State) -> str:
    """Say when the answer shown was saved, in the reader's own time."""
    saved, lang = state.saved, state.question.lang
    if saved is None or state.told:
        return ""
    try:
        when = datetime.fromisoformat(saved.submitted).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        when = saved.submitted
    words = say("exercises.your_answer", lang, when=when)
    if saved.version == state.question.version:
        return words
    changed = say(
        "exercises.earlier_version", lang, saved=saved.version, version=state.question.version
    )
    typed = saved.answer if isinstance(saved.answer, str) else ", ".join(saved.answer)
    return f"{words} {typed}\n{changed}"


def _aside_words(aside: Aside | None, lang: str, *, done: bool) -> str:
    if aside is None:
        return ""
    key = f"exercises.aside_{aside.trouble}{'_done' if done else ''}"
    return say(key, lang, file=aside.file, aside=aside.kept_as)
