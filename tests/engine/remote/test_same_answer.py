"""A query asked of rows that stay in their database has the answer of the file, to the bit."""

import json
from typing import Any

import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.query import Query
from concede.engine.ranking import remote_ranking
from concede.engine.repair_engine import RepairEngine
from remote_answers import check_answers, same_keys

QUERIES, GROUPS = 60, 6


@pytest.mark.slow
@pytest.mark.parametrize("group", range(GROUPS))
def test_answers_are_those_of_the_file(
    group: int, rows: Any, in_memory: Catalog, remote: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty random queries; every key but SQL, solver and version, and SQL counts what it says."""
    monkeypatch.setattr(remote_ranking, "FEW", 2)
    monkeypatch.setattr(remote_ranking, "MORE", 2)
    check_answers(rows, range(group, QUERIES, GROUPS), in_memory, remote)


def test_a_diagnosis_is_that_of_the_file(rows: Any, in_memory: Catalog, remote: Catalog) -> None:
    """Conflicts, repairs and all counts, and what `check` counts."""
    for seed in range(5):
        query, _ = rows.question(seed)
        records = [
            json.loads(RepairEngine(each).diagnose(query).to_json()) | {"catalog_version": None}
            for each in (in_memory, remote)
        ]
        assert records[0] == records[1]
        checks = [RepairEngine(each).check(query) for each in (in_memory, remote)]
        assert checks[0] == checks[1]


def test_an_empty_base_slice(in_memory: Catalog, remote: Catalog) -> None:
    """No row meets the base: no mask, no ends; the base conflicts are those of the file."""
    query = Query.model_validate(
        {
            "base": [
                {"column": "rooms", "op": ">", "value": 5},
                {"column": "rooms", "op": "<", "value": 3},
            ],
            "constraints": [{"column": "price", "op": "<", "value": 100}],
        }
    )
    for policy in ("least-weight", "closest"):
        expected = RepairEngine(in_memory).repair(query, policy=policy)
        answer = RepairEngine(remote).repair(query, policy=policy)
        assert answer.base_conflicts
        assert same_keys(answer) == same_keys(expected)
