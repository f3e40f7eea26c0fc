"""What people install: the wheel, in a fresh environment, without this folder.

A pattern for files to leave out once dropped all JavaScript from a wheel, and only an installed
wheel shows that.
"""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "rankwalk"

# Makes every widget that is no base of another one, and tells what it found.
CONSTRUCT_WIDGETS = """
import importlib, json, pkgutil
import anywidget, rankwalk.widgets
from rankwalk.exercises import questions
found, needed = {}, {"Exercise": ("01", questions("01", "en")[0].id)}
for module in pkgutil.walk_packages(rankwalk.widgets.__path__, "rankwalk.widgets."):
    importlib.import_module(module.name)
classes = [anywidget.AnyWidget]
for cls in classes:
    classes += cls.__subclasses__()
for cls in classes:
    if cls.__module__.startswith("rankwalk.") and not cls.__subclasses__():
        widget = cls(*needed.get(cls.__name__, ()))
        found[cls.__name__] = [len(str(widget._esm)), len(repr(widget))]
print(json.dumps(found))
"""

IMPORT_CORE = """
import sys
before = set(sys.modules)
import rankwalk
new = {name.partition(".")[0] for name in set(sys.modules) - before}
print(sorted(new - {"rankwalk"} - set(sys.stdlib_module_names)))
print(rankwalk.__file__)
from rankwalk.messages import languages
print(languages(), rankwalk.rrf([["A", "B"], ["B", "A"]]))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run([*build, "--directory", str(folder)], cwd=ROOT, check=True, capture_output=True)
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a fresh environment with the wheel and nothing else in it."""
    venv = tmp_path_factory.mktemp("fresh") / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    python = venv / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    pip = [str(python), "-m", "pip", "install", "--isolated", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*pip, str(wheel)], check=True)
    return python


def run(python: Path, code: str, folder: Path) -> str:
    """Run code in a folder that is not the project's, with no variable that points there."""
    done = subprocess.run(
        [str(python), "-I", "-X", "utf8", "-W", "error", "-c", code],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_has_every_file_of_the_package_and_no_other(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    files = (path for path in PACKAGE.rglob("*") if path.is_file())
    assert packed == {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in files
        if "__pycache__" not in path.parts
    }


def test_the_core_needs_nothing_but_python(python: Path, tmp_path: Path) -> None:
    foreign, file, result = run(python, IMPORT_CORE, tmp_path).splitlines()
    assert foreign == "[]"
    assert Path(file).is_relative_to(python.parents[1])
    assert result.startswith("('en', 'zh')")


def test_the_command_is_installed(python: Path, tmp_path: Path) -> None:
    command = python.with_name("rankwalk").with_suffix(python.suffix)
    done = subprocess.run(
        [str(command), "--help"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    assert "demo" in done.stdout


def test_every_widget_can_be_made_from_the_wheel(python: Path, tmp_path: Path) -> None:
    # The libraries are this environment's; a path in a .pth file brings them, but not the editable
    # install of the project, whose own .pth file is not read then.
    (site,) = python.parents[1].glob("[Ll]ib/**/site-packages")
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    made = json.loads(run(python, CONSTRUCT_WIDGETS, tmp_path))
    assert "Walkthrough" in made
    for name, (javascript, words) in made.items():
        assert javascript > 100, f"{name} has no JavaScript"
        assert words
