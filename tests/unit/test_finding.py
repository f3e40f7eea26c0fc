"""Which browser the browser tests take, and when a missing one is a failure."""

from __future__ import annotations

from pathlib import Path

import finding
import pytest


@pytest.fixture(autouse=True)
def _nothing_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without its cache, and so that the browser tests of this run do not get what is found here.
    monkeypatch.setattr(finding, "chromium_path", finding.chromium_path.__wrapped__)
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(finding, "_of_playwright", lambda: None)


def program(file: Path) -> str:
    file.write_text("#!/bin/sh\n", encoding="utf-8")
    file.chmod(0o755)
    return str(file)


def test_none_is_found_where_there_is_none() -> None:
    assert finding.chromium_path() is None


@pytest.mark.parametrize("name", finding.NAMES)
def test_one_on_the_path_is_found(tmp_path: Path, name: str) -> None:
    expected = program(tmp_path / name)
    assert finding.chromium_path() == expected


def test_the_one_that_is_named_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "chromium")
    named = program(tmp_path / "my browser")
    monkeypatch.setenv("CHROMIUM", named)
    assert finding.chromium_path() == named


def test_a_wrong_name_is_not_quietly_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "chromium")
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "nothing here"))
    assert finding.chromium_path() is None


def test_playwrights_own_is_the_last_resort(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "_of_playwright", lambda: "of playwright")
    assert finding.chromium_path() == "of playwright"
    expected = program(tmp_path / "chromium")
    assert finding.chromium_path() == expected


@pytest.mark.parametrize(
    ("value", "fails"),
    [(None, False), ("", False), ("0", False), ("false", False), ("true", True), ("1", True)],
)
def test_only_in_ci_a_missing_browser_fails(
    monkeypatch: pytest.MonkeyPatch, value: str | None, fails: bool
) -> None:
    if value is None:
        monkeypatch.delenv("CI", raising=False)
    else:
        monkeypatch.setenv("CI", value)
    assert finding.a_missing_browser_fails() is fails


def test_the_hint_says_how_to_get_one() -> None:
    assert "\n" not in finding.HOW_TO_GET_ONE
    assert "apt install chromium" in finding.HOW_TO_GET_ONE
    assert "playwright install chromium" in finding.HOW_TO_GET_ONE
