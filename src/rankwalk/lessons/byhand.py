"""The tables of lesson 2, computed and in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from rankwalk.checks import Number
from rankwalk.flips import lead_at
from rankwalk.fusion import Fusion, explain_rrf
from rankwalk.lessons.systems import LOOKED_UP, OTHERS, SYSTEMS, System
from rankwalk.messages import say
from rankwalk.tables import Table

F29 = (("A", "B", "C"), ("B", "C", "A"))


def terms(fusion: Fusion, lang: str) -> Table:
    """Return what one does on paper: ranks, terms, the exact sum, and the decimal."""
    head = [say("byhand.table.candidate", lang)]
    for name in fusion.names:
        head += [say(f"byhand.table.{column}", lang, name=name) for column in ("rank", "term")]
    head += [say(f"byhand.table.{column}", lang) for column in ("sum", "decimal", "tie")]
    absent = say("byhand.table.absent", lang)
    rows = []
    for row in fusion.rows:
        cells = [row.id]
        for rank, term in zip(row.ranks, row.terms, strict=True):
            cells += [absent if rank is None else str(rank), str(term)]
        tie = say("byhand.table.tied", lang) if row.tied else ""
        rows.append([*cells, str(row.score), f"{float(row.score):.8f}", tie])
    return Table(head, rows)


def ways_of_adding(lists: Iterable[Sequence[str]], k: Number, lang: str) -> Table:
    """Return each candidate's score added up as floats, and as the exact sum rounded once."""
    rows = []
    for row in explain_rrf(lists, k=k).rows:
        plain = 0.0
        for term in row.terms:
            plain += float(term)
        rows.append([row.id, str(row.score), repr(plain), repr(float(row.score))])
    columns = ("candidate", "sum", "plain", "exact")
    return Table([say(f"byhand.table.{column}", lang) for column in columns], rows)


def gaps(lists: Iterable[Sequence[str]], ks: Iterable[Number], lang: str) -> Table:
    """Return for each k the order, the gap from first to last, and how near all are to the largest."""
    lists = [tuple(one) for one in lists]
    rows = []
    for k in ks:
        fusion = explain_rrf(lists, k=k)
        first, last = fusion.rows[0].score, fusion.rows[-1].score
        share = ", ".join(
            f"{row.id} {100 * float(row.score / fusion.largest_possible):.2f} %"
            for row in fusion.rows
        )
        rows.append(
            [
                f"{k:,}", " ".join(fusion.order), f"{float(first - last):.3g}",
                f"{float(fusion.largest_possible):.4g}", share,
            ]
        )  # fmt: skip
    columns = ("k", "order", "gap", "largest", "share")
    return Table([say(f"byhand.table.{column}", lang) for column in columns], rows)


def systems(lang: str) -> Table:
    """Return what other systems use, what it amounts to, and what it does to two examples."""
    columns = (
        "name", "constant", "first", "textbook", "pair", "f29", "window", "weights_head", "source",
    )  # fmt: skip
    rows = [_system(system, lang) for system in SYSTEMS]
    return Table(
        [say(f"byhand.systems.{column}", lang) for column in columns],
        rows,
        say("byhand.systems.caption", lang, when=LOOKED_UP),
    )


def _system(system: System, lang: str) -> list[str]:
    k = Fraction(system.textbook_k)
    same = explain_rrf(F29, k=k).order == explain_rrf(F29).order
    window = system.window
    if window in ("", "size"):
        window = say(f"byhand.systems.{window or 'unknown'}", lang)
    return [
        system.name,
        str(system.constant),
        str(system.first),
        str(system.textbook_k),
        say(f"byhand.systems.lead.{lead_at((1, 4), (2, 2), k)}", lang),
        say("byhand.systems.same", lang) if same else " ".join(explain_rrf(F29, k=k).order),
        window,
        say(f"byhand.systems.weights.{system.weights}", lang),
        system.source,
    ]


def notes_on_systems(lang: str) -> list[str]:
    """Return what the table of systems has no room for."""
    told = [
        say(
            "byhand.systems.note",
            lang,
            name=system.name,
            text=say(f"byhand.systems.notes.{system.note}", lang),
        )
        for system in SYSTEMS
        if system.note
    ]
    for name, source, seen in OTHERS:
        checked = say("byhand.systems.checked" if seen else "byhand.systems.unchecked", lang)
        text = say(f"byhand.systems.others.{name}", lang)
        told.append(say("byhand.systems.other", lang, text=text, source=source, checked=checked))
    return told


# ---- spot the fault ----------------------------------------------------------------------------------

# Each case is a real fault, reduced: what someone's code did, written down so that it can be run.

Scores = dict[str, Fraction]


def _ranks_from_0(lists: Sequence[Sequence[str]]) -> Scores:
    return _added((id, Fraction(1, 60 + place)) for ids in lists for place, id in enumerate(ids))


def _absent_is_last(lists: Sequence[Sequence[str]]) -> Scores:
    everyone = dict.fromkeys(id for ids in lists for id in ids)
    return _added(
        (id, Fraction(1, 60 + (ids.index(id) + 1 if id in ids else len(ids) + 1)))
        for ids in lists
        for id in everyone
    )


def _repeats_count(lists: Sequence[Sequence[str]]) -> Scores:
    return _added((id, Fraction(1, 61 + place)) for ids in lists for place, id in enumerate(ids))


def _no_weights(lists: Sequence[Sequence[str]]) -> Scores:
    return _right(lists)


def _two_at_a_time(lists: Sequence[Sequence[str]]) -> Scores:
    first: Sequence[str] = lists[0]
    for other in lists[1:]:
        fusion = explain_rrf([first, other])
        first = fusion.order
    return {row.id: row.score for row in fusion.rows}


def _cut_first(lists: Sequence[Sequence[str]]) -> Scores:
    return _right([ids[:2] for ids in lists])


def _whole_division(lists: Sequence[Sequence[str]]) -> Scores:
    return _added((id, Fraction(1 // (61 + n))) for ids in lists for n, id in enumerate(ids))


def _mean_where_present(lists: Sequence[Sequence[str]]) -> Scores:
    sums = explain_rrf(lists, k=0).rows
    return {row.id: row.score / sum(rank is not None for rank in row.ranks) for row in sums}


def _threshold(lists: Sequence[Sequence[str]]) -> Scores:
    return {id: score for id, score in _right(lists).items() if score >= Fraction(1, 5)}


def _added(pairs: Iterable[tuple[str, Fraction]]) -> Scores:
    scores: Scores = {}
    for id, term in pairs:
        scores[id] = scores.get(id, Fraction(0)) + term
    return scores


def _right(lists: Sequence[Sequence[str]], **options: Any) -> Scores:
    return {row.id: row.score for row in explain_rrf(lists, **options).rows}


CASES: dict[
    str,
    tuple[tuple[str | list[str], ...], Callable[[Sequence[Sequence[str]]], Scores], dict[str, Any]],
] = {
    "F1": (("ABC", "BCA"), _ranks_from_0, {}),
    "F2": ((["X", "a", "Y"], ["b", "c", "Y"]), _absent_is_last, {}),
    "F4": (("AA", "B"), _repeats_count, {}),
    "F9": (("ABC", "BCA"), _no_weights, {"weights": [1, 0]}),
    "F11": (("AB", "AB", "BA"), _two_at_a_time, {}),
    "F12": (("ABX", "CDX"), _cut_first, {}),
    "F15": (("ABC",), _whole_division, {}),
    "F19": (("AB", "B", "cB"), _mean_where_present, {"k": 0}),
    "F20": (("AB", "BA"), _threshold, {}),
}
"""For each case: the lists, what the faulty code did, and the options that were meant."""


def spotted(case: str) -> tuple[Scores, Scores]:
    """Return what the faulty code gives and what is right."""
    given, faulty, options = CASES[case]
    lists = [list(ids) for ids in given]
    return faulty(lists), _right(lists, **options)


def spot(lang: str, *, solved: bool = False, cases: Iterable[str] = CASES) -> Table:
    """Return real faults as a table: lists and what was seen; with ``solved``, what went wrong."""
    head = [say(f"byhand.spot.{name}", lang) for name in ("case", "lists", "seen")]
    if solved:
        head += [say(f"byhand.spot.{name}", lang) for name in ("fault", "right")]
    rows = []
    for case in cases:
        seen, right = spotted(case)
        given, _, options = CASES[case]
        lists = " | ".join(" ".join(ids) for ids in given)
        for name, value in options.items():
            lists += f" ({name} = {value})"
        cells = [case, lists, _listed(seen, lang)]
        if solved:
            cells += [say(f"byhand.spot.{case}", lang), _listed(right, lang)]
        rows.append(cells)
    return Table(head, rows)


def _listed(scores: Scores, lang: str) -> str:
    if not scores:
        return say("byhand.spot.nothing_left", lang)
    ordered = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{id} {score}" for id, score in ordered)
