"""Build the virtual environment that a make target works in, from the hashed locks.

    python3 tools/set_up.py lab      what a learner needs, in .venv
    python3 tools/set_up.py dev      that and the tools for tests and checks, in .venv
    python3 tools/set_up.py bench    what the benchmark compares with, in .venv-bench

Runs on any Python from 3.11 on with nothing installed. A second run compares one hash and is done.
Nothing is installed that is not in a lock with its hash: neither uv, which does the installing, nor
hatchling, which builds the project.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from rankwalk.messages import say  # noqa: E402 - found only after the line above
from terminal import terminal_language  # noqa: E402 - beside this file

UV_LOCK = "requirements-uv.txt"
LOCKS = {
    "lab": "requirements.txt",
    "dev": "requirements-dev.txt",
    "bench": "requirements-bench.txt",
}
RECORD = "set-up.json"


def venv_of(kind: str) -> Path:
    """Return the folder of the environment for ``kind``, relative to the project."""
    return Path(".venv-bench" if kind == "bench" else ".venv")


def python_of(venv: Path) -> Path:
    """Return the interpreter in ``venv``."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def fingerprint(kind: str, root: Path) -> str:
    """Return a hash of the files that the environment is made from.

    Contents count, not times, because ``git checkout`` touches files that stay the same.
    """
    digest = hashlib.sha256()
    for name in (UV_LOCK, LOCKS[kind], "pyproject.toml"):
        digest.update(b"\0" + (root / name).read_bytes())
    return digest.hexdigest()


def recorded(kind: str, root: Path) -> dict[str, str]:
    """Return what was set up: the place, and the fingerprint of each kind that was installed.

    Nothing is returned for an environment that cannot be used any more: one whose Python is gone, or
    one in a clone that was moved, because an environment holds absolute paths.
    """
    venv = root / venv_of(kind)
    try:
        record: dict[str, str] = json.loads((venv / RECORD).read_text(encoding="utf-8"))
        usable = record["place"] == str(root) and python_of(venv).exists()
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return record if usable else {}


def is_ready(kind: str, root: Path) -> bool:
    """Say whether the environment for ``kind`` is there and made from the present locks.

    The development lock holds everything of the learners' lock, so ``dev`` also serves ``lab``.
    """
    record = recorded(kind, root)
    serving = ("lab", "dev") if kind == "lab" else (kind,)
    return any(record.get(other) == fingerprint(other, root) for other in serving)


def set_up(kind: str, root: Path) -> None:
    """Build the environment for ``kind``, or bring it up to the present locks.

    Raises:
        subprocess.CalledProcessError: if a step fails; the next run then starts over.
    """

    def run(*command: str) -> None:
        # From the project's folder every path is relative, whatever is in the path of the clone.
        subprocess.run(command, check=True, cwd=root)

    venv = venv_of(kind)
    python = str(python_of(venv))
    if not recorded(kind, root):  # new, half-built, moved, or none of ours
        run(sys.executable, "-m", "venv", "--clear", str(venv))
    (root / venv / RECORD).unlink(missing_ok=True)
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--require-hashes", "--only-binary=:all:", "-r", UV_LOCK)
    uv = (python, "-m", "uv", "pip")
    here = ("--quiet", "--python", python)
    run(*uv, "sync", *here, "--require-hashes", LOCKS[kind])
    # One command cannot take both a hashed list and a path.
    run(*uv, "install", *here, "--no-deps", "--no-build-isolation", "--editable", ".")
    make_path_relative(root / venv, root / "src")
    record = {"place": str(root), kind: fingerprint(kind, root)}
    (root / venv / RECORD).write_text(json.dumps(record) + "\n", encoding="utf-8")


def make_path_relative(venv: Path, source: Path) -> None:
    """Let the editable install find ``source`` by a relative path, which is ASCII.

    Python reads a .pth file in the encoding of the locale. Where that is ASCII, as in a container
    whose LANG names a locale that is not installed, a path with Chinese characters would keep every
    Python in the environment from starting.
    """
    for file in venv.rglob("site-packages/*.pth"):
        if file.read_text(encoding="utf-8").strip() == str(source):
            relative = os.path.relpath(source, file.parent)
            file.write_text(relative + "\n", encoding="utf-8")


def main(kind: str, root: Path = ROOT) -> int:
    """Set up the environment for ``kind`` unless it is ready; return an exit code."""
    if is_ready(kind, root):
        return 0
    if kind == "lab" and "dev" in recorded(kind, root):
        kind = (
            "dev"  # make lab brings a developer's environment up to date, and leaves the tools in
        )
    lang = terminal_language(os.environ)
    print(say("lab.set_up.begin", lang, folder=venv_of(kind)), flush=True)
    try:
        set_up(kind, root)
    except subprocess.CalledProcessError as error:
        print(say("lab.set_up.failed", lang, command=" ".join(error.cmd)), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in LOCKS:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
