"""The offline agent and role-player on the published training personas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from concede import Catalog, Constraint
from concede.bench.instances import Instance
from concede.dialogs.conversation.session import Session, interview
from concede.dialogs.conversation.simulators import OfflineRolePlayer

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cars(shared_data: Path) -> Catalog:
    return Catalog.open(shared_data / "cooperunion_cars" / "data.csv")


@pytest.fixture(scope="module")
def records(shared_data: Path) -> list[dict[str, Any]]:
    lines = (shared_data / "aware_us" / "instances.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    return [record for record in records if record["split"] == "train"]


def key(constraint: Constraint) -> tuple[object, ...]:
    return constraint.column, constraint.op, constraint.value


def test_every_slot_is_completed_with_the_catalogs_own_values(cars, records):
    assert len(records) == 97
    wrong: list[str] = []
    questions = 0
    # Every other one: the benchmark speaks with all of them.
    for record in records[::2]:
        query = Instance(record).query(cars)
        slots = [str(constraint.column) for constraint in query.constraints]
        session = Session(cars, slots=slots, weighter="uniform", max_questions=len(slots))
        player = OfflineRolePlayer(record["persona"], cars)
        interview(session, player, record["base_query_sentence"])
        base = {key(constraint) for constraint in query.base}
        if {key(constraint) for constraint in session.preferences.base} != base:
            changed = {key(constraint) for constraint in session.preferences.base} ^ base
            wrong.append(f"{record['id']} base {changed}")
        understood = {key(constraint) for constraint in session.preferences.soft}
        questions += len(slots)
        wrong += [
            f"{record['id']} {key(constraint)}: {understood}"
            for constraint in query.constraints
            if key(constraint) not in understood
        ]
    print(f"slots completed: {questions - len(wrong)} of {questions}")
    print("\n".join(wrong))
    assert len(wrong) <= questions // 100
