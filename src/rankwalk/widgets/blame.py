"""Five complaints as an exercise: which stage lost the passage?"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from rankwalk import tables
from rankwalk.lessons.rerank_cases import Complaint, complaints, passages
from rankwalk.messages import Refused, check_language, lookup, say
from rankwalk.pipeline import Fate
from rankwalk.widgets.base import SettingError, Stage, css, esm


class WhoIsToBlame(Stage):
    """Read what was noted about a request, say which stage it was, then compare.

    Nothing is stored and nothing is graded. The widget has no settings, so it works without a kernel.

    Args:
        lang: ``"en"`` or ``"zh"``.
    """

    name = "blame"
    _esm = esm(name)
    _css = css(name)

    def __init__(self, lang: str = "en") -> None:
        try:
            super().__init__(check_language(lang), lang)
        except Refused as refused:
            raise SettingError(refused, "en") from None

    def __repr__(self) -> str:
        """Return the call that makes this widget."""
        return f"WhoIsToBlame({'' if self.lang == 'en' else f'lang={self.lang!r}'})"

    # ---- what Stage asks for --------------------------------------------------------------------

    def _with(self, settings: str, changes: Mapping[str, Any]) -> str:
        for name in changes:
            raise Refused("no_setting", field=str(name), found=repr(name), allowed="–")
        return settings

    def _values(self, settings: str) -> dict[str, Any]:
        return {}

    def _picture(self, settings: str, lang: str) -> dict[str, Any]:
        return {
            "scope": say("rerank.blame.scope", lang),
            "options": [[fate.value, say(f"rerank.fate.{fate}", lang)] for fate in _OPTIONS],
            "cases": [_case(complaint, lang) for complaint in complaints(lang)],
            "ui": {**lookup("rerank.blame", lang), **lookup("rerank.ui", lang)},
        }

    def _text(self) -> str:
        lines: list[str] = []
        for case in self._view["cases"]:
            lines += [f"{case['id']}. {case['text']}", case["asked"], case["needed"]]
            lines += [f"  {name}: {value}" for name, value in case["notes"]]
        words = self._view["ui"]
        options = [f"  - {text}" for _, text in self._view["options"]]
        return "\n".join([*lines, words["ask"], *options, self._view["scope"]])

    def _html(self) -> str:
        view = self._view
        words = view["ui"]
        options = "".join(f"<li>{escape(text)}</li>" for _, text in view["options"])
        cases = "".join(
            f"<h4>{escape(case['id'])}</h4><blockquote>{escape(case['text'])}</blockquote>"
            f"<p>{escape(case['asked'])}<br>{escape(case['needed'])}</p>"
            f"{tables.html([words['diagnostics'], words['value']], case['notes'])}"
            f"<details><summary>{escape(words['check'])}</summary>"
            f"<p>{escape(case['right'])} {escape(case['why'])}</p></details>"
            for case in view["cases"]
        )
        return (
            f'<div lang="{escape(self.lang)}"><p><b>{escape(words["name"])}</b> '
            f"{escape(words['ask'])}</p><ul>{options}</ul>{cases}"
            f"<p><small>{escape(view['scope'])}</small></p></div>"
        )


# In the order of the stages; that it was served comes last.
_OPTIONS = (
    Fate.NOT_RETRIEVED,
    Fate.LOST_IN_FUSION,
    Fate.PUT_LAST,
    Fate.NOT_RERANKED,
    Fate.OVER_BUDGET,
    Fate.SERVED,
)


def _case(complaint: Complaint, lang: str) -> dict[str, Any]:
    """Return a complaint for the browser: what is noted, and what to say to each guess."""
    fate = complaint.fate
    right = say(f"rerank.fate.{fate}", lang)
    return {
        "id": complaint.id,
        "text": complaint.text,
        "asked": say("rerank.blame.asked", lang, question=complaint.question),
        "needed": f"{say('rerank.blame.needed', lang, id=complaint.needed)} · "
        + passages(lang)[complaint.needed],
        "notes": _noted(complaint, lang),
        "fate": fate.value,
        "right": say("rerank.blame.right", lang, fate=right),
        "wrong": {
            other.value: say(
                "rerank.blame.wrong", lang, guess=say(f"rerank.fate.{other}", lang), fate=right
            )
            for other in _OPTIONS
            if other != fate
        },
        "why": _why(complaint, lang),
    }


def _place_served(complaint: Complaint) -> int | None:
    ids = [chunk.id for chunk in complaint.result.chunks]
    return ids.index(complaint.needed) + 1 if complaint.needed in ids else None


def _noted(complaint: Complaint, lang: str) -> list[list[str]]:
    """Return the diagnostics of the needed passage, a name and a value each."""
    settings, result, notes = complaint.settings, complaint.result, complaint.needed_notes
    absent = say("rerank.blame.absent", lang)
    fused = complaint.needed_place_fused
    was_sent = fused is not None and fused <= result.sent
    # An asked-for reranker that did not answer was sent the passages all the same.
    sent = say("rerank.blame.yes" if was_sent else "rerank.blame.no", lang)
    if result.sent < len(result.fused):
        sent += say("rerank.blame.first", lang, n=result.sent)
    reason = next(
        (chunk.diagnostics.get("rerank_degraded_reason") for chunk in result.chunks), None
    )
    mark = f"rerank_degraded: True, {reason}" if result.degraded else ""
    rows: list[tuple[str, object]] = [
        (
            say("rerank.blame.vector_rank", lang, depth=settings.vector_depth),
            notes.get("vector_rank"),
        ),
        (
            say("rerank.blame.keyword_rank", lang, depth=settings.keyword_depth),
            notes.get("keyword_rank"),
        ),
        (say("rerank.blame.fused_place", lang), fused),
        (say("rerank.blame.was_sent", lang), sent),
        ("rerank_score", notes.get("rerank_score")),
        (
            say("rerank.blame.place_served", lang, limit=complaint.limit),
            _place_served(complaint),
        ),
        (say("rerank.blame.mark", lang), mark or say("rerank.blame.no_mark", lang)),
    ]
    return [
        [
            name,
            absent if value is None else f"{value:.3f}" if isinstance(value, float) else str(value),
        ]
        for name, value in rows
    ]


def _why(complaint: Complaint, lang: str) -> str:
    """Say how one could tell."""
    notes = complaint.needed_notes
    return say(
        f"rerank.blame.why_{complaint.fate}",
        lang,
        rank=notes.get("vector_rank") or notes.get("keyword_rank"),
        place=_place_served(complaint) or complaint.needed_place_fused,
        sent=complaint.result.sent,
        limit=complaint.limit,
        reason=next(
            (chunk.diagnostics.get("rerank_degraded_reason") for chunk in complaint.result.chunks),
            None,
        ),
    )
