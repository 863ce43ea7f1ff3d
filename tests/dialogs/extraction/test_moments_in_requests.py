"""Requests about dates and times: which of two columns is meant, and which side of it."""

from datetime import date

import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.offline import extract

WEDNESDAY = date(2026, 3, 4)
HUTS = "hut,beds,opens on,closes on\n" + "".join(
    f"Hut {n},{10 + n},2026-0{4 + n % 3}-{1 + n:02},2026-{9 + n % 3:02}-{5 + n:02}\n"
    for n in range(20)
)
SHOPS = "shop,rating,opens,closes\n" + "".join(
    f"Shop {n},{3 + n / 20:.1f},{7 + n % 4:02}:{15 * (n % 3):02},{17 + n % 6}:30\n"
    for n in range(20)
)
VANS = "van,price,MOT until\n" + "".join(
    f"Van {n},{5000 + 100 * n},{2026 + n // 10}-{1 + n % 10:02}-11\n" for n in range(3, 20)
)

BARNS = "barn,rent,ready from\n" + "".join(
    f"Barn {n},{300 + n},2026-0{4 + n % 5}-{1 + n:02}\n" for n in range(20)
)
CLUBS = "club,fee,shuts\n" + "".join(
    f"Club {n},{4 + n},{('21:30', '23:00', '23:45', '00:30', '02:00')[n % 5]}\n" for n in range(20)
)


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """Return a function that opens a catalog of a text."""
    folder = tmp_path_factory.mktemp("moments")

    def catalog(name, text):
        path = folder / f"{name}.csv"
        path.write_text(text, encoding="utf-8")
        return Catalog.open(str(path))

    return {name: catalog(name, text) for name, text in
            (("huts", HUTS), ("shops", SHOPS), ("vans", VANS), ("clubs", CLUBS),
             ("barns", BARNS))}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "column", "op", "value"),
    [
        ("huts", "one that stays open till the end of October", "closes on", ">=", "2026-10-31"),
        ("huts", "we arrive on 20 May, it must be open by then", "opens on", "<=", "2026-05-20"),
        ("huts", "it should still be open in mid October", "closes on", ">=", "2026-10-15"),
        ("huts", "open before June", "opens on", "<", "2026-06-01"),
        ("shops", "stays open until 9 pm", "closes", ">=", "21:00"),
        ("shops", "it should open by half past eight", "opens", "<=", "08:30"),
        ("vans", "with at least six months of MOT left", "MOT until", ">=", "2026-09-04"),
        ("vans", "the MOT should last until the end of the year", "MOT until", ">=", "2026-12-31"),
    ],
)
def test_the_column_and_the_side_that_are_meant(opened, name, text, column, op, value):
    (found,) = extract(text, opened[name], today=WEDNESDAY).constraints
    said = found.constraint
    assert (said.column, said.op, str(said.value)) == (column, op, value)


def test_a_time_of_ones_own_is_no_wish(opened):
    assert extract("I moved here two weeks ago", opened["huts"], today=WEDNESDAY).constraints == ()


TOURS = "tour,starts,area,price\n" + "".join(
    f"Tour {n},{8 + n % 12:02}:30,{('Morningside', 'Harbour')[n % 2]},{10 + n}\n" for n in range(24)
)
NO_MORNING, NO_EVENING = ("starts", ">", "12:00"), ("starts", "<", "18:00")


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("no mornings", {NO_MORNING}),
        ("a tour, not in the evening", {NO_EVENING}),
        ("mornings don't work for me", {NO_MORNING}),
        ("evenings are no good for us", {NO_EVENING}),
        ("I can't do evenings", {NO_EVENING}),
        ("any time but the morning", {NO_MORNING}),
        ("anything except evenings", {NO_EVENING}),
        ("no mornings or evenings", {NO_MORNING, NO_EVENING}),
        ("afternoons only", {("starts", "between", ("12:00", "18:00"))}),
        ("not the Harbour, in the morning please",
         {("area", "!=", "Harbour"), ("starts", "between", ("06:00", "12:00"))}),
        ("no, in the evening", {("starts", "between", ("18:00", "23:59"))}),
        ("a tour in Morningside", {("area", "==", "Morningside")}),
    ],
)  # fmt: skip
def test_a_part_of_the_day_that_is_refused_leaves_a_side(tmp_path, text, bounds):
    (tmp_path / "tours.csv").write_text(TOURS)
    parts = extract(text, Catalog.open(str(tmp_path / "tours.csv"))).constraints
    assert {(p.constraint.column, p.constraint.op, p.constraint.value) for p in parts} == bounds


@pytest.mark.parametrize("text", ["no mornings", "mornings don't work for me", "evening shop"])
def test_a_part_of_the_day_that_is_not_understood_is_said_to_be(opened, text):
    read = extract(text, opened["shops"])
    assert not read.constraints
    assert [part.evidence.text in text for part in read.not_understood] == [True]


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("shuts at 23:00 or later", ("23:00", "23:45", "00:30", "02:00")),
        ("it shuts at 11 at the earliest", ("23:00", "23:45", "00:30", "02:00")),
        ("shuts after midnight", ("00:30", "02:00")),
        ("it shuts before 11 pm", ("21:30",)),
        ("it shuts by 1 am", ("21:30", "23:00", "23:45", "00:30")),
        ("it shuts after 3 am", ("03:00",)),
        ("a club that shuts exactly at 00:30", ("00:30",)),
    ],
)
def test_times_after_midnight_are_later_than_the_evening(opened, text, times):
    (found,) = extract(text, opened["clubs"], today=WEDNESDAY).constraints
    assert (found.constraint.column, found.constraint.values) == ("shuts", times)


@pytest.mark.parametrize("text", ["it opens at 8 or later", "it shuts after 6 pm"])
def test_a_day_that_ends_by_midnight_is_bounded_as_it_is_said(opened, text):
    (found,) = extract(text, opened["shops"], today=WEDNESDAY).constraints
    assert found.constraint.op in (">", ">=")
    assert found.question is None


@pytest.mark.parametrize(
    ("text", "op"),
    [
        ("opening at 8:30 I can't", "!="),
        ("8:30 is no good for me, it opens too late", "!="),
        ("We can't do 8:30, opening that is", "!="),
        ("it should open at 8:30, I can't wait", "<="),
        ("I can't do before 8:30, opening that is", ">="),
    ],
)
def test_a_time_that_is_refused_is_none_wished_for(opened, text, op):
    found = extract(text, opened["shops"], today=WEDNESDAY).constraints
    assert [(part.constraint.op, part.constraint.value) for part in found] == [(op, "08:30")]


def test_a_month_that_is_refused_is_not_understood_and_no_wish(opened):
    read = extract("opens on: August is no use to us", opened["huts"], today=WEDNESDAY)
    assert not read.constraints
    assert [left.evidence.text for left in read.not_understood] == ["August"]


@pytest.mark.parametrize(
    ("text", "op", "value"),
    [
        ("a barn from 9 to 16 August", "<=", "2026-08-09"),
        ("we need it for the last week of June", "<=", "2026-06-24"),
        ("May is no use, we need it in July", "<=", "2026-07-31"),
        ("a barn for two weeks from 12 July", "<=", "2026-07-12"),
        ("it must be ready after 12 July", ">", "2026-07-12"),
        ("not before July", ">=", "2026-07-01"),
    ],
)
def test_what_is_ready_from_a_day_on_is_so_when_a_stay_begins(opened, text, op, value):
    (found,) = extract(text, opened["barns"], today=WEDNESDAY).constraints
    assert (found.constraint.column, found.constraint.op) == ("ready from", op)
    assert str(found.constraint.value) == value


def test_days_of_other_columns_are_between_the_two(opened):
    (found,) = extract("it opens on 20 to 27 May", opened["huts"], today=WEDNESDAY).constraints
    assert found.constraint.op == "between"


@pytest.mark.parametrize("text", ["between 3 and 5 free seats", "3-5 free seats please"])
def test_numbers_of_what_is_free_are_no_days(tmp_path, text):
    rows = "\n".join(f"Course {n},{n % 9},{20 + n}" for n in range(20))
    (tmp_path / "courses.csv").write_text(f"course,free_seats,price\n{rows}\n")
    (part,) = extract(text, Catalog.open(str(tmp_path / "courses.csv"))).constraints
    assert (part.constraint.column, part.constraint.value) == ("free_seats", (3, 5))


@pytest.mark.parametrize(
    ("text", "op"),
    [
        ("we'd come Saturday 13 June", "<="),
        ("we would arrive on 13 June", "<="),
        ("not before 13 June", ">="),
        ("ready from 13 June or later", ">="),
    ],
)
def test_who_comes_on_a_day_needs_it_ready_by_then(opened, text, op):
    (found,) = extract(text, opened["barns"], today=WEDNESDAY).constraints
    assert (found.constraint.op, str(found.constraint.value)) == (op, "2026-06-13")
