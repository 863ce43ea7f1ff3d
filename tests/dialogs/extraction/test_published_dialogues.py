"""The recorded dialogues and personas of the training instances, over the cars catalog."""

import gzip
import json

import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.offline import extract
from extraction_trials import comparable

ENOUGH = 0.95


@pytest.fixture(scope="module")
def cars(shared_data):
    return Catalog.open(str(shared_data / "cooperunion_cars" / "data.csv"))


@pytest.fixture(scope="module")
def instances(shared_data):
    lines = (shared_data / "aware_us" / "instances.jsonl").read_text(encoding="utf-8").splitlines()
    return {record["id"]: record for record in map(json.loads, lines)}


def found_in(said, cars):
    return {comparable(extracted.constraint) for extracted in extract(said, cars).constraints}


def is_stated(value, texts):
    """Whether a value stands in a user's turn, apart from case, commas and currency."""

    def plain(text):
        return text.casefold().replace(",", "").replace("$", "")

    return any(plain(str(value)) in plain(text) for text in texts)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["gemma", "qwen"])
def test_constraints_whose_value_the_user_states_are_found(shared_data, cars, instances, model):
    stated = found = runs = 0
    with gzip.open(shared_data / "aware_us" / "agent_runs.jsonl.gz", "rt") as lines:
        for run in map(json.loads, lines):
            if (run["model"], run["method"]) != (model, "global") or not run["dialogue"]:
                continue
            if run["set"] == "test25":
                continue
            runs += 1
            # Every other one: the benchmark reads them all.
            if runs % 2:
                continue
            got = found_in(run["dialogue"], cars)
            said = [message["content"] for message in run["dialogue"] if message["role"] == "user"]
            for constraint in instances[run["instance"]]["constraints"]:
                if is_stated(constraint["value"], said):
                    stated += 1
                    found += (constraint["column"], constraint["op"], constraint["value"]) in got
    print(f"{model}: {found} of {stated} stated constraints in {runs // 2} dialogues")
    assert runs == 97
    assert found >= ENOUGH * stated


def test_personas_give_their_constraints_and_hardly_another(cars, instances):
    found = asked = false = 0
    for record in instances.values():
        if not record["persona"]:
            continue
        got = found_in(record["persona"], cars)
        meant = {
            (constraint["column"], constraint["op"], constraint["value"])
            for constraint in record["constraints"]
        }
        base = {(column, "==", value) for column, value in record["base"].items()}
        found, asked = found + len(got & meant), asked + len(meant)
        false += len(got - meant - base)
    print(f"personas: {found} of {asked} constraints, {false} false ones")
    assert found >= ENOUGH * asked
    assert false <= 0.05 * asked


def test_base_sentences_give_exactly_the_base_slice(cars, instances):
    for record in instances.values():
        base = {(column, "==", value) for column, value in record["base"].items()}
        assert found_in(record["base_query_sentence"], cars) == base
