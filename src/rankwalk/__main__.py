"""The command ``python -m rankwalk``: a demo, and metrics and fusion of files.

Exit status: 0 when all went well, 1 when a file could not be read or was refused, 2 for a wrong call,
130 when interrupted, 141 when whoever read the output stopped reading.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn, TypeVar, get_args
from unicodedata import east_asian_width

from rankwalk import Refused, checks, evaluate, explain_rrf, metrics
from rankwalk.fusion import DEFAULT_K
from rankwalk.messages import DEFAULT_LANGUAGE, languages, lookup, say
from rankwalk.metrics import METRICS, Evaluation, Gain
from rankwalk.readers import Table, fuse_runs, read_qrels, read_run, trec_lines, write_atomically

T = TypeVar("T")

STDIN = "-"
DEMO_LISTS = (("A", "B", "C"), ("B", "D", "A"))
DEMO_RANKING = ("A", "X", "Y")
DEMO_RELEVANCE = {"A": 1, "B": 1}
LINES_BETWEEN_REPORTS = 100_000
SHOWN_QUERIES = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # UTF-8 whatever the locale; a test's stream may lack it
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    lang = _language(arguments)
    parser = _parser(lang)
    options = parser.parse_args(arguments)
    if [*options.files, options.qrels_file].count(STDIN) > 1:
        parser.error(say("cli.stdin_twice", lang))
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python would report the pipe once more when it closes the stream at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        return 130
    except Refused as refused:
        return _failed(refused.in_language(lang), lang)
    except OSError as error:
        return _failed(
            f"{error.filename or ''}: {error.strerror or error}".removeprefix(": "), lang
        )
    return status


def _failed(text: str, lang: str) -> int:
    print(say("cli.error", lang, text=text), file=sys.stderr)
    return 1


def _language(arguments: Sequence[str]) -> str:
    """Find the language before the arguments are parsed: ``--help`` needs it."""
    early = argparse.ArgumentParser(add_help=False, exit_on_error=False, allow_abbrev=False)
    early.add_argument("--lang", choices=languages())
    try:
        found: str | None = early.parse_known_args(arguments)[0].lang
    except argparse.ArgumentError:  # told again, with the usage, by the parser proper
        found = None
    return found or DEFAULT_LANGUAGE


class _Parser(argparse.ArgumentParser):
    """A parser whose headings are in the language asked for."""

    def __init__(self, *, lang: str = DEFAULT_LANGUAGE, **options: Any) -> None:
        super().__init__(add_help=False, allow_abbrev=False, **options)
        self.lang = lang
        self._positionals.title = say("cli.help.arguments", lang)
        self._optionals.title = say("cli.help.options", lang)
        self.add_argument("-h", "--help", action="help", help=say("cli.help.help", lang))
        self.add_argument(
            "--lang",
            choices=languages(),
            default=argparse.SUPPRESS,  # so that it may stand before or after the command
            help=say("cli.help.lang", lang),
        )

    def format_usage(self) -> str:
        return self._in_language(super().format_usage())

    def format_help(self) -> str:
        return self._in_language(super().format_help())

    def _in_language(self, text: str) -> str:
        return say("cli.help.usage", self.lang) + text.removeprefix("usage: ")

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(2, say("cli.error", self.lang, text=message) + "\n")


def _parser(lang: str) -> argparse.ArgumentParser:
    parser = _Parser(prog="rankwalk", lang=lang, description=say("cli.help.rankwalk", lang))
    parser.set_defaults(lang=DEFAULT_LANGUAGE, files=[], qrels_file=None)
    commands = parser.add_subparsers(
        title=say("cli.help.commands", lang), required=True, metavar="COMMAND"
    )

    def command(name: str) -> argparse.ArgumentParser:
        text = say(f"cli.help.{name}", lang)
        return commands.add_parser(name, lang=lang, help=text, description=text)

    demo = command("demo")
    demo.set_defaults(run=_demo)

    judge = command("eval")
    judge.add_argument("files", nargs=1, metavar="RUN", help=say("cli.help.run_file", lang))
    judge.add_argument("qrels_file", metavar="QRELS", help=say("cli.help.qrels_file", lang))
    judge.add_argument(
        "-k", type=_cutoff(lang), default=10, metavar="N", help=say("cli.help.cutoff", lang)
    )
    judge.add_argument(
        "--gain", choices=get_args(Gain), default="exponential", help=say("cli.help.gain", lang)
    )
    judge.add_argument(
        "--negative-as-0", action="store_true", help=say("cli.help.negative_as_0", lang)
    )
    judge.add_argument("--json", action="store_true", help=say("cli.help.json", lang))
    judge.set_defaults(run=_eval)

    fuse = command("fuse")
    fuse.add_argument("files", nargs="+", metavar="RUN", help=say("cli.help.runs", lang))
    fuse.add_argument(
        "-k", type=_rrf_k(lang), default=DEFAULT_K, metavar="K", help=say("cli.help.rrf_k", lang)
    )
    fuse.add_argument("-o", "--out", default=STDIN, metavar="OUT", help=say("cli.help.out", lang))
    fuse.set_defaults(run=_fuse)
    return parser


def _cutoff(lang: str) -> Callable[[str], int]:
    return _asked(lambda text: checks.whole(int(text), "-k", minimum=1), lang, "cli.not_a_cutoff")


def _rrf_k(lang: str) -> Callable[[str], Fraction]:
    return _asked(lambda text: checks.exact(Decimal(text), "-k"), lang, "cli.not_a_k")


def _asked(read: Callable[[str], T], lang: str, refusal: str) -> Callable[[str], T]:
    """Return a reader of one argument whose refusal argparse shows as it is worded."""

    def reader(text: str) -> T:
        try:
            return read(text)
        except (ValueError, InvalidOperation):
            found = checks.shown(text)
            raise argparse.ArgumentTypeError(say(refusal, lang, found=found)) from None

    return reader


# --- demo -------------------------------------------------------------------------------------------


def _demo(options: argparse.Namespace) -> int:
    print(json.dumps(demo(options.lang), ensure_ascii=False, indent=2))
    return 0


def demo(lang: str) -> dict[str, Any]:
    """Return the fusion of two lists and the metrics of a third, with keys in ``lang``."""
    key: Mapping[str, str] = lookup("cli.demo.keys", lang)
    cutoff = len(DEMO_RANKING)
    fusion = explain_rrf(DEMO_LISTS)
    return {
        key["fusion"]: {
            key["lists"]: DEMO_LISTS,
            key["rrf_k"]: int(fusion.k),
            key["order"]: [
                {key["id"]: row.id, key["score"]: float(row.score), key["exact"]: str(row.score)}
                for row in fusion.rows
            ],
        },
        key["metrics"]: {
            key["ranking"]: DEMO_RANKING,
            key["relevant"]: list(DEMO_RELEVANCE),
            **{
                say(f"cli.metric.{metric}", lang, n=cutoff): value
                for metric, value in metrics(DEMO_RANKING, DEMO_RELEVANCE, cutoff).items()
            },
        },
        key["remarks"]: lookup("cli.demo.remarks", lang),
    }


# --- eval -------------------------------------------------------------------------------------------


def _eval(options: argparse.Namespace) -> int:
    with _lines(options.files[0], options.lang) as (lines, name):
        run = read_run(lines, name=name)
    with _lines(options.qrels_file, options.lang) as (lines, name):
        qrels = read_qrels(lines, name=name, negative_grades_as_0=options.negative_as_0)
    found = evaluate(run.data, qrels.data, options.k, options.gain)
    notes = [*run.notes_in(options.lang), *qrels.notes_in(options.lang)]
    if options.json:
        report = {
            "k": found.k,
            "gain": found.gain,
            "means": found.means,
            "counted": found.counted,
            "per_query": found.per_query,
            "should_abstain": found.should_abstain,
            "not_judged": found.not_judged,
            "not_in_run": found.not_in_run,
            "notes": notes,
        }
        print(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        print("\n".join(_table(found, options.lang)))
        _say_notes(notes, options.lang)
    return 0


def _table(found: Evaluation, lang: str) -> list[str]:
    """Return the means as a table, and under it what was left out of them."""
    rows = [
        (say("cli.eval.metric", lang), say("cli.eval.mean", lang), say("cli.eval.queries", lang))
    ]
    for metric in METRICS:
        mean = found.means[metric]
        rows.append(
            (
                say(f"cli.mean.{metric}", lang, n=found.k),
                say("cli.eval.undefined", lang) if mean is None else f"{mean:.4f}",
                str(found.counted[metric]),
            )
        )
    widths = [max(_width(row[column]) for row in rows) for column in range(3)]
    lines = [
        "  ".join(
            [_padded(row[0], widths[0]), *(_padded(row[c], -widths[c]) for c in (1, 2))]
        ).rstrip()
        for row in rows
    ]
    lines.append(say(f"cli.gain.{found.gain}", lang))
    for key, queries in (
        ("cli.eval.not_in_run", found.not_in_run),
        ("cli.eval.should_abstain", found.should_abstain),
        ("cli.eval.not_judged", found.not_judged),
    ):
        if queries:
            shown = ", ".join(queries[:SHOWN_QUERIES])
            more = ", …" if len(queries) > SHOWN_QUERIES else ""
            lines.append(say(key, lang, n=len(queries), queries=shown + more))
    return lines


def _width(text: str) -> int:
    """Return how many columns of a terminal the text takes: a Chinese character takes two."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _padded(text: str, width: int) -> str:
    """Fill up with blanks, on the left if the width is negative."""
    blanks = " " * (abs(width) - _width(text))
    return blanks + text if width < 0 else text + blanks


# --- fuse -------------------------------------------------------------------------------------------


def _fuse(options: argparse.Namespace) -> int:
    runs: list[Table] = []
    for file in options.files:
        with _lines(file, options.lang) as (lines, name):
            runs.append(read_run(lines, name=name))
    fused = fuse_runs([run.data for run in runs], options.k)
    if options.out == STDIN:
        sys.stdout.writelines(trec_lines(fused))
    else:
        write_atomically(options.out, trec_lines(fused))
    _say_notes([note for run in runs for note in run.notes_in(options.lang)], options.lang)
    return 0


# --- shared -----------------------------------------------------------------------------------------


@contextmanager
def _lines(file: str, lang: str) -> Iterator[tuple[Iterator[bytes], str]]:
    """Open a file, or standard input for ``-``, and report on a terminal how far reading is."""
    if file == STDIN:
        name = say("cli.stdin", lang)
        yield _reported(sys.stdin.buffer, name, lang), name
    else:
        with Path(file).open("rb") as stream:
            yield _reported(stream, file, lang), file


def _reported(lines: Iterable[bytes], name: str, lang: str) -> Iterator[bytes]:
    visible = sys.stderr.isatty()
    number = 0
    for number, line in enumerate(lines, start=1):
        yield line
        if visible and number % LINES_BETWEEN_REPORTS == 0:
            text = say("cli.progress", lang, name=name, lines=f"{number:,}")
            print(f"\r{text}", end="", file=sys.stderr, flush=True)
    if visible and number >= LINES_BETWEEN_REPORTS:
        print(file=sys.stderr)


def _say_notes(notes: Iterable[str], lang: str) -> None:
    for note in notes:
        print(say("cli.note", lang, text=note), file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
