"""The evidence matrix: ranking and answer of one case side by side, each changed by its own controls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from rankwalk import checks
from rankwalk.evidence import Validity, Verdict
from rankwalk.lessons.answer_desk import (
    CASES,
    CLAIMS,
    EDITIONS,
    NEEDED,
    NEVER_RETRIEVED,
    SOURCES,
    Desk,
    Examined,
    examine,
)
from rankwalk.messages import Refused, lookup, say
from rankwalk.metrics import METRICS
from rankwalk.widgets.base import Setting, SettingError, Stage, css, esm


@dataclass(frozen=True, slots=True)
class State:
    """What the matrix shows.

    Attributes:
        case: the case it started from.
        desk: what it is now.
        revealed: whether labels and numbers are shown, or the learner marks first.
        told: what the last change changed, in words.
    """

    case: str
    desk: Desk
    revealed: bool
    told: str = ""


class EvidenceMatrix(Stage):
    """Show claims × sources of one answer beside the ranking of its passages.

    Args:
        case: one of `rankwalk.lessons.answer_desk.CASES`.
        lang: ``"en"`` or ``"zh"``.
        revealed: whether labels and numbers are shown at once; else the learner marks the links first.
        settings: ``order``, ``claims``, ``links``, ``day``, as in `rankwalk.lessons.answer_desk.Desk`.

    Raises:
        SettingError: a `ValueError` that says what was wrong and what is allowed.

    ``repr(w)`` is the call that makes the widget in its present state.
    """

    name = "evidence_matrix"
    _esm = esm(name)
    _css = css(name)

    case = Setting()
    order = Setting()
    claims = Setting()
    links = Setting()
    day = Setting()
    revealed = Setting()

    def __init__(
        self, case: str = "base", lang: str = "en", *, revealed: bool = True, **settings: Any
    ) -> None:
        try:
            state = _changed(
                State("base", CASES["base"], True),
                {"case": case, "revealed": revealed, **settings},
                "en",
            )
            super().__init__(replace(state, told=""), lang)
        except Refused as refused:
            raise SettingError(refused, lang) from None

    @property
    def examined(self) -> Examined:
        """The numbers that are shown: the metrics at each cutoff, and the check of the answer."""
        return examine(self._settings.desk, lookup("evidence_matrix.basis", self.lang))

    def reset(self) -> None:
        """Go back to the first case."""
        self.set(case="base")

    def __repr__(self) -> str:
        """Return the call that makes this widget in its present state."""
        return f"EvidenceMatrix({', '.join(_arguments(self._settings, self.lang))})"

    # ---- what Stage asks for --------------------------------------------------------------------

    def _with(self, settings: State, changes: Mapping[str, Any]) -> State:
        return _changed(settings, changes, self.lang)

    def _values(self, settings: State) -> dict[str, Any]:
        desk = settings.desk
        return {
            "case": settings.case,
            "order": desk.order,
            "claims": desk.claims,
            "links": desk.links,
            "day": desk.day,
            "revealed": settings.revealed,
        }

    def _picture(self, settings: State, lang: str) -> dict[str, Any]:
        desk = settings.desk
        found = examine(desk, lookup("evidence_matrix.basis", lang))
        return {
            "lang": lang,
            "case": settings.case,
            "cases": _cases(lang),
            "day": desk.day.isoformat(),
            "revealed": settings.revealed,
            "passages": [_passage(id, found, lang) for id in desk.order],
            "sources": list(SOURCES),
            "never": NEVER_RETRIEVED,
            "claims": _claims(desk, found, lang),
            "links": _links(found, lang),
            "ranking": _ranking(found, lang),
            "answer": _answer(found, lang),
            "sentences": _sentences(found, lang),
            "told": settings.told,
            "call": f"EvidenceMatrix({', '.join(_arguments(settings, lang))})",
            "ui": lookup("evidence_matrix", lang),
        }

    def _text(self) -> str:
        view = self._picture(self._settings, self.lang)
        ui = view["ui"]

        def pair(name: str, value: str) -> str:
            return say("evidence_matrix.pair", self.lang, name=name, value=value)

        lines = [ui["question"], pair(ui["day"], view["day"]), ui["passages"]]
        lines += [f"{n}. {_line(p)}" for n, p in enumerate(view["passages"], start=1)]
        if not view["revealed"]:
            lines += [ui["marks"], *(pair(mark, words) for mark, words in _to_mark(view))]
            return "\n".join([*lines, ui["scope"]])
        ranking = view["ranking"]
        lines += [" | ".join([ui["ranking"], *ranking["heads"]])]
        lines += [" | ".join([row["label"], *row["values"]]) for row in ranking["rows"]]
        lines += [ui["answer"], *(pair(row["label"], row["value"]) for row in view["answer"])]
        lines += [
            f"{claim['text']} {claim['verdict']}" for claim in view["claims"] if claim["made"]
        ]
        return "\n".join([*lines, *view["sentences"], ui["scope"]])

    def _html(self) -> str:
        view = self._picture(self._settings, self.lang)
        ui = view["ui"]
        passages = "".join(f"<li>{escape(_line(passage))}</li>" for passage in view["passages"])
        shown = _revealed(view) if view["revealed"] else _unmarked(view)
        return (
            f'<div lang="{escape(self.lang)}"><p><b>{escape(ui["question"])}</b></p>'
            f"<p>{escape(say('evidence_matrix.pair', self.lang, name=ui['day'], value=view['day']))}</p>"
            f"<p>{escape(ui['passages'])}</p><ol>{passages}</ol>{shown}"
            f"<p><small>{escape(ui['scope'])}</small></p></div>"
        )


def _to_mark(view: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what the learner is to mark, each with the words of its source."""
    words = view["ui"]["mark_for"]
    return [
        (words.format(claim=link["claim_text"], source=link["source"]), link["source_text"])
        for link in view["links"]
    ]


def _unmarked(view: Mapping[str, Any]) -> str:
    """Return the static form before the labels are shown: nothing in it gives them away."""
    rows = [[mark, words, view["ui"]["mark_none"]] for mark, words in _to_mark(view)]
    return f"<p><b>{escape(view['ui']['marks'])}</b></p>{_table([], rows)}"


def _revealed(view: Mapping[str, Any]) -> str:
    ui, ranking = view["ui"], view["ranking"]
    numbers = [[row["label"], *row["values"]] for row in ranking["rows"]]
    ratios = [[row["label"], row["value"]] for row in view["answer"]]
    claims = [
        [claim["text"], *(_cell(cell) for cell in claim["cells"]), claim["verdict"]]
        for claim in view["claims"]
        if claim["made"]
    ]
    sentences = "".join(f"<li>{escape(sentence)}</li>" for sentence in view["sentences"])
    return (
        f"<p><b>{escape(ui['ranking'])}</b> {escape(ui['ranking_note'])}</p>"
        f"{_table([ui['metric'], *ranking['heads']], numbers)}"
        f"<p><b>{escape(ui['answer'])}</b> {escape(ui['answer_note'])}</p>"
        f"{_table([ui['measure'], ui['value']], ratios)}"
        f"{_table([ui['claim'], *SOURCES, ui['verdicts']], claims)}<ul>{sentences}</ul>"
    )


def _changed(state: State, changes: Mapping[str, Any], lang: str) -> State:
    """Return the state after ``changes``; another case begins as it is given."""
    rest = dict(changes)
    case = rest.pop("case", state.case)
    if not isinstance(case, str) or case not in CASES:
        raise Refused(
            "one_of", field="case", where="case", found=checks.shown(case), allowed=", ".join(CASES)
        )
    revealed = rest.pop("revealed", state.revealed)
    if not isinstance(revealed, bool):
        raise Refused(
            "one_of",
            field="revealed",
            where="revealed",
            found=checks.shown(revealed),
            allowed="True, False",
        )
    names = tuple(Desk.__dataclass_fields__)
    if unknown := [name for name in rest if name not in names]:
        allowed = ", ".join(("case", "revealed", *names))
        raise Refused("no_setting", found=repr(unknown[0]), allowed=allowed)
    # The same case by name starts anew as well: that is what "open this case" and "reset" mean.
    desk = CASES[case] if "case" in changes else state.desk
    desk = replace(desk, **rest)
    told = _what_changed(state.desk, desk, lang) if "case" not in changes else ""
    return State(case, desk, revealed, told)


def _what_changed(before: Desk, after: Desk, lang: str) -> str:
    """Say which side a change moved and which it left: the point of having both in view."""
    if before == after:
        return ""
    old, new = examine(before), examine(after)
    sides = {
        say("evidence_matrix.ranking", lang): old.ranking != new.ranking,
        say("evidence_matrix.answer", lang): old.answer != new.answer,
    }
    if not any(sides.values()):
        return say("evidence_matrix.both_unchanged", lang)
    joint = say("walk.comma", lang)
    moved = joint.join(name for name, side in sides.items() if side)
    stayed = joint.join(name for name, side in sides.items() if not side)
    told = say("evidence_matrix.changed", lang, what=moved)
    if stayed:
        told = f"{told} {say('evidence_matrix.unchanged', lang, what=stayed)}"
    return told


def _arguments(state: State, lang: str) -> list[str]:
    """Return the arguments that differ from the defaults, as Python source."""
    arguments = [repr(state.case)] if state.case != "base" else []
    if lang != "en":
        arguments.append(f"lang={lang!r}")
    given = CASES[state.case]
    for name in ("order", "claims", "links"):
        if (value := getattr(state.desk, name)) != getattr(given, name):
            arguments.append(f"{name}={list(value)!r}")
    if state.desk.day != given.day:
        arguments.append(f"day={state.desk.day.isoformat()!r}")
    if not state.revealed:
        arguments.append("revealed=False")
    return arguments


def _cases(lang: str) -> list[dict[str, str]]:
    """Return the rows of "what you see, where to look"."""
    ranking = examine(CASES["two_reports"]).ranking
    values = {"low": ranking[2]["recall_at_k"], "high": ranking[3]["recall_at_k"]}
    return [
        {
            "name": name,
            "title": say(f"evidence_matrix.cases.{name}", lang),
            "see": say(f"evidence_matrix.see_cases.{name}", lang, **values),
            "where": say(f"evidence_matrix.where_cases.{name}", lang),
        }
        for name in CASES
    ]


def _passage(id: str, found: Examined, lang: str) -> dict[str, Any]:
    edition = EDITIONS[id]
    first = edition.valid_from.isoformat() if edition.valid_from else ""
    last = edition.valid_until.isoformat() if edition.valid_until else ""
    holds = found.validities[id]
    key = "evidence_matrix.dates.between" if last else "evidence_matrix.dates.from"
    return {
        "id": id,
        "text": say(f"evidence_matrix.passage.{id}", lang),
        "source": say(f"evidence_matrix.source.{id}", lang),
        "dates": say(key, lang, first=first, last=last),
        "validity": say(f"evidence.validity.{holds}", lang),
        "in_force": holds is Validity.IN_FORCE,
        "needed": say("evidence_matrix.needed", lang) if id in NEEDED else "",
    }


def _line(passage: Mapping[str, Any]) -> str:
    needed = f" · {passage['needed']}" if passage["needed"] else ""
    head = f"{passage['id']}{needed} · {passage['text']}"
    return f"{head} ({passage['source']}; {passage['dates']}; {passage['validity']})"


def _sign(verdict: Verdict) -> str:
    if verdict is Verdict.SUPPORTED:
        return "ok"
    return "missing" if verdict.holds or verdict is Verdict.UNCITED else "out"


def _claims(desk: Desk, found: Examined, lang: str) -> list[dict[str, Any]]:
    verdicts = {check.claim: check.verdict for check in found.answer.claim_checks}
    links = {(check.claim, check.source): check for check in found.answer.link_checks}
    uncited = {c.claim: c.by for c in found.answer.claim_checks if c.verdict is Verdict.UNCITED}
    rows = []
    for claim in CLAIMS:
        verdict = verdicts.get(claim)
        cells = []
        for source in SOURCES:
            link = links.get((claim, source))
            hint = say("evidence_matrix.uncited_hint", lang)
            cells.append(
                {
                    "source": source,
                    "cited": link is not None,
                    "words": say(f"evidence.link.{link.verdict}", lang)
                    if link
                    else hint
                    if source in uncited.get(claim, ())
                    else "",
                    "sign": _sign(link.verdict) if link else "",
                }
            )
        rows.append(
            {
                "id": claim,
                "text": say(f"evidence_matrix.claims.{claim}", lang),
                "made": claim in desk.claims,
                "verdict": say(f"evidence.claim.{verdict}", lang)
                if verdict
                else say("evidence_matrix.not_made", lang),
                "sign": _sign(verdict) if verdict else "",
                "cells": cells,
            }
        )
    return rows


def _cell(cell: Mapping[str, Any]) -> str:
    return f"✓ {cell['words']}" if cell["cited"] else str(cell["words"])


def _links(found: Examined, lang: str) -> list[dict[str, Any]]:
    return [
        {
            "claim": link.claim,
            "claim_text": say(f"evidence_matrix.claims.{link.claim}", lang),
            "source": link.source,
            "source_text": say(f"evidence_matrix.passage.{link.source}", lang),
            "holds": link.verdict.holds,
            "sign": _sign(link.verdict),
            "words": say(f"evidence.link.{link.verdict}", lang),
            "basis": say("evidence_matrix.rests_on", lang, words=link.basis)
            if link.basis
            else say("evidence_matrix.rests_on_nothing", lang),
        }
        for link in found.answer.link_checks
    ]


def _shown(value: float | None, lang: str) -> str:
    return say("evidence.none", lang) if value is None else f"{value:.3f}"


def _ranking(found: Examined, lang: str) -> dict[str, Any]:
    return {
        "heads": [f"@{n}" for n in found.ranking],
        "rows": [
            {
                "label": say(f"evidence_matrix.metrics.{metric}", lang),
                "values": [_shown(values[metric], lang) for values in found.ranking.values()],
            }
            for metric in METRICS
        ],
    }


def _answer(found: Examined, lang: str) -> list[dict[str, str]]:
    answer = found.answer

    def row(name: str, part: int, whole: int, value: float | None) -> dict[str, str]:
        counted = say("evidence.ratio", lang, part=part, whole=whole)
        shown = f"{counted} = {_shown(value, lang)}" if whole else say("evidence.ratio_none", lang)
        return {"label": say(f"evidence_matrix.measures.{name}", lang), "value": shown}

    cited = round((answer.citation_coverage or 0) * answer.claims)
    in_force = answer.claims_in_force
    return [
        row("faithfulness", answer.supported_claims, answer.claims, answer.faithfulness),
        row(
            "citation_correctness", answer.correct_links, answer.links, answer.citation_correctness
        ),
        row("citation_coverage", cited, answer.claims, answer.citation_coverage),
        row(
            "in_force", in_force, answer.claims, in_force / answer.claims if answer.claims else None
        ),
    ]


def _sentences(found: Examined, lang: str) -> list[str]:
    """Return what the numbers alone do not say."""
    answer = found.answer
    if not answer.claims:
        return [say("evidence_matrix.told.no_claims", lang)]
    told = []
    verdicts = [check.verdict for check in answer.claim_checks]
    wrong = len(answer.faithful_but_not_in_force)
    if wrong:
        told.append(say("evidence_matrix.told.wrong_today", lang, n=wrong))
    if over_wide := verdicts.count(Verdict.OVER_WIDE):
        told.append(say("evidence_matrix.told.over_wide", lang, n=over_wide))
    if uncited := verdicts.count(Verdict.UNCITED):
        told.append(say("evidence_matrix.told.uncited", lang, n=uncited))
    if answer.unknown_sources:
        ids = say("walk.comma", lang).join(answer.unknown_sources)
        told.append(say("evidence_matrix.told.unknown", lang, ids=ids))
    if answer.faithfulness == answer.citation_correctness and 0 < (answer.faithfulness or 0) < 1:
        told.append(say("evidence_matrix.told.same_ratios", lang))
    if answer.claims_in_force == answer.claims:
        told.append(say("evidence_matrix.told.day_right", lang))
    return [*told, say("evidence_matrix.told.support_less", lang)]


def _table(heads: list[str], rows: list[list[str]]) -> str:
    def line(cells: list[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    head = f"<thead>{line(heads, 'th')}</thead>" if heads else ""
    body = "".join(line(row, "td") for row in rows)
    return f"<table>{head}<tbody>{body}</tbody></table>"
