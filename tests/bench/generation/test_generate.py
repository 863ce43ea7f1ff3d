"""Generated instances hold what they claim, on random shops and on published catalogs."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog, RepairEngine
from concede.bench.generation import generate
from concede.bench.generation.output import written
from concede.bench.instances import read_instances
from concede.catalogs.errors import QueryError, UnknownColumn
from generated_instances import CONSTRAINT, complaints, duplicates, leaks, picked
from shops import shop

SETTINGS = ["S1", "S2", "S3", "mus:3"]


@pytest.fixture(scope="module")
def cars(shared_data):
    return Catalog.open(shared_data / "cooperunion_cars" / "data.csv")


@given(
    st.integers(0, 10**6),
    st.integers(20, 70),
    st.sampled_from(SETTINGS),
    st.sampled_from([None, "every value", (0.3, 0.7)]),
    st.booleans(),
    st.integers(1, 3),
)
def test_every_instance_of_a_random_shop_holds(seed, size, setting, strictness, first, support):
    catalog = shop(seed, size).catalog
    records = generate(
        catalog,
        setting,
        12,
        seed,
        base_columns=["brand"],
        first_hit=first and setting != "mus:3",
        strictness=strictness,
        fewest=3,
        support=support,
    )
    assert [complaints(catalog, record) for record in records] == [[]] * len(records)
    assert duplicates(records) == []
    assert len(records) <= 12


def test_random_shops_have_instances_of_every_setting():
    for setting in SETTINGS:
        records = generate(
            shop(4, 200).catalog, setting, 40, base_columns=["brand"], strictness="every value"
        )
        assert len(records) >= 10, setting


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
def test_500_instances_of_the_cars_are_distinct_and_hold(setting, cars):
    records = generate(cars, setting, 500, seed=11, split=0.8)
    assert len(records) == 500
    assert duplicates(records) == []
    assert leaks(records) == []
    assert {record["split"] for record in records} == {"train", "test"}
    assert [complaints(cars, record) for record in records] == [[]] * 500


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["S1", "S2", "S3"])
def test_200_instances_of_rooms_are_distinct_and_hold(setting, shared_data):
    rooms = Catalog.open(shared_data / "travelplanner" / "accommodations.csv.gz")
    records = generate(rooms, setting, 200, seed=11)
    assert len(records) == 200
    assert duplicates(records) == []
    assert [complaints(rooms, record) for record in records] == [[]] * 200


def test_records_have_the_published_shape(cars, shared_data):
    names = {"S1": "MUS-4_unique.json", "S2": "MUS-4_any.json", "S3": "MUS-2_any.json"}
    for setting, name in names.items():
        published = json.loads((shared_data / "aware_us" / name).read_text("utf-8"))[0]
        (ours,) = generate(cars, setting, 1)
        added = {"id", "setting", "base", "meta"} - set(published)
        assert set(ours) == set(published) | added
        assert set(ours["recommended_car"]) >= set(published["recommended_car"])
        for key in ("additional_constraints", "constraint_weights"):
            assert [list(our) for our in ours[key]] == [list(entry) for entry in published[key]]
        assert list(ours["chosen_relaxation"]) == list(published["chosen_relaxation"])
        assert ours["relaxation_policy"] == published["relaxation_policy"]


@pytest.mark.slow
def test_the_same_arguments_give_the_same_bytes(cars):
    arguments = {"count": 60, "split": 0.7}
    first = written(generate(cars, "S2", seed=5, **arguments))
    assert written(generate(cars, "mus:4", seed=5, **arguments)) == first
    assert written(generate(cars, "S2", seed=6, **arguments)) != first


def test_slices_take_turns(cars):
    counted = Counter(json.dumps(entry["base"]) for entry in generate(cars, "S3", 95, seed=2))
    assert len(counted) >= 90
    assert max(counted.values()) <= 2


def test_a_file_of_them_is_read_and_repaired_to_the_gold(cars, tmp_path):
    records = generate(cars, "S1", 25, seed=8)
    path = tmp_path / "made.json"
    path.write_text(written(records), encoding="utf-8")
    engine = RepairEngine(cars)
    for one, record in zip(read_instances(path), records, strict=True):
        assert {c.column: c.value for c in one.query(cars).base} == record["base"]
        answer = engine.repair(one.query(cars), top=1, rank="score")
        assert [picked(each.record()) for each in answer.relaxed] == [
            {key: record["unique_repair_constraint"][key] for key in CONSTRAINT}
        ]
        assert answer.items[0].row == record["recommended_car"]


@pytest.mark.slow
def test_kernels_rank_the_same_item_first(cars, monkeypatch):
    plain = generate(cars, "S2", 40, seed=4)
    monkeypatch.setattr("concede.catalogs.vectors.kernel_use.KERNEL_ROWS", 0)
    assert generate(cars, "S2", 40, seed=4) == plain


def test_tightness_is_bounded(cars):
    records = generate(cars, "S2", 500, seed=1, max_tightness=9)
    assert len(records) >= 20
    assert max(record["meta"]["tight_score"] for record in records) == 9


def test_fewer_are_returned_where_there_are_no_more():
    small = shop(4, 60).catalog
    records = generate(small, "S3", 10_000, base_columns=["brand"], fewest=5)
    assert 0 < len(records) < 10_000
    assert duplicates(records) == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"setting": "S9"}, "no setting"),
        ({"count": 0}, "count is 0"),
        ({"count": 10**9}, "count is"),
        ({"fewest": 9, "most": 3}, "slices of 9 to 3"),
        ({"support": 0}, "support is 0"),
        ({"max_tightness": 0}, "tightness"),
        ({"split": 1.0}, "split is"),
        ({"setting": "mus:3", "first_hit": True}, "mus:3"),
        ({"columns": ["price", "rating"], "setting": "S2"}, "asks about 4 columns"),
        ({"base_columns": []}, "no base columns"),
        ({"base_columns": ["brand"], "columns": ["brand", "price"]}, "in the base"),
    ],
)
def test_what_cannot_be_meant_is_refused(arguments, told):
    asked = {"setting": "S3", "count": 5, "fewest": 3, "base_columns": ["brand"]} | arguments
    with pytest.raises(QueryError, match=told):
        generate(shop(1, 40).catalog, **asked)


def test_an_unknown_column_is_named():
    with pytest.raises(UnknownColumn, match="brand"):
        generate(shop(1, 40).catalog, "S3", 5, base_columns=["brnad"])
