"""The notebook runs from its first cell to its last, and shows what it was saved with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from notebooks import code_cells, recorded, run

NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "first_steps.ipynb"


def test_every_cell_shows_what_it_was_saved_with():
    names: dict[str, Any] = {}
    cells = code_cells(NOTEBOOK)
    assert len(cells) >= 8
    for number, cell in enumerate(cells):
        source = "".join(cell["source"])
        assert run(source, names) == recorded(cell), f"cell {number}:\n{source}"
