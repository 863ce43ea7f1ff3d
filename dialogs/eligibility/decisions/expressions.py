"""Compile expressions to closures: a Python function per node, called as `run(frame, machine)`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, ClassVar, cast

from ..sandbox.allow_list import CheckedSource
from .machine import Frame, Machine, Names
from .scopes import Scope, signatures
from .sequences import check_shallow
from .unknowns import (
    NOTHING,
    ProgramError,
    Slots,
    Unknown,
    Unsettled,
    calculate,
    compare,
    join,
    minus,
    negate,
    slots_of,
    truth,
    unknown_truth,
)

Run = Callable[[Frame, Machine], Any]
"""An expression: it returns a value."""

Act = Callable[[Frame, Machine], None]
"""A statement: it changes the frame."""

OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}


class ExpressionCompiler:
    """Compiles expressions without calls and comprehensions, which `CallCompiler` adds."""

    def __init__(self, checked: CheckedSource) -> None:
        self.checked = checked
        self.signatures = signatures(checked.tree)
        self.bodies: dict[str, Act] = {}
        self.fresh = 0
        self.constants: Names = {}
        for node in checked.tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                self._constant(node)

    def _constant(self, node: ast.Assign | ast.AnnAssign) -> None:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        value = _literal(cast("ast.expr", node.value))
        if isinstance(target, ast.Tuple):
            raise_unpaired(target, value)
            for element, part in zip(target.elts, value, strict=True):
                self.constants[cast("ast.Name", element).id] = part
        elif isinstance(target, ast.Name):
            self.constants[target.id] = value

    def binder(self, target: ast.expr, scope: Scope) -> Callable[[Frame, Any], None]:
        names = [
            _name_in(scope, element.id)
            for element in (target.elts if isinstance(target, ast.Tuple) else [target])
            if isinstance(element, ast.Name)
        ]
        if not isinstance(target, ast.Tuple):
            name = names[0]

            def bind(frame: Frame, value: Any) -> None:
                frame.names[name] = value  # pyright: ignore[reportOptionalSubscript] followed path

            return bind

        def bind_all(frame: Frame, value: Any) -> None:
            raise_unpaired(target, value)
            frame.names.update(zip(names, value, strict=True))  # pyright: ignore[reportOptionalMemberAccess] followed path

        return bind_all

    def expression(self, node: ast.expr, scope: Scope) -> Run:
        return self.runs[type(node)](self, node, scope)

    def _constant_value(self, node: Any, scope: Scope) -> Run:
        value = node.value
        return lambda _, __: value

    def _name(self, node: Any, scope: Scope) -> Run:
        name = node.id
        place = scope.find(name)
        if place is None:
            if name not in self.constants:
                return raising(f"the name {name} is not bound here")
            value = self.constants[name]
            return lambda _, __: value
        up, name = place

        def run(frame: Frame, machine: Machine) -> Any:
            for _ in range(up):
                frame = frame.parent or frame
            names = frame.names
            if names is None or name not in names:
                raise ProgramError(f"the name {name} is not bound yet")
            return names[name]

        return run

    def _bool_op(self, node: Any, scope: Scope) -> Run:
        parts = [self.expression(operand, scope) for operand in node.values]
        decisive = isinstance(node.op, ast.Or)

        def run(frame: Frame, machine: Machine) -> Any:
            slots: Slots | None = None
            result: Any = None
            for part in parts:
                if slots is None:
                    result = part(frame, machine)
                else:
                    result = machine.suppose(slots, frame, part)
                is_true = truth(result)
                if is_true is decisive:
                    return result if slots is None else decisive
                if is_true is None:
                    slots = (slots or NOTHING) | slots_of(result)
            return result if slots is None else unknown_truth(slots)

        return run

    def _unary(self, node: Any, scope: Scope) -> Run:
        operand = self.expression(node.operand, scope)
        if isinstance(node.op, ast.Not):
            return lambda frame, machine: negate(operand(frame, machine))
        if isinstance(node.op, ast.USub):
            return lambda frame, machine: minus(operand(frame, machine))
        return operand

    def _binary(self, node: Any, scope: Scope) -> Run:
        left, right = self.expression(node.left, scope), self.expression(node.right, scope)
        return self.calculation(node.op, left, right)

    @staticmethod
    def calculation(op: ast.operator, left: Run, right: Run) -> Run:
        sign = OPERATORS[type(op)]
        return lambda frame, machine: calculate(sign, left(frame, machine), right(frame, machine))

    def _compare(self, node: Any, scope: Scope) -> Run:
        signs = [OPERATORS[type(op)] for op in node.ops]
        operands = [self.expression(operand, scope) for operand in (node.left, *node.comparators)]
        if len(signs) == 1:
            sign, (left, right) = signs[0], operands

            def once(frame: Frame, machine: Machine) -> Any:
                machine.step()
                return compare(sign, left(frame, machine), right(frame, machine))

            return once

        def run(frame: Frame, machine: Machine) -> Any:
            slots = NOTHING
            left = operands[0](frame, machine)
            for sign, operand in zip(signs, operands[1:], strict=True):
                machine.step()
                right = operand(frame, machine)
                result = compare(sign, left, right)
                is_true = truth(result)
                if is_true is False:
                    return False
                slots |= slots_of(result)
                left = right
            return unknown_truth(slots) if slots else True

        return run

    def _if_expression(self, node: Any, scope: Scope) -> Run:
        test, then, other = (
            self.expression(part, scope) for part in (node.test, node.body, node.orelse)
        )

        def run(frame: Frame, machine: Machine) -> Any:
            condition = test(frame, machine)
            is_true = truth(condition)
            if is_true is not None:
                return (then if is_true else other)(frame, machine)
            slots = slots_of(condition)
            value = machine.suppose(slots, frame, then)
            return join(value, machine.suppose(slots, frame, other), slots)

        return run

    def _subscript(self, node: Any, scope: Scope) -> Run:
        holder, line = self.expression(node.value, scope), node.lineno
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            key = node.slice.value
            return lambda frame, machine: machine.read_key(holder(frame, machine), key, line)
        index = self.expression(node.slice, scope)
        return lambda frame, machine: machine.read_index(
            holder(frame, machine), index(frame, machine), line
        )

    def _sequence(self, node: Any, scope: Scope) -> Run:
        parts = [self.expression(element, scope) for element in node.elts]
        return lambda frame, machine: check_shallow(tuple([part(frame, machine) for part in parts]))

    def _dict(self, node: Any, scope: Scope) -> Run:
        keys = [self.expression(key, scope) for key in node.keys]
        values = [self.expression(value, scope) for value in node.values]

        def run(frame: Frame, machine: Machine) -> Any:
            table: dict[Any, Any] = {}
            for key, value in zip(keys, values, strict=True):
                name = key(frame, machine)
                if not isinstance(name, bool | int | float | str):
                    raise ProgramError("a table's key is a text or a number that is known")
                table[name] = value(frame, machine)
            check_shallow(tuple(table.values()))
            return table

        return run

    runs: ClassVar[dict[type[ast.AST], Callable[..., Run]]] = {
        ast.Constant: _constant_value,
        ast.Name: _name,
        ast.BoolOp: _bool_op,
        ast.UnaryOp: _unary,
        ast.BinOp: _binary,
        ast.Compare: _compare,
        ast.IfExp: _if_expression,
        ast.Subscript: _subscript,
        ast.Tuple: _sequence,
        ast.List: _sequence,
        ast.Set: _sequence,
        ast.Dict: _dict,
    }


def value_or_unknown(run: Run, frame: Frame, machine: Machine) -> Any:
    """Return a value; anything, where it cannot be followed."""
    try:
        return run(frame, machine)
    except Unsettled as error:
        return Unknown(error.slots)


def raising(problem: str) -> Run:
    """Return an expression that raises `ProgramError`."""

    def run(frame: Frame, machine: Machine) -> Any:
        raise ProgramError(problem)

    return run


def _literal(node: ast.expr) -> Any:
    """Return a constant, lists and sets of constants as tuples."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp):
        return minus(_literal(node.operand))
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return {_literal(key): _literal(value) for key, value in pairs if key is not None}
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return tuple(_literal(element) for element in node.elts)
    raise ProgramError("no constant")


def raise_unpaired(target: ast.expr, value: Any) -> None:
    """Raise unless a value has as many parts as a target has names."""
    wanted = len(target.elts) if isinstance(target, ast.Tuple) else 1
    if type(value) is Unknown:
        raise Unsettled(value.slots)
    if type(value) is not tuple or len(cast("tuple[Any, ...]", value)) != wanted:
        raise ProgramError(f"not {wanted} values to assign")


def _name_in(scope: Scope, name: str) -> str:
    place = scope.find(name)
    return name if place is None else place[1]
