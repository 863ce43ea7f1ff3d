"""`concede sandbox`: replies with their stages, the same bytes twice, and torn files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import in_own_process

QUERY = {"query": "charging station near MixC", "cur_adcode": "Ningbo"}
RECORDS = [
    {"case": "a", "tool": "search_poi", "arguments": {**QUERY, "page": None}, "result": {"n": 1}},
    {"case": "a", "tool": "get_rgeo", "arguments": {"x": 121.536349, "y": 29.9}, "result": "here"},
]
CALLS = [
    {"id": 1, "case": "a", "tool": "search_poi", "arguments": {**QUERY, "extra": 1}},
    {"case": "a", "tool": "search_poi", "arguments": {"query": "charging stations near the MixC"}},
    {"case": "b", "tool": "search_poi", "arguments": {"query": "charging stations near the MixC"}},
    {"id": "x", "case": "a", "tool": "get_rgeo", "arguments": {"x": "121.53634", "y": 29.9}},
    {"case": "a", "tool": "get_rgeo", "arguments": {"x": "121.53635", "y": 29.9}},
    {"case": "a", "tool": "no_such_tool", "arguments": {}},
    {"tool": ""},
]
STAGES = ["exact", "nearest", "miss", "exact", "miss", "miss", "miss"]
TOWN = "poi,name,lat,lon,kind\np1,Corner Cafe,30.0,120.0,coffee shop\n"


def write(path: Path, values: list) -> str:
    lines = [value if isinstance(value, str) else json.dumps(value) for value in values]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path.name


@pytest.fixture
def files(folder: Path) -> tuple[str, ...]:
    """Options that name the records and the calls."""
    records = write(folder / "records.jsonl", RECORDS)
    calls = write(folder / "calls.jsonl", CALLS)
    return ("sandbox", "--records", records, "--calls", calls)


def test_each_reply_says_its_stage(concede, files):
    outcome = concede(*files, "--format", "ndjson")
    replies = [json.loads(line) for line in outcome.out.splitlines()]
    assert outcome.code == 0
    assert [reply["stage"] for reply in replies] == STAGES
    assert replies[0] == {"id": 1, "stage": "exact", "result": {"n": 1}}
    assert replies[1].keys() == {"stage", "similarity", "result"}
    assert replies[3] == {"id": "x", "stage": "exact", "result": "here"}
    assert replies[5] == {"stage": "miss", "result": None}
    assert concede(*files, "--format", "json").json == replies
    assert "nearest" in concede(*files).out


@pytest.mark.slow
def test_the_same_bytes_in_every_process(files, folder):
    arguments = (*files, "--format", "ndjson")
    first, second = (
        in_own_process(*arguments, folder=folder, environment={"PYTHONHASHSEED": seed})
        for seed in "12"
    )
    assert (first.code, first.out) == (0, second.out)


def test_a_catalog_answers_what_nobody_recorded(concede, files, folder):
    (folder / "town.csv").write_text(TOWN, encoding="utf-8")
    calls = write(
        folder / "more.jsonl",
        [{"case": "a", "tool": "search_poi", "arguments": {"query": "coffee shop"}}],
    )
    run = (*files[:3], "--calls", calls, "--format", "json")
    assert concede(*run).json[0]["stage"] == "miss"
    [reply] = concede(*run, "--catalog", "town.csv", "--key", "poi").json
    assert reply["stage"] == "simulated"
    assert reply["result"]["pois"][0]["poiid"] == "p1"


def test_a_model_makes_up_what_nobody_recorded(concede, files, folder):
    script = folder / "script.json"
    said = {"reply": '{"result": {"made": "up"}}', "times": 9}
    script.write_text(json.dumps({"tools": [said]}), encoding="utf-8")
    outcome = concede(*files, "--format", "json", "--model", f"fake:{script}")
    assert outcome.err == ""
    assert [reply["stage"] for reply in outcome.json][4:] == ["simulated", "miss", "miss"]
    assert outcome.json[4]["result"] == {"made": "up"}


def test_schemas_of_others_mark_what_is_text(concede, files, folder):
    schema = {
        "name": "find_talk",
        "parameters": {"properties": {"topic": {"type": "string", "format": "open-text"}}},
    }
    schemas = write(folder / "schemas.json", [schema])
    record = {
        "case": "a",
        "tool": "find_talk",
        "arguments": {"topic": "coffee", "day": 1},
        "result": 7,
    }
    records = write(folder / "talks.jsonl", [record])
    call = {"case": "a", "tool": "find_talk", "arguments": {"topic": "the coffee!", "day": 2}}
    calls = write(folder / "ask.jsonl", [call])
    run = ("sandbox", "--records", records, "--calls", calls, "--format", "json")
    assert concede(*run).json[0]["stage"] == "miss"
    assert concede(*run, "--schemas", schemas).json[0]["stage"] == "nearest"


@pytest.mark.parametrize(
    "line",
    [
        '{"case": "a", "tool": "x", "argum',
        "[]",
        "7",
        '{"case": "a", "tool": "x", "arguments": {}}',
        '{"case": "a", "tool": "", "arguments": {}, "result": 1}',
        '{"case": "a", "tool": "x", "arguments": [], "result": 1}',
        '{"case": [], "tool": "x", "arguments": {}, "result": 1}',
        '{"case": "a", "tool": "x", "arguments": {"y": NaN}, "result": 1}',
        '{"case": "a", "tool": "x", "arguments": ' + "[" * 5_000,
        "\x00",
    ],
)
def test_torn_records_are_one_line(concede, files, folder, line):
    write(folder / "records.jsonl", [RECORDS[0], line])
    outcome = concede(*files, "--format", "ndjson")
    assert (outcome.code, outcome.out) == (3, "")
    assert outcome.err.count("\n") == 1
    assert "line 2" in outcome.err


def test_torn_calls_get_no_half_of_an_answer(concede, files, folder):
    write(folder / "calls.jsonl", [CALLS[0], '{"case": "a", "tool": '])
    outcome = concede(*files, "--format", "ndjson")
    assert (outcome.code, outcome.out) == (3, "")


@pytest.mark.parametrize(
    "arguments",
    [
        ("sandbox",),
        ("sandbox", "--records", "records.jsonl"),
        ("sandbox", "--records", "records.jsonl", "--calls", "calls.jsonl", "--mcp"),
        ("sandbox", "--records", "records.jsonl", "--calls", "calls.jsonl", "--case", "a"),
        ("sandbox", "--records", "records.jsonl", "--calls", "calls.jsonl", "--key", "poi"),
        ("sandbox", "--records", "records.jsonl", "--mcp", "--case", "z"),
        ("sandbox", "--records", "no.jsonl", "--calls", "calls.jsonl"),
    ],
)
def test_bad_options_are_one_line(concede, files, arguments):
    outcome = concede(*arguments)
    assert outcome.code in (2, 3)
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1


def test_several_cases_want_one_named(concede, files, folder):
    write(folder / "records.jsonl", [RECORDS[0], {**RECORDS[1], "case": "b"}])
    outcome = concede("sandbox", "--records", "records.jsonl", "--mcp")
    assert outcome.code == 2
    assert "--case, one of 'a', 'b'" in outcome.err
