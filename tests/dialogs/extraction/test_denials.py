"""What a column's name denies: naming it without the denial names the contrary."""

from __future__ import annotations

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs import extract
from concede.dialogs.extraction.denials import denied_in_name, names_denied
from concede.dialogs.extraction.mentions import find_mentions
from concede.dialogs.extraction.reading import Reading
from concede.dialogs.extraction.value_index import ValueIndex, index_of

ROWS = """room,non_smoking,no credit check,free_parking,Central heating,area
r1,yes,no,yes,yes,Downtown
r2,no,yes,no,no,Harbour
r3,yes,yes,no,yes,Old Town
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> ValueIndex:
    path = tmp_path_factory.mktemp("denials") / "rooms.csv"
    path.write_text(ROWS)
    return index_of(Catalog.open(path))


@pytest.mark.parametrize(
    ("column", "denied"),
    [
        ("non_smoking", ("smoking",)),
        ("no credit check", ("credit", "check")),
        ("gluten_free", ("gluten",)),
        ("free_parking", ()),
        ("no_of_garages", ()),
        ("balcony", ()),
    ],
)
def test_a_name_denies_what_follows_no_or_stands_before_free(
    column: str, denied: tuple[str, ...]
) -> None:
    assert denied_in_name(column) == denied


@pytest.mark.parametrize(
    ("said", "column", "denied"),
    [
        ("smokers", "non_smoking", True),
        ("nonsmoking", "non_smoking", False),
        ("non smoking", "non_smoking", False),
        ("direct", "non_stop", False),
        ("gluten", "gluten_free", True),
        ("glutenfree", "gluten_free", False),
    ],
)
def test_words_name_what_is_denied_unless_they_deny_it(
    said: str, column: str, denied: bool
) -> None:
    assert names_denied(said.split(), column) is denied


@pytest.mark.parametrize(
    ("text", "column", "contrary"),
    [
        ("a room where smoking is fine", "non_smoking", True),
        ("a non-smoking room", "non_smoking", False),
        ("a nonsmoking room", "non_smoking", False),
        ("smoke-free please", "non_smoking", False),
        ("without a credit check", "no credit check", True),
        ("no credit check", "no credit check", False),
        ("with parking", "free_parking", False),
        ("parking for free", "free_parking", False),
    ],
)
def test_a_naming_is_of_the_column_or_its_contrary(
    index: ValueIndex, text: str, column: str, contrary: bool
) -> None:
    reading = Reading(text, 0, index, {})
    strongest = max(reading.namings[column], key=lambda naming: naming.last - naming.first)
    assert reading.denies(strongest) is contrary


def test_a_cent_is_short_for_nothing(index: ValueIndex) -> None:
    reading = Reading("not a cent more, cents count", 0, index, {})
    assert not reading.namings
    assert not [mention for mention in find_mentions(reading) if mention.kind in ("value", "name")]


@pytest.mark.parametrize(
    ("text", "op"),
    [
        ("nut-free please", "contains"),
        ("I can't have nuts", "contains"),
        ("no gluten", "contains"),
        ("gluten or nut free", "contains any"),
        ("nut allergy", "contains"),
        ("not nut-free", "!="),
    ],
)
def test_who_wants_none_of_something_wants_what_is_free_of_it(text: str, op: str):
    diets = [["nut-free", "vegan"], ["gluten-free"], ["vegan", "halal"], ["nut-free"]] * 10
    meals = Catalog.open(pa.table({"dish": [f"Dish {n}" for n in range(40)], "diets": diets}))
    (found,) = extract(text, meals).constraints
    assert (found.constraint.column, found.constraint.op) == ("diets", op)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("walks please, I don't mind about grooming", {"walks"}),
        ("grooming I don't need, but walks are a must", {"walks"}),
        ("walks, boarding and I don't need grooming", {"walks", "boarding"}),
        ("walks and grooming please", {"walks", "grooming"}),
        ("I don't mind about grooming", set()),
    ],
)
def test_a_value_that_is_not_needed_leaves_the_others_of_its_column(text: str, left: set[str]):
    services = [["walks", "grooming"], ["boarding"], ["walks", "boarding"], ["grooming"]] * 3
    table = {"sitter": [f"Sitter {n}" for n in range(12)], "services": services}
    sitters = Catalog.open(pa.table(table | {"fee": list(range(10, 22))}), key="sitter")
    assert {part.constraint.value for part in extract(text, sitters).constraints} == left


@pytest.fixture(scope="module")
def inns() -> Catalog:
    kinds, sauna = ["cabin", "yurt", "barn", "tower"], ["pool", "gym", "sauna", "bar", "garden"]
    table = {
        "inn": [f"Inn {n}" for n in range(20)],
        "kind": kinds * 5,
        "features": [[sauna[n % 5], sauna[(n + 2) % 5]] for n in range(20)],
    }
    return Catalog.open(pa.table(table))


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("no yurt, barn or tower", {"kind not in yurt, barn, tower"}),
        ("no pool, gym or bar please", {"features not in pool, gym, bar"}),
        ("a cabin or barn, not a yurt or tower", {"kind in cabin, barn"}),
        ("not a yurt or a tower", {"kind not in yurt, tower"}),
        ("not the yurt, the cabin please", {"kind = cabin"}),
        ("no yurt, cabin please", {"kind = cabin"}),
        ("hm, no yurt. a barn or tower", {"kind in barn, tower"}),
        ("I said NOT a yurt! Barn or tower please", {"kind in barn, tower"}),
        ("no yurt, with a pool or gym", {"kind ≠ yurt", "features contains any pool, gym"}),
        ("a yurt, barn or tower", {"kind in yurt, barn, tower"}),
    ],
)
def test_what_is_denied_before_a_list_is_all_of_it(
    inns: Catalog, text: str, wishes: set[str]
) -> None:
    assert {str(part.constraint) for part in extract(text, inns).constraints} == wishes


CAFES = Catalog.open(
    pa.table(
        {
            "cafe": [f"Cafe {n}" for n in range(12)],
            "closed_on": ["Monday", "Tuesday", "Sunday"] * 4,
            "not_on": ["bank holidays", "Easter", "New Year"] * 4,
            "quarter": ["Harbour", "Castle"] * 6,
        }
    )
)


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("we come on Tuesday", {("closed_on", "!=", "Tuesday")}),
        ("open Sundays, in the Castle quarter",
         {("closed_on", "!=", "Sunday"), ("quarter", "==", "Castle")}),
        ("That one's closed on Mondays! We are going on Monday", {("closed_on", "!=", "Monday")}),
        ("I want a cafe that is closed on Mondays", {("closed_on", "==", "Monday")}),
        ("it must not be closed on Sunday", {("closed_on", "!=", "Sunday")}),
        ("Sunday is no good for us", set()),
        ("a cafe for Easter", {("not_on", "!=", "Easter")}),
        ("not at Easter", {("not_on", "==", "Easter")}),
    ],
)  # fmt: skip
def test_who_names_a_day_wants_nothing_that_is_closed_on_it(
    text: str, wishes: set[tuple[str, str, str]]
) -> None:
    found = (part.constraint for part in extract(text, CAFES).constraints)
    assert {(wish.column, wish.op, wish.value) for wish in found} == wishes
