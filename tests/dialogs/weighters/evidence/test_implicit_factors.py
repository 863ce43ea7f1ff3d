"""What nobody asked for but history, profile and moment say: found, weighed, and added."""

import random

import pytest

from concede import Catalog
from concede.catalogs.errors import QueryError, UnknownColumn
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.query.query import Query
from concede.dialogs.weighters.evidence.behaviour import Behaviour
from concede.dialogs.weighters.evidence.circumstances import Context, profile_of
from concede.dialogs.weighters.evidence.events import Event, of_record
from concede.dialogs.weighters.evidence.implicit_factors import implicit_factors
from concede.dialogs.weighters.evidence.implicit_repair import with_factors, with_reasons
from concede.dialogs.weighters.factors import MOST
from concede.engine.repair_engine import RepairEngine
from simulated_habits import HOME, HabitWorld, is_right

PLACES = [("Ada", 10), ("Bo", 20), ("Cy", 30), ("Di", 40), ("Bo", 50), ("Cy", 60), ("Di", 70)]
NOON = "2026-05-01T12:00:00Z"


@pytest.fixture
def catalog(tmp_path):
    lines = ["id,brand,price,lat,lon,opening_hours"]
    for row, (brand, price) in enumerate(PLACES * 3):
        hours = "Mo-Su 08:00-18:00" if row % 3 else "Mo-Su 18:00-23:00"
        lines.append(f"i{row},{brand},{price + row},{40.7 + row / 100:.2f},-74,{hours}")
    (tmp_path / "places.csv").write_text("\n".join(lines))
    return Catalog.open(tmp_path / "places.csv")


def event(number, *, shown=(1, 0, 2, 3), clicked=0, **more):
    fields = {
        "id": f"e{number}",
        "user": "ann",
        "time": f"2026-04-{number + 1:02}T12:00:00Z",
        "shown": [f"i{row}" for row in shown],
        "clicked": [f"i{clicked}"],
    }
    return of_record(Event, fields | more)


def by_column(factors):
    return {factor.constraint.column or factor.constraint.op: factor for factor in factors}


def test_what_is_usually_picked_is_a_habit_with_its_events(catalog):
    log = [event(number) for number in range(8)]
    factor = by_column(implicit_factors(catalog, "id", log, None, Context.of(NOON)))["brand"]
    assert (factor.constraint.op, factor.constraint.value) == ("==", "Ada")
    assert (factor.type, factor.source) == ("soft", "preference")
    assert factor.evidence == tuple(f"e{number}" for number in reversed(range(8)))
    # All of 8 support it, none of them in the second half of the time until the question.
    assert factor.weight == pytest.approx(1.0 * 0.6)
    assert factor.constraint.weight == pytest.approx(factor.weight / MOST, abs=1e-6)
    assert factor.because.startswith("8 of 8 earlier choices (e7, e6, e5, …)")


def test_what_every_list_is_full_of_is_no_habit(catalog):
    log = [event(number, shown=(0, 7, 14), clicked=7) for number in range(20)]
    assert "brand" not in by_column(implicit_factors(catalog, "id", log))


def test_few_picks_say_nothing(catalog):
    assert implicit_factors(catalog, "id", [event(number) for number in range(5)]) == []


def test_the_last_hour_strengthens_or_weakens_a_habit(catalog):
    log = [event(number) for number in range(10)]

    def weight(clicked):
        last = event(20, clicked=clicked, time="2026-05-01T11:30:00Z")
        found = implicit_factors(catalog, "id", [*log, last], None, Context.of(NOON))
        return by_column(found)["brand"].weight

    # 11 of 11, for more than four weeks, one of them lately; then 10 of 11, none lately.
    assert weight(0) == pytest.approx(1.0 * 0.8 * 0.8 * 1.2)
    assert weight(2) == pytest.approx(10 / 11 * 0.6 * 0.5)


@pytest.mark.parametrize("seed", range(5))
def test_nothing_later_matters(catalog, seed):
    draw = random.Random(seed)
    before = [event(number, clicked=draw.choice((0, 0, 2))) for number in range(12)]
    later = [
        event(
            60 + n,
            shown=(4, 5, 6),
            clicked=5,
            put_back=[],
            time=f"2026-05-0{draw.randint(1, 9)}T{draw.randint(12, 23)}:00:00Z",
        )
        for n in range(9)
    ]
    profile, context = profile_of({"car": False, "budget": 80}), Context.of(NOON, HOME)

    def found(log):
        return repr(implicit_factors(catalog, "id", log, profile, context))

    alone = found(before)
    for _ in range(3):
        mixed = before + draw.sample(later, draw.randint(1, 9))
        draw.shuffle(mixed)
        assert found(mixed) == alone
    # Without a time they would matter.
    assert repr(implicit_factors(catalog, "id", before + later * 1, profile)) != repr(
        implicit_factors(catalog, "id", before, profile)
    )


def test_profile_and_moment_are_hard(catalog):
    profile = profile_of(
        {"car": False, "budget": 25, "musts": [{"column": "brand", "op": "!=", "value": "Di"}]}
    )
    factors = implicit_factors(catalog, "id", [], profile, Context.of("2026-05-01T09:30", HOME))
    assert [factor.type for factor in factors] == ["hard"] * 4
    assert [factor.constraint.record()["value"] for factor in factors] == [
        25,
        "Di",
        "2026-05-01 09:30",
        [*HOME, "walk", 45],
    ]
    assert all(factor.constraint.hard for factor in factors)
    assert [factor.evidence[0] for factor in factors] == [
        "profile.budget",
        "profile.musts",
        "context.time",
        "profile.car",
    ]


def test_who_went_farther_before_can_go_as_far(catalog):
    log = [event(1, place=[40.7, -74], shown=(12, 3), clicked=12)]
    profile = profile_of({"car": False})
    (factor,) = implicit_factors(catalog, "id", log, profile, Context.of(None, HOME))
    assert factor.constraint.value[3] > 200
    assert factor.evidence == ("profile.car", "context.place", "e1")


def test_ratios_and_likes_of_a_profile(catalog):
    profile = profile_of(
        {
            "ratios": {"brand": {"Ada": 0.5, "Bo": 0.2}},
            "likes": [{"column": "price", "op": "<=", "value": 30, "relevance": "weak"}],
        }
    )
    brand, price = implicit_factors(catalog, None, [], profile)
    assert (brand.constraint.value, brand.weight) == ("Ada", pytest.approx(0.5 * 0.8))
    assert (price.constraint.value, price.weight) == (30, pytest.approx(0.3))


def test_a_wish_put_back_a_moment_ago_is_of_the_context(catalog):
    wish = {"column": "brand", "op": "==", "value": "Cy"}
    back = event(1, constraints=[wish], put_back=[0], clicked=3, time="2026-05-01T11:50:00Z")
    _, factor = implicit_factors(catalog, "id", [back], None, Context.of(NOON))
    assert (factor.source, factor.weight, factor.evidence) == ("context", 1.2, ("e1",))
    (hours,) = implicit_factors(catalog, "id", [back], None, Context.of("2026-05-01T13:00Z"))
    assert hours.constraint.op == "open at"


def test_what_is_asked_for_needs_no_factor(catalog):
    log = [event(number) for number in range(8)]
    asked = [Constraint(column="BRAND", op="==", value="Bo")]
    assert "brand" not in by_column(implicit_factors(catalog, "id", log, asked=asked))


def test_a_must_that_nothing_meets_is_soft(catalog):
    profile = profile_of({"budget": 5, "musts": [{"column": "brand", "op": "==", "value": "Ada"}]})
    factors = implicit_factors(catalog, None, [], profile)
    query = Query(constraints=(Constraint(column="price", op=">=", value=60),))
    fuller, added = with_factors(catalog, query, factors)
    assert [factor.type for factor in added] == ["soft", "hard"]
    assert [constraint.hard for constraint in fuller.constraints] == [False, False, True]


def test_an_answer_names_what_nobody_asked_for(catalog):
    log = [event(number) for number in range(8)]
    query = Query(constraints=(Constraint(column="price", op=">=", value=60),))
    fuller, added = with_factors(catalog, query, implicit_factors(catalog, "id", log))
    answer = with_reasons(RepairEngine(catalog).repair(fuller), added)
    assert "brand = Ada, because of 8 of 8 earlier choices (e7, e6, e5, …)" in answer.explanation
    (part,) = [
        part for part in answer.record()["implicit"] if part["constraint"]["column"] == "brand"
    ]
    assert answer.constraints[part["position"]].column == "brand"
    assert part["evidence"] == [f"e{number}" for number in reversed(range(8))]
    assert '"implicit":[' in answer.to_json()


def test_in_a_program(catalog):
    behaviour = Behaviour(catalog, "id")
    behaviour.add_all([event(number) for number in range(8)])
    assert "brand" in by_column(behaviour.implicit("ann"))
    assert behaviour.implicit("bob") == behaviour.implicit(None) == []
    behaviour.forget("ann")
    assert behaviour.implicit("ann") == []


@pytest.mark.parametrize(
    "record",
    [
        [],
        {"cars": False},
        {"budget": -1},
        {"budget": float("nan")},
        {"home": [91, 0]},
        {"ratios": {"brand": {"Ada": 1.5}}},
        {"likes": [{"column": "brand", "op": "maybe", "value": 1}]},
    ],
)
def test_a_bad_profile_is_refused_in_one_line(record):
    with pytest.raises(QueryError) as refused:
        profile_of(record)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("time", "place"),
    [("yesterday", None), (True, None), (float("nan"), None), (None, "91,0"), (None, "0")],
)
def test_a_bad_moment_or_place_is_refused(time, place):
    with pytest.raises(QueryError):
        Context.of(time, place)


def test_an_unknown_column_of_a_profile_is_refused(catalog):
    with pytest.raises(UnknownColumn):
        implicit_factors(catalog, None, [], profile_of({"ratios": {"colour": {"red": 0.9}}}))


@pytest.mark.parametrize("setting", [{}, {"ranked": True}, {"slope": 0.8}])
def test_found_habits_are_those_of_simulated_people(tmp_path, setting):
    world = HabitWorld(tmp_path, seed=5, **setting)
    catalog = Catalog.open(world.path)
    right = found = true = 0
    for _ in range(40):
        log, habits = world.person(30)
        true += len(habits)
        for factor in implicit_factors(catalog, "id", log, None, Context.of(None, HOME)):
            constraint = factor.constraint
            found += 1
            name = constraint.column or "(distance)"
            right += is_right(habits, name, constraint.op, constraint.value)
    assert right / found >= 0.8
    assert right / true >= 0.45
