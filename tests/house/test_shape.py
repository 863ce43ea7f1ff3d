"""Two modules at the root, short files and functions, kernels of few arguments."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ("bench", "catalogs", "dialogs", "engine", "interfaces", "rendering", "solvers")
# Recorded programs, each as it was written for one benefit.
RECORDED = ROOT / "bench" / "benyfits" / "checkers"
MOST_LINES = 450
LONGEST_FUNCTION = 60
MOST_KERNEL_ARGUMENTS = 8


def sources() -> list[Path]:
    paths = itertools.chain.from_iterable((ROOT / floor).rglob("*.py") for floor in FLOORS)
    return sorted(path for path in paths if RECORDED not in path.parents)


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def is_kernel(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    names = [ast.unparse(decorator) for decorator in function.decorator_list]
    return any(name.split("(")[0] in ("kernel", "njit") for name in names)


def test_the_root_holds_two_modules():
    assert {path.name for path in ROOT.glob("*.py")} == {"__init__.py", "__main__.py"}


@pytest.mark.parametrize("floor", FLOORS)
def test_every_floor_is_a_package(floor: str):
    folders = {path.parent for path in (ROOT / floor).rglob("*.py")} - {RECORDED}
    assert [folder for folder in folders if not (folder / "__init__.py").is_file()] == []


def test_no_file_is_longer_than_one_idea():
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources()}
    assert len(lengths) > 200
    long = {str(path.relative_to(ROOT)): n for path, n in lengths.items() if n > MOST_LINES}
    assert long == {}


def test_no_function_is_longer_than_a_screen():
    long = {
        f"{path.relative_to(ROOT)}:{function.lineno} {function.name}"
        for path in sources()
        for function in functions(path)
        if (function.end_lineno or 0) - function.lineno + 1 > LONGEST_FUNCTION
    }
    assert long == set()


def test_kernels_take_few_arguments():
    counted = {
        f"{path.relative_to(ROOT)} {function.name}": len(function.args.args)
        for path in sources()
        for function in functions(path)
        if is_kernel(function)
    }
    assert len(counted) > 20
    assert {name: n for name, n in counted.items() if n > MOST_KERNEL_ARGUMENTS} == {}
