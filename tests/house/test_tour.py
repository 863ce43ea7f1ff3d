"""The tour prints what it shows, on the page and in the notebook alike; it needs no data folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from notebooks import code_cells, recorded, run

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
NOTEBOOK = ROOT / "examples" / "tour.ipynb"
SHOWN = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


@pytest.mark.slow
def test_every_step_prints_what_is_shown():
    names: dict[str, Any] = {}
    steps = SHOWN.findall(PAGE)
    assert len(steps) == PAGE.count("```python") >= 8
    for source, shown in steps:
        assert run(source, names).rstrip() + "\n" == shown, source


def test_the_notebook_holds_the_same_steps():
    cells = [("".join(cell["source"]), recorded(cell).rstrip()) for cell in code_cells(NOTEBOOK)]
    assert cells == [(source.rstrip(), shown.rstrip()) for source, shown in SHOWN.findall(PAGE)]


def test_all_five_documents_have_a_part():
    for document in ("AWARE-US", "ProADA", "APEC-Travel", "ClarQ-LLM", "MapSatisfyBench"):
        assert f"({document})" in PAGE
