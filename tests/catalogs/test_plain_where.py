"""WHERE texts read without a parser: what they give is what the parser gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot.dialects.duckdb import DuckDB

from concede.catalogs import where
from concede.catalogs.columns import Column, Schema
from concede.catalogs.constraint import Constraint
from concede.catalogs.expression import FUNCTIONS, TYPES
from concede.catalogs.plain_where import read_plain

SCHEMA = Schema((Column("Make", "VARCHAR"), Column("MSRP", "BIGINT"), Column("top speed", "DATE")))

WORDS = sorted(
    {one for key in DuckDB.Tokenizer.KEYWORDS for one in key.split() if one.isidentifier()}
    | {one for one in DuckDB.Parser.FUNCTIONS if one.isidentifier()}
    | {one for one in DuckDB.Parser.NO_PAREN_FUNCTION_PARSERS if one.isidentifier()}
    | FUNCTIONS
    | TYPES
)

spaces = st.sampled_from(["", " ", "  ", "\n", "\t ", "/**/", "--\n"])
names = st.one_of(
    st.sampled_from(["Make", "make", "MSRP", "msrp", '"Make"', '"top speed"', '"TOP speed"']),
    st.sampled_from(WORDS),
    st.sampled_from(WORDS).map(str.lower),
    st.sampled_from(WORDS).map(lambda word: f'"{word}"'),
    st.from_regex(r"\A[A-Za-z_][A-Za-z0-9_]{0,3}\Z"),
)
values = st.one_of(
    st.integers(-(10**16), 10**16).map(str),
    st.decimals(-1000, 1000, places=2).map(str),
    st.sampled_from(["007", "-0", "-0.0", "0.10", "1.", ".5", "1e3", "1_000", "5x", "- 5", "--5"]),
    st.sampled_from(["TRUE", "NULL", "DATE '2024-01-01'", "e'x'", "x'00'", "$1", "?", "Make"]),
    st.text(max_size=6).map(lambda text: "'" + text.replace("'", "''") + "'"),
    st.text(alphabet="'\"\\a% \n;-/*{}", max_size=4).map(lambda text: f"'{text}'"),
)
operators = st.sampled_from(["=", "==", "<>", "!=", "<", "<=", ">", ">=", "=>", "<-", "~", "LIKE"])


@st.composite
def conditions(draw: st.DrawFn) -> str:
    name, gap = draw(names), draw(spaces)
    shape = draw(st.sampled_from(["compared", "between", "in"]))
    if shape == "between":
        low, high = draw(values), draw(values)
        return f"{name} {gap}{draw(st.sampled_from(['BETWEEN', 'between']))} {low} AND{gap} {high}"
    if shape == "in":
        listed = f",{gap}".join(draw(st.lists(values, max_size=3)))
        return f"{name} IN{gap}({gap}{listed}{gap})"
    return f"{name}{gap}{draw(operators)}{draw(spaces)}{draw(values)}"


texts = st.lists(conditions(), min_size=1, max_size=3).flatmap(
    lambda parts: st.sampled_from([" AND ", "\nand  ", "AND", " OR ", " AND NOT ", ";"]).map(
        lambda joint: joint.join(parts)
    )
)


def assert_as_parsed(text: str, schema: Schema | None) -> None:
    found = read_plain(text, schema)
    if found is not None:
        parsed = where._parsed(text, schema)  # pyright: ignore[reportPrivateUsage] the slow twin
        assert found == parsed
        assert [repr(one.value) for one in found] == [repr(one.value) for one in parsed]
        assert [one.record() for one in found] == [one.record() for one in parsed]


@given(texts)
def test_is_read_as_the_parser_reads_it(text: str) -> None:
    assert_as_parsed(text, None)
    assert_as_parsed(text, SCHEMA)


def test_no_word_of_sql_is_a_column_here_and_something_else_to_the_parser() -> None:
    for word in WORDS:
        assert_as_parsed(f"{word} = 1 AND {word} IN ('a') AND {word} BETWEEN 1 AND 2", None)


PLAIN = [
    "Make = 'Audi'",
    "make == 'Audi' AND msrp <= 30000",
    " \"top speed\" >= '2024-01-01' \n and Make in ('a', 'b',  'c') ",
    "MSRP BETWEEN -1.5 AND 20 AND Make <> '' AND MSRP != 3",
]


@pytest.mark.parametrize("text", PLAIN)
def test_plain_conditions_need_no_parser(text: str) -> None:
    assert read_plain(text, SCHEMA) is not None
    assert_as_parsed(text, SCHEMA)


def test_values_are_as_written() -> None:
    found = read_plain("\"TOP speed\" IN ('a, b', -7, 0.5) AND msrp BETWEEN 1 AND 2", SCHEMA)

    assert found == (
        Constraint(column="top speed", op="in", value=("a, b", -7, 0.5)),
        Constraint(column="MSRP", op="between", value=(1, 2)),
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Make = 'it''s'",
        "MSRP + 1 = 2",
        "Make = 'a' OR Make = 'b'",
        "(Make = 'a')",
        "Make = 'a' -- and more",
        "Make = 'a'; DROP TABLE t",
        "unknown = 1",
        "a.Make = 'x'",
        "Make = 'a' AND",
        "MSRP = 1e9",
        "MSRP = 9999999999999999",
        "Make = 'a\\'",
        "sold = DATE '2024-01-01'",
        "Make = NULL",
        "Make IN ()",
        "Make = '" + "x" * 2_000 + "'",
    ],
)
def test_everything_else_is_left_to_the_parser(text: str) -> None:
    assert read_plain(text, SCHEMA) is None
