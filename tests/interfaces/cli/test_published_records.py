"""The published AWARE-US records: each solver finds what gave way, and the car, in 122 of 122."""

import json

import pytest

SETS = {"MUS-4_unique.json": 41, "MUS-4_any.json": 40, "MUS-2_any.json": 41}
CAR = ("Make", "Model", "Year", "MSRP")
CONSTRAINT = ("column", "op", "value")


def picked(record, keys):
    """Return some fields of a record."""
    return {key: record[key] for key in keys}


@pytest.fixture
def ask(shared_data, concede):
    """Return the answers to a published set under the policy the data set calls for."""
    catalog = str(shared_data / "cooperunion_cars" / "data.csv")

    def answer(name, *options):
        instances = str(shared_data / "aware_us" / name)
        arguments = ("--catalog", catalog, "--instances", instances, "--policy", "single")
        outcome = concede("repair", *arguments, "--format", "json", *options)
        assert (outcome.code, outcome.err) == (0, "")
        return outcome.json

    return answer


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["bitset", "sql", "z3", "brute"])
@pytest.mark.parametrize("name", SETS)
def test_the_gold_constraint_gives_way_and_the_gold_car_is_first(name, solver, ask, shared_data):
    records = json.loads((shared_data / "aware_us" / name).read_text(encoding="utf-8"))
    answers = ask(name, "--solver", solver, "--top", "1")
    assert len(records) == len(answers) == SETS[name]
    for record, answer in zip(records, answers, strict=True):
        assert answer["status"] == "SAT_after_relaxation"
        relaxed = [picked(constraint, CONSTRAINT) for constraint in answer["relaxed"]]
        assert relaxed == [picked(record["chosen_relaxation"], CONSTRAINT)]
        assert picked(answer["items"][0]["row"], CAR) == picked(record["recommended_car"], CAR)


def test_the_list_of_all_agrees_with_each_record_alone(ask):
    whole = ask("MUS-2_any.json")
    for index in (0, 17, 40):
        assert ask("MUS-2_any.json", "--index", str(index)) == whole[index]


def test_published_weights_come_back_unchanged(ask, shared_data):
    text = (shared_data / "aware_us" / "MUS-4_unique.json").read_text(encoding="utf-8")
    fields = (*CONSTRAINT, "weight")
    weights = [
        [picked(constraint_weight, fields) for constraint_weight in record["constraint_weights"]]
        for record in json.loads(text)
    ]
    assert [answer["constraints"] for answer in ask("MUS-4_unique.json")] == weights
