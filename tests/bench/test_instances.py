"""Instance files: the published records and files of the same shape."""

import json

import pytest

from concede import Catalog, Constraint
from concede.bench.instances import Instance, base_of_sentence, read_instances
from concede.catalogs.errors import BadConstraint, QueryError, UnreadableFile

CONSTRAINT = {"column": "MSRP", "op": "<=", "value": 9}
RECORD = {"base": {"Make": "BMW"}, "constraints": [CONSTRAINT]}


@pytest.fixture(scope="module")
def cars():
    return Catalog.open("sample:cars")


@pytest.fixture(scope="module")
def published_cars(shared_data):
    return Catalog.open(shared_data / "cooperunion_cars" / "data.csv")


@pytest.fixture
def write(tmp_path):
    """Write a file of records; return its path."""

    def written(text):
        path = tmp_path / "records.json"
        path.write_text(text, encoding="utf-8")
        return path

    return written


@pytest.mark.parametrize("name", ["MUS-4_unique.json", "MUS-4_any.json", "MUS-2_any.json"])
def test_published_files_load_and_their_records_are_kept(name, shared_data, published_cars):
    path = shared_data / "aware_us" / name
    records = json.loads(path.read_text(encoding="utf-8"))
    instances = read_instances(path)
    assert [instance.record for instance in instances] == records
    for other_instance in instances:
        asked = other_instance.record["additional_constraints"]
        stripped = [c.model_copy(update={"weight": None}) for c in other_instance.constraints]
        assert stripped == [Constraint(**c) for c in asked]
        assert len(other_instance.query(published_cars).base) == 4


def test_the_joined_file_asks_the_same_as_the_published_ones(shared_data, published_cars):
    folder = shared_data / "aware_us"
    joined = read_instances(folder / "instances.jsonl")
    names = ("MUS-4_unique.json", "MUS-4_any.json", "MUS-2_any.json")
    published = [read_instance for name in names for read_instance in read_instances(folder / name)]
    assert len(joined) == len(published) == 122
    for one, other in zip(joined, published, strict=True):
        assert _asked(one.query(published_cars)) == _asked(other.query(published_cars))


def _asked(query):
    base = sorted((constraint.column, constraint.op, constraint.value) for constraint in query.base)
    return base, [
        (constraint.column, constraint.op, constraint.value) for constraint in query.constraints
    ]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([RECORD, RECORD]),
        json.dumps([RECORD, RECORD], indent=2),
        f"{json.dumps(RECORD)}\n{json.dumps(RECORD)}",
        f"{json.dumps(RECORD)}\r\n\r\n{json.dumps(RECORD)}\r\n",
        f"\ufeff{json.dumps([RECORD, RECORD])}",
    ],
    ids=["array", "indented", "lines", "windows lines", "byte order mark"],
)
def test_an_array_and_lines_are_read(text, write):
    assert [read_instance.record for read_instance in read_instances(write(text))] == [
        RECORD,
        RECORD,
    ]


def test_one_object_is_one_record(write):
    assert [
        read_instance.record for read_instance in read_instances(write(json.dumps(RECORD)))
    ] == [RECORD]


def test_a_line_separator_inside_a_text_ends_no_line(write):
    record = {**RECORD, "persona": "one\u2028two\x85three"}
    line = json.dumps(record, ensure_ascii=False)
    assert [read_instance.record for read_instance in read_instances(write(f"{line}\n{line}"))] == [
        record,
        record,
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "not JSON"),
        ("x" * 5_000_000, "not JSON"),
        ('{"a": 1}\n{"a"', "line 2: not JSON"),
        ('{"a": 1}\n' + "[" * 100_000, "line 2: nested too deeply"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "no records"),
        ("\n", "not JSON"),
        ("null", "record 0 is not an object"),
        ("[1]", "record 0 is not an object"),
        ("[{}]", "record 0: no constraints"),
        (json.dumps([RECORD, {"constraints": {}}]), "record 1: no constraints"),
        (json.dumps([{"constraints": [CONSTRAINT, None]}]), "record 0: None is no constraint"),
        (json.dumps([{"constraints": [{"op": "<="}]}]), "record 0: bad column"),
        (
            '[{"constraints": [{"column": "a", "op": "<", "value": NaN}]}]',
            "record 0: bad value nan",
        ),
    ],
    ids=lambda text: repr(text[:50]),
)
def test_a_bad_file_is_refused_in_one_line(text, problem, write):
    with pytest.raises(UnreadableFile) as refusal:
        read_instances(write(text))
    assert problem in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe")
    for name in ("missing.json", ".", "binary.json", "nul\0.json"):
        with pytest.raises(UnreadableFile):
            read_instances(tmp_path / name)


def test_weighted_constraints_are_preferred():
    weighted = [{**CONSTRAINT, "weight": 0.25, "is_unique_repair": True}]
    one = Instance({"additional_constraints": [CONSTRAINT], "constraint_weights": weighted})
    assert [c.record() for c in one.constraints] == [{**CONSTRAINT, "weight": 0.25}]


def test_a_record_that_asks_one_thing_and_weighs_another_is_refused():
    weighted = [{**CONSTRAINT, "column": "Year", "weight": 0.25}]
    with pytest.raises(QueryError, match="differ"):
        Instance({"additional_constraints": [CONSTRAINT], "constraint_weights": weighted})


def test_hard_and_grouped_constraints_stay_so():
    one = Instance({"constraints": [{**CONSTRAINT, "hard": True, "group": "g"}]})
    assert one.constraints == (Constraint(**CONSTRAINT, hard=True, group="g"),)


def test_bad_constraints_are_refused():
    with pytest.raises(QueryError, match="no constraints"):
        Instance({"constraints": []})
    with pytest.raises(BadConstraint):
        Instance({"constraints": [{"column": "MSRP", "op": "~", "value": 1}]})


def test_a_base_is_a_mapping_or_a_list(cars):
    listed = [{"column": "Make", "op": "==", "value": "BMW"}]
    by_name = Instance(RECORD).query(cars)
    assert Instance({**RECORD, "base": listed}).query(cars).base == by_name.base
    assert by_name.constraints == (Constraint(**CONSTRAINT),)


def test_a_record_without_a_base_asks_all_rows(cars):
    assert Instance({"constraints": [CONSTRAINT]}).query(cars).base == ()


def test_a_sentence_names_the_base(published_cars):
    sentence = (
        "I am looking for a Land Rover 4dr SUV with an AUTOMATIC transmission and four wheel drive."
    )
    assert base_of_sentence(sentence, published_cars) == {
        "Make": "Land Rover",
        "Vehicle Style": "4dr SUV",
        "Transmission Type": "AUTOMATIC",
        "Driven_Wheels": "four wheel drive",
    }


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "Any car.",
        "I am looking for a Trabant Sedan with a MANUAL transmission and front wheel drive.",
    ],
)
def test_a_sentence_without_a_base_is_refused(sentence, cars):
    with pytest.raises(QueryError, match=r"no (base|make)"):
        base_of_sentence(sentence, cars)
    with pytest.raises(QueryError, match='"base"'):
        Instance({"base_query_sentence": sentence, "constraints": [CONSTRAINT]}).query(cars)


def test_unknown_means_missing_where_the_catalog_has_no_such_value(published_cars):
    fuel = {"column": "Engine Fuel Type", "op": "==", "value": "Unknown"}
    make = {"column": "Make", "op": "==", "value": "Unknown"}
    asked = Instance({"base": {}, "constraints": [fuel, make]}).query(published_cars).constraints
    assert [entry.nulls for entry in asked] == ["match", "reject"]
    assert published_cars.count([published_cars.bind(asked[0])]) == 3
