"""Days that matter no more are told once, and a bound that contradicts takes the other's place."""

from __future__ import annotations

from datetime import date

import pyarrow as pa

from concede import Catalog
from concede.dialogs import Session

TREKS = Catalog.open(
    pa.table(
        {
            "trek": [f"Trek {n}" for n in range(12)],
            "region": ["Alps", "Tatra", "Rila", "Pirin"] * 3,
            "price": [200 + 25 * n for n in range(12)],
            "start date": [date(2031, 5 + n // 4, 5 + 7 * (n % 4)) for n in range(12)],
        }
    )
)


def test_dates_that_matter_no_more_are_told_once():
    session = Session(TREKS)
    session.respond("a trek in Tatra, the week of 12 May 2031")
    reply = session.respond("any date is fine after all").text
    assert "start date is open again" in reply.lower()
    assert "stays open" not in reply


def test_a_contrary_bound_is_told_to_take_the_place_of_the_other():
    session = Session(TREKS)
    session.respond("a trek by 16 June 2031")
    reply = session.respond("no, it must start on 16 June 2031 or later").text
    assert "2031-06-16 or later" in reply
    assert "no longer 2031-06-16 or earlier" in reply
