"""The tiny lesson, built once for all tests that look at it."""

from __future__ import annotations

from pathlib import Path

import build_lessons
import pytest

TINY = Path(__file__).parent / "lessons" / "00_tiny.md"


@pytest.fixture(scope="session")
def tiny() -> Path:
    """The source of a lesson that lives in the tests only."""
    return TINY


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The tiny lesson as built in each language."""
    folder = tmp_path_factory.mktemp("notebooks")
    return {lang: build_lessons.build(TINY, lang, folder / lang) for lang in ("en", "zh")}
