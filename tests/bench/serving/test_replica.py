"""The replica beside the catalog itself: after any writes, both count the same."""

import numpy as np
import pytest

from concede import Catalog, Query, RepairEngine
from concede.bench.serving.questions import KINDS, questions
from concede.bench.serving.replica import Replica, Swap, Upsert
from concede.bench.serving.synthetic_items import KEY, records, write_file

ROWS, MOST = 800, 1_000


@pytest.fixture(scope="module")
def asked():
    return questions(20, seed=3)


def bodies(asked):
    import json

    return [json.loads(entry.body) for entry in asked]


def query_of(body, catalog):
    from concede.catalogs.query.where_clause import parse_where

    wishes = body.get("constraints") or parse_where(body["where"], catalog.schema)
    return Query.model_validate({"base": body["base"], "constraints": wishes})


def assert_same_counts(replica, asked, catalog):
    engine = RepairEngine(catalog, threads=1)
    for one, body in zip(asked, bodies(asked), strict=True):
        found = engine.diagnose(query_of(body, catalog))
        counts = replica.counts(one)
        for mask in range(len(counts)):
            positions = [bit for bit in range(mask.bit_length()) if mask >> bit & 1]
            assert counts[mask] == found.count(positions)


def test_the_questions_are_of_every_kind_and_differ(asked):
    assert {entry.kind for entry in asked} == set(KINDS)
    assert len({entry.body for entry in asked}) == len(asked)
    assert all(len(entry.wishes) <= 7 for entry in asked)
    assert [question.body for question in questions(20, seed=3)] == [entry.body for entry in asked]


def test_it_counts_as_the_engine_does_through_writes(asked, tmp_path):
    for edition in range(2):
        write_file(tmp_path / f"{edition}.parquet", ROWS, edition)
    catalog = Catalog.open(tmp_path / "0.parquet", key=KEY)
    replica = Replica(ROWS, 0, MOST)
    assert_same_counts(replica, asked, catalog)
    dice = np.random.default_rng(5)
    for step in range(4):
        items = dice.choice(MOST, size=150, replace=False)
        catalog.upsert(records(items, 10 + step))
        replica.apply(Upsert(items, 10 + step))
        if step == 2:
            catalog.reload(str(tmp_path / "1.parquet"))
            replica.apply(Swap(ROWS, 1))
    assert_same_counts(replica, asked, catalog)
    rows = {row[KEY]: row for row in catalog.fetch(range(catalog.row_count))}
    assert {item: replica.row(item) for item in range(MOST) if replica.row(item)} == rows


def test_what_is_not_there_is_no_row(asked):
    replica = Replica(ROWS, 0, MOST)
    assert replica.row(ROWS) is None
    assert replica.row(-1) is None
    assert replica.word(asked[0], ROWS) is None
