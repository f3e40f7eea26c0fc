"""Evidence: is a passage in force, is it enough for the question, does it carry what the answer says?

Three questions that no ranking score answers. `validity` looks at dates, `check_sufficiency` at the
conditions of the question, `check_answer` at the claims of an answer and the links to their sources.
All three work on labels that a person gave after reading; none of them reads a text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TypeAlias

from rankwalk import checks
from rankwalk.messages import Refused


class Validity(StrEnum):
    """Whether a passage's version holds on a day."""

    IN_FORCE = "in_force"
    NOT_YET = "not_yet"
    SUPERSEDED = "superseded"
    UNKNOWN = "unknown"


def validity(valid_from: date | None, valid_until: date | None, day: date) -> Validity:
    """Say whether a version holds on ``day``.

    Args:
        valid_from: its first day; ``None`` if that is not known.
        valid_until: its last day, itself included; ``None`` if it has no end yet.
        day: the day the question is about.

    Returns:
        ``UNKNOWN`` where the first day is missing and the last does not decide: a date that nobody
        wrote down is told, not guessed.
    """
    if valid_until is not None and day > valid_until:
        return Validity.SUPERSEDED
    if valid_from is None:
        return Validity.UNKNOWN
    return Validity.NOT_YET if day < valid_from else Validity.IN_FORCE


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """Which required conditions of a question are met.

    Attributes:
        met: the usable passages for each condition that has any, in the order of the conditions.
        missing: the conditions that no usable passage meets.
    """

    met: Mapping[str, tuple[str, ...]]
    missing: tuple[str, ...]

    @property
    def enough(self) -> bool:
        """Whether every condition is met."""
        return not self.missing

    @property
    def state(self) -> str:
        """``"enough"``, ``"partly"`` or ``"not"``."""
        if self.enough:
            return "enough"
        return "partly" if self.met else "not"


def check_sufficiency(
    conditions: Sequence[str],
    evidence: Mapping[str, Iterable[str]],
    usable: Iterable[str] | None = None,
) -> Sufficiency:
    """Say which required conditions are met, by what, and what is missing.

    Relevance plays no part: a passage counts if its words support the condition and it may be used.

    Args:
        conditions: the ids of everything that the question needs, each once; at least one.
        evidence: for each condition the ids of the passages whose words support it. A condition that
            is not in it has none.
        usable: the ids of the passages that may be used, in the order of preference; all of
            ``evidence`` if not given.

    Returns:
        A `Sufficiency`.

    Raises:
        Refused: a `ValueError`: no condition, one named twice, or evidence for one that was not asked.
    """
    needed = checks.ranking(conditions, "conditions")
    if not needed or len(set(needed)) != len(needed):
        raise Refused("conditions", field="conditions", found=checks.shown(list(needed)))
    if not isinstance(evidence, Mapping):
        raise Refused("not_evidence", field="evidence", found=checks.shown(evidence))
    supporters = {
        condition: checks.distinct(checks.ranking(ids, f"evidence[{condition!r}]"))
        for condition, ids in evidence.items()
    }
    for condition in supporters:
        if condition not in needed:
            raise Refused(
                "unknown_condition",
                where="evidence",
                field="evidence",
                found=repr(condition),
                allowed=", ".join(needed),
            )
    if usable is None:
        order = checks.distinct(id for ids in supporters.values() for id in ids)
    else:
        order = checks.distinct(checks.ranking(usable, "usable"))
    met: dict[str, tuple[str, ...]] = {}
    for condition in needed:
        own = frozenset(supporters.get(condition, ()))
        if ids := tuple(id for id in order if id in own):
            met[condition] = ids
    return Sufficiency(met=met, missing=tuple(c for c in needed if c not in met))


Labels: TypeAlias = Mapping[str, Iterable[str] | Mapping[str, str]]
"""For each claim the sources a label holds for; as a dict, each source with the words it rests on."""


class Verdict(StrEnum):
    """What a check says of a link or a claim, from the best to the worst.

    The first four mean that the words of a cited source carry the claim. Whether that source holds on
    the day of the question is another matter, so it has names of its own: an answer can be faithful to
    its source and wrong.
    """

    SUPPORTED = "supported"
    """The cited source says so, and it is in force."""
    UNDATED = "undated"
    """The cited source says so; nobody wrote down since when it holds."""
    NOT_YET = "not_yet"
    """The cited source says so, but it is not in force yet."""
    OUTDATED = "outdated"
    """The cited source says so, but it has been superseded."""
    UNCITED = "uncited"
    """Only of a claim: a source that was retrieved says so, and the answer does not cite it."""
    OVER_WIDE = "over_wide"
    """The cited source says something narrower than the claim."""
    UNSUPPORTED = "unsupported"
    """The cited source does not say so; or nothing is cited, and nothing that was retrieved says so."""
    UNKNOWN_SOURCE = "unknown_source"
    """What is cited was never retrieved, so it supports nothing."""

    @property
    def holds(self) -> bool:
        """Whether the words of a cited source carry the claim, on whatever day."""
        return self in _CARRIED


_CARRIED = (Verdict.SUPPORTED, Verdict.UNDATED, Verdict.NOT_YET, Verdict.OUTDATED)
_BY_VALIDITY = {
    Validity.IN_FORCE: Verdict.SUPPORTED,
    Validity.UNKNOWN: Verdict.UNDATED,
    Validity.NOT_YET: Verdict.NOT_YET,
    Validity.SUPERSEDED: Verdict.OUTDATED,
}
_ORDER = tuple(Verdict)


@dataclass(frozen=True, slots=True)
class LinkCheck:
    """One citation: a claim and a source that it names.

    Attributes:
        claim: the claim.
        source: the source it cites.
        verdict: what the check says; its ``holds`` is whether the link counts as correct.
        basis: the words of the source that the label rests on; ``""`` if none were given.
    """

    claim: str
    source: str
    verdict: Verdict
    basis: str = ""


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """One claim of an answer.

    Attributes:
        claim: the claim.
        cited: the sources it cites, as given.
        verdict: the best of its links, or what is to be said without one.
        by: the sources that carry it: the cited ones, or for ``UNCITED`` those in the context.
    """

    claim: str
    cited: tuple[str, ...]
    verdict: Verdict
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerCheck:
    """An answer checked against the labels of its claims.

    A ratio whose denominator is empty is ``None``: nothing was measured, which is not 100 %.

    Attributes:
        supported_claims: claims that at least one cited source supports.
        claims: all claims.
        correct_links: links whose source supports the claim.
        links: all links; one source cited twice for a claim is two.
        faithfulness: ``supported_claims / claims``: support by *cited* evidence, which is less than
            full faithfulness, where the context may support a claim without being cited.
        citation_correctness: ``correct_links / links``.
        citation_coverage: the claims that need a citation and have one, divided by those that need
            one; ``None`` also if it was not said which do.
        unknown_sources: cited sources that were not retrieved, each once.
        claim_checks: a verdict for each claim, in the order of the answer.
        link_checks: a verdict for each link, in the order of the answer.
        labels_unused: claims with labels that the answer does not make.
    """

    supported_claims: int
    claims: int
    correct_links: int
    links: int
    faithfulness: float | None
    citation_correctness: float | None
    citation_coverage: float | None
    unknown_sources: tuple[str, ...]
    claim_checks: tuple[ClaimCheck, ...]
    link_checks: tuple[LinkCheck, ...]
    labels_unused: tuple[str, ...] = ()

    @property
    def claims_in_force(self) -> int:
        """Claims carried by a cited source that is in force: faithful, and right on that day."""
        return sum(check.verdict is Verdict.SUPPORTED for check in self.claim_checks)

    @property
    def faithful_but_not_in_force(self) -> tuple[str, ...]:
        """Claims that repeat their source faithfully, and the source does not hold on that day."""
        return tuple(
            check.claim
            for check in self.claim_checks
            if check.verdict.holds and check.verdict is not Verdict.SUPPORTED
        )


def check_answer(
    claims: Mapping[str, Iterable[str]] | Iterable[tuple[str, Iterable[str]]],
    supports: Labels,
    retrieved: Iterable[str] | None = None,
    needs_citation: Iterable[str] | None = None,
    *,
    too_wide: Labels | None = None,
    validities: Mapping[str, Validity] | None = None,
) -> AnswerCheck:
    """Check the claims of an answer and their citations against labels.

    Args:
        claims: each claim's id with the ids of the sources it cites: pairs, or a dict. An id is unique.
        supports: for each claim the sources whose words support it, cited or not. As a dict from
            source to quote, the quote is kept as the basis of the label. Claims that the answer does
            not make may be labelled too; they are listed in the result.
        retrieved: the sources that were there to be cited; everything if not given. A cited source
            that was not retrieved is wrong, supports nothing, and is named.
        needs_citation: the claims that need a citation; without it coverage is ``None``.
        too_wide: for each claim the sources that say something narrower than it does.
        validities: whether each source is in force on the day of the question. A source that is not
            in it counts as in force. This changes verdicts, never the ratios.

    Returns:
        An `AnswerCheck`.

    Raises:
        Refused: a `ValueError` that names the place: a claim twice, a label that is both, no ids.

    Example:
        >>> check = check_answer([("a", ["d1", "d2"]), ("b", [])], {"a": ["d1"]})
        >>> check.faithfulness, check.citation_correctness
        (0.5, 0.5)
    """
    answer = _claims(claims)
    supporting = _labels(supports, "supports")
    narrower = _labels(too_wide or {}, "too_wide")
    for claim, sources in narrower.items():
        if both := [source for source in sources if source in supporting.get(claim, {})]:
            raise Refused("label_twice", field="too_wide", claim=repr(claim), source=repr(both[0]))
    known = None if retrieved is None else set(checks.ids(retrieved, "retrieved"))
    dates = _validities(validities)

    def of_link(claim: str, source: str) -> Verdict:
        if known is not None and source not in known:
            return Verdict.UNKNOWN_SOURCE
        if source in supporting.get(claim, {}):
            return _BY_VALIDITY[dates.get(source, Validity.IN_FORCE)]
        if source in narrower.get(claim, {}):
            return Verdict.OVER_WIDE
        return Verdict.UNSUPPORTED

    def basis(claim: str, source: str) -> str:
        return supporting.get(claim, {}).get(source) or narrower.get(claim, {}).get(source, "")

    links_of = {
        claim: [
            LinkCheck(claim, source, of_link(claim, source), basis(claim, source))
            for source in cited
        ]
        for claim, cited in answer.items()
    }
    links = tuple(link for own in links_of.values() for link in own)

    def of_claim(claim: str, cited: tuple[str, ...]) -> ClaimCheck:
        own = links_of[claim]
        if carried_by := checks.distinct(link.source for link in own if link.verdict.holds):
            best = min((link.verdict for link in own), key=_ORDER.index)
            return ClaimCheck(claim, cited, best, carried_by)
        context = tuple(s for s in supporting.get(claim, {}) if known is None or s in known)
        if context:
            return ClaimCheck(claim, cited, Verdict.UNCITED, context)
        best = min((link.verdict for link in own), key=_ORDER.index, default=Verdict.UNSUPPORTED)
        return ClaimCheck(claim, cited, best, ())

    of_claims = tuple(of_claim(claim, cited) for claim, cited in answer.items())
    supported = sum(check.verdict.holds for check in of_claims)
    correct = sum(link.verdict.holds for link in links)
    return AnswerCheck(
        supported_claims=supported,
        claims=len(answer),
        correct_links=correct,
        links=len(links),
        faithfulness=_ratio(supported, len(answer)),
        citation_correctness=_ratio(correct, len(links)),
        citation_coverage=_coverage(answer, needs_citation),
        unknown_sources=checks.distinct(
            link.source for link in links if link.verdict is Verdict.UNKNOWN_SOURCE
        ),
        claim_checks=of_claims,
        link_checks=links,
        labels_unused=tuple(claim for claim in {**supporting, **narrower} if claim not in answer),
    )


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _claims(
    claims: Mapping[str, Iterable[str]] | Iterable[tuple[str, Iterable[str]]],
) -> dict[str, tuple[str, ...]]:
    """Return each claim's citations, repeats kept: a source cited twice is two links."""
    if isinstance(claims, (str, bytes, Set)) or not isinstance(claims, Iterable):
        raise Refused("not_claims", field="claims", found=checks.shown(claims))
    pairs = tuple(claims.items() if isinstance(claims, Mapping) else claims)
    answer: dict[str, tuple[str, ...]] = {}
    for place, pair in enumerate(pairs, start=1):
        if not isinstance(pair, Sequence) or isinstance(pair, (str, bytes)) or len(pair) != 2:
            raise Refused("not_a_claim", field="claims", place=place, found=checks.shown(pair))
        claim, cited = pair
        if not isinstance(claim, str) or not claim:
            raise Refused(
                "not_an_id", field="claims", where="claims", place=place, found=checks.shown(claim)
            )
        if claim in answer:
            raise Refused("claim_twice", field="claims", place=place, found=repr(claim))
        answer[claim] = checks.ids(cited, f"claims[{claim!r}]")
    return answer


def _labels(labels: Labels, where: str) -> dict[str, dict[str, str]]:
    """Return ``{claim: {source: basis}}``; a basis that was not given is ``""``."""
    if not isinstance(labels, Mapping):
        raise Refused("not_labels", field=where, where=where, found=checks.shown(labels))
    result: dict[str, dict[str, str]] = {}
    for place, (claim, sources) in enumerate(labels.items(), start=1):
        if not isinstance(claim, str) or not claim:
            raise Refused(
                "not_an_id", field=where, where=where, place=place, found=checks.shown(claim)
            )
        own = checks.ids(sources, f"{where}[{claim!r}]")
        quotes = sources if isinstance(sources, Mapping) else {}
        result[claim] = {source: str(quotes.get(source, "")) for source in own}
    return result


def _validities(validities: Mapping[str, Validity] | None) -> dict[str, Validity]:
    if validities is None:
        return {}
    allowed = ", ".join(Validity)
    if not isinstance(validities, Mapping):
        raise Refused(
            "not_a_validity",
            field="validities",
            where="validities",
            found=checks.shown(validities),
            allowed=allowed,
        )
    for source, value in validities.items():
        if value not in tuple(Validity):
            raise Refused(
                "not_a_validity",
                field="validities",
                where=f"validities[{checks.shown(source)}]",
                found=checks.shown(value),
                allowed=allowed,
            )
    return {source: Validity(value) for source, value in validities.items()}


def _coverage(
    answer: Mapping[str, tuple[str, ...]], needs_citation: Iterable[str] | None
) -> float | None:
    if needs_citation is None:
        return None
    needing = checks.distinct(checks.ids(needs_citation, "needs_citation"))
    for claim in needing:
        if claim not in answer:
            raise Refused(
                "unknown_claim",
                field="needs_citation",
                found=repr(claim),
                allowed=", ".join(answer) or "—",
            )
    return _ratio(sum(bool(answer[claim]) for claim in needing), len(needing))
