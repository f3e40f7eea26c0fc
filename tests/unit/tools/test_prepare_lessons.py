"""A learner's copies: new lessons arrive, and nothing that the learner wrote is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prepare_lessons
from prepare_lessons import RECORD, main, prepare


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "课 程"
    write(folder / "01_a.ipynb", "one")
    write(folder / "02_b.ipynb", "two")
    write(folder / "data" / "run.csv", "1,2")
    return folder


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "my lessons" / "zh"


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file() and path.name != RECORD
    }


def test_the_first_time_everything_is_copied(source: Path, target: Path) -> None:
    assert prepare(source, target) == []
    assert contents(target) == {"01_a.ipynb": "one", "02_b.ipynb": "two", "data/run.csv": "1,2"}


def test_hidden_files_are_no_lessons(source: Path, target: Path) -> None:
    write(source / ".ipynb_checkpoints" / "01_a-checkpoint.ipynb", "old")
    prepare(source, target)
    assert not (target / ".ipynb_checkpoints").exists()


def test_what_a_learner_changed_stays(source: Path, target: Path) -> None:
    prepare(source, target)
    write(target / "01_a.ipynb", "mine")
    write(target / "notes.txt", "mine too")
    assert prepare(source, target) == []
    assert contents(target)["01_a.ipynb"] == "mine"
    assert contents(target)["notes.txt"] == "mine too"


def test_an_unchanged_copy_is_brought_up_to_date(source: Path, target: Path) -> None:
    prepare(source, target)
    write(source / "01_a.ipynb", "one, better")
    assert prepare(source, target) == []
    assert contents(target)["01_a.ipynb"] == "one, better"


def test_a_new_version_is_put_beside_a_changed_copy_once(source: Path, target: Path) -> None:
    prepare(source, target)
    write(target / "01_a.ipynb", "mine")
    write(source / "01_a.ipynb", "one, better")
    assert prepare(source, target) == [(Path("01_a.ipynb"), Path("01_a_new.ipynb"))]
    assert contents(target)["01_a.ipynb"] == "mine"
    assert contents(target)["01_a_new.ipynb"] == "one, better"
    (target / "01_a_new.ipynb").unlink()
    assert prepare(source, target) == []
    assert "01_a_new.ipynb" not in contents(target)


def test_a_second_new_version_does_not_overwrite_the_first(source: Path, target: Path) -> None:
    prepare(source, target)
    write(target / "01_a.ipynb", "mine")
    write(source / "01_a.ipynb", "better")
    prepare(source, target)
    write(target / "01_a_new.ipynb", "mine again")
    write(source / "01_a.ipynb", "best")
    assert prepare(source, target) == [(Path("01_a.ipynb"), Path("01_a_new2.ipynb"))]
    assert contents(target)["01_a_new.ipynb"] == "mine again"


@pytest.mark.parametrize("record", [None, "", "[]", "{", '{"01_a.ipynb": 4}'])
def test_with_a_lost_or_broken_record_nothing_is_overwritten(
    source: Path, target: Path, record: str | None
) -> None:
    prepare(source, target)
    write(target / "01_a.ipynb", "mine")
    write(source / "01_a.ipynb", "better")
    if record is None:
        (target / RECORD).unlink()
    else:
        write(target / RECORD, record)
    prepare(source, target)
    assert contents(target)["01_a.ipynb"] == "mine"
    assert contents(target)["01_a_new.ipynb"] == "better"


def test_a_copy_that_a_learner_deleted_comes_back(source: Path, target: Path) -> None:
    prepare(source, target)
    (target / "01_a.ipynb").unlink()
    prepare(source, target)
    assert contents(target)["01_a.ipynb"] == "one"


ACTIONS = st.lists(
    st.tuples(st.sampled_from(["learner", "release", "delete"]), st.sampled_from("abc")), max_size=8
)


@settings(max_examples=60, deadline=None)
@given(ACTIONS)
def test_no_order_of_events_loses_a_learners_text(
    tmp_path_factory: pytest.TempPathFactory, actions: list[tuple[str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("events")
    source, target = folder / "lessons", folder / "mine"
    lesson = "01_a.ipynb"
    write(source / lesson, "release 0")
    prepare(source, target)
    for number, (action, text) in enumerate(actions, start=1):
        if action == "learner":
            write(target / lesson, f"learner {text}")
        elif action == "delete":
            (target / lesson).unlink()
        else:
            write(source / lesson, f"release {number}")
        before = contents(target).get(lesson, "")
        prepare(source, target)
        if before.startswith("learner"):
            assert contents(target)[lesson] == before
        assert contents(source)[lesson] in contents(target).values() or action != "release"


def test_without_lessons_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main("en") == 1
    assert "make lessons" in capsys.readouterr().err
    assert not (tmp_path / "my-lessons").exists()


def test_each_language_has_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for lang in ("en", "zh"):
        write(Path("notebooks", lang, "01_a.ipynb"), lang)
        assert main(lang) == 0
    assert contents(tmp_path / "my-lessons") == {"en/01_a.ipynb": "en", "zh/01_a.ipynb": "zh"}
    write(Path("my-lessons/zh/01_a.ipynb"), "mine")
    write(Path("notebooks/zh/01_a.ipynb"), "better")
    assert main("zh") == 0
    assert str(Path("my-lessons/zh/01_a_new.ipynb")) in capsys.readouterr().out


def test_the_doc_says_how_to_call_it() -> None:
    assert "tools/prepare_lessons.py" in str(prepare_lessons.__doc__)
