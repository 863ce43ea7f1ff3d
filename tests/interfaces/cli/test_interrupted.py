"""Ctrl-C while DuckDB runs: `KeyboardInterrupt` in the library, 130 on the command line."""

import duckdb
import pytest

from interrupted import command, interrupted

SLOW = " OR ".join(f"name LIKE '%x%{n}%y%z%q%'" for n in range(60))
"""A condition that no row meets, and that takes DuckDB seconds over `ITEMS`."""

ITEMS = "SELECT i AS n, repeat('xyz', 100) || i AS name FROM range(3000000) AS r(i)"
LONG = "SELECT sum(hash(i::VARCHAR || 'x') % 7) AS n FROM range(500000000) AS r(i)"
"""One row that takes DuckDB a minute, and hardly any memory."""

LIBRARY = """
from concede import Catalog, RepairEngine, Query, Constraint
catalog = Catalog.open("items.parquet")
slow = Constraint(op="sql", value=sys.argv[1])
try:
    {call}
except KeyboardInterrupt:
    # What was interrupted can be asked again.
    assert catalog.query("SELECT 1 AS one") == [{{"one": 1}}]
    print("KeyboardInterrupt", file=sys.stderr)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with items, and with a file whose one row takes long to read."""
    folder = tmp_path_factory.mktemp("slow")
    with duckdb.connect() as connection:
        connection.execute(f"COPY ({ITEMS}) TO '{folder / 'items.parquet'}' (FORMAT parquet)")
    with duckdb.connect(str(folder / "long.duckdb")) as connection:
        connection.execute(f"CREATE VIEW items AS {LONG}")
    return folder


@pytest.mark.parametrize("solver", ["bitset", "sql"])
@pytest.mark.parametrize("name", ["repair", "diagnose"])
def test_a_question_on_the_command_line(folder, name, solver):
    asked = ("--catalog", "items.parquet", "--where", f"({SLOW}) AND n < 0", "--solver", solver)
    code, errors = interrupted(command([name, *asked]), "LIKE", folder)
    assert (code, errors.splitlines()[-1]) == (130, "concede: stopped"), errors


@pytest.mark.parametrize("name", ["repair", "diagnose", "catalog"])
def test_a_file_that_takes_long_to_read(folder, name):
    arguments = ["--catalog", "long.duckdb", "--where", "n < 0"]
    given = ["catalog", "info", "long.duckdb"] if name == "catalog" else [name, *arguments]
    code, errors = interrupted(command(given), "CREATE TABLE", folder)
    assert (code, errors.splitlines()[-1]) == (130, "concede: stopped"), errors


@pytest.mark.parametrize(
    "call",
    [
        "RepairEngine(catalog).repair(Query(constraints=[slow]))",
        "RepairEngine(catalog).diagnose(Query(constraints=[slow]))",
        "catalog.count([catalog.bind(slow)])",
    ],
)
def test_a_call_of_the_library(folder, call):
    code, errors = interrupted(LIBRARY.format(call=call), "LIKE", folder, SLOW)
    assert (code, errors.splitlines()[-1]) == (0, "KeyboardInterrupt"), errors


def test_opening_in_the_library(folder):
    program = "from concede import Catalog; Catalog.open('long.duckdb')"
    code, errors = interrupted(program, "CREATE TABLE", folder)
    assert code != 0
    assert errors.splitlines()[-1] == "KeyboardInterrupt"
