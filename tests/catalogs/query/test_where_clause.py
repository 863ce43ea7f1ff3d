"""WHERE texts: what becomes of each part, and that NULL keeps SQL's meaning throughout."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import ParseError, QueryError, UnknownColumn
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.query.predicate import Predicate
from concede.catalogs.query.schema import Column, Schema
from concede.catalogs.query.sql_expression import bind_expression
from concede.catalogs.query.where_clause import parse_where

ROWS = """
    (3, 0.1, 'ab', TRUE, DATE '2024-01-31', 1.10),
    (NULL, 0.30000000000000004, NULL, FALSE, NULL, 2.50),
    (-7, NULL, 'Ünï', NULL, DATE '2023-12-01', NULL),
    (0, 2.5, 'it''s', TRUE, DATE '2024-02-29', 0.00),
    (12, -2.5, '', NULL, NULL, -3.75), (NULL, NULL, NULL, NULL, NULL, NULL),
    (3, 100, ' a%b ', FALSE, DATE '1999-12-31', 100.00),
    (1, 1, '10', TRUE, DATE '2024-01-01', 1.00)
"""


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT i::INTEGER AS i, x::DOUBLE AS x, v, b, d, "
            'n::DECIMAL(10,2) AS "n b", x::FLOAT AS f '
            f"FROM (VALUES {ROWS}) r(i, x, v, b, d, n)"
        )
        yield connection


@pytest.fixture(scope="module")
def catalog(connection: duckdb.DuckDBPyConnection) -> Catalog:
    return Catalog.open(connection.table("t"))


SCHEMA = Schema((Column("Make", "VARCHAR"), Column("MSRP", "BIGINT"), Column("sold", "DATE")))

LEAVES = [
    "Make = 'Audi'",
    "MSRP BETWEEN 1 AND 2",
    "NOT (Make = 'a' AND MSRP = 1)",
    "(MSRP = 1 OR MSRP = 2)",
    "MSRP IN (1, 2)",
    "Make LIKE 'a AND b'",
    "CASE WHEN MSRP > 1 AND Make = 'x' THEN TRUE END",
    "sold >= DATE '2024-01-01'",
    "-3 < MSRP",
    "MSRP = -1",
    "Make IS NOT NULL",
    "lower(Make) = 'x'",
]


def records(text: str) -> list[dict[str, object]]:
    return [constraint.record() for constraint in parse_where(text, SCHEMA)]


@pytest.mark.parametrize(
    ("text", "column", "op", "value"),
    [
        ("make = 'Audi'", "Make", "==", "Audi"),
        ("Make == 'it''s'", "Make", "==", "it's"),
        ("'Audi' = Make", "Make", "==", "Audi"),
        ("Make <> 'Audi'", "Make", "!=", "Audi"),
        ("NOT Make = 'Audi'", "Make", "!=", "Audi"),
        ("NOT (Make <> 'Audi')", "Make", "==", "Audi"),
        ("30000 >= msrp", "MSRP", "<=", 30000),
        ("5 < MSRP", "MSRP", ">", 5),
        ("MSRP > -5", "MSRP", ">", -5),
        ("MSRP > .5", "MSRP", ">", 0.5),
        ("MSRP > 1e3", "MSRP", ">", 1000.0),
        ("((MSRP < 1))", "MSRP", "<", 1),
        ("MSRP BETWEEN 1 AND 2", "MSRP", "between", [1, 2]),
        ("MSRP IN (1, 2)", "MSRP", "in", [1, 2]),
        ("MSRP NOT IN (1)", "MSRP", "not in", [1]),
        ("Make LIKE 'A%'", "Make", "like", "A%"),
        ("Make ILIKE 'a_'", "Make", "ilike", "a_"),
        ("contains(Make, 'u')", "Make", "contains", "u"),
        ("sold >= DATE '2024-01-01'", "sold", ">=", "2024-01-01"),
        ("sold < TIMESTAMP '2024-01-01 10:00:00'", "sold", "<", "2024-01-01 10:00:00"),
    ],
)
def test_column_operator_value_is_structured(
    text: str, column: str, op: str, value: object
) -> None:
    assert records(text) == [{"column": column, "op": op, "value": value}]


@pytest.mark.parametrize(
    ("text", "op"),
    [
        ("Make IS NULL", "is null"),
        ("Make IS NOT NULL", "is not null"),
        ("NOT Make IS NULL", "is not null"),
        ("Make ISNULL", "is null"),
    ],
)
def test_null_tests_are_structured(text: str, op: str) -> None:
    assert records(text) == [{"column": "Make", "op": op}]


@pytest.mark.parametrize(
    "text",
    [
        "Make = 'a' OR MSRP = 1",
        "NOT (Make = 'a' AND MSRP = 1)",
        "NOT MSRP < 5",
        "NOT MSRP BETWEEN 1 AND 2",
        "Make NOT LIKE 'A%'",
        "MSRP IN (1, NULL)",
        "MSRP + 1 > 5",
        "MSRP > MSRP",
        "lower(Make) = 'audi'",
        "Make LIKE 'a!%' ESCAPE '!'",
        "sold = DATE '2024-01-01 10:00'",
        "sold = TRY_CAST('never' AS DATE)",
        "TRUE",
    ],
)
def test_anything_else_stays_one_expression_in_the_authors_words(text: str) -> None:
    assert records(text) == [{"op": "sql", "value": text}]


def test_splits_at_top_level_ands_only() -> None:
    text = """(MSRP BETWEEN 1 AND 2 AND (Make = 'a AND b')) -- AND MSRP = 4
        AND CASE WHEN MSRP > 1 AND MSRP < 9 THEN TRUE ELSE FALSE END
        AND (MSRP = 1 OR Make = 'x' AND MSRP = 2)"""
    assert [constraint.op for constraint in parse_where(text, SCHEMA)] == [
        "between",
        "==",
        "sql",
        "sql",
    ]


def test_comments_and_line_breaks_do_not_survive() -> None:
    [record] = records("MSRP /* a\n */ > -- b\n MSRP")
    assert record["value"] == "MSRP > MSRP"


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("", 0, "empty"),
        ("   -- nothing", 0, "empty"),
        ("MSRP <", 6, "incomplete"),
        ("MSRP <= = 5", 9, "incomplete"),
        ("Make = 'x' AND\r\n\r\n  MSRP = = 2", 28, "incomplete"),
        ("\u2028 MSRP = = 1", 10, "incomplete"),
        ("(MSRP = 1", 9, "expecting )"),
        ("MSRP = 1)", 9, "unexpected ')'"),
        ("Make = 'x", 8, "unclosed '"),
        ('"Make = 1', 1, 'unclosed "'),
        ("Engine HP > 5", 8, 'double quotes: "Engine HP"'),
        ("SELECT * FROM items", 1, "a statement (SELECT)"),
        ("MSRP = 1; DROP TABLE items", 11, "without a semicolon"),
        ("MSRP = 1 AND nextval('x') = 1", 14, "'nextval' is not allowed"),
        ("Make = NULL", 1, "IS NULL"),
        ("MSRP < 5 AND Make <> NULL", 14, "IS NULL"),
        ("MSRP < " + "9" * 5000, 8, "out of range"),
        ("Make = 'a\0'", 10, "NUL"),
    ],
)
def test_errors_tell_the_place_and_the_hint(text: str, position: int, words: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_where(text, SCHEMA)
    assert caught.value.position == position
    assert words in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Mke = 'x'", "did you mean 'Make'?"),
        ("Make = Audi", "put it in single quotes: 'Audi'"),
        ('Make = "Audi"', "text takes single quotes: 'Audi'"),
        ("Make = \u2018Audi\u2019", "straight single quotes"),
        ("lower(Mak) = 'x' OR MSRP = 1", "did you mean 'Make'?"),
    ],
)
def test_unknown_columns_come_with_a_hint(text: str, words: str) -> None:
    with pytest.raises(UnknownColumn, match="unknown column") as caught:
        parse_where(text, SCHEMA)
    assert words in str(caught.value)


def test_values_are_as_written() -> None:
    assert records("\"make\" IN ('a, b', 'it''s', '') AND msrp BETWEEN -7 AND 0.5") == [
        {"column": "Make", "op": "in", "value": ["a, b", "it's", ""]},
        {"column": "MSRP", "op": "between", "value": [-7, 0.5]},
    ]


def test_without_a_schema_names_stay_as_written() -> None:
    assert [constraint.column for constraint in parse_where('a = 1 AND "b c" < 2')] == ["a", "b c"]


NUMBERS = st.sampled_from(
    ["0", "1", "-7", "3", "2.5", "0.1", "0.30000000000000004", "1e0", ".5", "100", "-2.50"]
)
NUMERIC_COLUMNS = st.sampled_from(["i", "x", '"n b"', "f", "I"])
TEXTS = st.sampled_from(["'ab'", "'it''s'", "''", "'Ünï'", "'a%'", "'_b'", "'%a!%b%'", "'10'"])
DATES = st.sampled_from(["DATE '2024-01-31'", "'2024-02-29'", "DATE '1999-12-31'"])
COMPARE = st.sampled_from(["=", "<>", "!=", "<", "<=", ">", ">="])


def joined(*parts: st.SearchStrategy[str] | str) -> st.SearchStrategy[str]:
    drawn = [st.just(part) if isinstance(part, str) else part for part in parts]
    return st.tuples(*drawn).map(" ".join)


def number_terms() -> st.SearchStrategy[str]:
    leaves = st.one_of(NUMBERS, NUMERIC_COLUMNS)

    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            joined(inner, st.sampled_from(["+", "-", "*", "/", "//", "%"]), inner),
            joined("(", inner, "-", inner, ")"),
            joined("-", inner),
            joined("abs(", inner, ")"),
            joined("round(", inner, ", 1 )"),
            joined(st.sampled_from(["ceil(", "floor(", "round("]), inner, ")"),
            joined(
                st.sampled_from(["greatest(", "least(", "coalesce(", "nullif("]),
                inner,
                ",",
                inner,
                ")",
            ),
            joined("CASE WHEN", inner, "> 1 THEN", inner, "ELSE", inner, "END"),
            joined("TRY_CAST(", inner, "AS INTEGER )"),
            joined(inner, "::", "DOUBLE"),
        )

    return st.recursive(leaves, grow, max_leaves=4)


def text_terms() -> st.SearchStrategy[str]:
    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        whole = st.sampled_from(["-3", "-1", "0", "1", "2", "9"])
        return st.one_of(
            joined(inner, "||", inner),
            joined(st.sampled_from(["lower(", "upper(", "trim(", "ltrim(", "rtrim("]), inner, ")"),
            joined("substring(", inner, ",", whole, ", 2 )"),
            joined("substr(", inner, ",", whole, ")"),
            joined(st.sampled_from(["left(", "right("]), inner, ",", whole, ")"),
            joined("replace(", inner, ", 'ab', 'z' )"),
            joined("concat(", inner, ",", inner, ")"),
            joined("trim(", inner, ", 'a' )"),
            joined("CAST(", NUMERIC_COLUMNS, "AS VARCHAR )"),
            joined("if( b ,", inner, ", 'no' )"),
        )

    return st.recursive(st.one_of(TEXTS, st.sampled_from(["v", "V", '"v"'])), grow, max_leaves=3)


def conditions() -> st.SearchStrategy[str]:
    maybe = st.sampled_from(["", "NOT"])
    leaves = st.one_of(
        joined(NUMERIC_COLUMNS, COMPARE, NUMBERS),
        joined(NUMBERS, COMPARE, NUMERIC_COLUMNS),
        joined(number_terms(), COMPARE, number_terms()),
        joined("v", COMPARE, TEXTS),
        joined(text_terms(), COMPARE, text_terms()),
        joined("d", COMPARE, DATES),
        joined(NUMERIC_COLUMNS, maybe, "BETWEEN", NUMBERS, "AND", NUMBERS),
        joined(NUMERIC_COLUMNS, maybe, "IN (", NUMBERS, ",", NUMBERS, ")"),
        joined("v", maybe, "IN (", TEXTS, ", NULL )"),
        joined("v", maybe, st.sampled_from(["LIKE", "ILIKE"]), TEXTS),
        joined("v", maybe, "LIKE", TEXTS, "ESCAPE '!'"),
        joined(text_terms(), maybe, "LIKE", TEXTS),
        joined(st.sampled_from(["v", "i", "d", "b"]), "IS", maybe, "NULL"),
        joined("i", "IS", maybe, "DISTINCT FROM", NUMERIC_COLUMNS),
        joined("length(", text_terms(), ")", COMPARE, "2"),
        joined(st.sampled_from(["starts_with(", "ends_with(", "contains("]), "v ,", TEXTS, ")"),
        joined(st.sampled_from(["year(", "month(", "day(", "quarter("]), "d )", COMPARE, NUMBERS),
        joined("mod( i ,", st.sampled_from(["3", "-2", "0"]), ")", COMPARE, "1"),
        st.sampled_from(
            ["b", "NOT b", "b IS TRUE", "b IS NOT FALSE", "TRUE", "b = TRUE", "b = FALSE"]
        ),
    )

    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            joined(inner, st.sampled_from(["AND", "OR"]), inner),
            joined("(", inner, st.sampled_from(["AND", "OR"]), inner, ")"),
            joined("NOT", inner),
            joined("NOT (", inner, ")"),
            joined("(", inner, ") IS", maybe, "NULL"),
        )

    return st.recursive(leaves, grow, max_leaves=5)


def duckdb_rows(connection: duckdb.DuckDBPyConnection, where: str) -> list[int] | None:
    """Return the positions DuckDB selects; None where it cannot evaluate the text."""
    try:
        found = connection.execute(
            "SELECT r FROM (SELECT *, row_number() OVER () - 1 AS r FROM t) "
            f"WHERE {where} ORDER BY r"
        )
        return [row[0] for row in found.fetchall()]
    except duckdb.Error:
        return None


@given(text=conditions())
def test_the_constraints_select_what_duckdb_selects_for_the_text(
    connection: duckdb.DuckDBPyConnection, catalog: Catalog, text: str
) -> None:
    expected = duckdb_rows(connection, text)
    if expected is None:
        return
    parts = parse_where(text, catalog.schema)
    predicates = [catalog.bind(part) for part in parts]
    try:
        found = catalog.slice(predicates)
    except QueryError:
        # DuckDB skips a part where another part already says no; alone it must fail too.
        alone = [duckdb_rows(connection, str(p.value)) for p in parts if p.op == "sql"]
        assert None in alone
        return
    assert found.ids.tolist() == expected
    assert catalog.count(predicates) == len(expected)
    assert len(catalog.query(catalog.select_text(predicates))) == len(expected)


def ungrouped() -> st.SearchStrategy[str]:
    """Words and signs in a row, hardly a bracket: whoever reads them groups them by precedence."""
    operand = st.sampled_from(
        """i; x; v; b; d; "n b"; 2; -1; .5; 'ab'; '10'; TRUE; NULL; - i; + i; NOT i; NOT b; (i, 1)
        DATE '2024-01-31'; DATE '2024-01-31'::VARCHAR; v::VARCHAR; - x::INTEGER; if(b, i, 0)
        substring(v from 1 for 1); trim(both 'a' from v); CASE i WHEN 3 THEN 1 END; mod(i, 2)
        CAST(i AS DOUBLE)""".replace("\n", ";").split(";")
    )
    infix = st.sampled_from(
        """=; <>; <; <=; >=; +; -; *; /; //; %; ||; AND; OR; IS; LIKE; ILIKE; IS NOT; NOT LIKE
        IS DISTINCT FROM; IS NOT DISTINCT FROM; BETWEEN 0 AND; NOT BETWEEN 0 AND; = NOT; AND NOT
        OR NOT; AND b IS NOT NULL = """.replace("\n", ";").split(";")
    )
    postfix = st.sampled_from(
        """;; IS NULL; IS NOT NULL; ISNULL; NOTNULL; IN (1, 3); NOT IN (1, NULL); IS TRUE
        IS NOT FALSE; ::INTEGER; ::VARCHAR; ESCAPE '!'; IS NULL::BOOLEAN""".replace(
            "\n", ";"
        ).split(";")
    )
    rest = st.lists(joined(infix, operand, postfix), min_size=1, max_size=4).map(" ".join)
    return joined(operand, postfix, rest)


def rows_of(connection: duckdb.DuckDBPyConnection, predicate: Predicate) -> list[int]:
    numbered = "SELECT *, row_number() OVER () - 1 AS r FROM t"
    query = f"SELECT r FROM ({numbered}) WHERE {predicate.sql} ORDER BY r"
    return [row[0] for row in connection.execute(query, predicate.values).fetchall()]


@given(text=st.one_of(conditions(), ungrouped()))
def test_what_is_run_selects_what_duckdb_selects_for_the_text(
    connection: duckdb.DuckDBPyConnection, catalog: Catalog, text: str
) -> None:
    try:
        predicate = bind_expression(text, catalog.schema)
    except ParseError:
        # What DuckDB has no answer for, and what the parser knows of no expression.
        return
    expected = duckdb_rows(connection, text)
    if expected is not None:
        assert rows_of(connection, predicate) == expected
        assert duckdb_rows(connection, predicate.text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "i >= 0 OR i IS NULL OR i < 0 OR i % 0 = 1",
        "i IS NULL OR i = 0 OR 12 // i = 4",
        "i >= 0 AND (i = 0 OR mod(12, i) = 0)",
        "CASE WHEN i = 0 THEN FALSE ELSE 12 % i = 0 END",
    ],
)
@pytest.mark.parametrize("nulls", ["reject", "match"])
def test_an_or_spares_the_rows_that_its_first_side_decides(
    connection: duckdb.DuckDBPyConnection, catalog: Catalog, text: str, nulls: str
) -> None:
    record = {"op": "sql", "value": text, "nulls": nulls}
    found = catalog.rows(catalog.bind(Constraint.model_validate(record)))
    assert found.ids.tolist() == duckdb_rows(
        connection, text if nulls == "reject" else f"({text}) OR ({text}) IS NULL"
    )


@given(st.lists(st.sampled_from(LEAVES), min_size=1, max_size=6), st.randoms())
def test_each_part_has_the_tree_of_its_own_text(leaves: list[str], dice: Random) -> None:
    text = leaves[0]
    for leaf in leaves[1:]:
        joined = f"{text} AND {leaf}" if dice.random() < 0.5 else f"({text}) AND ({leaf})"
        text = f"({joined})" if dice.random() < 0.3 else joined
    alone = [constraint for leaf in leaves for constraint in parse_where(leaf, SCHEMA)]
    assert parse_where(text, SCHEMA) == alone


def test_reading_the_same_text_again_gives_constraints_of_its_own() -> None:
    first = parse_where("Make = 'Audi' AND MSRP < 5", SCHEMA)
    first.clear()
    assert len(parse_where("Make = 'Audi' AND MSRP < 5", SCHEMA)) == 2
    with pytest.raises(UnknownColumn):
        parse_where("Make = 'Audi' AND MSRP < 5", Schema((Column("Make", "VARCHAR"),)))
