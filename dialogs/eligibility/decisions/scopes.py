"""Resolve names in a program: which function binds each, and which functions see each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signature:
    """A function's parameters, and the function it is nested in."""

    parameters: tuple[str, ...]
    inside: str | None
    depth: int


def signatures(tree: ast.Module) -> dict[str, Signature]:
    """Return the signatures of all functions of a program, nested ones too."""
    functions: dict[str, Signature] = {}
    waiting: list[tuple[ast.AST, str | None, int]] = [(tree, None, 0)]
    while waiting:
        node, inside, depth = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            names = tuple(argument.arg for argument in node.args.args)
            functions[node.name] = Signature(names, inside, depth)
            inside, depth = node.name, depth + 1
        waiting.extend((child, inside, depth) for child in ast.iter_child_nodes(node))
    return functions


class Scope:
    """The names of one function: which are its own, and what comprehensions call theirs."""

    def __init__(self, node: ast.FunctionDef, parent: Scope | None) -> None:
        self.parent = parent
        self.name = node.name
        self.renamed: list[dict[str, str]] = []
        self.own = {argument.arg for argument in node.args.args} | set(_assigned(node.body))

    def find(self, name: str) -> tuple[int, str] | None:
        """Return how many frames up a name is bound, and what it is called there."""
        for names in reversed(self.renamed):
            if name in names:
                return 0, names[name]
        if name in self.own:
            return 0, name
        above = self.parent.find(name) if self.parent else None
        return None if above is None else (above[0] + 1, above[1])

    @property
    def chain(self) -> tuple[str, ...]:
        """The function and those it is nested in."""
        return (self.name, *(self.parent.chain if self.parent else ()))

    @property
    def depth(self) -> int:
        """How deep the function is nested."""
        return len(self.chain) - 1


def _assigned(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements bind, those of nested functions and comprehensions not."""
    waiting: list[ast.AST] = list(body)
    inner = (ast.FunctionDef, ast.GeneratorExp, ast.ListComp)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        if not isinstance(node, inner):
            waiting.extend(ast.iter_child_nodes(node))


def nested_functions(body: list[ast.stmt]) -> list[ast.FunctionDef]:
    """Return the functions defined in a function's own statements."""
    functions: list[ast.FunctionDef] = []
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            functions.append(node)
        else:
            waiting.extend(ast.iter_child_nodes(node))
    return functions
