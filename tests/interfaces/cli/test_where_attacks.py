"""Hostile SQL on the command line: one line on standard error, nothing else."""

import json

import pytest

from command_line import CARS
from where_attacks import ATTACKS, EVERY_ATTACK


@pytest.fixture
def refused(folder, concede):
    """Check that the command line refuses arguments in one line."""
    secret = folder / "secret.csv"
    secret.write_text("the-secret\n")

    def check(*arguments):
        outcome = concede("repair", "--catalog", "cars.csv", *arguments)
        assert (outcome.code, outcome.out) == (2, "")
        assert outcome.err.startswith("concede: ")
        assert outcome.err.count("\n") == 1
        assert len(outcome.err) < 700
        assert "the-secret" not in outcome.err

    return check


@pytest.mark.slow
@pytest.mark.parametrize("kind", ATTACKS)
def test_where_and_base(refused, kind):
    for place, attack in enumerate(ATTACKS[kind][::4]):
        text = attack.replace("SECRET", "secret.csv")
        refused(*(("--where", text) if place % 2 else ("--where", "Year > 1", "--base", text)))


@pytest.mark.slow
def test_json_constraints(folder, concede):
    (folder / "secret.csv").write_text("the-secret\n")
    for _, text in EVERY_ATTACK[1::8]:
        record = {"op": "sql", "value": text.replace("SECRET", "secret.csv")}
        (folder / "query.json").write_text(json.dumps({"constraints": [record]}))
        outcome = concede("repair", "--catalog", "cars.csv", "--query", "query.json")
        assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert "the-secret" not in outcome.err


def test_the_catalog_is_as_it_was(folder, concede):
    concede("repair", "--catalog", "cars.csv", "--where", "Make = 'x'; DROP TABLE cars")
    assert (folder / "cars.csv").read_text(encoding="utf-8") == CARS
