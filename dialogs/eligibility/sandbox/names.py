"""Check a program's names: each is bound somewhere, none hides a builtin, none calls itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ....catalogs.errors import SandboxError, excerpt

BUILTINS = frozenset(
    "len range any all sum min max abs round int float bool enumerate sorted".split()
)
TEXT_METHODS = frozenset(("lower", "upper", "strip"))
TAKES_GENERATOR = frozenset("any all sum min max sorted".split())


def refusal(where: ast.AST | int, problem: str, hint: str = "") -> SandboxError:
    """Return the error of a program that is refused at a node or line."""
    line = where if isinstance(where, int) else getattr(where, "lineno", 0)
    return SandboxError(f"line {line}: {problem}", hint=hint)


class Names:
    """Which names are bound where, and what is read by them."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.functions = _functions(tree)
        self.parents = {
            child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)
        }
        self.bound: set[str] = set()
        self.tables: set[str] = set()
        for node in ast.walk(tree):
            self._bind(node)
        self.key_lines: dict[str, tuple[int, ...]] = {}

    def _bind(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            self._own(node.id, node)
        elif isinstance(node, ast.arg):
            self._own(node.arg, node)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            self.tables.update(target.id for target in node.targets if isinstance(target, ast.Name))

    def _own(self, name: str, node: ast.AST) -> None:
        if name.startswith("__") or name in BUILTINS or name in self.functions:
            raise refusal(node, f"the name {excerpt(name)} is taken", "choose another name")
        self.bound.add(name)

    def check(self) -> None:
        for node in sorted(_expressions(self.tree), key=_position):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self._check_name(node)
            elif isinstance(node, ast.Attribute):
                self._check_method(node)
            elif isinstance(node, ast.GeneratorExp):
                self._check_generator(node)
            elif isinstance(node, ast.Subscript):
                self._check_subscript(node)

    def _check_name(self, node: ast.Name) -> None:
        parent = self.parents[node]
        if isinstance(parent, ast.Call) and parent.func is node:
            if node.id not in BUILTINS and node.id not in self.functions:
                raise refusal(node, f"no function {excerpt(node.id)}", "call your own, len, any, …")
        elif node.id not in self.bound and not self._is_annotation(node):
            raise refusal(node, f"the name {excerpt(node.id)} is not bound")

    def _is_annotation(self, node: ast.AST) -> bool:
        """Return whether a name stands in an annotation, which is never evaluated."""
        while (parent := self.parents.get(node)) is not None:
            if isinstance(parent, ast.arg) and parent.annotation is node:
                return True
            if isinstance(parent, ast.FunctionDef) and parent.returns is node:
                return True
            if isinstance(parent, ast.AnnAssign) and parent.annotation is node:
                return True
            node = parent
        return False

    def _check_method(self, node: ast.Attribute) -> None:
        parent = self.parents[node]
        if not (isinstance(parent, ast.Call) and parent.func is node):
            raise refusal(node, f".{node.attr} is not called")

    def _check_generator(self, node: ast.GeneratorExp) -> None:
        parent = self.parents[node]
        called = parent.func if isinstance(parent, ast.Call) else None
        if not isinstance(called, ast.Name) or called.id not in TAKES_GENERATOR:
            takers = ", ".join(sorted(TAKES_GENERATOR))
            raise refusal(node, f"a generator stands outside {takers}", "write a list")

    def _check_subscript(self, node: ast.Subscript) -> None:
        if self._is_annotation(node):
            return
        is_table = isinstance(node.value, ast.Name) and node.value.id in self.tables
        if isinstance(node.slice, ast.Constant):
            if isinstance(node.slice.value, str) and not is_table:
                lines = self.key_lines.get(node.slice.value, ())
                self.key_lines[node.slice.value] = (*lines, node.lineno)
        elif not is_table and not _may_be_number(node.slice):
            raise refusal(node, "a key is not written as a literal", "write hh['key'] or hh[i]")


def _may_be_number(index: ast.expr) -> bool:
    """Return whether an index could be one: it holds no text and no key of a household."""
    return not any(
        isinstance(node, ast.Constant) and isinstance(node.value, str) for node in ast.walk(index)
    )


def _expressions(tree: ast.Module) -> Iterator[ast.expr]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.expr))


def _position(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _functions(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    functions: dict[str, ast.FunctionDef] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            if node.name in functions or node.name in BUILTINS or node.name.startswith("__"):
                raise refusal(
                    node, f"the name {excerpt(node.name)} is taken", "choose another name"
                )
            functions[node.name] = node
    return functions


def check_recursion(tree: ast.Module, functions: Mapping[str, ast.FunctionDef]) -> None:
    """Peel off functions that call nobody left; a cycle never peels off."""
    calls = {name: _called(node) & functions.keys() for name, node in functions.items()}
    while calls:
        done = [name for name, called in calls.items() if not called & calls.keys()]
        if not done:
            name = next(iter(calls))
            raise refusal(functions[name], f"the function {excerpt(name)} calls itself")
        for name in done:
            del calls[name]


def _called(function: ast.FunctionDef) -> set[str]:
    return {
        node.func.id
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
