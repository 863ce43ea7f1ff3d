"""Travellers whom nobody who writes rules has read are understood as well as the page says."""

from __future__ import annotations

from pathlib import Path

from concede.bench.apec.report import answers_read_right
from concede.bench.apec.roles import planner_named, roles_of
from concede.bench.apec.run import hold_all
from concede.bench.apec.scores import summary
from concede.bench.apec.travellers import read_travellers
from concede.dialogs.elicitation.schema import travel_schema

HELD_OUT = Path(__file__).parents[3] / "bench" / "apec" / "held_out" / "travellers.json"


def test_twelve_questions_find_what_matters_and_read_it_right():
    schema = travel_schema()
    travellers = read_travellers(HELD_OUT, schema)
    roles = roles_of(schema, None)
    found = {
        name: hold_all(roles, planner_named(name, 0, None, False), travellers, 12)
        for name in ("critical", "random")
    }
    figures = summary([one.scores for one in found["critical"]])
    # Floors, below the figures of docs/benchmarks/apec.md.
    assert figures["critical"] > 0.40
    assert figures["filled_right"] > 0.93
    assert (answers_read_right(found["critical"]) or 0) > 0.80
    at_random = summary([one.scores for one in found["random"]])
    assert figures["critical"] > 1.5 * at_random["critical"]
