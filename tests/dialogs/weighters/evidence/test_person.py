"""A person's weights: the arithmetic against slow twins, and what events do to them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.weighters.evidence.choices import BUY, CLICK, Choice
from concede.dialogs.weighters.evidence.logit import Effects, chances, slopes, stacked
from concede.dialogs.weighters.evidence.person import (
    Judged,
    clipped_mean,
    fit_person,
    mass_near,
)
from concede.dialogs.weighters.evidence.population import Population, fit

DAY = 86_400.0


def choice(event, names, rows, *, kind=CLICK, day=0.0, positions=None):
    at = np.arange(len(rows)) if positions is None else np.array(positions)
    rows = np.array(rows, dtype=float)
    return Choice(event, day * DAY, kind, tuple(names), rows, at, 0)


def clicks(count, **more):
    """Somebody always takes what meets `price`, against what meets `brand`."""
    return [
        choice(f"e{number}", ("price", "brand"), [[1, 0], [0, 1]], day=number, **more)
        for number in range(count)
    ]


@given(st.integers(0, 10**6))
def test_chances_and_slopes_are_those_of_one_choice_at_a_time(seed):
    random = np.random.default_rng(seed)
    people = [
        [
            choice(
                f"{user}-{number}",
                random.permutation(["a", "b", "c"])[: random.integers(1, 4)].tolist(),
                [],
            )
            for number in range(random.integers(1, 4))
        ]
        for user in range(3)
    ]
    people = [
        [
            choice(
                one.event,
                one.names,
                random.integers(0, 2, (random.integers(2, 6), len(one.names))),
                kind=int(random.integers(0, 3)),
            )
            for one in choices
        ]
        for choices in people
    ]
    tastes = random.normal(size=(3, 3))
    effects = Effects(np.array([1.0, 1.4, 0.5, 1.0]), random.normal(size=(4, 3)))
    stack = stacked(people, {"a": 0, "b": 1, "c": 2})
    together = chances(stack, tastes, effects)
    gradient, _ = slopes(stack, together, effects)
    flat = [(user, one) for user, choices in enumerate(people) for one in choices]
    for number, (user, one) in enumerate(flat):
        taste = [tastes[user]["abc".index(name)] for name in one.names]
        utility = [
            effects.strengths[one.kind] * sum(t * x for t, x in zip(taste, row, strict=True))
            + float(effects.positions[one.kind] @ [-math.log2(1 + at), -at / 5, float(at == 0)])
            for at, row in enumerate(one.rows.tolist())
        ]
        total = sum(map(math.exp, utility))
        own = [math.exp(value) / total for value in utility]
        assert together[number, : len(own)] == pytest.approx(own)
        assert not together[number, len(own) :].any()
        mean = sum(chance * row for chance, row in zip(own, one.rows, strict=True))
        expected = stack.counts[number] * effects.strengths[one.kind] * (one.rows[0] - mean)
        places = ["abc".index(name) for name in one.names]
        assert gradient[number, places] == pytest.approx(expected)


@given(st.floats(-1, 2), st.floats(0.05, 1))
def test_the_mean_and_the_mass_are_those_of_many_draws(mean, spread):
    draws = np.clip(mean + spread * np.random.default_rng(1).standard_normal(40_000), 0, 1)
    weight = clipped_mean(mean, spread)
    assert weight == pytest.approx(draws.mean(), abs=0.02)
    near = (np.abs(draws - weight) <= 0.2).mean()
    assert mass_near(mean, spread, weight) == pytest.approx(near, abs=0.02)


def test_nobody_known_weighs_neutrally():
    person = fit_person([], Population())
    assert person.judged("price") == Judged(0.5)


def test_what_is_taken_again_and_again_weighs_more_and_surer():
    few, many = (fit_person(clicks(count), Population()) for count in (2, 40))
    assert few.judged("price").weight > 0.5 > few.judged("brand").weight
    assert many.judged("price").weight > few.judged("price").weight
    assert many.judged("price").confidence > few.judged("price").confidence


def test_because_names_the_events_that_moved_it_and_no_others():
    other = choice("elsewhere", ("stars",), [[1], [0]])
    person = fit_person([*clicks(3), other], Population())
    assert set(person.judged("price").because) == {"e0", "e1", "e2"}
    assert person.judged("stars").because == ("elsewhere",)
    assert person.judged("unknown").because == ()


def test_older_events_count_less():
    old = [choice("old", ("price", "brand"), [[1, 0], [0, 1]], day=0)]
    new = [choice("new", ("price", "brand"), [[0, 1], [1, 0]], day=365)]
    person = fit_person([*old, *new], Population())
    assert person.judged("brand").weight > person.judged("price").weight


def test_a_buy_says_more_than_a_click():
    clicked, bought = (
        fit_person(clicks(2, kind=kind), Population()).judged("price").weight
        for kind in (CLICK, BUY)
    )
    assert bought > clicked


def test_few_events_fall_back_on_everybody():
    log = {f"u{user}": clicks(5) for user in range(30)}
    log["new"] = [choice("first", ("stars",), [[1], [0]])]
    person = fit_person(log["new"], fit(log))
    assert person.judged("price").weight > person.judged("brand").weight + 0.1


def test_the_top_of_the_list_explains_clicks_on_it():
    def log(first):
        return {
            f"u{user}": [
                choice(
                    f"{user}-{number}",
                    ("price",),
                    [[1], [0], [0]],
                    positions=[0, 1, 2] if first else [2, 0, 1],
                )
                for number in range(6)
            ]
            + [choice(f"{user}-flat-{number}", ("price",), [[0], [0], [0]]) for number in range(6)]
            for user in range(20)
        }

    top, low = fit(log(first=True)), fit(log(first=False))
    assert top.means["price"] < low.means["price"]


def test_the_same_log_gives_the_same_in_any_order():
    log = {f"u{user}": clicks(user % 4 + 1) for user in range(12)}
    turned = dict(reversed(log.items()))
    assert fit(log).means == fit(turned).means
    one, other = fit_person(log["u3"], fit(log)), fit_person(log["u3"], fit(turned))
    assert one.judged("price") == other.judged("price")
