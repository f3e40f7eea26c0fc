"""Read and write what others measured: runs and judgements as TREC files, JSON, CSV or TSV.

A reader takes a path, a binary stream, bytes, or text that was pasted. It reads everything or nothing:
all faults are collected, up to `MOST_FAULTS`, and told at once, each with its file, line and field.

Formats:
    TREC run: ``query Q0 doc rank score tag``, separated by spaces or tabs.
    TREC judgements (qrels): ``query 0 doc grade``.
    JSON: ``{query: {doc: number}}``.
    CSV, TSV: a header that names a query, a doc and a score (or grade) column, see `HEADERS`.

The order of a run is by score descending, then id ascending, whatever its rank column says.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import stat
import struct
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from rankwalk import checks
from rankwalk.fusion import DEFAULT_K, fuse_checked
from rankwalk.messages import Refused, say
from rankwalk.metrics import best_first, check_nested

Run: TypeAlias = dict[str, dict[str, float]]
"""``{query: {doc: score}}``."""
Qrels: TypeAlias = dict[str, dict[str, float]]
"""``{query: {doc: grade}}``."""
Format: TypeAlias = Literal["trec", "json", "csv", "tsv"]
Source: TypeAlias = str | os.PathLike[str] | bytes | bytearray | memoryview | Iterable[bytes]

MOST_FAULTS = 20

HEADERS: dict[str, tuple[str, ...]] = {
    "query": ("query", "query_id", "qid", "q_id"),
    "doc": ("doc", "doc_id", "docid", "docno"),
    "score": ("score", "sim"),
    "grade": ("grade", "relevance", "rel", "label"),
}
"""What each column of a CSV or TSV file may be called; case does not matter."""

_SCORE = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")  # not all that float() takes
_WHOLE = re.compile(rb"[+-]?\d{1,18}")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Said:
    """A fault or a note: an entry of the topic ``readers``, worded when a language is known.

    Attributes:
        key: the entry.
        values: what the text names.
    """

    key: str
    values: Mapping[str, object]

    def in_language(self, lang: str) -> str:
        """Return the text in ``lang``; a line or field that is not known is left out."""
        place = say("readers.place.file", lang, **self.values)
        if self.values.get("line"):
            place = say("readers.place.line", lang, place=place, **self.values)
        if self.values.get("field"):
            place = say("readers.place.field", lang, place=place, **self.values)
        return say("readers.placed", lang, place=place, text=say(self.key, lang, **self.values))


class UnreadableFile(Refused):
    """A file with faults, all of them told.

    Attributes:
        faults: the faults, no more than `MOST_FAULTS`.
        stopped: whether reading stopped there, so that there may be more.
    """

    def __init__(self, name: str, faults: Sequence[Said], *, stopped: bool = False) -> None:
        self.faults = tuple(faults)
        self.stopped = stopped
        super().__init__("unreadable", field=name, name=name, n=len(self.faults))

    def in_language(self, lang: str) -> str:
        """Return one line for each fault, under a line that counts them."""
        lines = [super().in_language(lang), *(fault.in_language(lang) for fault in self.faults)]
        if self.stopped:
            lines.append(say("readers.stopped", lang, n=MOST_FAULTS))
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Table:
    """What was read.

    Attributes:
        name: where from.
        format: the format that was found.
        data: ``{query: {doc: number}}``: a run or judgements, as `rankwalk.evaluate` takes them.
        notes: what the reader should know, though nothing is wrong.
    """

    name: str
    format: Format
    data: dict[str, dict[str, float]]
    notes: tuple[Said, ...] = ()

    def notes_in(self, lang: str) -> list[str]:
        """Return the notes in ``lang``."""
        return [note.in_language(lang) for note in self.notes]


@dataclass(slots=True)
class _Reading:
    """A file while it is read: what is good so far, and the faults."""

    name: str
    number: Literal["score", "grade"]
    negative_grades_as_0: bool
    data: dict[str, dict[str, float]] = field(default_factory=dict)
    ranks: dict[str, dict[str, int | None]] = field(default_factory=dict)
    faults: list[Said] = field(default_factory=list)
    negatives: int = 0

    def fault(self, key: str, line: int | None = None, name: str = "", **values: object) -> None:
        self.faults.append(Said(key, {"name": self.name, "line": line, "field": name, **values}))
        if len(self.faults) >= MOST_FAULTS:
            raise UnreadableFile(self.name, self.faults, stopped=True)

    def add(
        self, query: str, doc: str, value: float, line: int | None, place: str | None = None
    ) -> None:
        """Keep one number, unless its document was there before."""
        if value < 0 and self.number == "grade":
            if not self.negative_grades_as_0:
                self.fault("readers.fault.negative", line, place or "grade", found=f"{value:g}")
                return
            self.negatives += 1
            value = 0
        row = self.data.setdefault(query, {})
        if doc in row:
            self.fault("readers.fault.twice", line, place or "doc", found=doc, query=query)
        else:
            row[doc] = value


def read_run(
    source: Source | None = None,
    *,
    text: str | None = None,
    name: str = "",
    format: Format | None = None,
) -> Table:
    """Read a run.

    Args:
        source: a path, the content as bytes, or a stream of bytes, which is read line by line.
        text: the content as text, such as was pasted; instead of ``source``.
        name: what to call it in messages; the path if there is one.
        format: told by the file's ending or its first line if not given.

    Returns:
        A `Table`, whose notes say if the rank column has another order than the scores, and if scores
        are equal.

    Raises:
        UnreadableFile: a `ValueError` with every fault, up to `MOST_FAULTS`.
        OSError: if the file cannot be opened.
    """
    reading, found = _read(source, text, name, format, "score", negative_grades_as_0=False)
    notes = [*_note_on_ranks(reading), *_note_on_ties(reading)]
    return Table(reading.name, found, reading.data, tuple(notes))


def read_qrels(
    source: Source | None = None,
    *,
    text: str | None = None,
    name: str = "",
    format: Format | None = None,
    negative_grades_as_0: bool = False,
) -> Table:
    """Read relevance judgements.

    Args:
        source: as for `read_run`.
        text: as for `read_run`.
        name: as for `read_run`.
        format: as for `read_run`.
        negative_grades_as_0: read negative grades as 0, with a note that counts them, instead of
            taking them for faults.

    Returns:
        A `Table`.

    Raises:
        UnreadableFile: as for `read_run`.
        OSError: as for `read_run`.
    """
    reading, found = _read(source, text, name, format, "grade", negative_grades_as_0)
    notes = []
    if reading.negatives:
        notes.append(Said("readers.note.negatives", {"name": reading.name, "n": reading.negatives}))
    return Table(reading.name, found, reading.data, tuple(notes))


def fuse_runs(
    runs: Sequence[Mapping[str, Mapping[str, float]]], k: checks.Number = DEFAULT_K
) -> dict[str, list[tuple[str, float]]]:
    """Fuse runs query by query.

    Args:
        runs: each ``{query: {doc: score}}``; a query that a run lacks gets nothing from it.
        k: as for `rankwalk.rrf`.

    Returns:
        For each query, in the order of first appearance, what `rankwalk.rrf` returns.

    Raises:
        Refused: a `ValueError` that names the run, the query and the document.
    """
    for index, run in enumerate(runs):
        check_nested(run, f"runs[{index}]", "runs")
    queries = dict.fromkeys(query for run in runs for query in run)
    exact_k, weights = checks.exact(k, "k"), (Fraction(1),) * len(runs)
    return {
        query: fuse_checked(
            [
                best_first(run.get(query, {}), f"runs[{index}][{query!r}]", field="runs")
                for index, run in enumerate(runs)
            ],
            exact_k,
            weights,
        )
        for query in queries
    }


# --- reading ----------------------------------------------------------------------------------------


def _read(
    source: Source | None,
    text: str | None,
    name: str,
    format: Format | None,
    number: Literal["score", "grade"],
    negative_grades_as_0: bool,
) -> tuple[_Reading, Format]:
    if (source is None) == (text is None):
        raise Refused("source_or_text", field="source")
    if format is not None and format not in get_args(Format):
        allowed = ", ".join(get_args(Format))
        raise Refused(
            "one_of", field="format", where="format", found=checks.shown(format), allowed=allowed
        )
    with _opened(source, text) as lines:
        name = name or (os.fspath(source) if isinstance(source, (str, os.PathLike)) else "input")
        return _parsed(lines, name, format, number, negative_grades_as_0)


@contextmanager
def _opened(source: Source | None, text: str | None) -> Iterator[Iterable[bytes]]:
    """Give the lines; a file that was opened here is closed here."""
    if text is not None:
        # What was pasted may hold half a surrogate pair: not UTF-8, and told as that.
        yield io.BytesIO(text.encode("utf-8", "surrogatepass"))
    elif isinstance(source, (bytes, bytearray, memoryview)):
        yield io.BytesIO(source)
    elif isinstance(source, (str, os.PathLike)):
        with Path(source).open("rb") as stream:
            yield stream
    elif source is not None:
        yield source


def _parsed(
    lines: Iterable[bytes],
    name: str,
    format: Format | None,
    number: Literal["score", "grade"],
    negative_grades_as_0: bool,
) -> tuple[_Reading, Format]:
    reading = _Reading(name, number, negative_grades_as_0)
    numbered = _without_bom(lines)
    # The first line that says anything decides the format, and is then read like any other.
    start = next((line for line in numbered if line[1].strip()), None)
    if start is None:
        reading.fault("readers.fault.empty")
        raise UnreadableFile(name, reading.faults)
    number_of_line, first = start
    if first.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in first[:4]:
        reading.fault("readers.fault.utf16", number_of_line)
        raise UnreadableFile(name, reading.faults)
    found = format or _format(name, first)
    rest = chain([start], numbered)
    if found == "trec":
        _read_trec(reading, rest)
    elif found == "json":
        _read_json(reading, rest)
    else:
        _read_separated(reading, rest, "," if found == "csv" else "\t")
    if not reading.data and not reading.faults:
        reading.fault("readers.fault.empty")
    if reading.faults:
        raise UnreadableFile(name, reading.faults)
    return reading, found


Line: TypeAlias = tuple[int, bytes]


def _without_bom(lines: Iterable[bytes]) -> Iterator[Line]:
    for number, line in enumerate(lines, start=1):
        yield number, line.removeprefix(_BOM) if number == 1 else line


def _format(name: str, first: bytes) -> Format:
    """Tell the format by the file's ending, else by the first line."""
    ending = Path(name).suffix.lower()
    if ending in (".json", ".csv", ".tsv"):
        return {".json": "json", ".csv": "csv", ".tsv": "tsv"}[ending]  # type: ignore[return-value]
    if first.lstrip().startswith((b"{", b"[")):
        return "json"
    for separator, format in ((b",", "csv"), (b"\t", "tsv")):
        cells = {cell.strip().strip(b'"').lower() for cell in first.split(separator)}
        if all(cells & {word.encode() for word in HEADERS[column]} for column in ("query", "doc")):
            return format  # type: ignore[return-value]
    return "trec"


def _decoded(reading: _Reading, number: int, raw: bytes) -> str | None:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        found = " ".join(f"{byte:02x}" for byte in raw[error.start : error.start + 4])
        reading.fault("readers.fault.not_utf8", number, found=found, column=error.start + 1)
        return None


def _number(reading: _Reading, raw: bytes, line: int, *, whole: bool) -> float | None:
    """Return the number that is written, or ``None`` after telling the fault."""
    name = reading.number
    if whole or (name == "grade" and _WHOLE.fullmatch(raw)):
        if _WHOLE.fullmatch(raw):
            return int(raw)
        key = "readers.fault.not_whole"
    else:
        if _SCORE.fullmatch(raw) and isfinite(value := float(raw)):
            return value
        key = "readers.fault.not_number"
    reading.fault(key, line, name, found=checks.shown(raw.decode("utf-8", "replace")))
    return None


def _read_trec(reading: _Reading, lines: Iterator[Line]) -> None:
    is_run = reading.number == "score"
    columns = 6 if is_run else 4
    for number, raw in lines:
        cells = raw.split()  # bytes: at ASCII blanks only, so that an id may hold a wide space
        if not cells:
            continue
        if (text := _decoded(reading, number, raw)) is None:
            continue
        if len(cells) != columns:
            key = "readers.fault.run_columns" if is_run else "readers.fault.qrels_columns"
            reading.fault(key, number, found=len(cells), shown=checks.shown(text.strip()))
            continue
        value = _number(reading, cells[4] if is_run else cells[3], number, whole=not is_run)
        if value is None:
            continue
        query, doc = cells[0].decode(), cells[2].decode()
        reading.add(query, doc, value, number)
        if is_run:
            rank = int(cells[3]) if _WHOLE.fullmatch(cells[3]) else None
            reading.ranks.setdefault(query, {})[doc] = rank


def _read_separated(reading: _Reading, lines: Iterator[Line], separator: str) -> None:
    starts: list[int] = []  # the number of the line that the csv module was given last

    def texts() -> Iterator[str]:
        for number, raw in lines:
            starts[:] = [number]
            text = _decoded(reading, number, raw)
            yield "\n" if text is None else text.rstrip("\r\n") + "\n"

    rows = csv.reader(texts(), delimiter=separator, strict=True)
    try:
        header = [cell.strip().lower() for cell in next(rows)]
        columns = [_column(reading, header, name) for name in ("query", "doc", reading.number)]
        places = [column for column in columns if column is not None]
        if len(places) < len(columns):
            return
        for row in rows:
            line = starts[0]
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(header):
                reading.fault("readers.fault.columns", line, found=len(row), columns=len(header))
                continue
            query, doc, cell = (row[place] for place in places)
            for name, id in (("query", query), ("doc", doc)):
                if not id.strip():
                    reading.fault("readers.fault.no_id", line, name, found=repr(id))
            value = _number(reading, cell.strip().encode(), line, whole=False)
            if value is not None and query.strip() and doc.strip():
                reading.add(query, doc, value, line)
    except csv.Error as error:
        reading.fault("readers.fault.csv", starts[0], found=str(error))


def _column(reading: _Reading, header: list[str], name: str) -> int | None:
    """Return the place of the one column that bears a name of ``name``."""
    places = [place for place, cell in enumerate(header) if cell in HEADERS[name]]
    if len(places) == 1:
        return places[0]
    reading.fault(
        "readers.fault.header",
        1,
        name,
        found=checks.shown(", ".join(header)),
        allowed=", ".join(HEADERS[name]),
    )
    return None


class _Pairs(list[tuple[str, Any]]):
    """A JSON object as its pairs: a dict would drop what is there twice."""


def _read_json(reading: _Reading, lines: Iterator[Line]) -> None:
    texts: list[str] = []
    before = 0
    for number, raw in lines:
        texts.append(
            "\n" * (number - before - 1)
        )  # blank lines before the first, so that lines agree
        before = number
        if (text := _decoded(reading, number, raw)) is not None:
            texts.append(text)
    if reading.faults:
        return
    try:
        whole = json.loads("".join(texts), object_pairs_hook=_Pairs)
    except json.JSONDecodeError as error:
        reading.fault("readers.fault.json", error.lineno, found=error.msg, column=error.colno)
        return
    except (RecursionError, ValueError) as error:  # too deep, or a number of too many digits
        reading.fault("readers.fault.json", found=checks.shown(str(error)), column="?")
        return
    if not isinstance(whole, _Pairs):
        reading.fault("readers.fault.not_nested", found=checks.shown(whole))
        return
    seen: set[str] = set()
    for query, row in whole:
        place = f"[{json.dumps(query, ensure_ascii=False)}]"
        if query in seen:
            reading.fault("readers.fault.query_twice", None, place, found=query)
        elif not _is_text(query):
            reading.fault("readers.fault.no_id", None, place, found=ascii(query))
        elif not isinstance(row, _Pairs):
            reading.fault("readers.fault.not_nested", None, place, found=checks.shown(row))
        else:
            _read_json_row(reading, query, row, place)
        seen.add(query)


def _read_json_row(reading: _Reading, query: str, row: _Pairs, place: str) -> None:
    reading.data.setdefault(query, {})
    for doc, value in row:
        here = f"{place}[{json.dumps(doc, ensure_ascii=False)}]"
        if not _is_text(doc):
            reading.fault("readers.fault.no_id", None, here, found=ascii(doc))
        elif not checks.is_finite(value) or abs(value) > sys.float_info.max:
            found = checks.shown(dict(value) if isinstance(value, _Pairs) else value)
            reading.fault("readers.fault.not_number", None, here, found=found)
        else:
            reading.add(query, doc, value, None, here)


def _is_text(id: str) -> bool:
    """Whether it is not empty and a file can hold it: JSON can write half a surrogate pair."""
    return bool(id) and not any("\ud800" <= letter <= "\udfff" for letter in id)


def _note_on_ranks(reading: _Reading) -> Iterator[Said]:
    others = [
        query
        for query, ranks in reading.ranks.items()
        if None in ranks.values()
        or sorted(ranks, key=lambda doc: ranks[doc] or 0) != best_first(reading.data[query], query)
    ]
    if others:
        yield Said(
            "readers.note.ranks", {"name": reading.name, "n": len(others), "first": others[0]}
        )


def _note_on_ties(reading: _Reading) -> Iterator[Said]:
    tied = [query for query, row in reading.data.items() if len(set(row.values())) < len(row)]
    if tied:
        yield Said("readers.note.ties", {"name": reading.name, "n": len(tied), "first": tied[0]})


# --- writing ----------------------------------------------------------------------------------------


def trec_lines(
    fused: Mapping[str, Sequence[tuple[str, float]]], tag: str = "rankwalk"
) -> Iterator[str]:
    """Write a run as the lines of a TREC file.

    Other tools order by the score, which many read in single precision, and put equal scores in an
    order of their own (trec_eval: by id, descending). So scores are written that are distinct in
    single precision: the nearest that keeps the order given here.

    Args:
        fused: for each query its ``(id, score)`` pairs, best first.
        tag: the name of the run.

    Yields:
        Lines that end in a line feed.

    Raises:
        Refused: for an id or a tag that has a blank in it or is empty: TREC files separate by blanks.
    """
    _check_word(tag, "tag")
    for query, pairs in fused.items():
        _check_word(query, "query")
        scores = distinct_in_single_precision([score for _, score in pairs])
        for rank, ((doc, _), score) in enumerate(zip(pairs, scores, strict=True), start=1):
            _check_word(doc, f"query {query}")
            yield f"{query} Q0 {doc} {rank} {score:.9g} {tag}\n"


def _check_word(word: str, where: str) -> None:
    written = word.encode("utf-8", "surrogatepass")
    if written.split() != [written] or not _is_text(word):
        raise Refused("blank_in_id", field=where, where=where, found=checks.shown(word))


def distinct_in_single_precision(scores: Sequence[float]) -> list[float]:
    """Return scores that strictly fall also when they are read in single precision.

    Args:
        scores: finite numbers, none larger than the one before.

    Returns:
        For each the nearest single-precision number, or, where that would not be below the one
        before, the next below that one.
    """
    found: list[float] = []
    for score in scores:
        single = _single(score)
        if found and single >= found[-1]:
            single = _next_below(found[-1])
        found.append(single)
    return found


_LARGEST = 2.0**127
"""What is larger becomes this: a single-precision number with room for ties on either side."""
_STEP_AT_0 = 2.0**-100
"""What is nearer to 0 becomes 0: beside 0 lie subnormal numbers, which some tools read as 0."""


def _single(value: float) -> float:
    clamped = max(-_LARGEST, min(_LARGEST, value))
    single: float = struct.unpack("<f", struct.pack("<f", clamped))[0]
    return single if abs(single) >= _STEP_AT_0 else 0.0


def _next_below(single: float) -> float:
    """Return the next smaller single-precision number, in steps of `_STEP_AT_0` at 0."""
    if single == 0:
        return -_STEP_AT_0
    (bits,) = struct.unpack("<i", struct.pack("<f", single))
    below: float = struct.unpack("<f", struct.pack("<i", bits - 1 if single > 0 else bits + 1))[0]
    return below if abs(below) >= _STEP_AT_0 else 0.0


def write_atomically(path: str | os.PathLike[str], lines: Iterable[str]) -> None:
    """Write a file so that it is there whole or not at all; one that was there stays until then.

    Args:
        path: the file. A link is followed; what is no regular file, such as a pipe, is written to.
        lines: the content, encoded as UTF-8.

    Raises:
        OSError: if it cannot be written.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        with target.open("w", encoding="utf-8", newline="\n") as out:
            out.writelines(lines)
        return
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".rankwalk-", suffix=".tmp")
    except OSError as error:  # name the file that was asked for
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as out:  # noqa: PTH123 - a descriptor
            out.writelines(lines)
            out.flush()
            os.fsync(out.fileno())
        Path(temporary).chmod(_mode_for(target))
        os.replace(temporary, target)  # noqa: PTH105 - both are given as they are
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _mode_for(target: Path) -> int:
    """Return the mode of the file that is replaced, or that of a new one."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
