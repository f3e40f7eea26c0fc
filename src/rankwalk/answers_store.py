"""Saved answers: one readable JSON file a lesson, on the learner's own machine, that loses nothing.

- A file is written whole or not at all: to a temporary file beside it, flushed to the disk, then put in
  its place in one step.
- Every submission is added, none replaces another, and what is on the disk is read again under a lock
  just before writing. So a lesson that is open twice keeps both.
- A file that cannot be read as saved answers, or comes from a newer version, is never overwritten: it
  stays as it is until something is to be saved, is then renamed, and both are told.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from re import fullmatch
from time import monotonic, sleep
from typing import Any

from rankwalk import checks
from rankwalk.messages import Refused

FORMAT = "rankwalk answers"
FORMAT_VERSION = 1
FOLDER = "my-answers"
FOLDER_VARIABLE = "RANKWALK_ANSWERS"
"""The environment variable that names another folder for every lesson."""
LONGEST_WAIT = 5.0
"""Seconds to wait while another window saves."""


@dataclass(frozen=True, slots=True)
class Saved:
    """One submission.

    Attributes:
        exercise: the exercise's id.
        version: the version of the exercise that was answered.
        answer: ids of options, or the text as typed.
        submitted: when, as ISO 8601 in UTC.
        holds: what was found then; ``None`` where the learner is the judge.
    """

    exercise: str
    version: int
    answer: str | tuple[str, ...]
    submitted: str
    holds: bool | None


class Trouble(StrEnum):
    """Why a file is not read."""

    DAMAGED = "damaged"
    NEWER = "newer"


@dataclass(frozen=True, slots=True)
class Aside:
    """A file that is not read and not overwritten.

    Attributes:
        trouble: why.
        file: its name.
        kept_as: the name it is kept under, or will be when something is saved.
    """

    trouble: Trouble
    file: str
    kept_as: str


@dataclass(frozen=True, slots=True)
class Contents:
    """What a lesson's file holds.

    Attributes:
        saved: every submission, the oldest first.
        aside: what is the matter with the file; ``None`` if nothing is.
    """

    saved: tuple[Saved, ...] = ()
    aside: Aside | None = None

    def last(self, exercise: str) -> Saved | None:
        """The latest submission for an exercise."""
        return next((one for one in reversed(self.saved) if one.exercise == exercise), None)


class AnswerStore:
    """The saved answers of one lesson.

    Args:
        lesson: the lesson's two digits.
        folder: where the file is; by default what ``RANKWALK_ANSWERS`` names, else ``my-answers`` in
            the current folder, which for a notebook is the folder beside it. Made when first needed.

    Raises:
        Refused: a `ValueError`, for a lesson that is not two digits.
    """

    def __init__(self, lesson: str, folder: str | os.PathLike[str] | None = None) -> None:
        if not isinstance(lesson, str) or not fullmatch(r"[0-9]{2}", lesson):
            raise Refused("not_a_lesson", field="lesson", found=checks.shown(lesson))
        self.lesson = lesson
        chosen = folder if folder is not None else os.environ.get(FOLDER_VARIABLE) or FOLDER
        if not isinstance(chosen, (str, os.PathLike)) or "\0" in str(chosen):
            raise Refused("not_a_folder", field="folder", found=checks.shown(chosen))
        # Absolute from the start: a later os.chdir in the notebook must not move the answers.
        self.folder = Path(chosen).expanduser().absolute()

    @property
    def file(self) -> Path:
        """The lesson's file; it is there once something was submitted."""
        return self.folder / f"lesson-{self.lesson}.json"

    def read(self) -> Contents:
        """Read what is saved. Nothing is changed, not even a damaged file.

        Raises:
            Refused: a `ValueError`, if the file is there and the system does not let it be read.
        """
        try:
            text = self.file.read_bytes()
        except FileNotFoundError:
            return Contents()
        except OSError as error:
            raise self._refused("not_read", error) from error
        try:
            return Contents(saved=_parsed(text, self.lesson))
        except _NewerError:
            trouble = Trouble.NEWER
        except (ValueError, KeyError, TypeError, RecursionError):
            trouble = Trouble.DAMAGED
        return Contents(aside=Aside(trouble, self.file.name, self._free_name(trouble).name))

    def add(
        self, exercise: str, version: int, answer: str | Sequence[str], holds: bool | None
    ) -> Contents:
        """Add one submission and return what is saved now, other windows' submissions included.

        Args:
            exercise: the exercise's id.
            version: its version.
            answer: ids of options, or text.
            holds: what was found; ``None`` where the learner is the judge.

        Returns:
            The contents; ``aside`` tells of a file that had to be renamed first.

        Raises:
            Refused: a `ValueError`, if it cannot be written; then the file is what it was.
        """
        new = Saved(
            exercise=exercise,
            version=version,
            answer=answer if isinstance(answer, str) else tuple(answer),
            submitted=datetime.now(UTC).isoformat(timespec="milliseconds"),
            holds=holds,
        )
        try:
            with self._locked():
                before = self._read_or_set_aside()
                after = Contents(saved=(*before.saved, new), aside=before.aside)
                self._write(after.saved)
                return after
        except OSError as error:
            raise self._refused("not_saved", error) from error

    def delete(self) -> Contents:
        """Delete the lesson's file, and return what is left: nothing, or a file kept aside.

        Raises:
            Refused: a `ValueError`, if the system does not let it be deleted.
        """
        if not self.file.exists():
            return Contents()
        try:
            with self._locked():
                before = self._read_or_set_aside()
                self.file.unlink(missing_ok=True)
                return Contents(aside=before.aside)
        except OSError as error:
            raise self._refused("not_deleted", error) from error

    def export(self) -> str:
        """Return everything saved as the text of a file that can be kept or handed in."""
        return _as_text(self.read().saved, self.lesson)

    # --- the disk

    def _refused(self, key: str, error: OSError) -> Refused:
        reason = error.strerror or type(error).__name__
        return Refused(key, field="folder", file=str(self.file), reason=reason)

    def _read_or_set_aside(self) -> Contents:
        contents = self.read()
        if contents.aside is not None:
            self.file.rename(
                self.folder / contents.aside.kept_as
            )  # under the lock: the name is free
        return contents

    def _free_name(self, trouble: Trouble) -> Path:
        number = 1
        while (name := self.folder / f"lesson-{self.lesson}.{trouble}-{number}.json").exists():
            number += 1
        return name

    def _write(self, saved: Sequence[Saved]) -> None:
        """Write the file whole or not at all."""
        for left in self.folder.glob(f".lesson-{self.lesson}.*.tmp"):
            left.unlink(missing_ok=True)  # of a process that was killed while it wrote
        handle, name = tempfile.mkstemp(
            prefix=f".lesson-{self.lesson}.", suffix=".tmp", dir=self.folder
        )
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(_as_text(saved, self.lesson))
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(self.file)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
        _sync_folder(self.folder)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lesson's lock, which the system gives back even if the process is killed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        ignore = self.folder / ".gitignore"
        if not ignore.exists():  # so that answers are not committed by mistake, wherever they are
            ignore.write_text("*\n", encoding="utf-8")
        with (self.folder / f".lesson-{self.lesson}.lock").open("a+b") as file:
            _lock(file.fileno())
            yield


try:
    import fcntl

    def _try_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

except ImportError:  # pragma: no cover - Windows
    import msvcrt

    def _try_lock(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]


def _lock(descriptor: int) -> None:
    """Take the lock, which closing the file gives back; give up rather than hang a notebook."""
    deadline = monotonic() + LONGEST_WAIT
    while True:
        try:
            return _try_lock(descriptor)
        except OSError:
            if monotonic() > deadline:
                raise
        sleep(0.01)


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


# --- the format


class _NewerError(Exception):
    """The file was written by a newer version."""


def _as_text(saved: Sequence[Saved], lesson: str) -> str:
    document = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "lesson": lesson,
        "answers": [
            {
                "exercise": one.exercise,
                "exercise_version": one.version,
                "submitted": one.submitted,
                "answer": one.answer if isinstance(one.answer, str) else list(one.answer),
                "holds": one.holds,
            }
            for one in saved
        ],
    }
    text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    # A lone surrogate can be pasted, but not written as UTF-8.
    return text.encode("utf-8", "replace").decode("utf-8")


def _parsed(data: bytes, lesson: str) -> tuple[Saved, ...]:
    """Read a file; raise `_NewerError`, or ValueError, KeyError or TypeError for one that is damaged."""
    document = json.loads(data.decode("utf-8-sig"))
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise ValueError("another format")
    version = document["format_version"]
    if type(version) is not int or version < 1:
        raise ValueError("no version")
    if version > FORMAT_VERSION:
        raise _NewerError
    if document["lesson"] != lesson:
        raise ValueError("another lesson")
    return tuple(_parsed_one(entry) for entry in document["answers"])


def _parsed_one(entry: Mapping[str, Any]) -> Saved:
    answer = entry["answer"]
    is_options = isinstance(answer, list) and all(isinstance(one, str) for one in answer)
    right = (
        isinstance(entry["exercise"], str)
        and type(entry["exercise_version"]) is int
        and isinstance(entry["submitted"], str)
        and (is_options or isinstance(answer, str))
        and (entry["holds"] is None or isinstance(entry["holds"], bool))
    )
    if not right:
        raise ValueError("another shape")
    return Saved(
        exercise=entry["exercise"],
        version=entry["exercise_version"],
        answer=tuple(answer) if is_options else answer,
        submitted=entry["submitted"],
        holds=entry["holds"],
    )
