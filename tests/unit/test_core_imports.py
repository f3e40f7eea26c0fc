"""The core imports the standard library only, so that it reads like a textbook and starts at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
# Everything but the figures and the widgets.
CORE = sorted(
    path.stem
    for path in (SOURCE / "rankwalk").glob("*.py")
    if path.stem not in ("__init__", "plots")
)

SHOW_IMPORTED = """
import importlib, sys
sys.path.insert(0, sys.argv[1])
before = set(sys.modules)
importlib.import_module(sys.argv[2])
print(*sorted(set(sys.modules) - before))
"""


def imported_by(module: str) -> list[str]:
    """Return the modules that an import adds, in an interpreter without installed packages."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", SHOW_IMPORTED, str(SOURCE), module],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_the_package_imports_the_standard_library_only() -> None:
    tops = {name.partition(".")[0] for name in imported_by("rankwalk")}
    assert "rankwalk" in tops
    assert tops - {"rankwalk"} <= sys.stdlib_module_names


@pytest.mark.parametrize("module", CORE)
def test_each_part_of_the_core_imports_the_standard_library_only(module: str) -> None:
    tops = {name.partition(".")[0] for name in imported_by(f"rankwalk.{module}")}
    assert tops - {"rankwalk"} <= sys.stdlib_module_names


def test_the_package_does_not_import_what_is_slow_to_import() -> None:
    """Each of these takes 10 ms or more, and no one needs it for two ranked lists."""
    slow = {"asyncio", "http", "unittest", "multiprocessing", "ssl", "xml", "sqlite3", "email"}
    tops = {name.partition(".")[0] for name in imported_by("rankwalk")}
    assert tops & slow == set()
