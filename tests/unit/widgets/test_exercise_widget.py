"""The exercise widget without a browser: what it shows, saves, forgets, and says when it cannot."""

from __future__ import annotations

import json

import pytest
from wishes import wishes

from rankwalk import Exercise, answers_store
from rankwalk.answers_store import AnswerStore
from rankwalk.exercise_keys import KEYS
from rankwalk.messages import languages
from rankwalk.widgets.base import SettingError


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("RANKWALK_ANSWERS", str(tmp_path / "answers"))
    monkeypatch.delenv("RANKWALK_FEEDBACK", raising=False)
    return tmp_path / "answers"


def view(widget):
    return widget._view


def send(widget, **changes):
    widget._on_message(widget, wishes(changes), [])


def test_nothing_is_saved_or_said_before_an_answer_is_submitted(folder):
    widget = Exercise("05", "link-ratio")
    assert view(widget)["feedback"] is None
    assert view(widget)["answer"] is None
    assert not folder.exists()


@pytest.mark.parametrize("submit", ["message", "assignment", "set"])
def test_a_submission_from_either_side_is_saved_once_and_answered(folder, submit):
    widget = Exercise("05", "link-ratio")
    views = []
    widget.observe(lambda change: views.append(change.new), names=["_view"])
    if submit == "message":
        send(widget, answer="1/3")
    elif submit == "assignment":
        widget.answer = "1/3"
    else:
        widget.set(answer="1/3")
    assert widget.answer == "1/3"
    assert len(views) == 1
    assert views[0]["feedback"]["holds"] is True
    saved = AnswerStore("05", folder).read().saved
    assert [(s.exercise, s.answer, s.holds) for s in saved] == [("link-ratio", "1/3", True)]
    assert "lesson-05.json" in views[0]["told"]


def test_the_same_answer_can_be_submitted_again(folder):
    widget = Exercise("05", "link-ratio")
    send(widget, answer="1/3")
    send(widget, answer="1/3")
    assert len(AnswerStore("05", folder).read().saved) == 2


def test_an_answer_is_remembered_by_the_next_widget_and_not_graded_into_the_file_again(folder):
    Exercise("01", "fusion-order").answer = ["B", "C", "A"]
    before = (folder / "lesson-01.json").read_bytes()
    widget = Exercise("01", "fusion-order", "zh")
    assert view(widget)["answer"] == ["B", "C", "A"]
    assert view(widget)["feedback"]["holds"] is False
    assert "你上次的回答" in view(widget)["remembered"]
    assert view(Exercise("01", "first-score"))["answer"] is None
    assert (folder / "lesson-01.json").read_bytes() == before


def test_what_is_no_answer_changes_nothing_and_is_told(folder):
    widget = Exercise("05", "link-ratio")
    sent = []
    widget.send = lambda content, *_: sent.append(content)
    send(widget, answer="many")
    assert sent[0]["refused"]["field"] == "answer"
    with pytest.raises(SettingError, match="not read as a number"):
        widget.answer = "many"
    assert not folder.exists()


def test_an_answer_to_an_earlier_version_is_shown_and_not_graded(folder):
    AnswerStore("05", folder).add("not-cited", 0, ["unsupported"], False)
    AnswerStore("05", folder).add("link-ratio", 0, "0.5", False)
    widget = Exercise("05", "link-ratio")
    assert view(widget)["feedback"] is None
    assert "version 0, now 1" in view(widget)["remembered"]
    AnswerStore("05", folder).add("not-cited", 0, ["an option that is gone"], False)
    assert view(Exercise("05", "not-cited"))["answer"] is None


def test_when_it_cannot_be_saved_the_answer_stays_and_the_reason_is_told(folder, monkeypatch):
    widget = Exercise("05", "hand-over")

    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(answers_store.os, "fsync", fail)
    widget.answer = "my long answer"
    assert "No space left" in view(widget)["problem"]
    assert view(widget)["answer"] == "my long answer"
    assert view(widget)["feedback"]["criteria"]
    assert view(widget)["told"] == ""


def test_a_damaged_file_is_told_before_and_after(folder):
    folder.mkdir()
    (folder / "lesson-05.json").write_text("{", encoding="utf-8")
    widget = Exercise("05", "link-ratio")
    assert "will be kept as lesson-05.damaged-1.json" in view(widget)["aside"]
    widget.answer = "1/3"
    assert "was kept as lesson-05.damaged-1.json" in view(widget)["told"]
    assert view(widget)["aside"] == ""


def test_feedback_can_be_switched_off_for_a_test(folder, monkeypatch):
    monkeypatch.setenv("RANKWALK_FEEDBACK", "off")
    widget = Exercise("05", "link-ratio")
    assert widget.feedback is False
    widget.answer = "0.9"
    text = json.dumps(view(widget)["feedback"])
    assert view(widget)["feedback"]["holds"] is None
    assert "1/3" not in text
    assert "0.333" not in text
    assert AnswerStore("05", folder).read().saved[0].holds is None
    assert repr(widget) == "Exercise('05', 'link-ratio', feedback=False)"
    assert Exercise("05", "link-ratio", feedback=True).feedback is True
    code = Exercise("05", "three-inputs")
    code.answer = "x = 1"
    assert view(code)["feedback"]["criteria"] == ()
    assert view(code)["feedback"]["example"] == ""


def test_the_right_answer_is_not_in_the_view_before_one_is_submitted():
    for lesson in KEYS:
        for key in KEYS[lesson]():
            shown = json.dumps(
                {k: v for k, v in view(Exercise(lesson, key.id)).items() if k != "ui"}
            )
            assert '"right"' not in shown
            assert str(key.number) not in shown or key.number.denominator == 1


def test_export_hands_the_file_out_once(folder):
    widget = Exercise("05", "link-ratio")
    widget.answer = "1/3"
    send(widget, export=True)
    handed = view(widget)["export"]
    assert handed["name"] == "lesson-05.json"
    assert json.loads(handed["text"])["answers"][0]["answer"] == "1/3"
    send(widget, answer="0.3")
    assert view(widget)["export"] is None


def test_all_that_comes_in_one_message_is_done_in_order(folder):
    """What is asked for while Python is busy comes together; no submission may be lost that way."""
    widget = Exercise("05", "link-ratio")
    widget._on_message(widget, wishes({"answer": "1/3"}, {"answer": "0.3"}, {"export": True}), [])
    assert [one.answer for one in AnswerStore("05", folder).read().saved] == ["1/3", "0.3"]
    assert "1/3" in view(widget)["export"]["text"]
    widget._on_message(widget, wishes({"delete": True}, {"answer": "0.4"}), [])
    assert [one.answer for one in AnswerStore("05", folder).read().saved] == ["0.4"]
    assert (widget.answer, view(widget)["count"]) == ("0.4", 1)


def test_delete_forgets_the_lesson_in_every_exercise_that_is_shown(folder):
    one, two = Exercise("05", "link-ratio"), Exercise("05", "not-cited")
    other_lesson = Exercise("01", "first-score")
    one.answer, two.answer, other_lesson.answer = "1/3", ["uncited"], "0.03"
    send(one, delete=True)
    assert not (folder / "lesson-05.json").exists()
    assert (one.answer, two.answer) == (None, None)
    assert view(two)["count"] == 0
    assert other_lesson.answer == "0.03"


def test_another_folder_can_be_chosen(folder, tmp_path):
    widget = Exercise("05", "link-ratio", folder=tmp_path / "mine")
    widget.answer = "1/3"
    assert (tmp_path / "mine" / "lesson-05.json").exists()
    widget.folder = tmp_path / "other"
    assert widget.answer is None
    assert str(tmp_path / "other") in view(widget)["kept"]
    assert not folder.exists()


@pytest.mark.parametrize(
    ("arguments", "keywords", "match"),
    [
        (("9", "x"), {}, "01, 02"),
        (("01", "x"), {}, "fusion-order"),
        (("01", "fusion-order", "xx"), {}, "en, zh"),
        (("01", "fusion-order"), {"feedback": "no"}, "True, False"),
        (("01", "fusion-order"), {"folder": 3}, "folder"),
    ],
)
def test_bad_arguments_are_refused(arguments, keywords, match):
    with pytest.raises(SettingError, match=match):
        Exercise(*arguments, **keywords)


def test_unknown_settings_are_refused():
    with pytest.raises(SettingError, match="answer, feedback, folder"):
        Exercise("01", "fusion-order").set(grade=5)


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("lesson", KEYS)
def test_the_static_forms_read_well_and_never_depend_on_what_is_saved(folder, lesson, lang):
    for key in KEYS[lesson]():
        widget = Exercise(lesson, key.id, lang)
        before = (widget._text(), widget._html())
        for option in widget.question.options:
            assert option.label in before[0]
        assert widget.question.text in before[0]
        assert "<li>" in before[1] or not widget.question.options
        widget.answer = key.right or "1"
        assert (widget._text(), widget._html()) == before
        data, _ = widget._repr_mimebundle_()
        assert data["text/plain"].startswith(repr(widget))
        assert str(folder) not in data["text/plain"] + data["text/html"]
