"""What is unclear in a request: kinds, questions, and answers counted as DuckDB counts them."""

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.dialogs import clarify
from concede.dialogs.clarification.offers import either, rounded

MAKERS = ("Arden", "Borel", "Casimir", "Dunmore")
COLOURS = ("dark blue", "pale blue", "olive", "white")


@pytest.fixture(scope="module")
def boats(tmp_path_factory):
    path = tmp_path_factory.mktemp("boats") / "boats.csv"
    lines = [
        f"{MAKERS[at % 4]},{COLOURS[(at * 7) % 4 if at % 3 else at % 4]},"
        f"{4_000 + (at * 977) % 90_000},{5 + at % 13},{1 + at % 8},{1990 + (at * 11) % 34}"
        for at in range(240)
    ]
    lines.insert(0, "maker,colour,price,length_m,berths,year")
    path.write_text("\n".join(lines), encoding="utf-8")
    return Catalog.open(path)


def counted(catalog, constraints):
    text = catalog.select_text([catalog.bind(wish) for wish in constraints])
    return len(duckdb.sql(text.rstrip("; \n")).fetchall())


def kinds(found):
    return {unknown.said: unknown.kind for unknown in found.unknowns}


def test_a_vague_wish_has_round_bounds_of_what_the_rest_finds(boats):
    found = clarify("a cheap Arden", boats)
    (unknown,) = found.unknowns
    assert (unknown.kind, unknown.said, unknown.columns) == ("vague", "cheap", ("price",))
    *bounds, free = unknown.options
    assert [bound.constraint.op for bound in bounds] == ["<=", "<="]
    assert all(bound.constraint.value % 500 == 0 for bound in bounds)
    assert bounds[0].rows < bounds[1].rows < free.rows == 60
    assert free.constraint is None


def test_the_words_that_say_how_much_are_said(boats):
    assert "not too expensive" in kinds(clarify("an olive one, not too expensive", boats))


def test_two_values_between_which_somebody_hesitates(boats):
    found = clarify("an Arden or maybe a Borel with 4 berths", boats)
    (unknown,) = [u for u in found.unknowns if u.kind == "alternatives"]
    both, first, second = unknown.options
    assert both.constraint.value == ("Arden", "Borel")
    assert both.rows == first.rows + second.rows
    assert [wish.column for wish in found.constraints] == ["berths"]


def test_a_list_of_which_any_will_do_is_clear(boats):
    found = clarify("Arden or Borel, either will do", boats)
    assert not found.unknowns
    assert found.constraints[0].value == ("Arden", "Borel")


def test_a_word_that_several_values_share(boats):
    found = clarify("a blue boat by Dunmore", boats)
    (unknown,) = found.unknowns
    assert (unknown.kind, unknown.said) == ("ambiguous", "blue")
    assert {option.text for option in unknown.options} >= {"colour dark blue", "colour pale blue"}


def test_a_bare_number_that_two_columns_hold(boats):
    found = clarify("6", boats)
    (unknown,) = found.unknowns
    assert unknown.kind == "number"
    assert set(unknown.columns) >= {"length_m", "berths"}
    assert not found.constraints


def test_words_that_link_to_nothing(boats):
    found = clarify("a white Casimir with a fishfinder", boats)
    (unknown,) = found.unknowns
    assert (unknown.kind, unknown.said) == ("unlinked", "fishfinder")
    assert unknown.options[-1].constraint is None
    assert [part.evidence.text for part in found.not_understood] == ["fishfinder"]


@pytest.mark.parametrize(
    "text",
    [
        "a white Casimir under 30,000 pounds",
        "at least 4 berths, built after 2005, olive",
        "anything but Borel, length at most 9 m",
        "the cheapest Arden",
    ],
)
def test_a_clear_request_is_not_questioned(boats, text):
    found = clarify(text, boats)
    assert not found.unknowns


def test_what_makes_no_difference_is_not_asked(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("maker,price\nArden,100\nArden,100\nBorel,900\n", encoding="utf-8")
    found = clarify("a cheap Arden", Catalog.open(path))
    assert "cheap" not in kinds(found)


@pytest.mark.parametrize(
    "text",
    [
        "a cheap blue Arden or maybe a Borel, 6",
        "a big newish one with a fishfinder",
        "Arden or perhaps Casimir, 3 berths, not too old",
    ],
)
def test_rows_are_counted_as_duckdb_counts_them(boats, text):
    found = clarify(text, boats)
    assert found.unknowns
    for unknown in found.unknowns:
        for option in unknown.options:
            more = [] if option.constraint is None else [option.constraint]
            assert option.rows == counted(boats, [*found.constraints, *more])


def test_what_matters_most_comes_first(boats):
    effects = [u.effect for u in clarify("a cheap blue Arden or maybe a Borel, 6", boats).unknowns]
    assert len(effects) > 2
    assert effects == sorted(effects, reverse=True) or max(effects) - effects[0] < 0.5


@given(st.floats(0.5, 1e6, allow_nan=False), st.floats(0.01, 1e6, allow_nan=False), st.booleans())
@settings(max_examples=200, deadline=None)
def test_a_round_number_is_near(value, width, up):
    near = rounded(value, width, up=up)
    assert abs(near - value) <= width * 0.12 + 1e-6
    assert near >= value - 1e-6 if up else near <= value + 1e-6


def test_either_of_two_constraints():
    one, other = (Constraint(column="maker", op="==", value=v) for v in ("Arden", "Borel"))
    assert either(one, other) == Constraint(column="maker", op="in", value=("Arden", "Borel"))
    assert either(one, Constraint(column="price", op="<=", value=3)) is None


def test_a_remark_is_not_questioned(boats):
    assert not clarify("why are cheap boats so ugly", boats).unknowns
