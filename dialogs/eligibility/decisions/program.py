"""Programs that decide: checked sources with the keys they read and the comments at their lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from ....catalogs.errors import QueryError, SandboxError, UnreadableFile, shown
from ..keys import MAX_FILE_BYTES, KeyTable, read_keys
from ..sandbox.allow_list import CheckedSource, check_source
from ..sandbox.names import refusal
from .compiling import compile_program
from .machine import Machine

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
            problem = f"program {shown(self.name)}, {error.problem}"
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
                problem = f"program {shown(self.name)}, {refusal(lines[0], '').problem}"
                hint = "write it into the key table"
                raise SandboxError(f"{problem} no key {shown(name)}", hint=hint)


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
                raise QueryError(f"no program {shown(name)}", hint=f"there are {len(by_name)}")
        return Programs(tuple(by_name[name] for name in names), self.keys)


def load_programs(
    folder: str | Path,
    requirements: Mapping[str, str] | None = None,
    keys: KeyTable | None = None,
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
