"""Check a program's syntax tree against an allow-list, before anything of it runs.

What is not listed here is refused: the language has no attributes (but three of texts), no
imports, no exceptions, no loops without an end, no recursion and no way to name a key but by a
literal. So every program ends, and nothing in it can reach the host. Costs one walk of the tree.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ....catalogs.errors import SandboxError
from .names import TEXT_METHODS, Names, check_recursion, refusal

ENTRY = "eligible"
"""The function that decides; it takes the household."""

MAX_CHARACTERS, MAX_NODES, MAX_DEPTH, MAX_TEXT = 100_000, 20_000, 60, 2_000
MAX_NUMBER = 1e12

ALLOWED: tuple[type[ast.AST], ...] = tuple(
    getattr(ast, name)
    for name in (
        # Statements.
        "FunctionDef Assign AnnAssign AugAssign Return If For Break Continue Pass Expr "
        # Expressions.
        "BoolOp UnaryOp BinOp Compare IfExp Name Constant Subscript Call Attribute GeneratorExp "
        "ListComp Tuple List Set Dict "
        # Operators, and what else a tree consists of.
        "And Or Not USub UAdd Add Sub Mult Div FloorDiv Mod Eq NotEq Lt LtE Gt GtE In NotIn Is "
        "IsNot Load Store comprehension arguments arg Module"
    ).split()
)

_NAMES: Mapping[type[ast.AST], str] = {
    ast.Import: "an import",
    ast.ImportFrom: "an import",
    ast.While: "while",
    ast.Try: "try",
    ast.With: "with",
    ast.ClassDef: "a class",
    ast.Lambda: "a lambda",
    ast.JoinedStr: "an f-string",
    ast.Global: "global",
    ast.Nonlocal: "nonlocal",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.Await: "await",
    ast.AsyncFunctionDef: "async",
    ast.Delete: "del",
    ast.NamedExpr: ":=",
    ast.Starred: "a starred expression",
    ast.Slice: "a slice",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.MatMult: "@",
    ast.Assert: "assert",
    ast.Raise: "raise",
}


@dataclass(frozen=True)
class CheckedSource:
    """A source that passed: its tree, the keys it can read with their lines, its comments.

    `keys`: in order of first appearance. `key_lines`, `comments`: line numbers from 1.
    """

    source: str
    tree: ast.Module
    keys: tuple[str, ...]
    key_lines: Mapping[str, tuple[int, ...]]
    comments: Mapping[int, str] = field(default_factory=dict[int, str])


def check_source(source: str) -> CheckedSource:
    """Return a source that keeps to the allow-list; raise `SandboxError` with the line."""
    tree = _parsed(source)
    _check_size(tree)
    texts = {id(statement.value) for statement in ast.walk(tree) if isinstance(statement, ast.Expr)}
    for node in ast.walk(tree):
        # A text that stands alone is a docstring, and may be as long as the program.
        if id(node) not in texts or not isinstance(node, ast.Constant):
            _check_node(node)
    _check_top(tree)
    names = Names(tree)
    names.check()
    check_recursion(tree, names.functions)
    lines = names.key_lines
    return CheckedSource(source, tree, tuple(lines), lines, _comments(source))


def _parsed(source: str) -> ast.Module:
    if len(source) > MAX_CHARACTERS:
        raise SandboxError(f"a program of {len(source):,} characters", hint="write a shorter one")
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise refusal(line, f"no Python: {getattr(error, 'msg', None) or error}") from None
    except (RecursionError, MemoryError):
        raise SandboxError("a program nested too deeply", hint="write a flatter one") from None


def _check_size(tree: ast.Module) -> None:
    """Count nodes and depth level by level: no recursion that a program could exhaust."""
    level: list[ast.AST] = [tree]
    count = depth = 0
    while level:
        count, depth = count + len(level), depth + 1
        if count > MAX_NODES or depth > MAX_DEPTH:
            what = "long" if count > MAX_NODES else "deeply nested"
            raise SandboxError(f"a program that is too {what}", hint="write a simpler one")
        level = [child for node in level for child in ast.iter_child_nodes(node)]


def _check_node(node: ast.AST) -> None:
    if not isinstance(node, ALLOWED):
        name = _NAMES.get(type(node), type(node).__name__)
        raise refusal(node, f"{name} is not allowed")
    if (check := _CHECKS.get(type(node))) is not None:
        check(node)


def _check_function(node: ast.FunctionDef) -> None:
    arguments = node.args
    extra = arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs
    if extra or arguments.defaults or node.decorator_list or getattr(node, "type_params", None):
        raise refusal(node, "a function takes plain positional parameters and nothing else")


def _check_constant(node: ast.Constant) -> None:
    value = node.value
    if isinstance(value, str):
        fits = len(value) <= MAX_TEXT
    elif value is None or isinstance(value, bool):
        fits = True
    else:
        fits = isinstance(value, int | float) and abs(value) <= MAX_NUMBER
    if not fits:
        kind = type(value).__name__
        raise refusal(node, f"the constant is too large or a {kind}", "numbers up to 1e12, texts")


def _check_attribute(node: ast.Attribute) -> None:
    if node.attr not in TEXT_METHODS:
        hint = (
            "read hh['key'] directly" if node.attr == "get" else "only .lower() .upper() .strip()"
        )
        raise refusal(node, f"the attribute .{node.attr[:40]} is not allowed", hint)


def _check_call(node: ast.Call) -> None:
    if isinstance(node.func, ast.Attribute):
        _check_attribute(node.func)
    if node.keywords:
        raise refusal(node, "arguments by name are not allowed")
    if isinstance(node.func, ast.Attribute):
        if node.args:
            raise refusal(node, f".{node.func.attr}() takes no arguments here")
    elif not isinstance(node.func, ast.Name):
        raise refusal(node, "only functions can be called, by their names")


def _check_comprehension(node: ast.comprehension) -> None:
    if node.is_async:
        raise refusal(node.target, "async is not allowed")
    _check_target(node.target)


def _check_target(target: ast.expr) -> None:
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    if not all(isinstance(part, ast.Name) for part in parts):
        raise refusal(target, "only names can be assigned to")


def _check_assign(node: ast.Assign) -> None:
    if len(node.targets) != 1:
        raise refusal(node, "one target at a time can be assigned to")
    _check_target(node.targets[0])


def _check_one_target(node: ast.AnnAssign | ast.AugAssign) -> None:
    if not isinstance(node.target, ast.Name) or node.value is None:
        raise refusal(node, "only names can be assigned to")


def _check_for(node: ast.For) -> None:
    _check_target(node.target)
    if node.orelse:
        raise refusal(node, "for … else is not allowed")


def _check_expression_statement(node: ast.Expr) -> None:
    if not isinstance(node.value, ast.Constant):
        raise refusal(node, "an expression whose value is not used")


def _check_dict(node: ast.Dict) -> None:
    if any(key is None for key in node.keys):
        raise refusal(node, "** is not allowed")


_CHECKS: Mapping[type[ast.AST], Callable[[Any], None]] = {
    ast.FunctionDef: _check_function,
    ast.Constant: _check_constant,
    ast.Attribute: _check_attribute,
    ast.Call: _check_call,
    ast.comprehension: _check_comprehension,
    ast.Assign: _check_assign,
    ast.AnnAssign: _check_one_target,
    ast.AugAssign: _check_one_target,
    ast.For: _check_for,
    ast.Expr: _check_expression_statement,
    ast.Dict: _check_dict,
}


def _check_top(tree: ast.Module) -> None:
    entries = [
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == ENTRY
    ]
    if len(entries) != 1 or len(entries[0].args.args) != 1:
        raise SandboxError("a program without its function", hint=f"write def {ENTRY}(hh): …")
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            if not isinstance(node.value, ast.expr) or not _is_literal(node.value):
                raise refusal(node, "outside functions only constants are assigned")
        elif not isinstance(node, ast.FunctionDef | ast.Expr | ast.Pass):
            raise refusal(node, "outside functions only constants and functions stand")


def _is_literal(node: ast.expr) -> bool:
    parts = (ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.UnaryOp, ast.USub, ast.Load)
    return all(isinstance(part, parts) for part in ast.walk(node))


def _comments(source: str) -> dict[int, str]:
    """Return the comments by line; one that stands alone belongs to the next line of code."""
    comments: dict[int, str] = {}
    waiting: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                text = token.string.lstrip("#").strip()
                if token.line.strip().startswith("#"):
                    waiting.append(text)
                else:
                    comments[token.start[0]] = text
            elif token.type not in _BLANK:
                if waiting:
                    comments.setdefault(token.start[0], " ".join(waiting))
                waiting = []
    except (tokenize.TokenError, SyntaxError):
        pass
    return comments


_BLANK = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}
