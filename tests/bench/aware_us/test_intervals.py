"""Bootstrap intervals, paired comparisons and pass^k beside their slow twins."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aware_us_outcomes import outcome, outcomes
from concede.bench.aware_us.intervals import compare, intervals, mcnemar
from concede.bench.aware_us.measures import MEASURES, measure, pass_hat, pass_hats
from concede.catalogs.errors import QueryError

FEW = 40


def drawn(size, seed):
    """Return the resamples as lists of episode numbers."""
    counts = np.random.default_rng(seed).multinomial(size, np.full(size, 1 / size), FEW)
    return [np.repeat(np.arange(size), count) for count in counts]


def plain_interval(values):
    known = [value for value in values if value is not None]
    return tuple(np.quantile(known, [0.025, 0.975])) if known else None


@given(outcomes() | outcomes(distinct=False), st.integers(0, 9))
def test_an_interval_is_that_of_the_metric_over_each_resample(episodes, seed):
    """Instances are drawn, each with all its episodes."""
    found = intervals(episodes, seed=seed, resamples=FEW)
    held = {}
    for episode in episodes:
        held.setdefault(episode.gold.id, []).append(episode)
    groups = list(held.values())
    for name in MEASURES:
        samples = drawn(len(groups), seed) if episodes else []
        values = [measure([e for at in sample for e in groups[at]], name) for sample in samples]
        assert found[name] == pytest.approx(plain_interval(values))


def test_the_same_seed_draws_the_same():
    episodes = [outcome(at, relaxed=("Year",) if at % 3 else ()) for at in range(20)]
    assert intervals(episodes, seed=4) == intervals(episodes, seed=4)
    low, high = intervals(episodes)["relax_match"]
    assert 0 < low < measure(episodes, "relax_match") < high < 1


def runs_of(rights):
    return [outcome(at, relaxed=("Year",) if right else ()) for at, right in enumerate(rights)]


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=8), st.integers(0, 9))
def test_a_comparison_is_of_the_same_instances(rights, seed):
    first, second = (runs_of(side) for side in zip(*rights, strict=True))
    found = compare(first, list(reversed(second)), "relax_match", seed=seed, resamples=FEW)
    assert (found.n, found.only_first) == (len(rights), rights.count((True, False)))
    assert found.only_second == rights.count((False, True))
    apart = [second - first for first, second in rights]
    assert found.difference == pytest.approx(sum(apart) / len(apart))
    samples = [np.mean([apart[at] for at in query]) for query in drawn(len(rights), seed)]
    assert found.interval == pytest.approx(plain_interval(samples))


@given(st.integers(0, 6), st.integers(0, 6))
def test_mcnemar_counts_all_signs(first, second):
    n, few = first + second, min(first, second)
    signs = list(product([0, 1], repeat=n))
    extreme = sum(min(sum(sign), n - sum(sign)) <= few for sign in signs)
    assert mcnemar(first, second) == pytest.approx(extreme / len(signs))


def test_no_right_or_wrong_no_p():
    found = compare(runs_of([1, 0]), runs_of([1, 1]), "slot_completion")
    assert (found.p, found.only_first, found.difference) == (None, None, 0)
    assert found.record()["measure"] == "slot_completion"


def test_only_runs_on_the_same_instances_are_compared():
    with pytest.raises(QueryError, match="no instance in both"):
        compare(runs_of([1]), [outcome(7)], "relax_match")


def test_repeated_runs_count_together_and_nobody_is_simply_right():
    first = [*runs_of([1, 0]), *runs_of([1, 1])]
    found = compare(first, runs_of([0, 0]), "relax_match")
    assert (found.n, found.first, found.second, found.difference) == (2, 0.75, 0, -0.75)
    assert (found.p, found.only_first) == (None, None)


@given(outcomes(distinct=False), st.integers(1, 3))
def test_pass_hat_k_is_the_share_of_draws_that_are_all_right(episodes, k):
    runs = {}
    for episode in episodes:
        if episode.gold.relaxed is not None and episode.gold.item is not None:
            runs.setdefault(episode.gold.id, []).append(episode.car_match)
    if any(len(value) < k for value in runs.values()):
        with pytest.raises(QueryError, match="pass"):
            pass_hat(episodes, k)
        return
    shares = [np.mean([all(draw) for draw in combinations(value, k)]) for value in runs.values()]
    assert pass_hat(episodes, k) == (pytest.approx(np.mean(shares)) if runs else None)


def test_pass_hat_0_is_refused():
    with pytest.raises(QueryError, match="ask for 1 to 1"):
        pass_hat([outcome()], 0)


def test_pass_hats_as_far_as_every_instance_was_run():
    once, twice = runs_of([1, 0]), runs_of([1, 1])
    assert pass_hats(once) == {}
    assert pass_hats([*once, *twice]) == {1: 0.75, 2: 0.5}
    assert pass_hats([*once, *twice, *runs_of([1])]) == {1: pytest.approx(0.75), 2: 0.5}
