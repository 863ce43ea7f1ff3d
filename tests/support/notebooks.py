"""Run a notebook's code cells in one namespace, as Jupyter does, and give what each shows."""

from __future__ import annotations

import ast
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any


def code_cells(path: Path) -> list[dict[str, Any]]:
    """Return the code cells of a notebook, in order."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def recorded(cell: dict[str, Any]) -> str:
    """Return the text a cell was saved with: what it printed, then its last value."""
    parts = [
        output["text"] if "text" in output else output["data"]["text/plain"]
        for output in cell["outputs"]
    ]
    return "".join("".join(part) for part in parts)


def run(source: str, names: dict[str, Any]) -> str:
    """Run a cell and return what it shows: what it prints, then the repr of its last value."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if last else None
    return printed.getvalue() + ("" if value is None else repr(value))
