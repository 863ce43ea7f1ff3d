"""The offline agent and role-player on the published training personas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from concede import Catalog, Constraint
from concede.bench.instances import Instance
from concede.dialogs.interviews import interview
from concede.dialogs.offline_role_player import OfflineRolePlayer
from concede.dialogs.session import Session

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cars(shared_data: Path) -> Catalog:
    return Catalog.open(shared_data / "cooperunion_cars" / "data.csv")


@pytest.fixture(scope="module")
def records(shared_data: Path) -> list[dict[str, Any]]:
    lines = (shared_data / "aware_us" / "instances.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    return [one for one in found if one["split"] == "train"]


def key(one: Constraint) -> tuple[object, ...]:
    return one.column, one.op, one.value


def test_every_slot_is_completed_with_the_catalogs_own_values(cars, records):
    assert len(records) == 97
    wrong: list[str] = []
    asked = 0
    for record in records:
        query = Instance(record).query(cars)
        slots = [str(one.column) for one in query.constraints]
        session = Session(cars, slots=slots, weighter="uniform", max_questions=len(slots))
        player = OfflineRolePlayer(record["persona"], cars)
        interview(session, player, record["base_query_sentence"])
        base = {key(one) for one in query.base}
        if {key(one) for one in session.preferences.base} != base:
            changed = {key(one) for one in session.preferences.base} ^ base
            wrong.append(f"{record['id']} base {changed}")
        found = {key(one) for one in session.preferences.soft}
        asked += len(slots)
        wrong += [
            f"{record['id']} {key(one)}: {found}"
            for one in query.constraints
            if key(one) not in found
        ]
    print(f"slots completed: {asked - len(wrong)} of {asked}")
    print("\n".join(wrong))
    assert len(wrong) <= asked // 100
