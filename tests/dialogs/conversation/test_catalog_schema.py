"""A catalog as a schema, asked about like any other."""

from __future__ import annotations

import pytest

from concede import Catalog
from concede.dialogs.conversation.catalog_schema import catalog_schema
from concede.dialogs.elicitation.agents import Asked
from concede.dialogs.elicitation.conversation import elicit
from concede.dialogs.elicitation.planners import CriticalPlanner
from concede.dialogs.elicitation.stenographer import OfflineStenographer

pa = pytest.importorskip("pyarrow")

TENTS = Catalog.open(
    pa.table(
        {
            "sku": [f"t-{n}" for n in range(8)],
            "colour": ["green", "red", "blue", "red"] * 2,
            "berths": [2, 3, 4, 5, 2, 3, 4, 6],
            "porch": [True, False] * 4,
        }
    )
)


class Camper:
    """Somebody who answers from a list."""

    def request(self) -> str:
        return "Hello, I need a tent."

    def answer(self, asked: Asked) -> str:
        return {"colour": "Red, please.", "berths": "four", "porch": "yes"}[asked.entry]


def test_columns_are_entries_with_their_values():
    schema = catalog_schema(TENTS)
    assert [entry.name for entry in schema.entries] == ["colour", "berths", "porch"]
    assert set(schema.find("colour").choices) == {"green", "red", "blue", "no preference"}
    assert (schema.find("berths").low, schema.find("berths").high) == (2, 6)


def test_a_schema_of_ones_own_is_asked_about_and_read():
    schema = catalog_schema(TENTS)
    held = elicit(schema, CriticalPlanner(), OfflineStenographer(), Camper(), 8)
    found = {name: known.value for name, known in held.profile.items()}
    assert found == {"colour": "red", "berths": 4, "porch": "Yes"}
    assert held.stopped_by == "planner"
