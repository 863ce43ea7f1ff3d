"""Compile a checked program to Python closures: its statements and functions.

Nothing of a program is ever given to Python's own `exec` or `eval`. Compiled once per program.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, cast

from ..sandbox.allow_list import ENTRY, CheckedSource
from .calls import CallCompiler
from .expressions import Act, Run, value_or_unknown
from .machine import HOUSEHOLD, Frame, Machine, fork, merge_paths
from .scopes import Scope, nested_functions
from .sequences import Element
from .unknowns import Unsettled, slots_of, truth, unknown_truth


def compile_program(checked: CheckedSource) -> Callable[[Machine], Any]:
    """Return a checked program as a function of a machine; it returns the program's value."""
    compiler = _Compiler(checked)
    for node in checked.tree.body:
        if isinstance(node, ast.FunctionDef):
            compiler.define(node, None)
    body, name = compiler.bodies[ENTRY], compiler.signatures[ENTRY].parameters[0]

    def run(machine: Machine) -> Any:
        return machine.call(body, {name: HOUSEHOLD}, None)

    return run


class _Compiler(CallCompiler):
    def define(self, node: ast.FunctionDef, parent: Scope | None) -> None:
        scope = Scope(node, parent)
        for inner in nested_functions(node.body):
            self.define(inner, scope)
        self.bodies[node.name] = self.block(node.body, scope)

    def block(self, statements: list[ast.stmt], scope: Scope) -> Act:
        acts = [
            act for statement in statements if (act := self.statement(statement, scope)) is not None
        ]

        def run(frame: Frame, machine: Machine) -> None:
            for act in acts:
                act(frame, machine)
                if frame.names is None:
                    return

        return acts[0] if len(acts) == 1 else run

    def statement(self, node: ast.stmt, scope: Scope) -> Act | None:
        if isinstance(node, ast.FunctionDef | ast.Pass | ast.Expr):
            return None
        do = self._acts[type(node)](self, node, scope)
        line = node.lineno

        def act(frame: Frame, machine: Machine) -> None:
            machine.step()
            machine.lines[line] = None
            do(frame, machine)

        return act

    def _assign(self, node: Any, scope: Scope) -> Act:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        value = self.expression(node.value, scope)
        if isinstance(node, ast.AugAssign):
            value = self.calculation(
                node.op, self.expression(_loaded(cast("ast.Name", target)), scope), value
            )
        bind = self.binder(target, scope)

        def act(frame: Frame, machine: Machine) -> None:
            bind(frame, value_or_unknown(value, frame, machine))

        return act

    def _return(self, node: Any, scope: Scope) -> Act:
        line = node.lineno
        value = self.expression(node.value or ast.Constant(None), scope)

        def act(frame: Frame, machine: Machine) -> None:
            result = _noted(value, line, frame, machine)
            frame.returned.append((result, frame.guard))
            frame.names = None

        return act

    def _if(self, node: Any, scope: Scope) -> Act:
        line = node.test.lineno
        test = self.expression(node.test, scope)
        then, other = self.block(node.body, scope), self.block(node.orelse, scope)

        def act(frame: Frame, machine: Machine) -> None:
            condition = _noted(test, line, frame, machine)
            is_true = truth(condition)
            if is_true is None:
                fork(frame, machine, slots_of(condition), (then, other))
            elif is_true:
                then(frame, machine)
            else:
                other(frame, machine)

        return act

    def _for(self, node: Any, scope: Scope) -> Act:
        source = self.source(node.iter, scope)
        bind, body = self.binder(node.target, scope), self.block(node.body, scope)

        def act(frame: Frame, machine: Machine) -> None:
            guard, before = frame.guard, len(frame.returned)
            frame.broken.append([])
            frame.continued.append([])
            try:
                _loop(frame, machine, source, bind, body)
            except Unsettled as error:
                frame.guard |= error.slots
                frame.returned.append((unknown_truth(frame.guard), frame.guard))
                frame.names = None
            ends = [] if frame.names is None else [frame.names]
            frame.names = merge_paths(ends + frame.broken.pop(), frame.guard)
            frame.continued.pop()
            if len(frame.returned) == before:
                frame.guard = guard

        return act

    def _leave(self, node: Any, scope: Scope) -> Act:
        is_break = isinstance(node, ast.Break)

        def act(frame: Frame, machine: Machine) -> None:
            (frame.broken if is_break else frame.continued)[-1].append(frame.names or {})
            frame.names = None

        return act

    _acts: ClassVar[dict[type[ast.AST], Callable[..., Act]]] = {
        ast.Assign: _assign,
        ast.AnnAssign: _assign,
        ast.AugAssign: _assign,
        ast.Return: _return,
        ast.If: _if,
        ast.For: _for,
        ast.Break: _leave,
        ast.Continue: _leave,
    }


def _loop(
    frame: Frame,
    machine: Machine,
    source: Callable[[Frame, Machine], Iterator[Element]],
    bind: Callable[[Frame, Any], None],
    body: Act,
) -> None:
    for value, presence in source(frame, machine):
        machine.step()

        def turn(frame: Frame, machine: Machine, value: Any = value) -> None:
            bind(frame, value)
            body(frame, machine)

        if presence is None:
            turn(frame, machine)
        else:
            fork(frame, machine, presence, (turn, _stay))
        continued = frame.continued[-1]
        ends = [] if frame.names is None else [frame.names]
        frame.names = merge_paths(ends + continued, frame.guard)
        continued.clear()
        if frame.names is None:
            return


def _stay(frame: Frame, machine: Machine) -> None:
    """Do nothing: the path without the element."""


def _noted(run: Run, line: int, frame: Frame, machine: Machine) -> Any:
    """Return a value, noting what was read for it where the program runs as Python would."""
    if not machine.stops:
        return value_or_unknown(run, frame, machine)
    mark = len(machine.trail)
    value = run(frame, machine)
    machine.note(line, value, mark)
    return value


def _loaded(target: ast.Name) -> ast.Name:
    return ast.copy_location(ast.Name(target.id, ast.Load()), target)
