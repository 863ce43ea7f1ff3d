"""Conditions in SQL find on every engine what they find in a file, or are refused by name."""

import pytest

import edge_rows
import sql_conditions
from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import ConcedeError, ParseError, QueryError
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.query.sql_expression import FUNCTIONS
from concede.catalogs.remote.postgres_rules import CALLED
from postgres_server import PostgresServer


def written(text: str, nulls: str = "reject") -> Constraint:
    return Constraint.model_validate({"op": "sql", "value": text, "nulls": nulls})


@pytest.mark.parametrize("nulls", ["reject", "match"])
def test_a_condition_finds_the_rows_of_a_file(as_file: Catalog, remote: Catalog, nulls: str):
    constraints = [written(text, nulls) for text in sql_conditions.ASKED]
    expected = edge_rows.keys_of(as_file, constraints)
    assert None not in expected
    for start in range(0, len(constraints), 50):
        part = constraints[start : start + 50]
        found = edge_rows.remote_keys(remote, part)
        for constraint, keys, wanted in zip(part, found, expected[start:], strict=False):
            assert keys == wanted, constraint.value


def test_every_function_is_asked_or_refused():
    asked = " ".join(sql_conditions.ASKED).casefold()
    elsewhere = {"list_contains", "try_cast"}
    for name in FUNCTIONS - elsewhere:
        assert f"{name}(" in asked, name
    assert set(CALLED) == FUNCTIONS - elsewhere - {"cast"}


@pytest.fixture(scope="module")
def on_postgres(edge_table: PostgresServer) -> Catalog:
    return Catalog.open(edge_table.address(), table="items", key="id")


@pytest.mark.parametrize(("text", "name"), sql_conditions.REFUSED.items())
def test_what_postgres_does_otherwise_is_refused_by_name(
    on_postgres: Catalog, text: str, name: str
):
    with pytest.raises(ParseError) as error:
        on_postgres.bind(written(text))
    assert f"{name} is not asked of postgres" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "n + 1",
        '"Name"',
        "read_csv('x') = 1",
        "(SELECT 1) = 1",
        "pg_sleep(5) IS NULL",
        "n = 1; DROP TABLE items",
        'items."n" = 1',
        "\"Name\" > DATE '2020-01-01'",
    ],
)
def test_what_is_no_condition_is_refused_as_for_a_file(
    as_file: Catalog, remote: Catalog, text: str
):
    with pytest.raises(ConcedeError) as of_file:
        as_file.bind(written(text))
    with pytest.raises(ConcedeError) as of_engine:
        remote.bind(written(text))
    assert type(of_engine.value) is type(of_file.value)


def test_what_an_engine_cannot_evaluate_is_an_error_of_one_line(remote: Catalog):
    snapshot = remote.snapshot()
    predicate = snapshot.bind(written("10 % n = 0"))
    with pytest.raises(QueryError) as error:
        snapshot.count([predicate])
    assert "zero" in str(error.value)
    assert "\n" not in str(error.value)
    # The session is good for the next statement.
    assert snapshot.count([snapshot.bind(written("n <> 0 AND 10 % n = 0"))]) > 0
