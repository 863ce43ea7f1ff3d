"""`concede bench aware-us`: modes, sources, exit codes, and what it writes."""

import gzip
import json
import subprocess
import sys

import pytest

import instance_records

RECORD = instance_records.RECORD | {"split": "train"}
RUN = {
    "instance": "one",
    "model": "qwen",
    "method": "local",
    "set": "S3",
    "slots_provided_to_agent": ["MSRP", "Year"],
    "dialogue": None,
    "parsed_base": {"Make": "Lexus"},
    "parsed_additional_constraints": [{"column": "Year", "op": ">=", "value": 2013}],
    "constraint_weights": [{"column": "Year", "op": ">=", "value": 2013, "weight": 0.7}],
    "status": "SAT_no_relaxation",
    "relaxed_constraint": None,
    "recommended_car": None,
}
METRICS = {"n", "slot_completion", "sat_no_relaxation", "sat_after_relaxation", "unsat"}
METRICS |= {"recommended", "relax_match", "car_match"}


@pytest.fixture
def data(folder):
    """A folder of one instance, one withheld, and a run."""
    place = folder / "data"
    place.mkdir()
    records = [RECORD, {**RECORD, "id": "two", "persona": None}]
    lines = "\n".join(map(json.dumps, records))
    (place / "instances.jsonl").write_text(lines, encoding="utf-8")
    (place / "agent_runs.jsonl.gz").write_bytes(gzip.compress(json.dumps(RUN).encode()))
    (folder / "one.json").write_text(json.dumps([RECORD]), encoding="utf-8")
    return ("bench", "aware-us", "--data", "data", "--catalog", "cars.csv")


def test_published_needs_no_catalog(concede, data):
    outcome = concede(*data[:4], "--published", "--format", "json")
    assert (outcome.code, outcome.err) == (0, "")
    row, everything = outcome.json
    assert (row["setting"], row["model"], row["method"]) == ("S3", "qwen", "local")
    assert everything["setting"] == "all"
    assert set(row) >= METRICS
    assert (row["slot_completion"], row["sat_no_relaxation"]) == (0.5, 1)
    assert row["printed"]["relax_match"] == 0.634
    assert "relax_match" in row["differs"]


def test_offline_skips_what_is_withheld_and_says_so(concede, data):
    outcome = concede(*data, "--offline", "--format", "json")
    assert outcome.code == 0
    assert "left out 1" in outcome.err
    row, _ = outcome.json
    assert not {"model", "method"} & set(row)
    assert (row["n"], row["skipped"], row["car_match"]) == (1, 1, 1)


def test_the_same_run_gives_the_same_bytes(concede, data):
    arguments = (*data, "--offline", "--format", "json", "--seed", "3")
    assert concede(*arguments).out == concede(*arguments).out


@pytest.mark.parametrize("mode", ["--replay", "--reread"])
def test_recorded_runs_with_our_parts(mode, concede, data):
    outcome = concede(*data, mode, "--policy", "cumulative", "--format", "json")
    assert outcome.code == 0
    row = outcome.json[0]
    assert (row["method"], row["n"] + row["skipped"]) == ("local", 1)


def test_any_file_of_that_shape(concede, data):
    outcome = concede(
        *data[:2], "--instances", "one.json", *data[4:], "--offline", "--weighter", "lexical"
    )
    assert (outcome.code, outcome.err) == (0, "")
    assert "100.0" in outcome.out


def test_the_table_tells_what_differs_and_why(concede, data):
    published = concede(*data[:4], "--published")
    assert "Printed otherwise" in published.out
    assert "0 of 8 printed figures" in published.out
    replayed = concede(*data, "--replay")
    assert "missed MSRP <= 20000" in replayed.out
    withheld = concede(*data, "--offline")
    assert "withheld: 1" in withheld.out


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--data", "data"], 2, "nothing to run"),
        (["--offline", "--catalog", "cars.csv"], 2, "one source"),
        (["--offline", "--data", "data"], 2, "no catalog"),
        (["--replay", "--instances", "one.json", "--catalog", "cars.csv"], 2, "--offline"),
        (["--published", "--data", "nowhere"], 3, "instances.jsonl"),
        (["--offline", "--data", "data", "--catalog", "cars.csv", "--weighter", "x"], 2, "'x'"),
        (["--offline", "--data", "data", "--catalog", "none.csv"], 3, "none.csv"),
        (["--published", "--data", "data", "--split", "dev"], 2, "dev"),
    ],
)
def test_what_cannot_be_run(arguments, code, told, concede, data):
    outcome = concede("bench", "aware-us", *arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert told in outcome.err


def test_help_loads_no_benchmark(folder):
    program = (
        "import json, sys; from concede.interfaces.cli.main import run;"
        "run(['bench', 'aware-us', '--help']);"
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=folder, check=True
    )
    loaded = set(json.loads(done.stderr.splitlines()[-1]))
    assert loaded.isdisjoint({"concede.bench", "duckdb", "numpy", "pydantic", "numba"})
    assert "--reread" in done.stdout
