"""Build the notebooks that people open from the lessons' text sources.

A lesson is one file, ``lessons/NN_name.md``, in jupytext's MyST form: Markdown cells tagged with a
language, code cells shared by all languages. For each language it becomes
``notebooks/LANGUAGE/NN_name.ipynb`` with stored outputs::

    python tools/build_lessons.py                    every lesson in every language
    python tools/build_lessons.py 01_five_steps      this one
    python tools/build_lessons.py --check            change nothing; fail where built and source differ

Two builds give the same bytes: cell ids come from lesson and place, and nothing that depends on the
moment or the machine is kept. ``--check`` runs no code; that the stored outputs are still right is
for nbval to say, which runs every notebook.
"""

from __future__ import annotations

import argparse
import base64
import os
import re
import struct
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from rankwalk.messages import languages, say

ROOT = Path(__file__).resolve().parents[1]
SECONDS_PER_CELL = 120

SOLUTION = "solution"
FOLDED = {"jp-MarkdownHeadingCollapsed": True}
"""A heading's mark in JupyterLab and Notebook 7: what is below it is folded away, also after a run."""
SOLUTION_LEVEL = 4
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


class LessonError(Exception):
    """A lesson that cannot be built: says which lesson, which cell, and what is wrong with it."""


def read_lesson(path: Path) -> NotebookNode:
    """Return a lesson's source as a notebook of tagged cells, all its rules checked.

    Raises:
        LessonError: if a tag is unknown, a code cell is empty, or a Markdown cell lacks its language or
            its other languages.
    """
    source: NotebookNode = jupytext.reads(path.read_text(encoding="utf-8"), fmt="md:myst")
    allowed = {SOLUTION, *map(_language_tag, languages())}
    expected = 0  # where we are in the row of languages; 0 between rows
    for number, cell in enumerate(source.cells, start=1):
        place = f"{path.name}, cell {number} ({_beginning(cell)})"
        for tag in set(_tags(cell)) - allowed:
            raise LessonError(
                f"{place}: unknown tag {tag!r}. Allowed: {', '.join(sorted(allowed))}."
            )
        if not cell.source.strip():
            raise LessonError(f"{place}: the cell is empty.")
        wanted = [_language_tag(languages()[expected])] if cell.cell_type == "markdown" else []
        found = [tag for tag in _tags(cell) if tag != SOLUTION]
        if found != wanted or (expected and not wanted):
            missing = _language_tag(languages()[expected])
            raise LessonError(
                f"{place}: found {found or 'no language tag'} where {missing} is due. Markdown cells"
                f" come in rows, one cell for each of {', '.join(languages())}, in this order; code"
                " cells have no language."
            )
        if cell.cell_type == "markdown":
            expected = (expected + 1) % len(languages())
    for number, (cell, after) in enumerate(pairwise(source.cells), start=2):
        level = len(after.source) - len(after.source.lstrip("#"))
        ends_it = after.cell_type == "markdown" and 0 < level <= SOLUTION_LEVEL
        if SOLUTION in _tags(cell) and SOLUTION not in _tags(after) and not ends_it:
            raise LessonError(
                f"{path.name}, cell {number} ({_beginning(after)}): what follows a solution begins"
                " with a heading, or it would be folded away with it."
            )
    if expected:
        raise LessonError(f"{path.name}: ends without a cell for {languages()[expected]}.")
    return source


def in_language(source: NotebookNode, lesson: str, lang: str) -> NotebookNode:
    """Return the notebook of a lesson in one language, not yet run.

    Its first code cell is made here, ``LANG = "en"``; with the Markdown it is all that differs between
    languages.
    """
    cells: list[NotebookNode] = []
    has_code = in_solution = False
    for cell in source.cells:
        is_code = cell.cell_type == "code"
        if not is_code and _language_tag(lang) not in _tags(cell):
            continue
        if is_code and not has_code:
            cells.append(nbformat.v4.new_code_cell(f'LANG = "{lang}"'))
            has_code = True
        solves = SOLUTION in _tags(cell)
        if solves and not in_solution:
            folded = {"tags": [SOLUTION], **FOLDED}
            cells.append(nbformat.v4.new_markdown_cell(solution_heading(lang), metadata=folded))
        in_solution = solves
        metadata = {"tags": [SOLUTION]} if solves else {}
        if is_code:
            cells.append(nbformat.v4.new_code_cell(cell.source, metadata=metadata))
        else:
            words = without_gaps(cell.source)
            cells.append(nbformat.v4.new_markdown_cell(words, metadata=metadata))
    for place, cell in enumerate(cells, start=1):
        cell.id = f"{lesson}-{place:03}"
    notebook: NotebookNode = nbformat.v4.new_notebook(cells=cells, metadata=_notebook_metadata())
    return notebook


def without_gaps(markdown: str) -> str:
    """Join lines that were broken between two Chinese characters, where a line break shows as a gap."""
    chinese = r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef”’]"
    return re.sub(rf"(?<={chinese})\n(?={chinese})", "", markdown)


def solution_heading(lang: str) -> str:
    """Return the heading that a solution is folded under."""
    return f"{'#' * SOLUTION_LEVEL} {say('lesson.solution', lang)}"


def run(notebook: NotebookNode, name: str, folder: Path) -> None:
    """Run a notebook in a fresh kernel and store its outputs, made equal on every machine.

    Args:
        notebook: as `in_language` made it; is changed.
        name: what to call it in a message.
        folder: where its code runs.

    Raises:
        LessonError: if a cell fails or has an output that the next build would not repeat.
    """
    started: list[int] = []
    client = NotebookClient(
        notebook,
        timeout=SECONDS_PER_CELL,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,
        on_cell_execute=lambda cell, cell_index: started.append(cell_index),
    )
    with _no_own_ipython_profile():
        try:
            client.execute()
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            cell = notebook.cells[started[-1]]
            what = re.sub(r"\x1b\[[\d;]*m", "", str(error))  # without the traceback's colours
            raise LessonError(
                f"{name}, cell {started[-1] + 1} ({_beginning(cell)}) failed:\n{what}"
            ) from error
    notebook.metadata = _notebook_metadata()  # running it wrote down the version of Python
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "code":
            place = f"{name}, cell {number} ({_beginning(cell)})"
            cell.metadata.pop("execution", None)
            cell.outputs = [_settled(output, place) for output in cell.outputs]


def build(path: Path, lang: str, folder: Path) -> Path:
    """Build one lesson in one language into ``folder`` and return the file that was written."""
    notebook = in_language(read_lesson(path), path.stem, lang)
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{path.stem}.ipynb"
    run(notebook, f"{path.stem} ({lang})", folder)
    nbformat.validate(notebook)
    target.write_bytes(as_bytes(notebook))
    return target


def as_bytes(notebook: NotebookNode) -> bytes:
    """Return the bytes of a notebook file: UTF-8, one newline at the end, on every system."""
    text: str = nbformat.writes(notebook)
    return (text.rstrip("\n") + "\n").encode("utf-8")


def differences(path: Path, lang: str, folder: Path) -> list[str]:
    """Say where a built notebook is not what its source gives, outputs left aside."""
    target = folder / f"{path.stem}.ipynb"
    name = f"{path.stem} ({lang})"
    if not target.exists():
        return [f"{name}: not built."]
    wanted = in_language(read_lesson(path), path.stem, lang)
    built = nbformat.reads(target.read_text(encoding="utf-8"), as_version=4)
    found = [f"{name}: metadata differ."] if built.metadata != wanted.metadata else []
    if len(built.cells) != len(wanted.cells):
        found.append(f"{name}: has {len(built.cells)} cells, its source {len(wanted.cells)}.")
    for number, (is_cell, ought) in enumerate(
        zip(built.cells, wanted.cells, strict=False), start=1
    ):
        for field in ("id", "cell_type", "source", "metadata"):
            if is_cell[field] != ought[field]:
                found.append(f"{name}, cell {number} ({_beginning(ought)}): {field} differs.")
    return found


def left_over(lessons: Path, notebooks: Path) -> list[str]:
    """Name the notebooks that no lesson builds."""
    wanted = {
        notebooks / lang / f"{path.stem}.ipynb" for path in sources(lessons) for lang in languages()
    }
    return [
        f"{path.relative_to(notebooks)}: no lesson builds it."
        for path in sorted(notebooks.rglob("*.ipynb"))
        if path not in wanted and ".ipynb_checkpoints" not in path.parts
    ]


def sources(lessons: Path) -> list[Path]:
    """Return the lessons' source files in their order."""
    return sorted(path for path in lessons.glob("*.md") if re.match(r"\d\d_", path.name))


def _settled(output: NotebookNode, place: str) -> NotebookNode:
    """Return an output as every build gives it, or refuse it."""
    if output.output_type == "error":
        raise LessonError(f"{place}: an error as output. Catch it and print what it says.")
    if output.output_type == "stream":
        if output.name == "stderr":
            raise LessonError(f"{place}: wrote to stderr:\n{output.text}")
        return output
    data: dict[str, Any] = output.data
    if WIDGET_VIEW in data:  # its model id is random; the static forms stay
        output.data = data = {
            mime: data[mime] for mime in ("text/html", "text/plain") if mime in data
        }
        if not data:
            raise LessonError(f"{place}: a widget without a form as text or HTML.")
    if re.search(r"\bat 0x[0-9a-f]{6,}", str(data.get("text/plain", ""))):
        raise LessonError(f"{place}: a repr with an address in memory: {data['text/plain']}")
    if "image/png" in data:
        data["image/png"] = _png_without_texts(data["image/png"])
    return output


def _png_without_texts(encoded: str) -> str:
    """Return a base64 PNG without its text chunks, where matplotlib writes its version."""
    png = base64.b64decode(encoded)
    kept, position = [png[:8]], 8
    while position < len(png):
        (length,) = struct.unpack(">I", png[position : position + 4])
        chunk = png[position : position + 12 + length]  # length, type, data, checksum
        if chunk[4:8] not in (b"tEXt", b"zTXt", b"iTXt", b"tIME"):
            kept.append(chunk)
        position += len(chunk)
    return base64.b64encode(b"".join(kept)).decode("ascii")


@contextmanager
def _no_own_ipython_profile() -> Iterator[None]:
    """Keep the start-up files and the history of whoever builds out of the kernels."""
    before = os.environ.get("IPYTHONDIR")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ["IPYTHONDIR"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["IPYTHONDIR"]
            else:
                os.environ["IPYTHONDIR"] = before


def _notebook_metadata() -> NotebookNode:
    """Return what is the same on every machine, so without the version of its Python."""
    metadata: NotebookNode = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {
                "file_extension": ".py",
                "mimetype": "text/x-python",
                "name": "python",
                "pygments_lexer": "ipython3",
            },
        }
    )
    return metadata


def _language_tag(lang: str) -> str:
    return f"lang-{lang}"


def _tags(cell: NotebookNode) -> list[str]:
    return list(cell.metadata.get("tags", []))


def _beginning(cell: NotebookNode) -> str:
    line = cell.source.strip().split("\n")[0]
    return line if len(line) <= 50 else f"{line[:49]}…"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, or 1 if something differs or cannot be built."""
    parser = argparse.ArgumentParser(description="Build the notebooks from the lessons' sources.")
    parser.add_argument(
        "names", nargs="*", metavar="LESSON", help="such as 01_five_steps; else all"
    )
    parser.add_argument("--lang", choices=languages(), help="this language only")
    parser.add_argument(
        "--check", action="store_true", help="write nothing, fail where they differ"
    )
    parser.add_argument("--lessons", type=Path, default=ROOT / "lessons", help="the sources")
    parser.add_argument("--notebooks", type=Path, default=ROOT / "notebooks", help="the target")
    asked = parser.parse_args(arguments)

    found = sources(asked.lessons)
    if unknown := set(asked.names) - {path.stem for path in found}:
        there = ", ".join(path.stem for path in found) or "none"
        parser.error(
            f"no lesson {', '.join(sorted(unknown))} in {asked.lessons}. There are: {there}"
        )
    faults = left_over(asked.lessons, asked.notebooks) if asked.check and not asked.names else []
    for path in found:
        if asked.names and path.stem not in asked.names:
            continue
        for lang in [asked.lang] if asked.lang else languages():
            try:
                if asked.check:
                    faults += differences(path, lang, asked.notebooks / lang)
                else:
                    target = build(path, lang, asked.notebooks / lang)
                    print(f"{path.stem} ({lang}): built {target}", flush=True)
            except LessonError as error:
                faults.append(str(error))
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults and asked.check:
        print("Run tools/build_lessons.py to build them anew.", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
