"""Versions: which edition of a source is in force on a day, and where its dates do not say.

Where the dates leave it open (two editions at once, a day that none covers, a first day that nobody
wrote down) that is the result. No rule such as "the newest wins" is applied: it would hide the fault.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import combinations

from rankwalk import checks
from rankwalk.evidence import Validity, validity
from rankwalk.messages import Refused, say

_ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Version:
    """One edition of a source.

    Attributes:
        source: what it is an edition of, such as "returns policy".
        version: what this edition is called, unique within the source.
        valid_from: its first day; ``None`` if that is not known.
        valid_until: its last day, itself included; ``None`` if it has no end yet.
    """

    source: str
    version: str
    valid_from: date | None = None
    valid_until: date | None = None

    def __post_init__(self) -> None:
        checks.ranking([self.source], "source")
        checks.ranking([self.version], "version")
        for name in ("valid_from", "valid_until"):
            day = getattr(self, name)
            # A datetime is a date to Python, but the two cannot be compared.
            if day is not None and type(day) is not date:
                raise Refused("not_a_date", field=name, where=name, found=checks.shown(day))
        if self.valid_from and self.valid_until and self.valid_until < self.valid_from:
            raise Refused(
                "ends_before_start",
                field="valid_until",
                version=repr(self.version),
                first=self.valid_from.isoformat(),
                last=self.valid_until.isoformat(),
            )


class OnDay(StrEnum):
    """How clearly a source's dates say which edition holds on a day."""

    ONE = "one"
    """Exactly one is in force."""
    SEVERAL = "several"
    """More than one is: their dates overlap."""
    NONE = "none"
    """None is: the day lies in a gap, before the first or after the last."""
    UNSURE = "unsure"
    """One without a first day may be in force, so that nothing is certain."""


@dataclass(frozen=True, slots=True)
class InForce:
    """The editions of one source on one day.

    Attributes:
        source: the source.
        day: the day.
        in_force: those in force for certain, in the order given.
        undated: those that may be in force: their first day is missing.
    """

    source: str
    day: date
    in_force: tuple[Version, ...]
    undated: tuple[Version, ...]

    @property
    def on_day(self) -> OnDay:
        """How clear it is."""
        if self.undated:
            return OnDay.UNSURE
        if len(self.in_force) == 1:
            return OnDay.ONE
        return OnDay.SEVERAL if self.in_force else OnDay.NONE

    @property
    def the_one(self) -> Version | None:
        """The edition to answer from; ``None`` where the dates leave it open."""
        return self.in_force[0] if self.on_day is OnDay.ONE else None


class DateFault(StrEnum):
    """What can be wrong with the dates of a source."""

    OVERLAP = "overlap"
    GAP = "gap"
    NO_FIRST_DAY = "no_first_day"


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault in the dates of a source.

    Attributes:
        source: the source.
        fault: which fault.
        versions: the editions concerned: two of them, or the one without a first day.
        first_day: where it begins; ``None`` for a missing first day.
        last_day: where it ends, itself included; ``None`` if it has no end.
    """

    source: str
    fault: DateFault
    versions: tuple[str, ...]
    first_day: date | None = None
    last_day: date | None = None


def in_words(finding: Finding, lang: str) -> str:
    """Return a finding as a sentence.

    Args:
        finding: one of what `date_faults` found.
        lang: a language that has a catalogue.
    """
    open_ended = finding.fault is DateFault.OVERLAP and finding.last_day is None
    key = (
        "evidence.date_fault.overlap_open" if open_ended else f"evidence.date_fault.{finding.fault}"
    )
    return say(
        key,
        lang,
        versions=" / ".join(finding.versions),
        first=finding.first_day,
        last=finding.last_day,
    )


def in_force_on(versions: Iterable[Version], day: date) -> dict[str, InForce]:
    """Say for each source which of its editions hold on ``day``.

    Args:
        versions: editions of any number of sources.
        day: the day the question is about.

    Returns:
        An `InForce` for each source, in the order in which the sources first appear.

    Raises:
        Refused: a `ValueError`: two editions of one source with the same name, or no day.
    """
    if type(day) is not date:
        raise Refused("not_a_date", field="day", where="day", found=checks.shown(day))
    result: dict[str, InForce] = {}
    for source, own in _by_source(versions).items():
        held = [
            (version, validity(version.valid_from, version.valid_until, day)) for version in own
        ]
        result[source] = InForce(
            source=source,
            day=day,
            in_force=tuple(version for version, holds in held if holds is Validity.IN_FORCE),
            undated=tuple(version for version, holds in held if holds is Validity.UNKNOWN),
        )
    return result


def date_faults(versions: Iterable[Version]) -> tuple[Finding, ...]:
    """Find every overlap, gap and missing first day in the dates of each source.

    Args:
        versions: editions of any number of sources.

    Returns:
        The findings, source by source: missing first days, then overlaps (each pair), then gaps.
        Gaps are looked for between editions with a first day only.

    Raises:
        Refused: a `ValueError`: two editions of one source with the same name.
    """
    findings: list[Finding] = []
    for source, own in _by_source(versions).items():
        findings += [
            Finding(source, DateFault.NO_FIRST_DAY, (version.version,), None, version.valid_until)
            for version in own
            if version.valid_from is None
        ]
        dated = sorted(
            ((version.valid_from, version) for version in own if version.valid_from is not None),
            key=lambda pair: pair[0],
        )
        for (_, earlier), (start, later) in combinations(dated, 2):
            if earlier.valid_until is None or earlier.valid_until >= start:
                ends = [v.valid_until for v in (earlier, later) if v.valid_until is not None]
                names = (earlier.version, later.version)
                findings.append(
                    Finding(source, DateFault.OVERLAP, names, start, min(ends, default=None))
                )
        findings += _gaps(source, dated)
    return tuple(findings)


def _gaps(source: str, dated: list[tuple[date, Version]]) -> list[Finding]:
    """Walk along the editions by first day, keeping the one that reaches furthest."""
    found: list[Finding] = []
    if not dated:
        return found
    furthest = dated[0][1]
    for start, version in dated[1:]:
        if furthest.valid_until is None:
            break
        if start > furthest.valid_until + _ONE_DAY:
            found.append(
                Finding(
                    source,
                    DateFault.GAP,
                    (furthest.version, version.version),
                    furthest.valid_until + _ONE_DAY,
                    start - _ONE_DAY,
                )
            )
        if version.valid_until is None or version.valid_until > furthest.valid_until:
            furthest = version
    return found


def _by_source(versions: Iterable[Version]) -> dict[str, list[Version]]:
    groups: dict[str, list[Version]] = {}
    for version in versions:
        if not isinstance(version, Version):
            raise Refused("not_a_version", field="versions", found=checks.shown(version))
        own = groups.setdefault(version.source, [])
        if any(version.version == other.version for other in own):
            raise Refused(
                "version_twice",
                field="versions",
                found=repr(version.version),
                source=repr(version.source),
            )
        own.append(version)
    return groups
