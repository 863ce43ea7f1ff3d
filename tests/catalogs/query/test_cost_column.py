"""Which column says what an item costs is guessed by names and units."""

from __future__ import annotations

import pytest

from concede.catalogs.query.cost_column import guess_cost_column
from concede.catalogs.query.schema import Column


@pytest.mark.parametrize(
    ("names", "cost"),
    [
        (["MSRP", "price"], "MSRP"),
        (["Admin fee", "Deposit", "Monthly rent"], "Monthly rent"),
        (["join fee", "Per Month (£)"], "Per Month (£)"),
        (["delivery price", "gbp_per_night"], "gbp_per_night"),
        (["min price", "deposit"], "min price"),
        (["weight_kg", "prc_eur", "deposit_eur"], "prc_eur"),
        (["years_experience", "rate_per_hour"], "rate_per_hour"),
        (["callout_fee_gbp", "Hourly rate (£)"], "Hourly rate (£)"),
        (["weeks", "fee"], "fee"),
        (["Weekly wage (£)", "hours"], None),
        (["stipend_eur_month"], None),
        (["Interest Rate (AER)", "Minimum Deposit"], None),
    ],
)
def test_it_is_called_like_a_price_or_holds_money(names, cost):
    columns = [Column(name, "DOUBLE") for name in names]
    assert guess_cost_column(columns) == cost


def test_the_unit_of_cells_tells_as_well_and_texts_never_do():
    columns = [Column("price list", "VARCHAR"), Column("size", "DOUBLE"),
               Column("per week", "DOUBLE", unit="£")]  # fmt: skip
    assert guess_cost_column(columns) == "per week"
