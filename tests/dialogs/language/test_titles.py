"""Titles that begin alike are told by how they begin."""

from __future__ import annotations

import pyarrow as pa

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.dialogs.language.titles import common_beginning
from concede.dialogs.language.wording import Wording

TITLES = ["Sewing for beginners", "Sewing a coat", "Sewing by hand", "Chess"]


def test_three_are_told_by_it_and_two_are_named() -> None:
    with Catalog.open(pa.table({"course": TITLES})) as courses:
        three, two = (
            Wording(courses).wish(Constraint(column="course", op="in", value=TITLES[:count]))
            for count in (3, 2)
        )
    assert three == "course Sewing (any of 3)"
    assert two == "course Sewing for beginners or Sewing a coat"


def test_nothing_in_common_is_told() -> None:
    assert common_beginning(TITLES) == ""
    assert common_beginning(["Sewing", *TITLES[:3]]) == ""
    assert common_beginning([1, 2, 3]) == ""
