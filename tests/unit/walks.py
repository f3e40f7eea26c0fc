"""Scenarios and settings for property tests of the walk and of all that shows it."""

from __future__ import annotations

from datetime import date

from hypothesis import strategies as st

from rankwalk.scenarios import SCENARIOS, Condition, Passage, Scenario, built_in
from rankwalk.settings import Settings

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</title><script>alert(1)</script>",
    "\"'&",
    "{0}",
    "{id}",
    "مرحبا بالعالم",
    "👩‍💻",
    "x" * 200,
    "𝕏 ñ 汉字",
]

IDS = st.one_of(
    st.sampled_from(list("ABCDEPQ")), st.text(min_size=1, max_size=8), st.sampled_from(HOSTILE)
)
LISTS = st.lists(IDS, max_size=8, unique=True)
DAYS = st.dates(date(2023, 1, 1), date(2027, 12, 31))


@st.composite
def settings_for(draw: st.DrawFn, scenario: Scenario) -> Settings:
    """Any settings that fit a scenario."""
    candidates = list(scenario.candidates)
    order = st.none() | st.permutations(candidates).map(tuple)
    return Settings(
        keyword=draw(order),
        semantic=draw(order),
        removed=draw(st.lists(st.sampled_from(candidates)) if candidates else st.just([])),  # type: ignore[arg-type]
        k=draw(st.integers(0, 1000) | st.floats(0, 1000)),
        rerank=draw(st.booleans()),
        depth=draw(st.integers(1, 100)),
        budget=draw(st.integers(1, 20)),
        check=draw(st.sampled_from(["after", "before"])),
        noise=draw(st.integers(0, 10)),
        swaps=draw(st.integers(0, 10)),
        seed=draw(st.integers(0, 9999)),
        day=draw(st.none() | DAYS),
    )


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    """A built-in scenario, or own lists with whatever is known of their passages."""
    if draw(st.booleans()):
        return built_in(draw(st.sampled_from(sorted(SCENARIOS))))
    keyword, semantic = draw(LISTS), draw(LISTS)
    conditions = draw(st.lists(st.sampled_from("uvw"), max_size=3, unique=True))
    names = list(dict.fromkeys(keyword + semantic))
    some = draw(st.lists(st.sampled_from(names), unique=True)) if names else []
    supports = st.lists(st.sampled_from(conditions), unique=True) if conditions else st.just([])
    return Scenario(
        tuple(keyword),
        tuple(semantic),
        conditions=tuple(Condition(name, name.upper()) for name in conditions),
        passages=tuple(
            Passage(
                id=name,
                label=draw(st.text(max_size=10)),
                source=draw(st.sampled_from(["", "a source"])),
                valid_from=draw(st.none() | DAYS),
                valid_until=draw(st.none() | DAYS),
                supports=tuple(draw(supports)),
                rerank_score=draw(st.none() | st.floats(0, 1)),
            )
            for name in some
        ),
        day=draw(st.none() | DAYS),
    )
