"""`filter_by` texts relaxed, judged by an evaluator of their filters that is slow and obvious."""

import re

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede import Catalog, QueryError, RepairEngine, Status
from concede.interfaces.search_engines import relax_typesense
from concede.interfaces.search_engines.typesense import _Reader, filter_of, parsed

ROWS = [
    {"id": n, "colour": (None, "red", "sky blue", "a && (b)")[n % 4],
     "price": None if n % 7 == 3 else n * 10, "new": n % 3 == 0}
    for n in range(24)
]  # fmt: skip


@pytest.fixture(scope="module")
def engine():
    return RepairEngine(Catalog.open(pa.Table.from_pylist(ROWS)))


colours = st.sampled_from(["red", "`sky blue`", "sky blue", "`a && (b)`", "black"])
prices = st.integers(-5, 300).map(str)
filters = st.one_of(
    st.builds("colour:{}{}".format, st.sampled_from(["=", "!=", "= ", " = "]), colours),
    st.builds("colour:{}[{}, {}]".format, st.sampled_from(["=", "!="]), colours, colours),
    st.builds("price:{}{}".format, st.sampled_from(["", "=", "!=", ">", ">=", "<", "<="]), prices),
    st.builds("price:{}[{}..{}]".format, st.sampled_from(["", "=", "!="]), prices, prices),
    st.builds(
        "new:{}{}".format, st.sampled_from(["", "=", "!="]), st.sampled_from(["true", "false"])
    ),
)


def joined(inner):
    several = st.lists(inner, min_size=1, max_size=3)
    marks = st.lists(st.sampled_from([" && ", " || ", "&&"]), min_size=2, max_size=2)
    bare = st.builds(
        lambda parts, between: parts[0]
        + "".join(mark + part for mark, part in zip(between, parts[1:], strict=False)),
        several, marks,
    )  # fmt: skip
    return bare.map(lambda text: f"({text})")


texts = st.recursive(filters, joined, max_leaves=5)
tops = st.lists(st.tuples(st.sampled_from([" && ", " || "]), texts), min_size=1, max_size=3).map(
    lambda parts: parts[0][1] + "".join(mark + text for mark, text in parts[1:])
)


def matches(text: str, row) -> bool:
    """Say whether a row matches, by Python's own expressions, joined from left to right."""
    outside = re.split(r"(`[^`]*`)", text)
    marks = [re.sub(r"[()&|]", "_", part) if part[:1] == "`" else part for part in outside]
    plain = "".join(marks)
    at = 0

    def expression() -> bool:
        nonlocal at
        value = operand()
        while plain[at:].lstrip()[:2] in ("&&", "||"):
            at += len(plain[at:]) - len(plain[at:].lstrip())
            mark = plain[at : at + 2]
            at += 2
            right = operand()
            value = (value and right) if mark == "&&" else (value or right)
        return value

    def operand() -> bool:
        nonlocal at
        at += len(plain[at:]) - len(plain[at:].lstrip())
        if plain[at] == "(":
            at += 1
            value = expression()
            at = plain.index(")", at) + 1
            return value
        end = re.compile(r"&&|\|\||\)|$").search(plain, at).start()
        said, at = text[at:end].strip(), end
        return holds(said, row)

    return expression() if text else True


def holds(said: str, row) -> bool:
    field, sign, value = re.fullmatch(r"(\w+):\s*(!=|>=|<=|=|>|<|)\s*(.*)", said).groups()
    actual = row[field]
    if sign == "!=":
        return not holds(f"{field}:={value}", row)
    if actual is None:
        return False
    if ".." in value:
        low, high = value.strip("[]").split("..")
        return int(low) <= actual <= int(high)
    values = [read(each) for each in value.strip("[]").split(",")]
    compared = {">": actual.__gt__, ">=": actual.__ge__, "<": actual.__lt__, "<=": actual.__le__} \
        if field == "price" else {}  # fmt: skip
    return compared[sign](values[0]) if sign in compared else actual in values


def read(text: str):
    text = text.strip().strip("`")
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch(r"-?\d+", text) else text


@given(tops, st.sampled_from(["least-weight", "closest"]))
@settings(max_examples=60, deadline=None)
def test_what_is_read_and_written_matches_what_the_filters_do(engine, text, policy):
    expected = sum(matches(text, row) for row in ROWS)
    found = relax_typesense(text, engine, policy=policy)
    assert found.unsupported == ()
    assert (found.answer.status == Status.SAT_NO_RELAXATION) == (expected > 0)
    assert found.answer.count == sum(matches(found.query, row) for row in ROWS)
    if expected:
        assert found.query == text


@given(filters)
@settings(max_examples=60, deadline=None)
def test_filters_come_back_from_constraints(engine, text):
    reader = _Reader(engine, {})
    assert reader.read(parsed(text))({}) == text
    (constraint,) = reader.constraints
    if constraint.op == "sql":
        return
    again = _Reader(engine, {})
    again.read(parsed(filter_of(constraint.column, constraint)))
    assert again.constraints == [constraint]


def test_the_rest_keeps_its_characters_and_is_named(engine):
    text = "colour:= red  &&  (place:(48.9, 2.34, 5 km) && price:[1000..2000])&&title:lamp"
    found = relax_typesense(text, engine, policy="closest", hard=["colour"])
    assert found.query == (
        "colour:= red && (place:(48.9, 2.34, 5 km) && price:[210..2000]) && title:lamp"
    )
    assert [each.place for each in found.unsupported] == [
        "place:(48.9, 2.34, 5 km)",
        "title:lamp",
    ]


def test_both_join_from_left_to_right(engine):
    text = "colour:=red || colour:=black && price:>5000"
    found = relax_typesense(text, engine)
    assert found.query == "colour:=red || colour:=black"
    assert relax_typesense("price:>5000", engine).query == ""


@pytest.mark.parametrize(
    "text", ["colour:red", "colour:=re*", "colour:=`re", "price:abc", "price:[1..2, 5]", "$x(a:=1)",
             "colour:=", "colour", "nothing:=1", "colour:=(a)", "new:>true"]
)  # fmt: skip
def test_what_is_not_understood_is_kept(engine, text):
    if text == "colour:=`re":
        with pytest.raises(QueryError, match="cannot parse filter_by"):
            relax_typesense(text, engine)
        return
    found = relax_typesense(f"{text} && price:>5000", engine)
    assert found.query == text
    assert [each.place for each in found.unsupported] == [text]


@pytest.mark.parametrize(
    "text", ["", "(", ")", "a:=1 &&", "&& a:=1", "(a:=1", "a:=1)", "((" * 60, "a:=1 (b:=2"]
)
def test_what_is_no_filter_is_refused(engine, text):
    with pytest.raises(QueryError, match=r"cannot parse filter_by|no filter to relax"):
        relax_typesense(text, engine)
