"""Expressions as closures: one Python function per node, called as `run(frame, machine)`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, cast

from ..sandbox.allow_list import CheckedSource
from .machine import Frame, Household, Machine, Names
from .scopes import Scope, signatures
from .sequences import OVER_ELEMENTS, SCALAR, Element, collected, count_of, elements, shallow
from .unknowns import (
    NOTHING,
    ProgramError,
    Slots,
    Unknown,
    Unsettled,
    calculated,
    compared,
    either,
    joined,
    negated,
    negative,
    slots_of,
    truth,
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
    """Compiles the expressions of one program."""

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
            for one, part in zip(target.elts, value, strict=True):
                self.constants[cast("ast.Name", one).id] = part
        elif isinstance(target, ast.Name):
            self.constants[target.id] = value

    def binder(self, target: ast.expr, scope: Scope) -> Callable[[Frame, Any], None]:
        names = [
            _found(scope, one.id)
            for one in (target.elts if isinstance(target, ast.Tuple) else [target])
            if isinstance(one, ast.Name)
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
        return self._runs[type(node)](self, node, scope)

    def _constant_value(self, node: Any, scope: Scope) -> Run:
        value = node.value
        return lambda _, __: value

    def _name(self, node: Any, scope: Scope) -> Run:
        name = node.id
        found = scope.find(name)
        if found is None:
            if name not in self.constants:
                return _failing(f"the name {name} is not bound here")
            value = self.constants[name]
            return lambda _, __: value
        up, name = found

        def run(frame: Frame, machine: Machine) -> Any:
            for _ in range(up):
                frame = frame.parent or frame
            names = frame.names
            if names is None or name not in names:
                raise ProgramError(f"the name {name} is not bound yet")
            return names[name]

        return run

    def _bool_op(self, node: Any, scope: Scope) -> Run:
        parts = [self.expression(one, scope) for one in node.values]
        decisive = isinstance(node.op, ast.Or)

        def run(frame: Frame, machine: Machine) -> Any:
            slots: Slots | None = None
            found: Any = None
            for part in parts:
                if slots is None:
                    found = part(frame, machine)
                else:
                    found = machine.supposing(slots, frame, part)
                held = truth(found)
                if held is decisive:
                    return found if slots is None else decisive
                if held is None:
                    slots = (slots or NOTHING) | slots_of(found)
            return found if slots is None else either(slots)

        return run

    def _unary(self, node: Any, scope: Scope) -> Run:
        operand = self.expression(node.operand, scope)
        if isinstance(node.op, ast.Not):
            return lambda frame, machine: negated(operand(frame, machine))
        if isinstance(node.op, ast.USub):
            return lambda frame, machine: negative(operand(frame, machine))
        return operand

    def _binary(self, node: Any, scope: Scope) -> Run:
        left, right = self.expression(node.left, scope), self.expression(node.right, scope)
        return self.calculation(node.op, left, right)

    @staticmethod
    def calculation(op: ast.operator, left: Run, right: Run) -> Run:
        sign = OPERATORS[type(op)]
        return lambda frame, machine: calculated(sign, left(frame, machine), right(frame, machine))

    def _compare(self, node: Any, scope: Scope) -> Run:
        signs = [OPERATORS[type(op)] for op in node.ops]
        operands = [self.expression(one, scope) for one in (node.left, *node.comparators)]
        if len(signs) == 1:
            sign, (left, right) = signs[0], operands

            def once(frame: Frame, machine: Machine) -> Any:
                machine.step()
                return compared(sign, left(frame, machine), right(frame, machine))

            return once

        def run(frame: Frame, machine: Machine) -> Any:
            slots = NOTHING
            left = operands[0](frame, machine)
            for sign, operand in zip(signs, operands[1:], strict=True):
                machine.step()
                right = operand(frame, machine)
                found = compared(sign, left, right)
                held = truth(found)
                if held is False:
                    return False
                slots |= slots_of(found)
                left = right
            return either(slots) if slots else True

        return run

    def _if_expression(self, node: Any, scope: Scope) -> Run:
        test, then, other = (
            self.expression(one, scope) for one in (node.test, node.body, node.orelse)
        )

        def run(frame: Frame, machine: Machine) -> Any:
            found = test(frame, machine)
            held = truth(found)
            if held is not None:
                return (then if held else other)(frame, machine)
            slots = slots_of(found)
            one = machine.supposing(slots, frame, then)
            return joined(one, machine.supposing(slots, frame, other), slots)

        return run

    def _subscript(self, node: Any, scope: Scope) -> Run:
        holder, line = self.expression(node.value, scope), node.lineno
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            key = node.slice.value
            return lambda frame, machine: machine.keyed(holder(frame, machine), key, line)
        index = self.expression(node.slice, scope)
        return lambda frame, machine: machine.indexed(
            holder(frame, machine), index(frame, machine), line
        )

    def _call(self, node: Any, scope: Scope) -> Run:
        if isinstance(node.func, ast.Attribute):
            return self._text_method(node, scope)
        name = node.func.id
        if name in OVER_ELEMENTS and len(node.args) == 1 + (name == "sum" and len(node.args) > 1):
            return self._over_elements(node, scope)
        arguments = [self.expression(one, scope) for one in node.args]
        if name in self.signatures:
            return self._own_call(name, arguments, scope)
        if name == "len" and len(arguments) == 1:
            return _length(arguments[0], node.lineno)
        if name in ("min", "max") and len(arguments) > 1:
            function = OVER_ELEMENTS[name]
            return lambda frame, machine: function((one(frame, machine), None) for one in arguments)
        if name not in SCALAR or not arguments:
            return _failing(f"{name} of {len(arguments)} arguments")
        scalar = SCALAR[name]
        most = {"range": 3, "round": 2}.get(name, 1)
        if len(arguments) > most:
            return _failing(f"{name} of {len(arguments)} arguments")
        return lambda frame, machine: scalar(*(one(frame, machine) for one in arguments))

    def _text_method(self, node: Any, scope: Scope) -> Run:
        text, method = self.expression(node.func.value, scope), node.func.attr

        def run(frame: Frame, machine: Machine) -> Any:
            found = text(frame, machine)
            if isinstance(found, str):
                return getattr(found, method)()
            options = found.options if type(found) is Unknown else None
            if options and all(isinstance(one, str) for one in options):
                changed = frozenset(getattr(one, method)() for one in options)
                return Unknown(slots_of(found), changed)
            raise ProgramError(f".{method}() of what is no text")

        return run

    def _own_call(self, name: str, arguments: list[Run], scope: Scope) -> Run:
        signature, bodies = self.signatures[name], self.bodies
        parameters, up = signature.parameters, scope.depth - signature.depth + 1
        if len(arguments) != len(parameters):
            return _failing(f"{name} of {len(arguments)} arguments")
        if signature.inside is not None and signature.inside not in scope.chain:
            return _failing(f"{name} is not visible here")

        def run(frame: Frame, machine: Machine) -> Any:
            names = {
                parameter: one(frame, machine)
                for parameter, one in zip(parameters, arguments, strict=True)
            }
            parent: Frame | None = frame
            for _ in range(up):
                parent = parent.parent if parent else None
            return machine.called(bodies[name], names, parent)

        return run

    def _over_elements(self, node: Any, scope: Scope) -> Run:
        function = OVER_ELEMENTS[node.func.id]
        source = self._source(node.args[0], scope)
        if len(node.args) == 2:
            start = self.expression(node.args[1], scope)
            return lambda frame, machine: function(source(frame, machine), start(frame, machine))

        def run(frame: Frame, machine: Machine) -> Any:
            machine.step()
            return function(source(frame, machine))

        return run

    def _source(
        self, node: ast.expr, scope: Scope
    ) -> Callable[[Frame, Machine], Iterator[Element]]:
        """Return what yields the elements that an expression stands for."""
        if isinstance(node, ast.GeneratorExp | ast.ListComp):
            return self._comprehension(node, scope)
        value, line = self.expression(node, scope), node.lineno

        def run(frame: Frame, machine: Machine) -> Iterator[Element]:
            found = value(frame, machine)
            if type(found) is Household:
                found = machine.members(line)
            return elements(found)

        return run

    def _comprehension(
        self, node: ast.GeneratorExp | ast.ListComp, scope: Scope
    ) -> Callable[[Frame, Machine], Iterator[Element]]:
        levels: list[tuple[Any, Any, list[Run]]] = []
        names: dict[str, str] = {}
        for one in node.generators:
            # The first source is read outside the comprehension, where its names do not count.
            source = self._source(one.iter, scope)
            if not levels:
                scope.renamed.append(names)
            for target in ast.walk(one.target):
                if isinstance(target, ast.Name):
                    self.fresh += 1
                    names[target.id] = f"{target.id}@{self.fresh}"
            conditions = [self.expression(condition, scope) for condition in one.ifs]
            levels.append((source, self.binder(one.target, scope), conditions))
        element = self.expression(node.elt, scope)
        scope.renamed.pop()

        def run(frame: Frame, machine: Machine) -> Iterator[Element]:
            return _nest(levels, 0, element, frame, machine, None)

        return run

    def _list_comprehension(self, node: Any, scope: Scope) -> Run:
        source = self._comprehension(node, scope)
        return lambda frame, machine: shallow(collected(source(frame, machine)))

    def _sequence(self, node: Any, scope: Scope) -> Run:
        parts = [self.expression(one, scope) for one in node.elts]
        return lambda frame, machine: shallow(tuple([part(frame, machine) for part in parts]))

    def _dict(self, node: Any, scope: Scope) -> Run:
        keys = [self.expression(one, scope) for one in node.keys]
        values = [self.expression(one, scope) for one in node.values]

        def run(frame: Frame, machine: Machine) -> Any:
            found: dict[Any, Any] = {}
            for key, value in zip(keys, values, strict=True):
                name = key(frame, machine)
                if not isinstance(name, bool | int | float | str):
                    raise ProgramError("a table's key is a text or a number that is known")
                found[name] = value(frame, machine)
            shallow(tuple(found.values()))
            return found

        return run

    _runs: ClassVar[dict[type[ast.AST], Callable[..., Run]]] = {
        ast.Constant: _constant_value,
        ast.Name: _name,
        ast.BoolOp: _bool_op,
        ast.UnaryOp: _unary,
        ast.BinOp: _binary,
        ast.Compare: _compare,
        ast.IfExp: _if_expression,
        ast.Subscript: _subscript,
        ast.Call: _call,
        ast.ListComp: _list_comprehension,
        ast.Tuple: _sequence,
        ast.List: _sequence,
        ast.Set: _sequence,
        ast.Dict: _dict,
    }


def _nest(
    levels: list[tuple[Any, Any, list[Run]]],
    at: int,
    element: Run,
    frame: Frame,
    machine: Machine,
    presence: Slots | None,
) -> Iterator[Element]:
    """Yield the elements of a comprehension from its level `at` on."""
    if at == len(levels):
        yield _supposed(element, presence, frame, machine), presence
        return
    source, bind, conditions = levels[at]
    for value, there in source(frame, machine):
        machine.step()
        bind(frame, value)
        found = _both(presence, there)
        for condition in conditions:
            held = _supposed(condition, found, frame, machine)
            is_met = truth(held)
            if is_met is False:
                break
            if is_met is None:
                found = _both(found, slots_of(held))
        else:
            yield from _nest(levels, at + 1, element, frame, machine, found)


def _supposed(run: Run, presence: Slots | None, frame: Frame, machine: Machine) -> Any:
    if presence is None:
        return run(frame, machine)
    return machine.supposing(presence, frame, run)


def _both(first: Slots | None, second: Slots | None) -> Slots | None:
    if first is None or second is None:
        return second if first is None else first
    return first | second


def followed(run: Run, frame: Frame, machine: Machine) -> Any:
    """Return a value; anything, where it cannot be followed."""
    try:
        return run(frame, machine)
    except Unsettled as error:
        return Unknown(error.slots)


def _length(value: Run, line: int) -> Run:
    def run(frame: Frame, machine: Machine) -> Any:
        found = value(frame, machine)
        return machine.size(line) if type(found) is Household else count_of(found)

    return run


def _failing(problem: str) -> Run:
    def run(frame: Frame, machine: Machine) -> Any:
        raise ProgramError(problem)

    return run


def _literal(node: ast.expr) -> Any:
    """Return a constant, lists and sets of constants as tuples."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp):
        return negative(_literal(node.operand))
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return {_literal(key): _literal(value) for key, value in pairs if key is not None}
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return tuple(_literal(one) for one in node.elts)
    raise ProgramError("no constant")


def raise_unpaired(target: ast.expr, value: Any) -> None:
    """Raise unless a value has as many parts as a target has names."""
    wanted = len(target.elts) if isinstance(target, ast.Tuple) else 1
    if type(value) is Unknown:
        raise Unsettled(value.slots)
    if type(value) is not tuple or len(cast("tuple[Any, ...]", value)) != wanted:
        raise ProgramError(f"not {wanted} values to assign")


def _found(scope: Scope, name: str) -> str:
    place = scope.find(name)
    return name if place is None else place[1]
