"""Programs that decide: a checked source, the keys it reads, the comments at its lines.

A program is compiled once to Python closures; nothing of it is given to `exec` or `eval`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, cast

from ....catalogs.errors import QueryError, SandboxError, UnreadableFile, excerpt
from ..keys import MAX_FILE_BYTES, KeyTable, read_keys
from ..sandbox.allow_list import ENTRY, CheckedSource, check_source
from ..sandbox.names import refusal
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


Origin = Literal["recorded", "model", "text"]
"""Who wrote a program: recorded and read by people, a model just now, our reader of rules."""

KEYS_FILE = "keys.json"
MAX_PROGRAMS = 500


@dataclass(frozen=True)
class Program:
    """A program with a name; making one checks its source. Raises `SandboxError`."""

    name: str
    source: str
    requirements: str = ""
    title: str = ""
    origin: Origin = "recorded"

    def __post_init__(self) -> None:
        _ = self.checked

    @cached_property
    def checked(self) -> CheckedSource:
        """The source as the allow-list passed it."""
        try:
            return check_source(self.source)
        except SandboxError as error:
            problem = f"program {excerpt(self.name)}, {error.problem}"
            raise SandboxError(problem, hint=error.hint) from None

    @cached_property
    def decide(self) -> Callable[[Machine], Any]:
        """The program as a function of a machine."""
        return compile_program(self.checked)

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the keys it can read, in order of appearance."""
        return self.checked.keys

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Its source by lines; line 1 is the first."""
        return tuple(self.source.splitlines())

    def code(self, line: int) -> str:
        """Return a line of the source, without indentation and comment."""
        text = self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""
        comment = self.checked.comments.get(line)
        if comment and text.endswith(comment):
            text = text[: -len(comment)].rstrip().rstrip("#").rstrip()
        return text

    def hint(self, line: int) -> str:
        """Return what the comment at a line says, or "" where there is none."""
        return self.checked.comments.get(line, "")

    def hints_of(self, key: str) -> tuple[str, ...]:
        """Return the comments beside the lines that read a key."""
        hints = (self.hint(line) for line in self.checked.key_lines.get(key, ()))
        return tuple(dict.fromkeys(hint for hint in hints if hint))

    def check_keys(self, keys: KeyTable) -> None:
        """Raise `SandboxError` for a key that the table does not have."""
        for name, lines in self.checked.key_lines.items():
            if name not in keys:
                problem = f"program {excerpt(self.name)}, {refusal(lines[0], '').problem}"
                hint = "write it into the key table"
                raise SandboxError(f"{problem} no key {excerpt(name)}", hint=hint)


@dataclass(frozen=True)
class Programs:
    """Programs and the keys they share."""

    programs: tuple[Program, ...]
    keys: KeyTable = field(default_factory=KeyTable)

    def __iter__(self) -> Iterator[Program]:
        return iter(self.programs)

    def __len__(self) -> int:
        return len(self.programs)

    def named(self, *names: str) -> Programs:
        """Return the programs of these names, in this order; raise `QueryError`."""
        by_name = {program.name: program for program in self.programs}
        for name in names:
            if name not in by_name:
                raise QueryError(f"no program {excerpt(name)}", hint=f"there are {len(by_name)}")
        return Programs(tuple(by_name[name] for name in names), self.keys)


def load_programs(
    folder: str | Path, requirements: Mapping[str, str] | None = None, keys: KeyTable | None = None
) -> Programs:
    """Return the programs of a folder: every NAME.py, with the keys of its keys.json.

    `requirements`: the plain text of each program by name; without it, of NAME.md where there
    is one. Raises `UnreadableFile`, and `SandboxError` for a program that is not allowed.
    """
    place = Path(folder)
    table = read_keys(place / KEYS_FILE) if keys is None else keys
    texts = requirements or {}
    paths = sorted(place.glob("*.py"))
    if not paths:
        raise UnreadableFile(str(place), "it holds no program", hint="name a folder of *.py")
    if len(paths) > MAX_PROGRAMS:
        raise UnreadableFile(str(place), f"it holds {len(paths):,} programs")
    programs: list[Program] = []
    for path in paths:
        name = path.stem
        if name == "__init__":
            continue
        beside = path.with_suffix(".md")
        text = texts.get(name) or (read_text(beside) if beside.exists() else "")
        program = Program(name, read_text(path), text)
        program.check_keys(table)
        programs.append(program)
    return Programs(tuple(programs), table)


def read_text(path: Path) -> str:
    """Return a file's text; raise `UnreadableFile`."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise UnreadableFile(str(path), error.strerror or str(error)) from None
    if len(data) > MAX_FILE_BYTES:
        raise UnreadableFile(str(path), f"longer than {MAX_FILE_BYTES:,} bytes")
    return data.decode("utf-8", errors="replace").removeprefix("\ufeff")
