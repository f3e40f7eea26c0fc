"""What JupyterLab is started with."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

import start_lab
from start_lab import SETTINGS, jupyter_arguments, write_settings


@pytest.fixture
def prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "an environment"))
    return tmp_path / "an environment"


def test_settings_go_into_the_environment(prefix: Path) -> None:
    write_settings()
    file = prefix / "share/jupyter/lab/settings/overrides.json"
    assert json.loads(file.read_text(encoding="utf-8")) == SETTINGS


def test_each_setting_exists_in_this_jupyterlab() -> None:
    """A misspelt name would be ignored without a word, so each is looked up in its schema."""
    share = Path(sys.prefix, "share", "jupyter")
    for plugin, values in SETTINGS.items():
        package, name = plugin.split(":")
        places = [share / "lab", share / "labextensions" / package]
        (file,) = (
            found for p in places if (found := p / "schemas" / package / f"{name}.json").exists()
        )
        schema = json.loads(file.read_text(encoding="utf-8"))
        for key, value in values.items():
            kinds = {"boolean": bool, "string": str}
            assert isinstance(value, kinds[schema["properties"][key]["type"]])


def test_only_this_machine_can_connect_and_only_with_the_token(prefix: Path) -> None:
    words = jupyter_arguments(Path("my-lessons/en/01_five_steps.ipynb"), ["--no-browser"])
    assert "--ServerApp.ip=127.0.0.1" in words
    assert not any("token" in word or "password" in word for word in words)
    assert words[-1] == "--no-browser"


@pytest.mark.parametrize(("user", "allowed"), [(0, True), (1000, False)])
def test_root_is_let_in_and_nobody_else_needs_it(
    prefix: Path, monkeypatch: pytest.MonkeyPatch, user: int, allowed: bool
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: user, raising=False)
    assert ("--allow-root" in jupyter_arguments(Path("x.ipynb"), [])) == allowed


@pytest.mark.parametrize(
    ("arguments", "locale", "lesson"),
    [
        ([], "zh_CN.UTF-8", "my-lessons/zh/01_five_steps.ipynb"),
        ([], "C.UTF-8", "my-lessons/en/01_five_steps.ipynb"),
        (["--lessons", "zh"], "C.UTF-8", "my-lessons/zh/01_five_steps.ipynb"),
        (["--lessons", "en", "--"], "zh_CN", "my-lessons/en/01_five_steps.ipynb"),
    ],
)
def test_it_opens_lesson_1_in_the_language_asked_for(
    prefix: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    locale: str,
    lesson: str,
) -> None:
    started: list[list[str]] = []
    monkeypatch.setenv("LC_ALL", locale)
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "")
    monkeypatch.delenv("ANYWIDGET_HMR", raising=False)
    monkeypatch.setattr(sys, "argv", ["start_lab.py", *arguments])
    monkeypatch.setattr("prepare_lessons.main", lambda lang: 0)
    monkeypatch.setattr("jupyterlab.labapp.LabApp.launch_instance", started.append)
    monkeypatch.chdir(".")  # it changes the folder
    assert start_lab.main() == 0
    assert "ANYWIDGET_HMR" not in os.environ
    assert os.environ["JUPYTER_PREFER_ENV_PATH"] == "1"
    (words,) = started
    assert f"--LabApp.default_url=/lab/tree/{lesson}" in words


def test_make_dev_reloads_widgets(prefix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "")
    monkeypatch.setenv("ANYWIDGET_HMR", "0")
    monkeypatch.setattr(sys, "argv", ["start_lab.py", "--reload-widgets"])
    monkeypatch.setattr("prepare_lessons.main", lambda lang: 0)
    monkeypatch.setattr("jupyterlab.labapp.LabApp.launch_instance", lambda words: None)
    assert start_lab.main() == 0
    assert os.environ["ANYWIDGET_HMR"] == "1"


def test_without_lessons_nothing_is_started(prefix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["start_lab.py"])
    monkeypatch.setattr("prepare_lessons.main", lambda lang: 1)
    monkeypatch.setattr("jupyterlab.labapp.LabApp.launch_instance", pytest.fail)
    assert start_lab.main() == 1
