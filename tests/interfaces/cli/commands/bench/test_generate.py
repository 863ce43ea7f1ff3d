"""`concede bench generate`: files, standard output, exit codes, what is said."""

from __future__ import annotations

import json

import pytest

from command_line import in_own_process
from concede.bench.instances import read_instances


@pytest.fixture
def generate(concede):
    """Run the command over the built-in sample."""

    def run(*arguments):
        return concede("bench", "generate", "--catalog", "sample:cars", *arguments)

    return run


SMALL = ("--setting", "S3", "--count", "4", "--seed", "3", "--fewest-rows", "10")


def test_a_file_that_repair_reads(generate, concede, tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "made.json"
    outcome = generate(*SMALL, "--out", str(path))
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err == f"concede: wrote {path}\n"
    records = json.loads(path.read_text("utf-8"))
    assert len(records) == len(read_instances(path)) == 4
    repaired = concede(
        "repair", "--catalog", "sample:cars", "--instances", str(path), "--format", "json"
    )
    assert repaired.code == 0
    for record, answer in zip(records, repaired.json, strict=True):
        assert answer["status"] == "SAT_after_relaxation"
        assert answer["relaxed"] == [record["chosen_relaxation"]]
        assert answer["items"][0]["row"] == record["recommended_car"]


def test_standard_output_has_the_same_records(generate, tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "made.json"
    generate(*SMALL, "--split", "0.5", "--out", str(path))
    outcome = generate(*SMALL, "--split", "0.5", "--out", "-")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.json == json.loads(path.read_text("utf-8"))
    assert {record["split"] for record in outcome.json} == {"train", "test"}


def test_fewer_than_asked_is_no_failure_and_is_said(generate):
    outcome = generate(
        "--setting", "mus:2", "--count", "5000", "--max-tightness", "8", "--out", "-"
    )
    assert outcome.code == 0
    assert 0 < len(outcome.json) < 5_000
    assert f"found {len(outcome.json):,} of the 5,000 instances" in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_columns_are_the_users_choice(generate):
    outcome = generate(
        *("--setting", "mus:2", "--count", "3", "--fewest-rows", "5", "--out", "-"),
        *("--base-columns", "Make", "--columns", "MSRP <=,Year", "--every-value"),
    )
    assert outcome.code == 0
    for record in outcome.json:
        assert list(record["base"]) == ["Make"]
        constraints = {
            (additional_constraint["column"], additional_constraint["op"])
            for additional_constraint in record["additional_constraints"]
        }
        assert constraints == {("MSRP", "<="), ("Year", ">=")}


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--setting", "S8"), 2, "no setting 'S8'"),
        (("--setting", "mus:7"), 2, "mus:2, mus:3 or mus:4"),
        (("--count", "0"), 2, "count is 0"),
        (("--split", "2"), 2, "split is 2.0"),
        (("--columns", "MSPR,Year"), 2, "did you mean 'MSRP'"),
        (("--first-hit", "--setting", "mus:3"), 2, "mus:3"),
        (("--out", "no/such/folder.json"), 3, "no such folder"),
        (("--out", "."), 3, "it is a folder"),
        (("--catalog", "none.csv"), 3, "none.csv"),
    ],
)
def test_what_is_wrong_is_one_line(arguments, code, told, generate):
    outcome = generate(*SMALL, "--out", "-", *arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert told in outcome.err
    assert len(outcome.err.splitlines()) == 1


@pytest.mark.parametrize("left_out", ["--setting", "--count", "--out"])
def test_what_must_be_said_is_asked_for(left_out, generate):
    given = {"--setting": "S3", "--count": "4", "--out": "-"}
    arguments = [part for name in given if name != left_out for part in (name, given[name])]
    outcome = generate(*arguments)
    assert outcome.code == 2
    assert left_out in outcome.err


@pytest.mark.slow
def test_the_same_bytes_under_another_hash_seed(folder):
    runs = [
        in_own_process(
            *("bench", "generate", "--catalog", "sample:cars", *SMALL, "--out", "-"),
            folder=folder,
            environment={"PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
        )
        for seed in ("1", "2")
    ]
    assert runs[0].code == 0
    assert runs[0] == runs[1]
