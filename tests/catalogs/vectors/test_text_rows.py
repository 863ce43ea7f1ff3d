"""The rows of texts that kernels find are those that comparing every row finds."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog, Constraint
from concede.catalogs.query.predicate import ValueTest
from concede.catalogs.vectors.column_vectors import ObjectCopy, TextCopy
from concede.catalogs.vectors.text_rows import rows_of_objects, rows_of_texts
from concede.catalogs.vectors.vectorized_predicates import truth_of_texts

WORDS = ["a", "b", "it's", "", "ä", "a\n"]
TEXTS = st.sampled_from([*WORDS, None])
COLUMNS = st.lists(TEXTS, min_size=1, max_size=300)
TESTS = st.one_of(
    st.builds(
        ValueTest,
        st.sampled_from(["==", "!=", "in", "not in"]),
        st.lists(st.sampled_from([*WORDS, "nowhere"]), min_size=1, max_size=4).map(tuple),
    ),
    st.builds(ValueTest, st.sampled_from(["is null", "is not null"]), st.just(())),
)


def coded(texts: list[str | None]) -> TextCopy:
    codes = [65_535 if text is None else WORDS.index(text) for text in texts]
    return TextCopy(np.array(codes, dtype=np.uint16), list(WORDS))


@given(COLUMNS, TESTS, st.booleans())
def test_rows_of_codes_are_those_that_every_code_tells(texts, test, nulls_match):
    if test.op in ("==", "!="):
        test = ValueTest(test.op, test.values[:1])
    copy = coded(texts)
    found = rows_of_texts(test, copy, nulls_match=nulls_match)
    expected = truth_of_texts(test, copy, nulls_match=nulls_match)
    assert found is not None
    assert found.ids.tolist() == np.flatnonzero(expected).tolist()
    assert len(found) == np.count_nonzero(expected)


@given(COLUMNS, TESTS)
def test_rows_of_objects_are_those_whose_texts_are_equal(texts, test):
    copy = ObjectCopy(np.array(texts, dtype=object))
    found = rows_of_objects(test, copy, nulls_match=False)
    if test.op not in ("==", "in"):
        assert found is None
        return
    assert found is not None
    assert found.ids.tolist() == [row for row, text in enumerate(texts) if text in test.values]


def test_texts_of_the_same_hash_are_told_apart():
    copy = ObjectCopy(np.array(["a", "b", "a", None], dtype=object))
    copy.__dict__["hashes"] = np.full(4, hash("a"), dtype=np.int64)
    found = rows_of_objects(ValueTest("==", ("a",)), copy, nulls_match=False)
    assert found is not None
    assert found.ids.tolist() == [0, 2]


def test_a_list_of_many_texts_is_left_to_others():
    many = ValueTest("in", tuple(f"word {i}" for i in range(9)))
    assert (
        rows_of_objects(many, ObjectCopy(np.array(["a"], dtype=object)), nulls_match=False) is None
    )
    few_known = ValueTest("in", (*WORDS, *map(str, range(20))))
    found = rows_of_texts(few_known, coded(["a", None]), nulls_match=False)
    assert found is not None
    assert found.ids.tolist() == [0]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """A column of more texts than there are codes, and one of few, which are all in memory."""
    rows = 70_000
    keys = pa.array([f"key {i % 69_000}" for i in range(rows)])
    few = pa.array([None if i % 7 == 0 else f"few {i % 300}" for i in range(rows)])
    catalog = Catalog.open(pa.table({"key": keys, "few": few}))
    catalog.warm()
    return catalog


@pytest.mark.parametrize(
    ("column", "op", "value"),
    [
        ("key", "==", "key 7"),
        ("key", "==", "nowhere"),
        ("key", "in", ("key 7", "key 68999", "nowhere")),
        ("few", "==", "few 299"),
        ("few", "!=", "few 1"),
        ("few", "not in", ("few 1", "few 2")),
        ("few", "is null", None),
    ],
)
def test_a_warm_catalog_needs_no_duckdb_for_texts(catalog, column, op, value):
    evaluator = catalog.snapshot().evaluator
    predicate = catalog.bind(Constraint(column=column, op=op, value=value))
    found = evaluator.rows_in_memory(predicate)
    assert found is not None
    assert found == evaluator.rows_in_duckdb(predicate)
