"""From a checked tree to closures: one Python function per node, called as `run(frame, machine)`.

Nothing of a program is ever given to Python's own `exec` or `eval`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from ..sandbox.allow_list import ENTRY, CheckedSource
from .machine import HOUSEHOLD, Frame, Household, Machine, Names, fork, merged
from .sequences import (
    OVER_ELEMENTS,
    SCALAR,
    Element,
    collected,
    count_of,
    elements,
    shallow,
)
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
Act = Callable[[Frame, Machine], None]

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


def compiled(checked: CheckedSource) -> Callable[[Machine], Any]:
    """Return a checked program as a function of a machine; it returns the program's value."""
    compiler = _Compiler(checked)
    for node in checked.tree.body:
        if isinstance(node, ast.FunctionDef):
            compiler.define(node, None)
    body, name = compiler.bodies[ENTRY], compiler.signatures[ENTRY].parameters[0]

    def run(machine: Machine) -> Any:
        return machine.called(body, {name: HOUSEHOLD}, None)

    return run


@dataclass(frozen=True, slots=True)
class Signature:
    """A function's parameters, and the function it is nested in."""

    parameters: tuple[str, ...]
    inside: str | None
    depth: int


def _signatures(tree: ast.Module) -> dict[str, Signature]:
    found: dict[str, Signature] = {}
    waiting: list[tuple[ast.AST, str | None, int]] = [(tree, None, 0)]
    while waiting:
        node, inside, depth = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            names = tuple(one.arg for one in node.args.args)
            found[node.name] = Signature(names, inside, depth)
            inside, depth = node.name, depth + 1
        waiting.extend((child, inside, depth) for child in ast.iter_child_nodes(node))
    return found


class _Scope:
    """The names of one function: which are its own, and what comprehensions call theirs."""

    def __init__(self, node: ast.FunctionDef, parent: _Scope | None) -> None:
        self.parent = parent
        self.name = node.name
        self.renamed: list[dict[str, str]] = []
        self.own = {one.arg for one in node.args.args} | set(_assigned(node.body))

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


class _Compiler:
    def __init__(self, checked: CheckedSource) -> None:
        self.checked = checked
        self.signatures = _signatures(checked.tree)
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

    # Functions and statements.

    def define(self, node: ast.FunctionDef, parent: _Scope | None) -> None:
        scope = _Scope(node, parent)
        for inner in _nested(node.body):
            self.define(inner, scope)
        self.bodies[node.name] = self.block(node.body, scope)

    def block(self, statements: list[ast.stmt], scope: _Scope) -> Act:
        acts = [act for one in statements if (act := self.statement(one, scope)) is not None]

        def run(frame: Frame, machine: Machine) -> None:
            for act in acts:
                act(frame, machine)
                if frame.names is None:
                    return

        return acts[0] if len(acts) == 1 else run

    def statement(self, node: ast.stmt, scope: _Scope) -> Act | None:
        if isinstance(node, ast.FunctionDef | ast.Pass | ast.Expr):
            return None
        made = self._acts[type(node)](self, node, scope)
        line = node.lineno

        def act(frame: Frame, machine: Machine) -> None:
            machine.step()
            machine.lines[line] = None
            made(frame, machine)

        return act

    def _assign(self, node: Any, scope: _Scope) -> Act:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        value = self.expression(node.value, scope)
        if isinstance(node, ast.AugAssign):
            value = self._calculation(
                node.op, self.expression(_loaded(cast("ast.Name", target)), scope), value
            )
        bind = self._binder(target, scope)

        def act(frame: Frame, machine: Machine) -> None:
            bind(frame, _followed(value, frame, machine))

        return act

    def _binder(self, target: ast.expr, scope: _Scope) -> Callable[[Frame, Any], None]:
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

    def _return(self, node: Any, scope: _Scope) -> Act:
        line = node.lineno
        value = self.expression(node.value or ast.Constant(None), scope)

        def act(frame: Frame, machine: Machine) -> None:
            found = _noted(value, line, frame, machine)
            frame.returned.append((found, frame.guard))
            frame.names = None

        return act

    def _if(self, node: Any, scope: _Scope) -> Act:
        line = node.test.lineno
        test = self.expression(node.test, scope)
        then, other = self.block(node.body, scope), self.block(node.orelse, scope)

        def act(frame: Frame, machine: Machine) -> None:
            found = _noted(test, line, frame, machine)
            held = truth(found)
            if held is None:
                fork(frame, machine, slots_of(found), (then, other))
            elif held:
                then(frame, machine)
            else:
                other(frame, machine)

        return act

    def _for(self, node: Any, scope: _Scope) -> Act:
        source = self._source(node.iter, scope)
        bind, body = self._binder(node.target, scope), self.block(node.body, scope)

        def act(frame: Frame, machine: Machine) -> None:
            guard, before = frame.guard, len(frame.returned)
            frame.broken.append([])
            frame.continued.append([])
            try:
                _loop(frame, machine, source, bind, body)
            except Unsettled as error:
                frame.guard |= error.slots
                frame.returned.append((either(frame.guard), frame.guard))
                frame.names = None
            ends = [] if frame.names is None else [frame.names]
            frame.names = merged(ends + frame.broken.pop(), frame.guard)
            frame.continued.pop()
            if len(frame.returned) == before:
                frame.guard = guard

        return act

    def _break(self, node: Any, scope: _Scope) -> Act:
        def act(frame: Frame, machine: Machine) -> None:
            frame.broken[-1].append(frame.names or {})
            frame.names = None

        return act

    def _continue(self, node: Any, scope: _Scope) -> Act:
        def act(frame: Frame, machine: Machine) -> None:
            frame.continued[-1].append(frame.names or {})
            frame.names = None

        return act

    _acts: ClassVar[dict[type[ast.AST], Callable[..., Act]]] = {
        ast.Assign: _assign,
        ast.AnnAssign: _assign,
        ast.AugAssign: _assign,
        ast.Return: _return,
        ast.If: _if,
        ast.For: _for,
        ast.Break: _break,
        ast.Continue: _continue,
    }

    # Expressions.

    def expression(self, node: ast.expr, scope: _Scope) -> Run:
        return self._runs[type(node)](self, node, scope)

    def _constant_value(self, node: Any, scope: _Scope) -> Run:
        value = node.value
        return lambda _, __: value

    def _name(self, node: Any, scope: _Scope) -> Run:
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

    def _bool_op(self, node: Any, scope: _Scope) -> Run:
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

    def _unary(self, node: Any, scope: _Scope) -> Run:
        operand = self.expression(node.operand, scope)
        if isinstance(node.op, ast.Not):
            return lambda frame, machine: negated(operand(frame, machine))
        if isinstance(node.op, ast.USub):
            return lambda frame, machine: negative(operand(frame, machine))
        return operand

    def _binary(self, node: Any, scope: _Scope) -> Run:
        left, right = self.expression(node.left, scope), self.expression(node.right, scope)
        return self._calculation(node.op, left, right)

    @staticmethod
    def _calculation(op: ast.operator, left: Run, right: Run) -> Run:
        sign = OPERATORS[type(op)]
        return lambda frame, machine: calculated(sign, left(frame, machine), right(frame, machine))

    def _compare(self, node: Any, scope: _Scope) -> Run:
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

    def _if_expression(self, node: Any, scope: _Scope) -> Run:
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

    def _subscript(self, node: Any, scope: _Scope) -> Run:
        holder, line = self.expression(node.value, scope), node.lineno
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            key = node.slice.value
            return lambda frame, machine: machine.keyed(holder(frame, machine), key, line)
        index = self.expression(node.slice, scope)
        return lambda frame, machine: machine.indexed(
            holder(frame, machine), index(frame, machine), line
        )

    def _call(self, node: Any, scope: _Scope) -> Run:
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

    def _text_method(self, node: Any, scope: _Scope) -> Run:
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

    def _own_call(self, name: str, arguments: list[Run], scope: _Scope) -> Run:
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

    def _over_elements(self, node: Any, scope: _Scope) -> Run:
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
        self, node: ast.expr, scope: _Scope
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
        self, node: ast.GeneratorExp | ast.ListComp, scope: _Scope
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
            levels.append((source, self._binder(one.target, scope), conditions))
        element = self.expression(node.elt, scope)
        scope.renamed.pop()

        def run(frame: Frame, machine: Machine) -> Iterator[Element]:
            return _nest(levels, 0, element, frame, machine, None)

        return run

    def _list_comprehension(self, node: Any, scope: _Scope) -> Run:
        source = self._comprehension(node, scope)
        return lambda frame, machine: shallow(collected(source(frame, machine)))

    def _sequence(self, node: Any, scope: _Scope) -> Run:
        parts = [self.expression(one, scope) for one in node.elts]
        return lambda frame, machine: shallow(tuple([part(frame, machine) for part in parts]))

    def _dict(self, node: Any, scope: _Scope) -> Run:
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
        frame.names = merged(ends + continued, frame.guard)
        continued.clear()
        if frame.names is None:
            return


def _stay(frame: Frame, machine: Machine) -> None:
    """Do nothing: the path without the element."""


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


def _followed(run: Run, frame: Frame, machine: Machine) -> Any:
    """Return a value; anything, where it cannot be followed."""
    try:
        return run(frame, machine)
    except Unsettled as error:
        return Unknown(error.slots)


def _noted(run: Run, line: int, frame: Frame, machine: Machine) -> Any:
    """Return a value, noting what was read for it where the program runs as Python would."""
    if not machine.stops:
        return _followed(run, frame, machine)
    mark = len(machine.trail)
    found = run(frame, machine)
    machine.note(line, found, mark)
    return found


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


def _nested(body: list[ast.stmt]) -> list[ast.FunctionDef]:
    """Return the functions defined in a function's own statements, in order."""
    found: list[ast.FunctionDef] = []
    for node in body:
        if isinstance(node, ast.FunctionDef):
            found.append(node)
        else:
            parts: list[ast.AST] = [node]
            while parts:
                part = parts.pop()
                if isinstance(part, ast.FunctionDef):
                    found.append(part)
                else:
                    parts.extend(ast.iter_child_nodes(part))
    return found


def _loaded(target: ast.Name) -> ast.Name:
    return ast.copy_location(ast.Name(target.id, ast.Load()), target)


def _found(scope: _Scope, name: str) -> str:
    place = scope.find(name)
    return name if place is None else place[1]
