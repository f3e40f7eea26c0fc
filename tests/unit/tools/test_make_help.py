"""``make help`` lists every target that is meant to be typed, in the terminal's language."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
INNER = {"check-js", "help"}
"""A part of another target, and the list itself."""


def listed(**locale: str) -> dict[str, str]:
    """Return what each target is said to do."""
    plain = {k: v for k, v in os.environ.items() if k not in ("LANG", "LC_ALL", "LC_MESSAGES")}
    done = subprocess.run(
        ["make", "--silent", "--no-print-directory", "help"],
        cwd=ROOT,
        env={**plain, **locale},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    rows = [line.split(maxsplit=2) for line in done.stdout.splitlines()]
    assert all(row[0] == "make" for row in rows)
    return {row[1]: row[2] for row in rows}


@pytest.mark.parametrize(
    ("locale", "chinese"),
    [
        ({"LANG": "zh_CN.UTF-8"}, True),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "zh_TW.UTF-8"}, True),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, False),
        ({}, False),
    ],
)
def test_every_target_is_told_in_the_terminal_s_language(
    locale: dict[str, str], chinese: bool
) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony
    told = listed(**locale)
    assert set(told) - INNER == set(phony[1].split()) - INNER
    for words in told.values():
        assert bool(re.search(r"[\u4e00-\u9fff]", words)) == chinese, words
        assert "##" not in words
