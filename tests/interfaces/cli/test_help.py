"""Help that reads well, and a start that loads no more than it needs."""

import json
import re
import subprocess
import sys
from importlib.metadata import version

import pytest
from rich.cells import cell_len

from command_line import ASKED, QUERY
from concede.interfaces.cli.commands.repair import REPAIR_EXAMPLES


def test_commands_are_listed_in_the_order_of_use(concede):
    outcome = concede("--help")
    assert outcome.code == 0
    assert re.findall(
        r"│ (repair|diagnose|extract|weigh|chat|catalog|completion) ", outcome.out
    ) == [
        "repair",
        "diagnose",
        "extract",
        "weigh",
        "chat",
        "catalog",
        "completion",
    ]


def test_options_stand_in_groups(concede):
    text = concede("repair", "-h").out
    groups = re.findall(r"╭─ (\w+) ─", text)
    assert groups == ["Catalog", "Query", "Preferences", "Person", "Search", "Output", "Options"]
    assert "Examples" in text
    assert text.index("--where") < text.index("--weight") < text.index("--policy")


@pytest.mark.parametrize(
    "command", [[], ["repair"], ["diagnose"], ["extract"], ["weigh"], ["chat"], ["catalog", "info"]]
)
def test_help_fits_a_terminal(command, concede, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    outcome = concede(*command, "--help")
    assert outcome.code == 0
    assert max(map(cell_len, outcome.out.splitlines())) <= 80


def test_the_examples_fit_and_are_as_one_types_them():
    lines = REPAIR_EXAMPLES.splitlines()
    assert max(map(len, lines)) <= 78
    assert sum(line.startswith("concede repair") for line in lines) == 2


@pytest.mark.parametrize("command", [[], ["catalog"]])
def test_no_command_shows_the_help_and_is_a_usage_error(command, concede):
    outcome = concede(*command)
    assert outcome.code == 2
    assert "Usage: concede" in outcome.out


def test_the_version_is_that_of_the_package(concede):
    assert concede("--version").out == f"concede, version {version('concede')}\n"


def loaded_by(*arguments, folder):
    """Return the modules that a run of the command line loads."""
    program = (
        "import json, sys; from concede.interfaces.cli.main import run; code = run(sys.argv[1:]);"
        "print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        check=True,
    )
    code, modules = json.loads(done.stderr.splitlines()[-1])
    return code, set(modules)


def test_json_is_written_without_loading_what_draws_or_compiles(folder):
    code, modules = loaded_by("repair", *QUERY, *ASKED, "--format", "json", folder=folder)
    assert code == 0
    assert modules.isdisjoint({"rich.table", "rich.console", "numba", "z3", "fastapi"})


def test_help_opens_no_catalog(folder):
    code, modules = loaded_by("repair", "--help", folder=folder)
    assert code == 0
    assert modules.isdisjoint({"duckdb", "numpy", "sqlglot", "pydantic"})


def test_a_command_loads_no_other(folder):
    code, modules = loaded_by("repair", "--help", folder=folder)
    assert code == 0
    commands = {name.partition(".commands.")[2] for name in modules if ".commands." in name}
    assert commands == {"repair"}
