"""Run a checked program in a sandbox opened by name: an outcome, or the fact it misses.

A sandbox knows nothing of households, so the program is rewritten to plain Python first. Every
read becomes a call of a function in `PRELUDE`, which raises a KeyError that names the fact where
it is missing: the text of an error is all that sandboxes carry across.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

from ....catalogs.errors import QueryError, SandboxError, excerpt
from .allow_list import ENTRY, CheckedSource
from .sandbox import Limits, Sandbox, SandboxRun

MARK = "missing-fact"
MISSING = re.compile(rf"{MARK}\|([^|]{{1,200}})\|(\d{{1,6}})\|")

PRELUDE = f"""\
def _missing(name, line):
    raise KeyError("{MARK}|" + name + "|" + str(line) + "|")


def _is_household(x):
    return isinstance(x, dict) and "#members" in x


def _key(x, name, line):
    if _is_household(x):
        if name in x["#member_keys"]:
            raise KeyError("a key of members, not of the household")
        if name in x:
            return x[name]
        _missing(name, line)
    if isinstance(x, dict) and "#person" in x:
        if name in x["#household"]:
            return _key(_household, name, line)
        if name in x:
            return x[name]
        _missing(str(x["#person"]) + "." + name, line)
    return x[name]


def _at(x, i, line):
    if _is_household(x):
        if isinstance(i, str) or i < 0 or i >= len(x["#members"]):
            raise KeyError("no such member")
        if i >= x["#least"]:
            if i >= _len(x, line):
                raise KeyError("no such member")
        return x["#members"][i]
    if isinstance(i, str) and not isinstance(x, dict):
        raise KeyError("a computed key")
    if isinstance(x, dict) and "#person" in x:
        raise KeyError("a computed key")
    return x[i]


def _len(x, line):
    if _is_household(x):
        if x["#size"] < 0:
            _missing("len(hh)", line)
        return x["#size"]
    return len(x)


def _each(x, line):
    if _is_household(x):
        return x["#members"][: _len(x, line)]
    return x


"""


def rewrite(checked: CheckedSource) -> str:
    """Return the program as Python text; its last expression is `["value", outcome]`."""
    tree = _Rewriter().visit(copy.deepcopy(checked.tree))
    body = ast.unparse(ast.fix_missing_locations(tree))
    return f'{PRELUDE}{body}\n\n_value = {ENTRY}(_household)\n["value", _value]\n'


class _Rewriter(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        for argument in node.args.args:
            argument.annotation = None
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        assert node.value is not None
        assignment = ast.Assign([node.target], node.value)
        return self.generic_visit(ast.copy_location(assignment, node))

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        line = node.lineno
        self.generic_visit(node)
        is_key = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
        return _call("_key" if is_key else "_at", node.value, node.slice, line)

    def visit_Call(self, node: ast.Call) -> Any:
        line = node.lineno
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and len(node.args) == 1:
            argument = node.args[0]
            if node.func.id == "len":
                return _call("_len", argument, line)
            if node.func.id == "enumerate":
                node.args = [_call("_each", argument, line)]
        return node

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        node.iter = _call("_each", node.iter, node.iter.lineno)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        line = node.iter.lineno
        self.generic_visit(node)
        node.iter = _call("_each", node.iter, line)
        return node


def _call(name: str, *operands: ast.expr | int) -> ast.Call:
    arguments = [
        ast.Constant(operand) if isinstance(operand, int) else operand for operand in operands
    ]
    call = ast.Call(ast.Name(name, ast.Load()), arguments, [])
    return ast.copy_location(call, arguments[0])


def run_checked(
    sandbox: Sandbox, checked: CheckedSource, household: Mapping[str, Any]
) -> SandboxRun:
    """Run a checked program in a sandbox."""
    try:
        result = sandbox.value(rewrite(checked), {"_household": dict(household)})
    except SandboxError as error:
        missing = MISSING.search(error.problem)
        if missing:
            return SandboxRun(missing=missing[1], line=int(missing[2]))
        return SandboxRun(error=error.problem)
    match result:
        case ["value", bool() | int() | float() as value]:
            return SandboxRun(bool(value))
        case _:
            return SandboxRun(error="it returns no truth value")


def _monty(limits: Limits) -> Sandbox:
    from .monty import MontySandbox

    return MontySandbox(limits)


def _subprocess(limits: Limits) -> Sandbox:
    from .subprocess_sandbox import SubprocessSandbox

    return SubprocessSandbox(limits)


SANDBOXES: dict[str, Callable[[Limits], Sandbox]] = {"monty": _monty, "subprocess": _subprocess}


def open_sandbox(name: str = "auto", limits: Limits | None = None) -> Sandbox:
    """Return a sandbox: `monty` (extra `sandbox`), `subprocess`, or `auto`, the first there is.

    Raises `QueryError` for another name, `SandboxError` where it is not installed.
    """
    if name == "auto":
        name = "monty" if find_spec("pydantic_monty") else "subprocess"
    if name not in SANDBOXES:
        raise QueryError(f"no sandbox {excerpt(name)}", hint=f"auto, {', '.join(SANDBOXES)}")
    return SANDBOXES[name](limits or Limits())
