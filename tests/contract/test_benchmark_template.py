"""The benchmark template is a working command of `concede bench`, found through its entry point."""

from __future__ import annotations

import json
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest
from click.testing import CliRunner

from concede.catalogs.errors import QueryError
from concede.interfaces.cli.commands.bench.group import ENTRY_POINTS
from concede.interfaces.cli.main import cli

TEMPLATES = Path(__file__).resolve().parents[2] / "docs" / "templates"


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch):
    """Offer commands of other packages, by name."""
    monkeypatch.syspath_prepend(TEMPLATES)

    def offer(**commands: str) -> None:
        points = [EntryPoint(name, place, ENTRY_POINTS) for name, place in commands.items()]
        monkeypatch.setattr(
            "concede.interfaces.cli.command_group.entry_points",
            lambda **wanted: EntryPoints(points).select(**wanted),
        )

    return offer


def bench(*arguments: str):
    return CliRunner().invoke(cli, ["bench", *arguments], catch_exceptions=False)


def test_it_runs_as_a_command_of_bench(offer):
    offer(blame="benchmark:blame")
    outcome = bench("blame", "--queries", "20", "--format", "json")
    assert outcome.exit_code == 0
    report = json.loads(outcome.stdout)
    assert 0 < report["repaired"] <= report["queries"] == 20
    counts = report["columns"].values()
    assert sum(column["asked"] for column in counts) == 3 * report["repaired"]
    assert sum(column["dropped"] for column in counts) >= report["repaired"]
    assert json.loads(bench("blame", "--queries", "20", "--format", "json").stdout) == report
    assert "dropped" in bench("blame", "--queries", "5").stdout


def test_help_lists_it_after_the_built_in_ones(offer):
    offer(blame="benchmark:blame", run="benchmark:blame")
    text = bench("--help").stdout
    assert text.index("throughput") < text.index("blame")
    assert text.count("Count how often the cheapest repair drops each column.") == 1


@pytest.mark.parametrize("place", ["no_such_module:blame", "benchmark:absent", "benchmark:KINDS"])
def test_one_that_cannot_be_loaded_is_named(offer, place):
    offer(blame=place)
    with pytest.raises(QueryError, match=r"blame.*concede\.benchmarks"):
        bench("blame")
