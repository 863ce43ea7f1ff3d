"""`concede bench report` and `bench score --result`, over runs that are really held."""

import gzip
import json

import pytest

from command_line import Outcome, in_own_process
from concede.interfaces.cli.main import run
from instance_records import RECORD
from reported_runs import Page, events, write_run

INSTANCES = [
    RECORD
    | {"persona": "The year must be at least 2013. An MSRP of at most 20,000 is nice to have."},
    {
        "id": "two",
        "set": "S2",
        "base": {"Make": "BMW"},
        "base_query_sentence": "I am looking for a BMW.",
        "constraints": [
            {"column": "Year", "op": ">=", "value": 2016, "weight": 0.1},
            {"column": "MSRP", "op": "<=", "value": 40000, "weight": 0.9},
        ],
        "gold_relaxed": 0,
        "recommended_car": {"Make": "BMW", "Model": "328i", "Year": 2012, "MSRP": 38500},
        "persona": "The MSRP must be at most 40,000. A year of 2016 or later would be nice.",
    },
]


@pytest.fixture
def bench(folder, capsys):
    """Run a benchmark command in this process, in `folder`."""

    def run_here(*arguments):
        code = run(("bench", *map(str, arguments)))
        return Outcome(code, *capsys.readouterr())

    return run_here


@pytest.fixture
def held(folder, bench):
    """A folder with one run: two weighters and a baseline over two instances."""
    (folder / "instances.json").write_text(json.dumps(INSTANCES), encoding="utf-8")
    (folder / "runs").mkdir()
    parts = ("--weighter", "lexical", "--weighter", "uniform")
    methods = ("--method", "session", "--method", "formal-aware")
    source = ("--instances", "instances.json", "--catalog", "cars.csv")
    outcome = bench("run", *source, *parts, *methods, "--out", "runs/held.jsonl")
    assert outcome.code == 0
    return folder


def report(bench, *more):
    """Make a page, and return it read."""
    outcome = bench("report", "runs", "--out", "page.html", *more)
    assert outcome.code == 0, outcome.err
    return outcome


def test_the_page_says_what_score_says(held, bench):
    rows = bench("score", "runs/held.jsonl", "--format", "json").json
    assert "wrote page.html" in report(bench).err
    page = Page((held / "page.html").read_text(encoding="utf-8"))
    assert page.problems == []
    assert {row["setting"] for row in rows} == {"S2", "S3", "all"}
    for row in rows:
        low, high = row["intervals"]["relax_match"]
        figures = f"{100 * row['relax_match']:.1f} {100 * low:.0f}–{100 * high:.0f}"
        assert figures in page.text
    assert "ES 300h" in page.text
    assert INSTANCES[0]["persona"] in page.text
    assert "session lexical fewest" in page.text


def test_all_files_of_a_folder_are_read(held, bench):
    lines = (held / "runs" / "held.jsonl").read_bytes()
    (held / "runs" / "zipped.jsonl.gz").write_bytes(gzip.compress(lines))
    scored = bench("score", "runs/held.jsonl", "--format", "json").out
    (held / "runs" / "scored.json").write_text(scored, encoding="utf-8")
    (held / "runs" / "notes.txt").write_text("nothing", encoding="utf-8")
    (held / "runs" / "instances.json").write_text(json.dumps(INSTANCES), encoding="utf-8")
    (held / "runs" / "cassette.jsonl").write_text('{"key": 1}\n', encoding="utf-8")
    outcome = report(bench)
    assert "left out instances.json: no result" in outcome.err
    assert "left out cassette.jsonl: no run" in outcome.err
    text = Page((held / "page.html").read_text(encoding="utf-8")).text
    assert "From 2 runs and 1 result. 12 episodes." in text
    assert "scored: session lexical fewest" in text


def test_a_result_keeps_figures_and_nothing_of_the_data(held, bench):
    arguments = ("--result", "mine", "--out", "kept/mine.json", "--date", "2026-11-21")
    (held / "kept").mkdir()
    outcome = bench("score", "runs/held.jsonl", *arguments, "--command", "concede bench run …")
    assert outcome.code == 0
    text = (held / "kept" / "mine.json").read_text(encoding="utf-8")
    record = json.loads(text)
    members = {key: record[key] for key in ("kind", "version", "name", "benchmark", "date")}
    assert members == {
        "kind": "result",
        "version": 1,
        "name": "mine",
        "benchmark": "aware-us",
        "date": "2026-11-21",
    }
    assert (record["catalog_rows"], record["command"]) == (8, "concede bench run …")
    assert not any(
        other_text in text for other_text in ("failures", "20000", "Lexus", "BMW", "nice to have")
    )
    plain = bench("score", "runs/held.jsonl", "--format", "json").json
    for row in plain:
        row.pop("failures", None)
    assert record["rows"] == plain
    assert bench("report", "kept", "--out", "page.html", "--markdown", "board.md").code == 0
    page = Page((held / "page.html").read_text(encoding="utf-8"))
    assert page.problems == []
    assert "Conversations" not in page.text
    assert "concede bench run …" in page.text
    board = (held / "board.md").read_text(encoding="utf-8")
    for row in plain:
        assert f"{100 * row['relax_match']:.1f} (" in board


@pytest.mark.slow
def test_the_page_is_the_same_whatever_the_hash_seed(held):
    arguments = ("bench", "report", "runs", "--out", "page.html", "--markdown", "board.md")
    pages = []
    for seed in ("1", "2"):
        in_own_process(*arguments, folder=held, environment={"PYTHONHASHSEED": seed})
        pages.append((held / "page.html").read_bytes())
    assert pages[0] == pages[1]


def test_how_many_conversations_are_shown_is_said(held, bench):
    report(bench, "--episodes", "1")
    page = Page((held / "page.html").read_text(encoding="utf-8"))
    assert (
        len([element for element in page.named("details") if element.get("class") == "episode"])
        == 1
    )
    assert "1 of 6 episodes" in page.text


def test_a_damaged_run_is_named_with_its_line(held, bench):
    path = held / "runs" / "held.jsonl"
    lines = path.read_bytes().split(b"\n")
    lines[4] = lines[4][:-9]
    path.write_bytes(b"\n".join(lines))
    outcome = bench("report", "runs", "--out", "page.html")
    assert (outcome.code, outcome.out) == (3, "")
    assert "held.jsonl" in outcome.err
    assert "line 5: not JSON" in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert not (held / "page.html").exists()


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.jsonl", '{"kind":"run","version":9}\n', "run version 9"),
        ("a.jsonl", "nothing\n", "line 1: not JSON"),
        ("a.jsonl.gz", "nothing\n", "gzip"),
        ("a.json", '{"kind": "result", "version": 9, "rows": []}', "result version 9"),
        ("a.json", '{"kind": "result",', "line 1: not JSON"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(name, content, told, folder, bench):
    (folder / "runs").mkdir()
    (folder / "runs" / name).write_text(content, encoding="utf-8")
    outcome = bench("report", "runs", "--out", "page.html")
    assert outcome.code == 3
    assert name in outcome.err
    assert told in outcome.err
    assert len(outcome.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["report", "."], 2, "nowhere to write to"),
        (["report", ".", "--out", "page.html"], 2, "no runs in '.'"),
        (["report", "nowhere", "--out", "page.html"], 3, "nowhere"),
        (["report", ".", "--out", "page.html", "--episodes", "-1"], 2, "--episodes"),
        (["score", "run.jsonl", "--out", "x.json"], 2, "--result"),
        (["score", "run.jsonl", "--result", "x"], 2, "--out"),
    ],
)
def test_what_cannot_be_reported(arguments, code, told, folder, bench):
    outcome = bench(*arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert told in outcome.err


def test_an_episode_that_cannot_be_read_is_named(folder, bench):
    path = write_run(folder / "run.jsonl", {"session": [True]})
    path.write_text(path.read_text().replace('"constraints":[', '"others":['), encoding="utf-8")
    outcome = bench("report", ".", "--out", "page.html")
    assert outcome.code == 3
    assert "run.jsonl" in outcome.err
    assert "episode '1/session': no constraints" in outcome.err


def test_a_page_that_cannot_be_written_is_said(folder, bench):
    write_run(folder / "run.jsonl", {"session": [True]})
    outcome = bench("report", ".", "--out", "no/page.html")
    assert outcome.code == 3
    assert "no/page.html" in outcome.err


def test_episodes_cut_off_and_failed_are_counted(folder, bench):
    path = write_run(folder / "run.jsonl", {"session": [True, False]})
    lines = [json.dumps(event) for event in events(path)]
    lines[-1] = json.dumps({**events(path)[-1], "reason": "failed: no reply"})
    cut = json.dumps({**events(path)[1], "episode": "cut"})
    path.write_text("\n".join([*lines, cut]) + "\n", encoding="utf-8")
    assert bench("report", ".", "--out", "page.html").code == 0
    text = Page((folder / "page.html").read_text(encoding="utf-8")).text
    assert "1 episode cut off, not counted" in text
    assert "From 1 run. 2 episodes." in text
