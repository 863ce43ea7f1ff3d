"""Compile calls and comprehensions: functions of a program, of single values, of sequences."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from .expressions import ExpressionCompiler, Run, raising
from .machine import Frame, Household, Machine
from .scopes import Scope
from .sequences import OVER_ELEMENTS, SCALAR, Element, check_shallow, collect, count_of, elements
from .unknowns import ProgramError, Slots, Unknown, slots_of, truth


class CallCompiler(ExpressionCompiler):
    """Compiles all expressions of one program."""

    def _call(self, node: Any, scope: Scope) -> Run:
        if isinstance(node.func, ast.Attribute):
            return self._text_method(node, scope)
        name = node.func.id
        if name in OVER_ELEMENTS and len(node.args) == 1 + (name == "sum" and len(node.args) > 1):
            return self._over_elements(node, scope)
        arguments = [self.expression(argument, scope) for argument in node.args]
        if name in self.signatures:
            return self._own_call(name, arguments, scope)
        if name == "len" and len(arguments) == 1:
            return _length(arguments[0], node.lineno)
        if name in ("min", "max") and len(arguments) > 1:
            function = OVER_ELEMENTS[name]
            return lambda frame, machine: function(
                (argument(frame, machine), None) for argument in arguments
            )
        if name not in SCALAR or not arguments:
            return raising(f"{name} of {len(arguments)} arguments")
        scalar = SCALAR[name]
        most = {"range": 3, "round": 2}.get(name, 1)
        if len(arguments) > most:
            return raising(f"{name} of {len(arguments)} arguments")
        return lambda frame, machine: scalar(*(argument(frame, machine) for argument in arguments))

    def _text_method(self, node: Any, scope: Scope) -> Run:
        text, method = self.expression(node.func.value, scope), node.func.attr

        def run(frame: Frame, machine: Machine) -> Any:
            value = text(frame, machine)
            if isinstance(value, str):
                return getattr(value, method)()
            options = value.options if type(value) is Unknown else None
            if options and all(isinstance(option, str) for option in options):
                changed = frozenset(getattr(option, method)() for option in options)
                return Unknown(slots_of(value), changed)
            raise ProgramError(f".{method}() of what is no text")

        return run

    def _own_call(self, name: str, arguments: list[Run], scope: Scope) -> Run:
        signature, bodies = self.signatures[name], self.bodies
        parameters, up = signature.parameters, scope.depth - signature.depth + 1
        if len(arguments) != len(parameters):
            return raising(f"{name} of {len(arguments)} arguments")
        if signature.inside is not None and signature.inside not in scope.chain:
            return raising(f"{name} is not visible here")

        def run(frame: Frame, machine: Machine) -> Any:
            names = {
                parameter: argument(frame, machine)
                for parameter, argument in zip(parameters, arguments, strict=True)
            }
            parent: Frame | None = frame
            for _ in range(up):
                parent = parent.parent if parent else None
            return machine.call(bodies[name], names, parent)

        return run

    def _over_elements(self, node: Any, scope: Scope) -> Run:
        function = OVER_ELEMENTS[node.func.id]
        source = self.source(node.args[0], scope)
        if len(node.args) == 2:
            start = self.expression(node.args[1], scope)
            return lambda frame, machine: function(source(frame, machine), start(frame, machine))

        def run(frame: Frame, machine: Machine) -> Any:
            machine.step()
            return function(source(frame, machine))

        return run

    def source(self, node: ast.expr, scope: Scope) -> Callable[[Frame, Machine], Iterator[Element]]:
        """Return what yields the elements that an expression stands for."""
        if isinstance(node, ast.GeneratorExp | ast.ListComp):
            return self._comprehension(node, scope)
        value, line = self.expression(node, scope), node.lineno

        def run(frame: Frame, machine: Machine) -> Iterator[Element]:
            sequence = value(frame, machine)
            if type(sequence) is Household:
                sequence = machine.members(line)
            return elements(sequence)

        return run

    def _comprehension(
        self, node: ast.GeneratorExp | ast.ListComp, scope: Scope
    ) -> Callable[[Frame, Machine], Iterator[Element]]:
        levels: list[tuple[Any, Any, list[Run]]] = []
        names: dict[str, str] = {}
        for generator in node.generators:
            # The first source is read outside the comprehension, where its names do not count.
            source = self.source(generator.iter, scope)
            if not levels:
                scope.renamed.append(names)
            for target in ast.walk(generator.target):
                if isinstance(target, ast.Name):
                    self.fresh += 1
                    names[target.id] = f"{target.id}@{self.fresh}"
            conditions = [self.expression(condition, scope) for condition in generator.ifs]
            levels.append((source, self.binder(generator.target, scope), conditions))
        element = self.expression(node.elt, scope)
        scope.renamed.pop()

        def run(frame: Frame, machine: Machine) -> Iterator[Element]:
            return _nest(levels, 0, element, frame, machine, None)

        return run

    def _list_comprehension(self, node: Any, scope: Scope) -> Run:
        source = self._comprehension(node, scope)
        return lambda frame, machine: check_shallow(collect(source(frame, machine)))

    runs: ClassVar[dict[type[ast.AST], Callable[..., Run]]] = {
        **ExpressionCompiler.runs,
        ast.Call: _call,
        ast.ListComp: _list_comprehension,
    }


def _nest(
    levels: list[tuple[Any, Any, list[Run]]],
    level: int,
    element: Run,
    frame: Frame,
    machine: Machine,
    presence: Slots | None,
) -> Iterator[Element]:
    """Yield the elements of a comprehension from a level on."""
    if level == len(levels):
        yield _supposed(element, presence, frame, machine), presence
        return
    source, bind, conditions = levels[level]
    for value, there in source(frame, machine):
        machine.step()
        bind(frame, value)
        here = _both(presence, there)
        for condition in conditions:
            condition_value = _supposed(condition, here, frame, machine)
            is_met = truth(condition_value)
            if is_met is False:
                break
            if is_met is None:
                here = _both(here, slots_of(condition_value))
        else:
            yield from _nest(levels, level + 1, element, frame, machine, here)


def _supposed(run: Run, presence: Slots | None, frame: Frame, machine: Machine) -> Any:
    if presence is None:
        return run(frame, machine)
    return machine.suppose(presence, frame, run)


def _both(first: Slots | None, second: Slots | None) -> Slots | None:
    if first is None or second is None:
        return second if first is None else first
    return first | second


def _length(value: Run, line: int) -> Run:
    def run(frame: Frame, machine: Machine) -> Any:
        sequence = value(frame, machine)
        return machine.size(line) if type(sequence) is Household else count_of(sequence)

    return run
