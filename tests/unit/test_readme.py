"""What the README shows runs as shown."""

from __future__ import annotations

import re
from pathlib import Path

import rankwalk

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_two_commands_come_first() -> None:
    commands = re.findall(r"^    (make \w+)", README, flags=re.MULTILINE)
    assert commands == ["make lab", "make test"]


def test_every_make_target_that_the_documents_name_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*):", makefile, flags=re.MULTILINE))
    named = {
        target
        for file in ("README.md", "CONTRIBUTING.md")
        for target in re.findall(
            r"(?:`|^    |CI=true )make ([a-z-]+)",
            (ROOT / file).read_text(encoding="utf-8"),
            flags=re.MULTILINE,
        )
    }
    assert named
    assert named <= targets


def test_the_python_example_gives_what_it_says() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    names: dict[str, object] = {}
    exec(example, names)  # our own README
    assert "rrf" in names
    shown = re.findall(r"\('(\w)', ([\d.]+)…\)", example)
    assert shown
    for (name, digits), (best, score) in zip(
        shown, rankwalk.rrf([["A", "B", "C"], ["B", "D", "A"]]), strict=False
    ):
        assert name == best
        assert str(score).startswith(digits)


def test_the_files_that_the_documents_link_to_exist() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
