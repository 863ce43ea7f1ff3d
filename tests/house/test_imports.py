"""Importing concede is cheap, and shows exactly the names it promises."""

import json
import subprocess
import sys
from types import ModuleType

import pytest

import concede

HEAVY = (
    "duckdb",
    "fastapi",
    "mcp",
    "numba",
    "numpy",
    "openai",
    "rich",
    "rich_click",
    "sqlglot",
    "starlette",
    "uvicorn",
    "z3",
)
# The command line draws its help with these two.
DRAWING = {"rich", "rich_click"}
# Left behind in a namespace by imports, and without a module of their own to tell it.
INCIDENTAL = {"TYPE_CHECKING", "annotations"}


def _belongs_to_concede(name: str) -> bool:
    value = getattr(concede, name)
    origin = getattr(value, "__module__", None) or "concede"
    return not isinstance(value, ModuleType) and origin.split(".")[0] == "concede"


def test_importing_concede_loads_nothing_heavy():
    program = (
        "import json, sys; before = set(sys.modules); import concede;"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    loaded = set(json.loads(printed))
    assert "concede" in loaded
    assert sorted(loaded.intersection(HEAVY)) == []


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_the_command_says_what_it_is_without_loading_anything_heavy(option: str):
    program = [sys.executable, "-X", "importtime", "-m", "concede", option]
    timed = subprocess.run(program, capture_output=True, text=True, check=True).stderr
    loaded = {line.rsplit("|", 1)[-1].strip() for line in timed.splitlines()}
    assert "concede.interfaces.cli.main" in loaded
    assert sorted(loaded.intersection({*HEAVY, "pydantic"} - DRAWING)) == []


def test_every_promised_name_resolves():
    assert [name for name in concede.__all__ if not hasattr(concede, name)] == []


def test_all_is_what_is_exposed():
    exposed = {name for name in dir(concede) if not name.startswith("_")} - INCIDENTAL
    promised = [name for name in concede.__all__ if not name.startswith("_")]
    assert sorted(filter(_belongs_to_concede, exposed)) == sorted(promised)
