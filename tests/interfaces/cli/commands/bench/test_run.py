"""`concede bench run`, `score`, `compare`: what they write, where, and how they fail."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from command_line import PROGRAM
from instance_records import RECORD


@pytest.fixture
def run(concede, folder, tmp_path_factory):
    """The arguments of a run of three conversations, and where its file is."""
    records = [{**RECORD, "id": str(at)} for at in range(3)] + [{**RECORD, "persona": None}]
    (folder / "some.json").write_text(json.dumps(records), encoding="utf-8")
    out = tmp_path_factory.mktemp("runs") / "run.jsonl"
    given = ("bench", "run", "--instances", "some.json", "--catalog", "cars.csv")
    return (*given, "--out", str(out)), out


def test_a_run_its_score_and_a_comparison(concede, run):
    arguments, out = run
    outcome = concede(
        *arguments, "--weighter", "lexical", "--weighter", "uniform", "--format", "json"
    )
    assert outcome.code == 0
    assert "6 conversations held, 0 were there" in outcome.err
    assert "left out 1" in outcome.err
    rows = outcome.json
    assert [(row["setting"], row["weighter"], row["n"]) for row in rows] == [
        ("S3", "lexical", 3), ("S3", "uniform", 3), ("all", "lexical", 3), ("all", "uniform", 3),
    ]  # fmt: skip
    assert rows[0]["relax_match"] == rows[0]["car_match"] == 1
    score = concede("bench", "score", str(out), "--format", "json")
    assert (score.code, score.err, score.json) == (0, "", rows)
    sides = ("--first", "weighter=uniform", "--second", "weighter=lexical")
    compared = concede("bench", "compare", str(out), str(out), *sides, "--format", "json")
    relax = next(record for record in compared.json if record["measure"] == "relax_match")
    assert (relax["n"], relax["second"]) == (3, 1)


def test_the_same_command_goes_on(concede, run):
    arguments, out = run
    concede(*arguments)
    whole = out.read_bytes()
    again = concede(*arguments)
    assert "0 conversations held, 3 were there" in again.err
    assert out.read_bytes() == whole
    cut = whole[: whole.rfind(b'{"kind":"outcome"')]
    out.write_bytes(cut + b'{"kind":"outc')
    assert "1 conversations held" in concede(*arguments).err
    assert "car match" in concede("bench", "score", str(out)).out


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_was(concede, run):
    arguments, out = run
    many = [*arguments, *(part for seed in range(60) for part in ("--seed", str(seed)))]
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *many], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    try:
        for _ in range(600):
            if out.exists() and out.read_bytes().count(b'"kind":"end"') >= 20:
                break
            time.sleep(0.1)
        os.kill(child.pid, signal.SIGKILL)
    finally:
        child.kill()
        child.communicate(timeout=30)
    ended = out.read_bytes().rsplit(b"\n", 1)[0].count(b'"kind":"end"')
    assert 20 <= ended < 180
    said = concede(*many, "--format", "json").err
    assert f"{180 - ended:,} conversations held, {ended:,} were there" in said


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (("bench", "run", "--out", "x.jsonl"), 2, "give --data or --instances"),
        (("bench", "score"), 2, "RUN.jsonl"),
        (("bench", "score", "no.jsonl"), 3, "no.jsonl"),
        (("bench", "score", "cars.csv"), 3, "cars.csv"),
        (("bench", "compare", "cars.csv"), 2, "2"),
        (("bench", "compare", "a", "b", "--first", "colour=red"), 2, "write model="),
    ],
)
def test_what_is_wrong_is_said_in_a_line(concede, arguments, code, why):
    outcome = concede(*arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert why in outcome.err
    assert "Traceback" not in outcome.err


def test_settings_that_are_not_there(concede, run):
    assert "no instance of setting S9" in concede(*run[0], "--setting", "S9").err


def test_recorded_runs_become_transcripts(concede, folder, tmp_path_factory):
    data = folder / "data"
    data.mkdir()
    record = {**RECORD, "split": "train"}
    (data / "instances.jsonl").write_text(json.dumps(record), encoding="utf-8")
    recorded = {
        "instance": "one",
        "model": "qwen",
        "method": "local",
        "set": "S3",
        "slots_provided_to_agent": ["MSRP", "Year"],
        "dialogue": [
            {"role": "user", "content": "I am looking for a Lexus."},
            {"role": "assistant", "content": "From which year?"},
            {"role": "user", "content": "2013 at least."},
        ],
        "parsed_base": {"Make": "Lexus"},
        "parsed_additional_constraints": [{"column": "Year", "op": ">=", "value": 2013}],
        "status": "SAT_no_relaxation",
        "relaxed_constraint": None,
        "recommended_car": None,
    }
    import gzip

    (data / "agent_runs.jsonl.gz").write_bytes(gzip.compress(json.dumps(recorded).encode()))
    out = tmp_path_factory.mktemp("runs") / "recorded.jsonl"
    said = concede("bench", "aware-us", "--data", "data", "--published", "--out", str(out),
                   "--format", "json")  # fmt: skip
    scored = concede("bench", "score", str(out), "--format", "json").json
    assert [row["n"] for row in scored] == [1, 1]
    for here, there in zip(said.json, scored, strict=True):
        assert {
            name: here[name] for name in ("model", "method", "slot_completion", "questions")
        } == {name: there[name] for name in ("model", "method", "slot_completion", "questions")}
