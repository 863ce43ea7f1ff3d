"""Two ways to write the same wish are the same wish; another value, side or column is not."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from concede.bench.understanding.column_cells import ColumnCells, read_columns
from concede.bench.understanding.request_marks import mark
from concede.bench.understanding.request_records import Gold
from concede.catalogs.query.constraint import Constraint
from concede.dialogs.extraction.extracted import (
    Extracted,
    ExtractedObjective,
    Extraction,
    Leaning,
    Unresolved,
)
from concede.dialogs.transcripts.transcript import Span

SPAN = Span(0, 0, 1, "x")
FILE = """Kind,Price,Weight,Pool,Extras,Rooms,From,Opens
hut,"£1,200",2.5 kg,yes,wifi; sauna,2,2026-05-01,09:30
house,£900,3.1 kg,no,wifi,3,2026-06-01,10:00
barn,£700,0.5 kg,no,parking; sauna,4,2026-07-01,10:30
"""


@pytest.fixture(scope="module")
def columns(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, ColumnCells]:
    path = tmp_path_factory.mktemp("catalogs") / "places.csv"
    path.write_text(FILE, encoding="utf-8")
    return read_columns(path)


def _extraction(*constraints: tuple[Any, ...], **others: Any) -> Extraction:
    found = [
        Extracted(
            cast(
                "Constraint",
                SimpleNamespace(column=column, op=op, value=value, hard=bool(hard)),
            ),
            1.0,
            SPAN,
            "x",
        )
        for column, op, value, *hard in constraints
    ]
    return Extraction(tuple(found), **others)


def _gold(*constraints: tuple[Any, ...], **others: Any) -> Gold:
    names = ("column", "op", "value", "hard", "approx")
    listed = [dict(zip(names, constraint, strict=False)) for constraint in constraints]
    return Gold.model_validate({"constraints": listed, **others})


def test_kinds_of_columns_are_read_off_the_cells(columns: Mapping[str, ColumnCells]):
    kinds = {name: column.kind for name, column in columns.items()}
    assert kinds == {
        "Kind": "text",
        "Price": "number",
        "Weight": "number",
        "Pool": "yes-no",
        "Extras": "list",
        "Rooms": "number",
        "From": "date",
        "Opens": "time",
    }
    assert columns["Price"].cells == {1200.0, 900.0, 700.0}
    assert columns["Extras"].cells == {"wifi", "sauna", "parking"}


SAME: list[tuple[tuple[Any, ...], list[tuple[Any, ...]]]] = [
    (("Price", "<", 1000), [("Price", "<=", 1000)]),
    (("Price", "<", 1000), [("Price", "<=", 999)]),
    (("Price", "between", [500, 1000]), [("Price", ">=", 500), ("Price", "<=", 1000)]),
    (("Price", "==", 1000, False, True), [("Price", "between", [900, 1100])]),
    (("Price", "==", 1000, False, True), [("Price", ">=", 850), ("Price", "<", 1150)]),
    (("Price", "==", 1000, False, True), [("Price", "==", 1000)]),
    (("Price", "<=", 1000, False, True), [("Price", "<=", 1100)]),
    (("Price", "<=", 900), [("Price", "<=", "£900")]),
    (("Rooms", "in", [2, 3]), [("Rooms", "between", [2, 3])]),
    (("Rooms", "!=", 2), [("Rooms", ">=", 3)]),
    (("From", ">=", "2026-05-02", False, True), [("From", ">=", "2026-05-04")]),
    (("Kind", "!=", "barn"), [("Kind", "in", ["house", "hut"])]),
    (("Kind", "not in", ["barn", "hut"]), [("Kind", "==", "house")]),
    (("Kind", "in", ["hut", "house"]), [("Kind", "contains", "h")]),
    (("Pool", "==", "yes"), [("Pool", "==", True)]),
    (("Pool", "==", "no"), [("Pool", "!=", "yes")]),
    (("Extras", "contains", "wifi"), [("Extras", "contains any", ["wifi"])]),
    (("Extras", "contains any", ["a", "wifi"]), [("Extras", "contains any", ["wifi", "a"])]),
    (("From", "<", "2026-05-02"), [("From", "<=", "2026-05-01")]),
    (("Opens", "<=", "09:30"), [("Opens", "<=", "09:30:00")]),
]


@pytest.mark.parametrize(("meant", "read"), SAME)
def test_equal_wishes(
    meant: tuple[Any, ...], read: list[tuple[Any, ...]], columns: Mapping[str, ColumnCells]
):
    assert mark(_gold(meant), _extraction(*read), columns).constraints_right


OTHER: list[tuple[tuple[Any, ...], list[tuple[Any, ...]]]] = [
    (("Price", "<=", 1000), [("Price", ">=", 1000)]),
    (("Price", "<=", 1000), [("Price", "<=", 900)]),
    (("Price", "<", 1000), [("Price", "<", 999)]),
    (("Price", "==", 1000, False, True), [("Price", "between", [700, 1100])]),
    (("Price", "==", 1000, False, True), [("Price", "<=", 1000)]),
    (("Price", "==", 1000), [("Price", "between", [900, 1100])]),
    (("Weight", "<=", 3), [("Weight", "<", 2)]),
    (("Rooms", "!=", 3), [("Rooms", ">=", 3)]),
    (("From", ">=", "2026-05-02", False, True), [("From", ">=", "2026-05-05")]),
    (("Rooms", "in", [2, 4]), [("Rooms", "between", [2, 4])]),
    (("Kind", "==", "barn"), [("Kind", "!=", "barn")]),
    (("Kind", "==", "barn"), [("Kind", "==", "castle")]),
    (("Pool", "==", "yes"), [("Pool", "==", "no")]),
    (("Extras", "contains any", ["wifi", "sauna"]), [("Extras", "contains", "wifi")]),
    (("Extras", "contains", "wifi"), [("Extras", "==", "wifi")]),
    (("Kind", "==", "barn"), []),
    (("Kind", "==", "barn"), [("Kind", "==", "barn"), ("Rooms", "==", 2)]),
    (("Kind", "==", "barn"), [("Nonesuch", "==", "barn")]),
]


@pytest.mark.parametrize(("meant", "read"), OTHER)
def test_other_wishes(
    meant: tuple[Any, ...], read: list[tuple[Any, ...]], columns: Mapping[str, ColumnCells]
):
    assert not mark(_gold(meant), _extraction(*read), columns).constraints_right


def test_missing_and_extra_wishes_are_told_apart(columns: Mapping[str, ColumnCells]):
    gold = _gold(("Kind", "==", "hut"), ("Price", "between", [500, 900]))
    marks = mark(gold, _extraction(("Price", "<=", 900), ("Rooms", ">=", 2)), columns)
    assert [wish.kind for wish in marks.right] == ["high"]
    assert [wish.column for wish in marks.missing] == ["Kind", "Price"]
    assert [wish.column for wish in marks.extra] == ["Rooms"]
    assert marks.columns_right(["Extras"])
    assert not marks.columns_right(["Rooms"])


def test_a_leaning_may_come_as_a_soft_bound_or_an_objective(columns: Mapping[str, ColumnCells]):
    gold = _gold(leanings=[{"column": "Price", "direction": "min"}])
    objective = ExtractedObjective("Price", "min", 1.0, SPAN, "x")
    leaning = Leaning("Price", "min", None, 1.0, SPAN, "x")
    assert mark(gold, _extraction(("Price", "<=", 800)), columns).fully_right
    assert mark(gold, _extraction(objectives=(objective,)), columns).fully_right
    assert mark(gold, _extraction(leanings=(leaning,)), columns).fully_right
    assert not mark(gold, _extraction(("Price", ">=", 800)), columns).fully_right
    assert not mark(gold, _extraction(), columns).fully_right
    assert mark(gold, _extraction(), columns).constraints_right


def test_an_objective_may_come_as_a_leaning_without_a_bound(columns: Mapping[str, ColumnCells]):
    gold = _gold(objectives=[{"column": "Price", "direction": "min"}])
    bound = Constraint(column="Price", op="<=", value=800)
    free, bounded = (
        Leaning("Price", "min", constraint, 1.0, SPAN, "x") for constraint in (None, bound)
    )
    assert mark(gold, _extraction(leanings=(free,)), columns).fully_right
    assert not mark(gold, _extraction(leanings=(bounded,)), columns).fully_right
    extra = ExtractedObjective("Rooms", "max", 1.0, SPAN, "x")
    assert not mark(_gold(), _extraction(objectives=(extra,)), columns).fully_right


def test_optional_wishes_may_be_read_and_need_not(columns: Mapping[str, ColumnCells]):
    optional = [
        {"column": "Rooms", "op": ">=", "value": 3},
        {"column": "Price", "direction": "min"},
    ]
    gold = _gold(("Kind", "==", "hut"), optional=optional)
    kind = ("Kind", "==", "hut")
    leaning = Leaning("Price", "min", None, 1.0, SPAN, "x")
    assert mark(gold, _extraction(kind), columns).fully_right
    assert mark(gold, _extraction(kind, ("Rooms", ">=", 3)), columns).fully_right
    assert mark(gold, _extraction(kind, ("Price", "<=", 800)), columns).fully_right
    assert mark(gold, _extraction(kind, leanings=(leaning,)), columns).fully_right
    assert not mark(gold, _extraction(kind, ("Rooms", ">=", 2)), columns).fully_right


def test_hardness_is_judged_where_the_wish_was_read(columns: Mapping[str, ColumnCells]):
    gold = _gold(("Kind", "==", "hut", True), ("Rooms", ">=", 2, None), ("Price", "<=", 900))
    read = _extraction(
        ("Kind", "==", "hut", True), ("Rooms", ">=", 2, True), ("Price", "<=", 900, True)
    )
    assert mark(gold, read, columns).hardness == (1, 2)


def test_waivers_and_what_was_not_understood(columns: Mapping[str, ColumnCells]):
    words = Unresolved(SPAN, "no reading")
    marks = mark(
        _gold(waived=["Kind"]), _extraction(waived=("Kind",), not_understood=(words,)), columns
    )
    assert marks.waived_right
    assert marks.admitted
    assert not mark(_gold(waived=["Kind"]), _extraction(), columns).waived_right
