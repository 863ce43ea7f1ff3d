"""The metrics of MapSatisfyBench, beside slow twins with fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.bench.mapsat.scores import (
    CREDITS,
    METRICS,
    JudgedDialogue,
    Scores,
    Verdict,
    WeighedFactor,
    efficiency,
    implicit_satisfaction,
    implied_turns,
    mean_scores,
    scores_of,
    tool_selection,
)
from concede.catalogs.errors import QueryError

TOOLS = ("search_poi", "get_navigation", "search_user_profile", "get_rgeo")


@st.composite
def dialogues(draw: st.DrawFn) -> JudgedDialogue:
    factors = [
        WeighedFactor(draw(st.floats(0, 1.44)), draw(st.sampled_from(("hard", "soft"))))
        for _ in range(draw(st.integers(0, 5)))
    ]
    credits = tuple(draw(st.sampled_from(CREDITS[factor.type])) for factor in factors)
    verdicts = st.lists(st.booleans(), max_size=5).map(tuple)
    tools = st.frozensets(st.sampled_from(TOOLS))
    return JudgedDialogue(
        Verdict(draw(verdicts), credits, draw(verdicts)),
        tuple(factors),
        draw(tools),
        draw(tools),
        draw(st.integers(0, 20)),
        draw(st.integers(1, 6)),
        draw(st.none() | st.integers(1, 100_000)),
    )


def slow_share(met: tuple[bool, ...]) -> Fraction:
    return Fraction(len([one for one in met if one]), len(met)) if met else Fraction(1)


def slow_iisr(dialogue: JudgedDialogue) -> Fraction:
    weights = [Fraction(factor.weight) for factor in dialogue.factors]
    credits = [Fraction(credit) for credit in dialogue.verdict.credits]
    below = sum(weights, Fraction(0))
    above = sum((w * c for w, c in zip(weights, credits, strict=True)), Fraction(0))
    return above / below if below else Fraction(1)


def slow_tools(dialogue: JudgedDialogue) -> Fraction:
    both = [t for t in TOOLS if t in dialogue.expected_tools and t in dialogue.valid_tools]
    either = [t for t in TOOLS if t in dialogue.expected_tools or t in dialogue.valid_tools]
    return Fraction(len(both), len(either)) if either else Fraction(1)


@given(dialogues())
def test_every_figure_is_that_of_exact_fractions(dialogue: JudgedDialogue):
    ecr, iisr = slow_share(dialogue.verdict.explicit), slow_iisr(dialogue)
    eff = Fraction(dialogue.budget, dialogue.budget + dialogue.turns)
    ses = ecr * iisr * eff
    cei = ses * 1_000_000 / dialogue.tokens if dialogue.tokens else None
    twin = (
        *(ecr, iisr, ecr * iisr, slow_tools(dialogue), slow_share(dialogue.verdict.facts)),
        *(eff, ses, cei),
    )
    got = scores_of(dialogue).record()
    assert tuple(got) == METRICS
    for name, value in zip(METRICS, twin, strict=True):
        assert got[name] == (
            None if value is None else pytest.approx(float(value), rel=1e-9, abs=1e-12)
        )


@given(dialogues())
def test_figures_lie_between_nothing_and_one(dialogue: JudgedDialogue):
    got = scores_of(dialogue)
    assert all(0 <= value <= 1 for value in (got.ecr, got.iisr, got.ts, got.ifs, got.eff, got.ses))
    assert got.ses <= got.ar <= min(got.ecr, got.iisr)


@given(st.integers(1, 40), st.integers(1, 6))
def test_turns_come_back_from_a_stored_efficiency(turns: int, budget: int):
    assert implied_turns(efficiency(turns, budget), budget) == turns


@given(st.integers(1, 12), st.integers(1, 6))
def test_so_do_they_from_four_decimals(turns: int, budget: int):
    assert implied_turns(round(efficiency(turns, budget), 4), budget) == turns


def test_the_sample_instance_of_the_document():
    # C.3 has three soft factors; with the parking lot missed, the other two are 1.303 of 2.503.
    factors = [WeighedFactor(weight) for weight in (1.2, 0.8179, 0.4851)]
    assert implicit_satisfaction(factors, (0, 1, 1)) == pytest.approx(1.303 / 2.503)
    assert tool_selection({"search_poi", "get_navigation"}, {"search_poi", "get_rgeo"}) == 1 / 3
    assert efficiency(3, 3) == 0.5


def test_without_an_implicit_factor_iisr_is_one():
    assert implicit_satisfaction((), ()) == 1
    assert implicit_satisfaction((WeighedFactor(0.0),), (0.0,)) == 1
    assert efficiency(1, 0) == 0.5


@pytest.mark.parametrize("weight", [-0.1, math.nan, math.inf])
def test_a_weight_is_finite_and_not_negative(weight: float):
    with pytest.raises(QueryError, match="weight"):
        WeighedFactor(weight)


def test_verdicts_must_fit():
    with pytest.raises(QueryError, match=r"credit 0\.75"):
        implicit_satisfaction([WeighedFactor(1, "hard")], [0.75])
    with pytest.raises(QueryError, match=r"credit 0\.8"):
        implicit_satisfaction([WeighedFactor(1)], [0.8])
    with pytest.raises(QueryError, match="0 credits for 1"):
        implicit_satisfaction([WeighedFactor(1)], [])
    with pytest.raises(QueryError, match="type of factor 'firm'"):
        WeighedFactor(1, "firm")  # type: ignore[arg-type]
    for turns, budget in ((-1, 1), (1, -1), (math.nan, 1)):
        with pytest.raises(QueryError, match="turns"):
            efficiency(turns, budget)
    with pytest.raises(QueryError, match="Eff 0"):
        implied_turns(0, 3)


def test_means_are_of_each_figure():
    first, second = Scores(1, 1, 1, 1, 1, 0.5, 0.5, 4.0), Scores(0, 1, 0, 0, 1, 0.25, 0, None)
    assert mean_scores([first, second]) == Scores(0.5, 1, 0.5, 0.5, 1, 0.375, 0.25, 4.0)
    assert mean_scores([]) is None
