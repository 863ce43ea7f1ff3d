"""Sessions of Postgres: read-only, cancelled at a deadline, one version a question, no password."""

import logging
import threading
from typing import Any
from urllib.parse import quote

import ibis
import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.deadline import Deadline, DeadlinePassed
from concede.catalogs.errors import CatalogError, ConcedeError
from concede.catalogs.query.constraint import Constraint
from postgres_server import PASSWORD, READER_PASSWORD, PostgresServer

CHECK = "concede.catalogs.remote.key_check.CHECK_SECONDS"
SLEEPING = "CREATE OR REPLACE VIEW sleeping AS SELECT id, n, pg_sleep(60)::text AS slept FROM items"


def opening_error(address: str, **options: Any) -> str:
    with pytest.raises(CatalogError) as error:
        Catalog.open(address, **({"table": "items", "key": "id"} | options))
    said = str(error.value)
    assert error.value.exit_code == 3
    assert "\n" not in said
    for secret in (PASSWORD, READER_PASSWORD, "geheim"):
        assert secret not in said + repr(error.value)
    return said


def test_what_cannot_be_reached_is_named_in_one_line(edge_table: PostgresServer):
    port = edge_table.port
    assert f"127.0.0.1:{port}/nowhere" in opening_error(edge_table.address("nowhere"))
    assert "127.0.0.1:1/db" in opening_error("postgres://u:geheim@127.0.0.1:1/db")
    assert "abc" in opening_error("postgres://u:geheim@127.0.0.1:abc/db")
    assert "99999" in opening_error("postgresql://u:geheim@127.0.0.1:99999/db")
    wrong = edge_table.address().replace(READER_PASSWORD, "geheim")
    assert "password authentication failed" in opening_error(wrong)
    assert "not an address" in opening_error("postgres://u:geheim@h:5/db?geheim=1")
    assert "not an address" in opening_error("postgres://u:ge heim@h/db")


def test_a_table_there_is_not_names_the_nearest(edge_table: PostgresServer):
    edge_table.run(
        'CREATE TABLE IF NOT EXISTS "Items 2" (id bigint)', "CREATE SCHEMA IF NOT EXISTS s"
    )
    edge_table.run("CREATE TABLE IF NOT EXISTS s.orders (id bigint)")
    assert "did you mean 'items'" in opening_error(edge_table.address(), table="itmes")
    assert "'Items 2'" in opening_error(edge_table.address(), table="items 2")
    assert "none was named" in opening_error(edge_table.address(), table=None)
    assert Catalog.open(edge_table.address(), table="Items 2", key="id").row_count == 0
    # The reader may not see what is in it.
    assert "has no table 's.orders'" in opening_error(edge_table.address(), table="s.orders")
    owner = edge_table.address(user="postgres")
    assert Catalog.open(owner, table="s.orders", key="id").row_count == 0


def test_a_table_that_may_not_be_read_is_said_so(edge_table: PostgresServer):
    edge_table.run(
        "CREATE TABLE IF NOT EXISTS closed (id bigint PRIMARY KEY)",
        "REVOKE ALL ON closed FROM reader",
    )
    said = opening_error(edge_table.address(), table="closed")
    assert "reader may not read 'closed'" in said


def test_a_password_is_shown_nowhere(edge_table: PostgresServer, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    catalog = Catalog.open(edge_table.address(), table="items", key="id")
    snapshot = catalog.snapshot()
    catalog.profiles()
    shown = [repr(each) for each in (catalog, snapshot, snapshot.sessions, snapshot.remote)]
    shown += [str(snapshot.table), snapshot.select_text([]), caplog.text]
    assert not any(READER_PASSWORD in text for text in shown)


def test_a_password_with_odd_characters_is_understood_and_masked(edge_table: PostgresServer):
    secret = "a/b:c@d %'\\é"
    edge_table.run(
        "DROP ROLE IF EXISTS odd",
        "CREATE ROLE odd LOGIN PASSWORD '" + secret.replace("'", "''") + "'",
        "GRANT SELECT ON items TO odd",
    )
    address = f"postgres://odd:{quote(secret, safe='')}@127.0.0.1:{edge_table.port}/shop"
    assert Catalog.open(address, table="items", key="id").row_count == 200
    said = opening_error(address, table="nothing like it")
    assert secret not in said
    assert quote(secret, safe="") not in said


def test_sessions_are_read_only_even_for_the_owner(edge_table: PostgresServer):
    owner = Catalog.open(edge_table.address(user="postgres"), table="items", key="id")
    sessions: Any = owner.snapshot().sessions
    schema = ibis.schema({"n": "int64"}).to_pyarrow()
    for statement in ("DELETE FROM items RETURNING 1", "CREATE TABLE made (n int)"):
        with pytest.raises(ConcedeError, match="read-only"):
            sessions.run(statement, schema)
    assert owner.row_count == 200


def test_a_statement_is_cancelled_on_the_server_at_the_deadline(
    edge_table: PostgresServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(CHECK, 0.1)
    edge_table.run(SLEEPING)
    catalog = Catalog.open(edge_table.address(), table="sleeping", key="id")
    snapshot = catalog.snapshot()
    predicate = snapshot.bind(Constraint(column="slept", op="==", value="x"))
    with pytest.raises(DeadlinePassed):
        snapshot.count([predicate], Deadline(0.3))
    assert edge_table.active() == 0
    # The session is good for what comes after.
    sessions: Any = snapshot.sessions
    one = ibis.schema({"one": "int32"}).to_pyarrow()
    assert sessions.run("SELECT 1 AS one", one).to_pylist() == [{"one": 1}]
    with pytest.raises(DeadlinePassed):
        snapshot.count([predicate], Deadline(0.0))


def test_what_runs_can_be_cancelled_from_another_thread(
    edge_table: PostgresServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(CHECK, 0.1)
    edge_table.run(SLEEPING)
    snapshot = Catalog.open(edge_table.address(), table="sleeping", key="id").snapshot()
    predicate = snapshot.bind(Constraint(column="slept", op="==", value="x"))
    ended: list[Exception] = []

    def ask() -> None:
        try:
            snapshot.count([predicate])
        except ConcedeError as error:
            ended.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    while thread.is_alive():
        snapshot.sessions.cancel()
        thread.join(0.05)
    assert len(ended) == 1
    assert edge_table.active() == 0


def test_one_question_sees_one_version_of_the_table(edge_table: PostgresServer):
    edge_table.run("DROP TABLE IF EXISTS counted", "CREATE TABLE counted (id bigint PRIMARY KEY)")
    edge_table.run("INSERT INTO counted SELECT generate_series(1, 10)")
    snapshot = Catalog.open(edge_table.address(), table="counted", key="id").snapshot()
    with snapshot.reading():
        assert snapshot.count([]) == 10
        edge_table.run("INSERT INTO counted VALUES (11)")
        assert snapshot.count([]) == 10
    assert snapshot.count([]) == 11


def test_a_connection_that_was_lost_is_an_error_and_the_next_is_new(edge_table: PostgresServer):
    snapshot = Catalog.open(edge_table.address(), table="items", key="id").snapshot()
    end = (
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
        "WHERE usename = 'reader' AND pid <> pg_backend_pid()"
    )
    with snapshot.reading():
        assert snapshot.count([]) == 200
        edge_table.run(end)
        with pytest.raises(CatalogError, match="is lost"):
            snapshot.count([])
    assert snapshot.count([]) == 200
    edge_table.run(end)
    assert snapshot.count([]) == 200


def test_a_key_with_a_unique_index_is_not_counted(edge_table: PostgresServer):
    edge_table.run(
        "DROP TABLE IF EXISTS indexed", "CREATE TABLE indexed (id bigint PRIMARY KEY, n int)"
    )
    snapshot = Catalog.open(edge_table.address(), table="indexed", key="id").snapshot()
    assert snapshot.statements == 1
    counted = Catalog.open(edge_table.address(), table="items", key="id").snapshot()
    assert counted.statements == 2


def test_a_table_of_ibis_gets_sessions_of_our_own(edge_table: PostgresServer):
    backend = ibis.postgres.from_connection(edge_table.connect())
    table = backend.table("items")
    catalog = Catalog.open(table.filter(table.n > 0), key="id")
    whole = Catalog.open(edge_table.address(), table="items", key="id")
    positive = whole.bind(Constraint(column="n", op=">", value=0))
    assert catalog.row_count == whole.count([positive])
    sessions: Any = catalog.snapshot().sessions
    with pytest.raises(ConcedeError, match="read-only"):
        sessions.run("DELETE FROM items RETURNING 1", ibis.schema({"n": "int64"}).to_pyarrow())


def test_a_view_that_sleeps_is_opened_without_counting_its_keys(
    edge_table: PostgresServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(CHECK, 0.1)
    edge_table.run(SLEEPING)
    catalog = Catalog.open(edge_table.address(), table="public.sleeping", key="id")
    assert catalog.columns == ("id", "n", "slept")
    assert edge_table.active() == 0
