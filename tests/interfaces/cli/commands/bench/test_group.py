"""`concede bench throughput`: options, exit codes, and what it loads."""

import json
import subprocess
import sys

import pytest

from concede.bench.throughput import diagnosis, run
from concede.bench.throughput.comparison import Comparison, Method, Runner
from concede.bench.throughput.rivals import registry
from concede.interfaces.cli.commands.bench.throughput import SECTIONS


@pytest.fixture
def small(monkeypatch):
    """One section, one cell, in no time."""

    def jobs(setting):
        return [lambda: diagnosis.cell(setting, 200, 2, 0.3, None, "warm")]

    monkeypatch.setattr(diagnosis, "COLUMNS", 2)
    monkeypatch.setitem(run.SECTIONS, "diagnosis", run.SectionKind("Diagnosis", "A note.", jobs))
    return ("bench", "throughput", "--only", "diagnosis", "--quick", "--repeats", "1")


def test_the_sections_offered_are_those_there_are():
    assert tuple(run.SECTIONS) == SECTIONS


@pytest.mark.slow
def test_json_holds_the_report(concede, small):
    outcome = concede(*small, "--format", "json", "--seed", "3")
    assert (outcome.code, outcome.err) == (0, "")
    report = outcome.json
    assert report["options"]["seed"] == 3
    (section,) = report["sections"]
    (cell,) = section["cells"]
    assert cell["case"] == {"rows": 200, "k": 2, "density": 0.3, "base": "all", "state": "warm"}
    assert cell["selectivity"]["seed"] == 3
    assert {"method", "outcome", "median_ms", "p99_ms", "ratio", "bytes"} <= set(cell["results"][0])
    assert [result["method"] for result in cell["results"]][:2] == [
        "concede",
        "concede, counts only",
    ]


@pytest.mark.slow
def test_the_table_names_the_section_and_the_rivals(concede, small):
    outcome = concede(*small)
    assert outcome.code == 0
    assert "Diagnosis" in outcome.out
    assert "DuckDB stored" in outcome.out


def test_a_wrong_answer_ends_the_run_without_a_table(concede, small, monkeypatch):
    def wrong(question, seconds):
        return Method("liar", lambda stack: Runner(lambda: 0, lambda _: {"subset counts": [1]}))

    monkeypatch.setattr(registry, "WARM", [wrong])
    outcome = concede(*small)
    assert (outcome.code, outcome.out) == (1, "")
    assert "answers differ for rows 200, k 2" in outcome.err
    assert "by liar" in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_files_are_checked_before_anything_is_measured(concede, monkeypatch):
    def never(self, pace):
        raise AssertionError("measured")

    monkeypatch.setattr(Comparison, "run", never)
    outcome = concede("bench", "throughput", "--quick", "--markdown", "cars.csv")
    assert outcome.code == 2
    assert "no markers" in outcome.err
    assert concede("bench", "throughput", "--markdown", "no.md").code == 3


def test_a_section_that_does_not_exist_is_a_usage_error(concede):
    outcome = concede("bench", "throughput", "--only", "speed")
    assert outcome.code == 2
    assert "speed" in outcome.err


def test_the_command_line_starts_without_the_benchmarks(folder):
    program = (
        "import json, sys; from concede.interfaces.cli.main import run;"
        "run(['bench', 'throughput', '--help']);"
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=folder, check=True
    )
    loaded = set(json.loads(done.stderr.splitlines()[-1]))
    assert loaded.isdisjoint({"concede.bench", "duckdb", "numpy", "pydantic", "numba", "z3"})
    assert "--markdown" in done.stdout
