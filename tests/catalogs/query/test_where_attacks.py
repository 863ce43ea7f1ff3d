"""Hostile text: refused in one line, or plain data; nothing is read, written or slow."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import ConcedeError, QueryError
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.query.query import Query
from concede.catalogs.query.where_clause import parse_where
from concede.catalogs.sources.loading import TABLE
from concede.engine.repair_engine import RepairEngine
from sql_judge import objections
from where_attacks import CONDITIONS, EVERY_ATTACK, SECRET, SPOILERS

REFUSED = [
    # statements, alone and stacked
    "SELECT * FROM items",
    "select 1",
    "DROP TABLE items",
    "DELETE FROM items",
    "UPDATE items SET MSRP = 0",
    "INSERT INTO items VALUES (1)",
    "CREATE TABLE x AS SELECT 1",
    "COPY items TO 'SECRET'",
    "ATTACH 'SECRET' AS s",
    "PRAGMA database_list",
    "SET memory_limit = '1KB'",
    "CALL pragma_version()",
    "INSTALL httpfs",
    "WITH x AS (SELECT 1) SELECT * FROM x",
    "MSRP = 1; DROP TABLE items",
    ";",
    "MSRP = 1 UNION SELECT 1",
    "MSRP = 1) UNION (SELECT 1",
    "MSRP = 1 ORDER BY 1",
    "MSRP = 1 LIMIT 1",
    "MSRP = 1 GROUP BY MSRP",
    "MSRP = 1 RETURNING *",
    # sub-selects and other tables
    "MSRP IN (SELECT MSRP FROM items)",
    "MSRP = (SELECT max(MSRP) FROM items)",
    "EXISTS (SELECT 1)",
    "EXISTS (FROM items)",
    "MSRP IN (FROM items)",
    "MSRP IN items",
    "MSRP = ANY (SELECT 1)",
    "MSRP = ALL ([1])",
    "items.MSRP = 1",
    "memory.main.items.MSRP = 1",
    "duckdb_settings.name = 'x'",
    "rowid = 1",
    "row_id = 1",
    "*",
    "COLUMNS('.*') = 1",
    "MSRP IN (TABLE items)",
    "MSRP IN (VALUES (1))",
    # functions that read files, settings or the environment, or do harm
    "read_text('SECRET') = 'x'",
    "EXISTS (SELECT * FROM read_csv('SECRET'))",
    "contains(read_blob('SECRET'), 'x')",
    "getenv('HOME') = '/root'",
    "current_setting('memory_limit') = 'x'",
    "getvariable('x') = 1",
    "current_user = 'x'",
    "current_date = DATE '2024-01-01'",
    "now() > TIMESTAMP '2024-01-01'",
    "random() < 0.5",
    "nextval('s') = 1",
    "query('SELECT 1') = 1",
    "pg_sleep(100) IS NULL",
    "sum(MSRP) > 1",
    "row_number() OVER () = 1",
    "repeat(Make, 1000000000) = 'x'",
    "lpad(Make, 1000000000, 'x') = 'x'",
    "regexp_matches(Make, '(a+)+$')",
    "Make ~ '(a+)+$'",
    "Make SIMILAR TO '(a+)+'",
    "Make GLOB '*'",
    "\"lower\"(Make) = 'x'",
    "main.lower(Make) = 'x'",
    "like('a', Make)",
    "NOT like('a', Make)",
    "MSRP = 1 OR (ilike('a', Make))",
    "like(Make, 'a')",
    "error('x') IS NULL",
    "md5(Make) = 'x'",
    "unnest([1]) = 1",
    "range(100000000) IS NOT NULL",
    "replace(replace(Make, 'A', 'AAAAAAAAAA'), 'A', 'AAAAAAAAAA') = 'x'",
    "replace(Make, Make, 'xxxxxxxxxxxxxxxxxxxxxxx') = 'x'",
    # syntax beyond plain expressions
    "list_filter([1], x -> x > 0) IS NOT NULL",
    "[x for x in [1]] = [1]",
    "[1, 2] = [1, 2]",
    "{'a': 1} IS NULL",
    "Make[1] = 'A'",
    "Make[1:2] = 'A'",
    "MSRP = ?",
    "MSRP = $1",
    "MSRP = :name",
    "MSRP = @x",
    "(MSRP, Make) = (1, 'x')",
    "MSRP := 1",
    "MSRP AS x",
    "MSRP = 1 COLLATE nocase",
    "Make COLLATE NOCASE = 'audi'",
    "Make = E'a\\'b'",
    "Make = $$audi$$",
    "Make = x'41'",
    "MSRP = 0x1F",
    "MSRP & 1 = 1",
    "~MSRP = 1",
    "MSRP ** 999999 > 1",
    "MSRP! = 1",
    "INTERVAL 1 DAY IS NULL",
    # casts to odd types
    "Make::BLOB = 'x'",
    "Make::JSON = 'x'",
    "MSRP::VARCHAR[] IS NULL",
    "CAST(MSRP AS STRUCT(a INT)) IS NULL",
    "CAST(Make AS UUID) IS NULL",
    "CAST(Make AS ENUM('a')) IS NULL",
    "CAST('items' AS REGCLASS) IS NULL",
    "MSRP::DECIMAL(999, 1) = 1",
    "MSRP::nonsense = 1",
    # letters that are not what they seem
    "Make = \u2018Audi\u2019",
    "Make \uff1d 'Audi'",
    "Make = \u02bcAudi\u02bc",
    "M\u0430ke = 'Audi'",
    "Ma\u200bke = 'Audi'",
    "\ufeffMake = 'Audi'",
    "Make = 'Audi' \u037e DROP TABLE items",
    "\u202eMake = 'Audi'",
    "Make = '\ud800'",
    "Make = 'a\0b'",
    "\0",
    # ragged
    "Make = 'Audi' /* never closed",
    "Make = 'Audi",
    "((((((",
    ")",
    "AND",
    "NOT",
    "Make",
    "1",
    "NULL",
    "MSRP BETWEEN 1",
    "CASE WHEN MSRP = 1",
    "1 < MSRP < 3",
    "MSRP = 'a' 'b'",
    "MSRP IN ()",
    "lower() = 'x'",
    "left(Make, 1, 2) = 'x'",
    "MSRP = 1e999",
    "MSRP = " + "9" * 10_000,
    # large
    "(" * 5_000 + "MSRP = 1" + ")" * 5_000,
    "NOT " * 5_000 + "MSRP = 1",
    "MSRP = " + "- " * 5_000 + "1",
    "CASE WHEN " * 3_000 + "TRUE" + " THEN TRUE END" * 3_000,
    "lower(" * 3_000 + "Make" + ")" * 3_000 + " = 'x'",
    "MSRP = 1" + " + 1" * 2_000,
    "MSRP" + "::INT" * 2_000 + " = 1",
    "MSRP = 1" + " OR MSRP = 1" * 9_000,
    "MSRP IN (" + "1," * 20_000 + "1)",
    "Make = '" + "x" * 200_000 + "'",
    "Make || " * 200 + "Make = 'x'",
    "concat(" + "Make, " * 200 + "Make) = 'x'",
    "x" * 90_000 + " = 1",
    "x." * 3_000 + "x = 1",
]

HARMLESS = [
    ("Make = 'Audi' -- AND MSRP = 2", 1),
    ("Make = 'Audi' /* ; DROP TABLE items */", 1),
    ("MSRP = 1; --", 1),
    ("MSRP = 1 /* outer /* inner */ ; DROP TABLE items */", 1),
    ("Make = 'x'' OR 1=1 --'", 0),
    ("Make = '; DROP TABLE items; --'", 0),
    ("Make IN ('a', 'b''); DROP TABLE items')", 0),
    ("Make LIKE '" + "%a" * 499 + "_'", 0),
    ("'" + "a" * 9_000 + "' LIKE '" + "%a" * 30 + "_b'", 0),
    ("MSRP IN (" + "1," * 4_000 + "1)", 1),
    ("MSRP = 1 OR MSRP = 2" + " OR MSRP = 1" * 500, 2),
    ("TRUE OR MSRP = 1", 3),
    ("MSRP - -1 = 2 OR MSRP = -1", 1),
    ("MSRP--1\n = 2", 1),
    ("round(MSRP, 100000000) = 1", 1),
]


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    path = tmp_path_factory.mktemp("attacks") / "cars.csv"
    path.write_text("Make,MSRP\nAudi,1\nBMW,2\n,\n")
    return Catalog.open(path)


def unchanged(catalog: Catalog) -> bool:
    return catalog.query(f"SELECT * FROM {TABLE} ORDER BY ALL") == [
        {"row_id": 0, "Make": "Audi", "MSRP": 1},
        {"row_id": 1, "Make": "BMW", "MSRP": 2},
        {"row_id": 2, "Make": None, "MSRP": None},
    ]


def rows_of_text(sql: str) -> int:
    with duckdb.connect() as connection:
        return len(connection.execute(sql).fetchall())


def assert_one_line(error: ConcedeError) -> None:
    message = str(error)
    assert message.isprintable()
    assert len(message) < 600
    assert SECRET not in message
    assert error.exit_code == 2


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_is_refused_whole_and_as_one_expression(catalog: Catalog, secret: Path, text: str) -> None:
    text = text.replace("SECRET", str(secret))
    with pytest.raises(QueryError) as caught:
        catalog.slice(
            [catalog.bind(constraint) for constraint in parse_where(text, catalog.schema)]
        )
    assert_one_line(caught.value)
    with pytest.raises(QueryError) as caught:
        catalog.rows(catalog.bind(Constraint(op="sql", value=text)))
    assert_one_line(caught.value)
    assert unchanged(catalog)


@pytest.mark.slow
def test_every_further_attack_is_refused_wherever_it_comes_in(
    catalog: Catalog, secret: Path
) -> None:
    engine = RepairEngine(catalog, threads=1)
    for place, (_, attack) in enumerate(EVERY_ATTACK):
        text = attack.replace("SECRET", str(secret))
        record = {"op": "sql", "value": text}
        ways = (
            lambda text=text: catalog.bind(Constraint(op="sql", value=text)),
            lambda text=text: catalog.slice(map(catalog.bind, parse_where(text, catalog.schema))),
            lambda record=record: engine.repair(Query.model_validate({"constraints": [record]})),
            lambda record=record: engine.check(Query.model_validate({"base": [record]})),
        )
        # Each by two of the ways, all of which come to the same allow-lists.
        for way in (ways[place % 4], ways[(place + 1) % 4]):
            with pytest.raises(QueryError) as caught:
                way()
            assert_one_line(caught.value)
    assert unchanged(catalog)
    assert secret.read_text() == f"a\n{SECRET}\n"


@given(
    left=st.sampled_from(CONDITIONS),
    right=st.sampled_from(CONDITIONS),
    spoilers=st.lists(
        st.tuples(st.integers(0, 40), st.sampled_from(SPOILERS), st.booleans()), max_size=3
    ),
)
def test_what_is_run_is_a_predicate_over_the_columns_as_duckdb_reads_it(
    catalog: Catalog, left: str, right: str, spoilers: list[tuple[int, str, bool]]
) -> None:
    words = re.findall(r"\w+\(?|'[^']*'|[^\w\s]+|\s+", f"{left} OR {right}")
    for place, word, replaces in spoilers:
        place %= len(words)
        words[place : place + replaces] = [word]
    text = "".join(words)
    try:
        predicates = [catalog.bind(constraint) for constraint in parse_where(text, catalog.schema)]
        predicates.append(catalog.bind(Constraint(op="sql", value=text)))
    except QueryError as error:
        assert spoilers, text
        assert_one_line(error)
        return
    for predicate in predicates:
        assert not objections(predicate.sql, frozenset(catalog.columns)), text


def test_the_judge_objects_to_what_is_no_predicate() -> None:
    columns = frozenset({"Make", "MSRP"})
    allowed = "Make LIKE ? AND MSRP IN (1, 2) OR lower(Make) = 'x' OR CAST(MSRP AS VARCHAR) = '1'"
    assert objections(allowed, columns) == []
    for expression in (
        "SELECT 1",
        "getenv('PATH') = 'x'",
        "(SELECT true)",
        "items.Make = 'x'",
        "Model = 'x'",
        "true) FROM x; SELECT (true",
        "list_filter([1], x -> x > 0) IS NULL",
        "sum(MSRP) OVER () > 1",
        "main.lower(Make) = 'x'",
    ):
        assert objections(expression, columns), expression


@pytest.mark.parametrize(("text", "count"), HARMLESS, ids=range(len(HARMLESS)))
def test_is_plain_data(catalog: Catalog, text: str, count: int) -> None:
    predicates = [catalog.bind(constraint) for constraint in parse_where(text, catalog.schema)]
    assert len(catalog.slice(predicates)) == catalog.count(predicates) == count
    assert rows_of_text(catalog.select_text(predicates)) == count
    assert unchanged(catalog)


VALUES = [
    "x' OR 1=1 --",
    "'; DROP TABLE items; --",
    '" OR "1"="1',
    "\\'; DELETE FROM items; --",
    "%' OR '1'='1",
    "?",
    "$1",
    "{0}",
    "\u02bc OR 1=1 --",
    "NULL",
    "a" * 1_000,
]


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
@pytest.mark.parametrize("op", ["==", "<", "in", "contains", "like", "ilike"])
def test_values_are_never_sql(catalog: Catalog, op: str, value: str) -> None:
    held = [value] if op == "in" else value
    predicate = catalog.bind(Constraint(column="Make", op=op, value=held))
    expected = {name for name in ("Audi", "BMW") if op == "<" and name < value}
    assert {row["Make"] for row in catalog.fetch(catalog.rows(predicate).ids)} == expected
    assert rows_of_text(catalog.select_text([predicate])) == len(expected)
    assert unchanged(catalog)


@pytest.mark.parametrize(
    "value",
    ["1 OR 1=1", "1; DROP TABLE items", "0x10", "1_000", "", "\u0661", "NaN", "inf", "1e999"],
)
def test_text_that_is_no_number_is_no_number(catalog: Catalog, value: str) -> None:
    with pytest.raises(QueryError, match="bad value"):
        catalog.bind(Constraint(column="MSRP", op="==", value=value))


@pytest.mark.parametrize(
    "column",
    [
        'Make" = 1 OR "1',
        'Make"; DROP TABLE items; --',
        "row_id",
        "rowid",
        "items",
        "1",
        "*",
        "\0",
        "Make\u200b",
        "\ud800",
        "x" * 1_000_000,
    ],
    ids=range(11),
)
def test_column_names_are_never_sql(catalog: Catalog, column: str) -> None:
    with pytest.raises(QueryError) as caught:
        catalog.bind(Constraint(column=column, op="==", value=1))
    assert_one_line(caught.value)
    assert unchanged(catalog)


def test_hostile_column_names_in_the_data_stay_names(tmp_path: Path) -> None:
    names = ['Make" = 1 OR "1', "a; DROP TABLE items", "x' --", "b\nc", "*"]
    path = tmp_path / "names.csv"
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    path.write_text(f"{quoted}\n1,2,3,4,5\n2,3,4,5,6\n", newline="")
    catalog = Catalog.open(path)
    assert list(catalog.columns) == names
    for column, name in enumerate(names):
        predicate = catalog.bind(Constraint(column=name, op="==", value=column + 1))
        assert catalog.rows(predicate).ids.tolist() == [0]
        quoted_name = '"' + name.replace('"', '""') + '"'
        [written] = parse_where(f"{quoted_name} + 0 = {column + 1}", catalog.schema)
        assert catalog.rows(catalog.bind(written)).ids.tolist() == [0]
