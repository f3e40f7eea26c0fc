"""Saved answers: whole or not at all, never overwritten, nothing lost."""

import errno
import json
import multiprocessing
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankwalk
from rankwalk import Refused, answers_store
from rankwalk.answers_store import AnswerStore, Trouble

SOURCE = str(Path(rankwalk.__file__).parent.parent)


@pytest.fixture
def store(tmp_path):
    return AnswerStore("05", tmp_path / "答案 folder")


def answers(contents):
    return [one.answer for one in contents.saved]


def visible(folder):
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


# --- the plain way


def test_nothing_is_made_before_something_is_submitted(store):
    assert store.read().saved == ()
    assert store.delete().aside is None
    assert not store.folder.exists()


def test_what_is_added_is_read_back(store):
    store.add("link-ratio", 1, "1/3", True)
    store.add("not-cited", 2, ["uncited"], False)
    store.add("hand-over", 1, "第一行\n<img src=x onerror=alert(1)>", None)
    found = AnswerStore("05", store.folder).read()
    assert [(s.exercise, s.version, s.answer, s.holds) for s in found.saved] == [
        ("link-ratio", 1, "1/3", True),
        ("not-cited", 2, ("uncited",), False),
        ("hand-over", 1, "第一行\n<img src=x onerror=alert(1)>", None),
    ]
    assert found.last("not-cited").answer == ("uncited",)
    assert found.last("no-such") is None


def test_the_file_is_readable_and_ignored_by_git(store):
    store.add("hand-over", 1, "茶叶", None)
    text = store.file.read_text(encoding="utf-8")
    assert "茶叶" in text
    assert text.count("\n") > 5
    assert (store.folder / ".gitignore").read_text(encoding="utf-8") == "*\n"
    assert visible(store.folder) == ["lesson-05.json"]


def test_a_later_submission_does_not_replace_an_earlier_one(store):
    store.add("hand-over", 1, "first", None)
    assert answers(store.add("hand-over", 1, "second", None)) == ["first", "second"]
    assert store.read().last("hand-over").answer == "second"


def test_lessons_have_a_file_each(store):
    store.add("a", 1, "five", None)
    AnswerStore("01", store.folder).add("a", 1, "one", None)
    assert answers(store.read()) == ["five"]
    assert visible(store.folder) == ["lesson-01.json", "lesson-05.json"]


def test_the_folder_is_beside_the_lesson_or_where_the_learner_says(tmp_path, monkeypatch):
    monkeypatch.delenv("RANKWALK_ANSWERS", raising=False)
    monkeypatch.chdir(tmp_path)
    store = AnswerStore("01")
    assert store.file == tmp_path / "my-answers" / "lesson-01.json"
    monkeypatch.chdir("/")  # a notebook that changes its folder does not move its answers
    assert store.file == tmp_path / "my-answers" / "lesson-01.json"
    monkeypatch.setenv("RANKWALK_ANSWERS", str(tmp_path / "elsewhere"))
    assert AnswerStore("01").folder == tmp_path / "elsewhere"
    assert AnswerStore("01", tmp_path / "here").folder == tmp_path / "here"


@pytest.mark.parametrize("lesson", ["1", "001", "../x", "", 1, "０１"])
def test_a_lesson_is_two_digits_and_never_a_path(lesson, tmp_path):
    with pytest.raises(Refused):
        AnswerStore(lesson, tmp_path)


def test_export_and_delete(store):
    store.add("hand-over", 1, "茶", None)
    exported = store.export()
    assert json.loads(exported)["answers"][0]["answer"] == "茶"
    assert exported == store.file.read_text(encoding="utf-8")
    store.delete()
    assert not store.file.exists()
    assert store.read().saved == ()
    store.folder.joinpath("lesson-05.json").write_text(exported, encoding="utf-8")
    assert answers(store.read()) == ["茶"]


def test_a_lone_surrogate_does_not_damage_the_file(store):
    store.add("hand-over", 1, "a\ud800b", None)
    assert answers(store.read()) == ["a?b"]


# --- damaged and newer files

GOOD = {
    "format": "rankwalk answers",
    "format_version": 1,
    "lesson": "05",
    "answers": [
        {"exercise": "a", "exercise_version": 1, "submitted": "t", "answer": "x", "holds": None}
    ],
}


def changed(**changes):
    return json.dumps({**GOOD, **changes}).encode()


def entry_changed(**changes):
    return changed(answers=[{**GOOD["answers"][0], **changes}])


DAMAGED = {
    "empty": b"",
    "cut": changed()[:-20],
    "not utf-8": b"\xff\xfe\x00",
    "a list": b"[]",
    "another format": changed(format="other"),
    "another lesson": changed(lesson="04"),
    "no version": changed(format_version="1"),
    "version 0": changed(format_version=0),
    "version true": changed(format_version=True),
    "no answers": changed(answers=None),
    "an answer that is a number": entry_changed(answer=3),
    "an answer of numbers": entry_changed(answer=[3]),
    "holds is a number": entry_changed(holds=1),
    "an entry that is text": changed(answers=["x"]),
    "nested without end": b"[" * 100_000,
    "a huge number": b"1" * 10_000,
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_file_is_left_alone_then_kept_aside_and_told(store, data):
    store.folder.mkdir()
    store.file.write_bytes(data)
    told = store.read().aside
    assert (told.trouble, told.file) == (Trouble.DAMAGED, "lesson-05.json")
    assert store.file.read_bytes() == data  # reading changes nothing
    after = store.add("a", 1, "new", None)
    assert after.aside == told
    assert (store.folder / told.kept_as).read_bytes() == data
    assert answers(store.read()) == ["new"]
    assert store.read().aside is None


def test_a_newer_file_is_kept_aside_too(store):
    store.folder.mkdir()
    store.file.write_bytes(changed(format_version=2, something="new"))
    assert store.read().aside.trouble is Trouble.NEWER
    kept = store.add("a", 1, "new", None).aside.kept_as
    assert b"something" in (store.folder / kept).read_bytes()


def test_files_kept_aside_never_replace_each_other(store):
    store.folder.mkdir()
    for number in range(3):
        store.file.write_bytes(f"damage {number}".encode())
        store.add("a", 1, "x", None)
    kept = [store.folder / f"lesson-05.damaged-{n}.json" for n in (1, 2, 3)]
    assert [path.read_bytes() for path in kept] == [b"damage 0", b"damage 1", b"damage 2"]


def test_deleting_keeps_a_file_that_cannot_be_read(store):
    store.folder.mkdir()
    store.file.write_bytes(b"damage")
    kept = store.delete().aside.kept_as
    assert (store.folder / kept).read_bytes() == b"damage"
    assert not store.file.exists()


def test_a_byte_order_mark_is_no_damage(store):
    store.folder.mkdir()
    store.file.write_bytes(b"\xef\xbb\xbf" + changed())
    assert answers(store.read()) == ["x"]


@given(st.binary(max_size=200))
@settings(max_examples=60)
def test_no_bytes_are_ever_overwritten(tmp_path_factory, data):
    store = AnswerStore("05", tmp_path_factory.mktemp("any"))
    store.file.write_bytes(data)
    store.add("a", 1, "new", None)
    rest = [p.read_bytes() for p in store.folder.glob("lesson-05.*-1.json")]
    assert data in rest


# --- a write that fails, or is cut off


def fail(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    ("where", "name"),
    [
        (answers_store.os, "fsync"),
        (answers_store.os, "fdopen"),
        (answers_store.tempfile, "mkstemp"),
        (answers_store.Path, "replace"),
    ],
)
def test_a_write_that_fails_leaves_the_file_as_it_was(store, monkeypatch, where, name):
    store.add("a", 1, "kept", None)
    before = store.file.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(where, name, fail)
        with pytest.raises(Refused, match="No space left") as refusal:
            store.add("a", 1, "lost", None)
    assert refusal.value.in_language("zh")
    assert store.file.read_bytes() == before
    assert answers(store.add("a", 1, "later", None)) == ["kept", "later"]
    assert not list(store.folder.glob(".*.tmp"))


def test_an_interrupt_in_the_middle_of_a_write_leaves_the_file_as_it_was(store, monkeypatch):
    store.add("a", 1, "kept", None)

    def interrupt(_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(answers_store.os, "fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            store.add("a", 1, "lost", None)
    assert answers(store.read()) == ["kept"]
    assert answers(store.add("a", 1, "later", None)) == ["kept", "later"]  # the lock was given back


WRITER = """
import sys
from rankwalk.answers_store import AnswerStore
store = AnswerStore("05", sys.argv[1])
n = 0
while True:
    store.add("a", 1, f"{n} " + "x" * 3000, None)
    print(n, flush=True)
    n += 1
"""


@pytest.mark.parametrize("acknowledged", [1, 4, 9])
def test_a_process_killed_while_it_writes_loses_nothing_that_was_acknowledged(
    tmp_path, acknowledged
):
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as writer:
        for _ in range(acknowledged):
            last = int(writer.stdout.readline())
        writer.kill()
    store = AnswerStore("05", tmp_path)
    found = store.read()
    assert found.aside is None
    assert len(found.saved) >= last + 1
    store.add(
        "a", 1, "after", None
    )  # the dead process holds no lock, and its scraps are cleared away
    assert not list(tmp_path.glob(".*.tmp"))


def test_scraps_of_a_killed_process_are_cleared_away_and_never_read(store):
    store.add("a", 1, "kept", None)
    (store.folder / ".lesson-05.abc.tmp").write_text('{"half', encoding="utf-8")
    (store.folder / ".lesson-04.abc.tmp").write_text("of another lesson", encoding="utf-8")
    assert answers(store.read()) == ["kept"]
    store.add("a", 1, "new", None)
    assert [p.name for p in store.folder.glob(".*.tmp")] == [".lesson-04.abc.tmp"]


def test_a_folder_that_cannot_be_used_is_told(tmp_path):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    store = AnswerStore("05", tmp_path / "file")
    with pytest.raises(Refused, match="could not be saved"):
        store.add("a", 1, "x", None)
    with pytest.raises(Refused, match="could not be read"):
        store.read()
    assert (tmp_path / "file").read_text(encoding="utf-8") == "x"


# --- the same lesson open twice


@given(st.lists(st.tuples(st.sampled_from("AB"), st.sampled_from("xyz")), max_size=12))
@settings(max_examples=30)
def test_two_windows_in_any_order_keep_everything_in_order(tmp_path_factory, submissions):
    folder = tmp_path_factory.mktemp("two")
    windows = {name: AnswerStore("05", folder) for name in "AB"}
    for number, (window, exercise) in enumerate(submissions):
        windows[window].read()  # what a window has read before does not matter
        windows[window].add(exercise, 1, str(number), None)
    assert answers(windows["A"].read()) == [str(n) for n in range(len(submissions))]


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=8)
def test_two_threads_interleaved_at_random_lose_nothing(tmp_path_factory, seed):
    folder = tmp_path_factory.mktemp("threads")
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5 * (1 + seed % 7))  # switch often, at other places each time
    try:
        threads = [threading.Thread(target=_submit, args=(folder, name, 12)) for name in "AB"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    _assert_all_there(folder, 12)


def test_two_processes_at_once_lose_nothing(tmp_path):
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_submit, args=(tmp_path, name, 25)) for name in "AB"]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    _assert_all_there(tmp_path, 25)


def _submit(folder, name, times):
    store = AnswerStore("05", folder)
    for number in range(times):
        store.add("a", 1, f"{name}{number}", None)


def _assert_all_there(folder, times):
    found = answers(AnswerStore("05", folder).read())
    assert len(found) == 2 * times
    for name in "AB":  # each window's own come in the order in which they were submitted
        assert [a for a in found if a.startswith(name)] == [f"{name}{n}" for n in range(times)]


def test_a_window_that_never_finishes_saving_is_told_and_nothing_hangs(store, monkeypatch):
    store.add("a", 1, "kept", None)
    monkeypatch.setattr(answers_store, "LONGEST_WAIT", 0.05)
    with store._locked(), pytest.raises(Refused, match="could not be saved"):
        AnswerStore("05", store.folder).add("a", 1, "x", None)
    assert answers(store.read()) == ["kept"]


def test_a_folder_name_that_no_file_system_takes_is_refused():
    with pytest.raises(Refused, match="folder"):
        AnswerStore("05", "a\0b")
