"""What is answered where the deadline comes between two statements, or in the middle of one."""

from collections.abc import Iterator
from typing import Any

import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.deadline import DeadlinePassed
from concede.catalogs.query.query import Query
from concede.engine.answer import Answer, Status
from concede.engine.ranking import remote_ranking
from concede.engine.repair_engine import RepairEngine
from postgres_server import PostgresServer, postgres_server

QUERY = Query.model_validate(
    {
        "constraints": [
            {"column": "rooms", "op": ">", "value": 7},
            {"column": "price", "op": "<", "value": 9},
            {"column": "name", "op": "==", "value": "Ada"},
            {"column": "rating", "op": ">=", "value": 4.5},
        ],
        "objectives": [{"column": "price", "direction": "min"}],
    }
)


def _answer_after(statements: int, remote: Catalog, monkeypatch: pytest.MonkeyPatch) -> Answer:
    """Return the answer where the deadline passes after so many statements."""
    snapshot: Any = remote.snapshot()
    run, left = snapshot.sessions.run, [statements]

    def counted(*given: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise DeadlinePassed
        return run(*given)

    with monkeypatch.context() as patched:
        patched.setattr(snapshot.sessions, "run", counted)
        return RepairEngine(remote).repair(QUERY)


def test_what_was_found_by_then_is_answered(
    remote: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever statement comes too late: what is said holds, and the answer is not complete."""
    monkeypatch.setattr(remote_ranking, "FEW", 2)
    monkeypatch.setattr(remote_ranking, "MORE", 2)
    whole = RepairEngine(remote).repair(QUERY)
    assert whole.complete
    for statements in range(12):
        answer = _answer_after(statements, remote, monkeypatch)
        if answer.complete:
            assert answer.to_json() == whole.to_json()
            return
        assert answer.stopped_by == "deadline"
        if not statements:
            assert answer.status is Status.UNKNOWN
            assert answer.exit_code == 4
        else:
            assert answer.repairs[0].dropped == whole.repairs[0].dropped
            assert answer.repairs[0].count == whole.repairs[0].count
            assert answer.repairs[0].witness["id"] == whole.repairs[0].witness["id"]
    pytest.fail("twelve statements and no whole answer")


@pytest.fixture(scope="module")
def sleeper() -> Iterator[PostgresServer]:
    """Give a cluster with a view that takes a second a row."""
    with postgres_server() as server:
        server.run(
            "CREATE TABLE few (id bigint PRIMARY KEY, rooms int)",
            "INSERT INTO few SELECT n, n % 7 FROM generate_series(1, 900) AS n",
            "CREATE VIEW slow AS SELECT id, rooms + (pg_sleep(1) IS NULL)::int AS rooms FROM few",
            "GRANT SELECT ON slow TO reader",
        )
        yield server


def test_a_statement_is_cancelled_on_the_server(sleeper: PostgresServer) -> None:
    """Nothing is known then, and nothing runs on."""
    query = Query.model_validate({"constraints": [{"column": "rooms", "op": ">", "value": 9}]})
    catalog = Catalog.open(sleeper.address(), table="slow", key="id")
    answer = RepairEngine(catalog).repair(query, deadline=1.0)
    assert (answer.status, answer.stopped_by) == (Status.UNKNOWN, "deadline")
    assert sleeper.active() == 0
