"""`concede extract` and `concede weigh` show aims, vague wishes and what was left over.

A scripted model reads the texts, so that what is shown does not hang on the reader.
"""

import json

import pytest

from loopback_chat import LoopbackChat, says

TEXT = "The cheapest Lexus, has to be one, fairly new; any fuel; with zing"
REPLY = {
    "constraints": [
        {"column": "Make", "op": "==", "value": "Lexus", "quote": "Lexus", "hard": True},
        {"column": "Year", "op": "==", "value": 2011, "quote": "nobody said this"},
    ],
    "objectives": [{"column": "MSRP", "direction": "min", "quote": "cheapest"}],
    "leanings": [{"column": "Year", "direction": "max", "quote": "fairly new"}],
    "waived": [{"column": "fuel", "quote": "any fuel"}],
    "not_understood": ["zing"],
}


@pytest.fixture
def script(folder):
    path = folder / "reply.json"
    path.write_text(json.dumps({"*": [{"reply": REPLY, "times": 0}]}), encoding="utf-8")
    return f"fake:{path}"


@pytest.fixture
def extract(concede, script):
    def run(*arguments):
        return concede(
            "extract", "--catalog", "cars.csv", "--model", script, "--text", TEXT, *arguments
        )

    return run


def test_json_holds_all_of_it_and_the_query_it_makes(extract):
    record = extract("--format", "json").json
    assert [part["hard"] for part in record["constraints"]] == [True]
    assert [(part["column"], part["direction"]) for part in record["objectives"]] == [
        ("MSRP", "min")
    ]
    (leaning,) = record["leanings"]
    assert (leaning["column"], leaning["direction"]) == ("Year", "max")
    assert leaning["constraint"]["op"] == ">="
    assert [part["evidence"]["text"] for part in record["not_understood"]] == ["zing"]
    assert [part["reason"] for part in record["unresolved"]] == ["the person did not say so"]
    assert record["waived"] == ["fuel"]
    query = record["query"]
    assert [(part["column"], part.get("weight")) for part in query["constraints"]] == [
        ("Make", None),
        ("Year", 0.25),
    ]
    assert query["objectives"] == [{"column": "MSRP", "direction": "min", "weight": 0.5}]


def test_the_query_can_be_repaired(extract, concede, folder):
    query = extract("--format", "json").json["query"]
    (folder / "query.json").write_text(json.dumps(query), encoding="utf-8")
    outcome = concede(
        "repair", "--catalog", "cars.csv", "--query", "query.json", "--format", "json"
    )
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.json["items"][0]["row"]["Make"] == "Lexus"


def test_the_table_says_all_of_it(extract):
    shown = extract().out
    for part in (
        "1 constraint", "must", "as low as possible", "rather high: Year ≥", "cheapest",
        "fairly new", "Not understood", "zing", "the person did not say so",
        "No wish about fuel.",
    ):  # fmt: skip
        assert part in shown


@pytest.mark.parametrize(
    ("column", "left"),
    [
        ("msrp", ([], ["MSRP"], [], [])),
        ("Year", ([], [], ["Year"], [])),
        ("fuel", ([], [], [], ["fuel"])),
        ("Make", (["Make"], [], [], [])),
    ],
)
def test_only_some_columns_are_shown(extract, column, left):
    record = extract("--column", column, "--format", "json").json
    named = [
        [part["column"] for part in record[kind]]
        for kind in ("constraints", "objectives", "leanings")
    ]
    assert (*named, record["waived"]) == left


def test_ndjson_writes_a_line_for_each_wish(extract):
    lines = [json.loads(line) for line in extract("--format", "ndjson").out.splitlines()]
    assert [line["column"] for line in lines] == ["Make", "MSRP", "Year"]


def test_weigh_shows_what_has_no_weight(concede, script):
    asked = ("weigh", "--catalog", "cars.csv", "--model", script, "--text", TEXT)
    shown = concede(*asked).out
    for part in ("Make = Lexus", "as low as possible", "rather high", "zing"):
        assert part in shown
    record = concede(*asked, "--format", "json").json
    assert [part["column"] for part in record["constraints"]] == ["Make"]
    assert 0 <= record["constraints"][0]["weight"] <= 1
    assert [part["column"] for part in record["objectives"]] == ["MSRP"]
    assert [part["column"] for part in record["leanings"]] == ["Year"]


def test_relative_dates_count_from_the_day_given(concede, folder):
    (folder / "stays.csv").write_text(
        "name,arrival\n" + "".join(f"h{day},2026-03-{day:02d}\n" for day in range(1, 31)), "utf-8"
    )
    asked = ("extract", "--catalog", "stays.csv", "--text", "arrival tomorrow", "--format", "json")
    values = {
        str(part["value"])
        for day in ("2026-03-09", "2026-03-19")
        for part in concede(*asked, "--today", day).json["constraints"]
    }
    assert values == {"2026-03-10", "2026-03-20"}
    outcome = concede(*asked, "--today", "next week")
    assert outcome.code == 2
    assert "next week" in outcome.err


def test_a_model_in_the_environment_alone_is_not_asked(concede, script, monkeypatch):
    monkeypatch.setenv("CONCEDE_MODEL", "fake:not_there.json")
    outcome = concede("extract", "--catalog", "cars.csv", "--text", "a Lexus")
    assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--assist",), "--assist without a model"),
        (("--base-url", "http://127.0.0.1:9/v1"), "--base-url without --model"),
    ],
)
def test_a_model_that_is_not_named_is_one_line(concede, monkeypatch, options, complaint):
    monkeypatch.delenv("CONCEDE_MODEL", raising=False)
    outcome = concede("extract", "--catalog", "cars.csv", "--text", "a Lexus", *options)
    assert (outcome.code, outcome.out) == (2, "")
    assert complaint in outcome.err


def test_with_assist_the_model_is_asked_where_the_reading_is_unsure(concede, monkeypatch):
    monkeypatch.setenv("CONCEDE_API_KEY", "sk-test")
    asked = ("extract", "--catalog", "cars.csv", "--format", "json", "--assist", "--model", "tiny")
    with LoopbackChat(lambda request: says(json.dumps(REPLY))) as server:
        url = ("--base-url", server.url)
        assert concede(*asked, *url, "--text", "hello there").json["objectives"] == []
        assert not server.asked
        record = concede(*asked, *url, "--text", f"{TEXT} of the glorbest flimflam").json
        assert [part["column"] for part in record["objectives"]] == ["MSRP"]
        assert len(server.asked) == 1


def test_where_the_model_fails_the_reading_without_it_stands_and_it_is_said(concede, monkeypatch):
    monkeypatch.setenv("CONCEDE_API_KEY", "sk-test")
    with LoopbackChat(lambda request: says("no JSON")) as server:
        outcome = concede(
            "extract", "--catalog", "cars.csv", "--assist", "--model", "tiny",
            "--base-url", server.url, "--text", "a Lexus with glorbest flimflam",
        )  # fmt: skip
    assert outcome.code == 0
    assert "Lexus" in outcome.out
    assert "read without the model" in outcome.err
