"""Copy the lessons into ``my-lessons/``, where a learner may change and save them.

    python tools/prepare_lessons.py en

The tracked notebooks stay as they are, and nothing that a learner has changed is ever overwritten:

- a lesson that is not there yet is copied;
- a copy that is still as it was made is replaced when the lesson has a new version;
- a copy that was changed stays, and the new version is put beside it, once, under a name of its own.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from rankwalk.messages import languages, say

RECORD = ".delivered.json"
"""In a learner's folder: for each file the hash of what was last delivered under its name."""


def hash_of(file: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def lessons_in(source: Path) -> list[Path]:
    """Return the files of a folder of lessons, relative to it; hidden ones are not lessons."""
    files = (path.relative_to(source) for path in source.rglob("*") if path.is_file())
    return sorted(p for p in files if not any(part.startswith(".") for part in p.parts))


def free_names(name: Path) -> Iterator[Path]:
    """Yield names for new versions beside ``x.ipynb``: ``x_new.ipynb``, ``x_new2.ipynb`` and so on."""
    number = 1
    while True:
        yield name.with_stem(f"{name.stem}_new{number if number > 1 else ''}")
        number += 1


def read_record(file: Path) -> dict[str, str]:
    """Return what was delivered; nothing if that is not known, so that every copy counts as changed."""
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def prepare(source: Path, target: Path) -> list[tuple[Path, Path]]:
    """Bring a learner's folder up to the lessons in ``source``.

    Returns:
        The lessons of which a new version was put beside the learner's, each with its new name.
    """
    target.mkdir(parents=True, exist_ok=True)
    record_file = target / RECORD
    delivered = read_record(record_file)
    beside: list[tuple[Path, Path]] = []
    for name in lessons_in(source):
        version = hash_of(source / name)
        mine = target / name
        if mine.exists() and delivered.get(name.as_posix()) == version:
            continue  # this version was delivered before, whatever became of it
        if not mine.exists() or hash_of(mine) in (version, delivered.get(name.as_posix())):
            mine.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, mine)
        else:
            new = next(free for free in free_names(name) if not (target / free).exists())
            shutil.copyfile(source / name, target / new)
            beside.append((name, new))
        delivered[name.as_posix()] = version
    record_file.write_text(json.dumps(delivered, indent=1, sort_keys=True), encoding="utf-8")
    return beside


def main(lang: str) -> int:
    """Prepare the lessons in ``lang`` and say what was put beside; return an exit code."""
    source, target = Path("notebooks", lang), Path("my-lessons", lang)
    if not source.is_dir() or not lessons_in(source):
        print(say("lab.lessons.none", lang, folder=source), file=sys.stderr)
        return 1
    for name, new in prepare(source, target):
        print(say("lab.lessons.beside", lang, lesson=target / name, new=target / new))
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in languages():
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
