"""`concede bench scale` over few rows: every statement, on each engine that is at hand."""

import json

import pytest

from concede.interfaces.cli.main import run
from postgres_server import postgres_server

STATEMENTS = {
    "histogram, first keys, ends", "count", "four rows by key", "items", "near misses",
}  # fmt: skip


def measured(capsys: pytest.CaptureFixture, folder, *more: str) -> dict[str, set[str]]:
    """Return the statements that each engine was measured by."""
    given = ["--folder", str(folder), "--rows", "10000", "--repeats", "1", "--format", "json"]
    assert run(["bench", "scale", *given, *more]) == 0
    engines: dict[str, set[str]] = {}
    for each in json.loads(capsys.readouterr().out)["measured"]:
        assert each["seconds"] >= 0
        engines.setdefault(each["engine"], set()).add(each["statement"])
    return engines


def test_every_statement_is_measured(tmp_path, capsys):
    engines = measured(capsys, tmp_path)
    assert engines["duckdb"] == STATEMENTS
    assert engines["partials"] == {"counted by file", "stored ones added up"}
    assert "copy" in engines["bitset"]


@pytest.mark.slow
def test_on_postgres_where_tables_may_be_made(tmp_path, capsys):
    with postgres_server() as server:
        address = server.address("shop", "postgres")
        assert measured(capsys, tmp_path, "--postgres", address)["postgres"] == STATEMENTS
        refused = ["--folder", str(tmp_path), "--rows", "20000", "--postgres", server.address()]
        assert run(["bench", "scale", *refused]) == 3
    problem = capsys.readouterr().err.strip().splitlines()[-1]
    assert "permission denied" in problem
    assert "may make tables" in problem
