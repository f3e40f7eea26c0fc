"""When an environment is set up anew, and when a run starts at once."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import set_up
from set_up import LOCKS, RECORD, ROOT, UV_LOCK, fingerprint, is_ready, python_of, venv_of

FILES = (UV_LOCK, *LOCKS.values(), "pyproject.toml")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with the locks, and environments that count as set up from them."""
    root = tmp_path / "试 一试"
    root.mkdir()
    for name in FILES:
        shutil.copy(ROOT / name, root)
    return root


def record(root: Path, kind: str, **changes: str) -> None:
    venv = root / venv_of(kind)
    python_of(venv).parent.mkdir(parents=True, exist_ok=True)
    python_of(venv).touch()
    entry = {"place": str(root), kind: fingerprint(kind, root)} | changes
    (venv / RECORD).write_text(json.dumps(entry), encoding="utf-8")


@pytest.mark.parametrize("kind", LOCKS)
def test_nothing_is_ready_in_a_new_clone(clone: Path, kind: str) -> None:
    assert not is_ready(kind, clone)


@pytest.mark.parametrize("kind", LOCKS)
def test_what_was_set_up_is_ready(clone: Path, kind: str) -> None:
    record(clone, kind)
    assert is_ready(kind, clone)


def test_the_development_environment_serves_learners_but_not_the_other_way_round(
    clone: Path,
) -> None:
    record(clone, "dev")
    assert is_ready("lab", clone)
    record(clone, "lab")
    assert not is_ready("dev", clone)


@pytest.mark.parametrize(("before", "after"), [(None, "lab"), ("lab", "lab"), ("dev", "dev")])
def test_make_lab_leaves_a_developer_the_tools(
    clone: Path, monkeypatch: pytest.MonkeyPatch, before: str | None, after: str
) -> None:
    if before:
        record(clone, before, **{before: "of an older lock"})
    done: list[str] = []
    monkeypatch.setattr(set_up, "set_up", lambda kind, root: done.append(kind))
    assert set_up.main("lab", clone) == 0
    assert done == [after]


@pytest.mark.parametrize("file", [UV_LOCK, LOCKS["dev"], "pyproject.toml"])
def test_a_changed_file_is_noticed(clone: Path, file: str) -> None:
    record(clone, "dev")
    with (clone / file).open("a", encoding="utf-8") as stream:
        stream.write("\n")
    assert not is_ready("dev", clone)


def test_a_touched_file_is_not_a_changed_one(clone: Path) -> None:
    record(clone, "dev")
    (clone / LOCKS["dev"]).touch()
    assert is_ready("dev", clone)


def test_a_moved_clone_is_noticed(clone: Path) -> None:
    record(clone, "lab")
    moved = clone.rename(clone.with_name("moved"))
    assert not is_ready("lab", moved)


def test_a_python_that_is_gone_is_noticed(clone: Path) -> None:
    record(clone, "lab")
    python_of(clone / venv_of("lab")).unlink()
    assert not is_ready("lab", clone)


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "{}"])
def test_a_half_built_environment_is_noticed(clone: Path, text: str) -> None:
    record(clone, "lab")
    (clone / venv_of("lab") / RECORD).write_text(text, encoding="utf-8")
    assert not is_ready("lab", clone)


def test_a_failed_step_is_told_and_leaves_nothing_ready(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(command: tuple[str, ...], *, check: bool, cwd: Path) -> None:
        assert check
        assert cwd == clone
        raise subprocess.CalledProcessError(1, command)

    monkeypatch.setattr(subprocess, "run", fail)
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert set_up.main("lab", clone) == 1
    assert "-m venv" in capsys.readouterr().err
    assert not is_ready("lab", clone)


def test_a_path_with_chinese_characters_does_not_get_into_a_file_of_the_locales_encoding(
    clone: Path,
) -> None:
    site = clone / ".venv" / "lib" / "python3.11" / "site-packages"
    site.mkdir(parents=True)
    (site / "_rankwalk.pth").write_text(str(clone / "src"), encoding="utf-8")
    (site / "other.pth").write_text("import other", encoding="utf-8")
    set_up.make_path_relative(clone / ".venv", clone / "src")
    line = (site / "_rankwalk.pth").read_text(encoding="ascii").strip()
    assert (site / line).resolve() == (clone / "src").resolve()
    assert (site / "other.pth").read_text(encoding="utf-8") == "import other"


@pytest.mark.skipif(sys.platform == "win32", reason="sh finds a Python where there is make")
def test_without_a_python_that_is_new_enough_it_says_so(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    (tmp_path / "cat").symlink_to(str(shutil.which("cat")))
    done = subprocess.run(
        [str(shutil.which("sh")), "tools/set_up.sh", "lab"],
        cwd=ROOT,
        env={"PATH": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1
    assert "Python 3.11 or newer" in done.stderr
    assert "python3-venv" in done.stderr
