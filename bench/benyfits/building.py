"""A data set built by trace coverage from any checkers and features (ProADA, section 2.5)."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...catalogs.errors import UnreadableFile
from ...dialogs.decisions import KeyTable, Program, Programs, Run, run
from .coverage import covering, lines_of
from .profile import Profile
from .records import Feature, Household

Line = tuple[str, int]
"""A program and one of its lines."""

Progress = Callable[[Sequence[Household], str], Iterable[Household]]


@dataclass(frozen=True)
class Built:
    """Households with the programs they are kept for, and what every program decides of them.

    `lines`: how many lines the drawn households run; `kept_lines`: how many the kept pairs do,
    which are as many.
    """

    households: tuple[Household, ...]
    outcomes: Mapping[tuple[str, str], bool | None]
    drawn: int
    lines: int
    kept_lines: int

    def record(self) -> dict[str, Any]:
        """Return the counts as a JSON object."""
        pairs = [len(one.targets) for one in self.households]
        eligible = sum(outcome is True for outcome in self.outcomes.values())
        return {
            "drawn": self.drawn,
            "households": len(self.households),
            "pairs": sum(pairs),
            "eligible": eligible,
            "lines": self.lines,
            "kept_lines": self.kept_lines,
            "programs_a_household": sum(pairs) / len(pairs) if pairs else 0.0,
        }


def build(
    drawn: Sequence[Household],
    programs: Programs,
    features: Mapping[str, Feature],
    progress: Progress,
) -> Built:
    """Return the households and pairs that run every line which any drawn household runs."""
    runs = [_runs(one, programs, features) for one in progress(drawn, "running checkers")]
    traces = [[_trace(own) for own in zip(programs.programs, row, strict=True)] for row in runs]
    kept: list[Household] = []
    outcomes: dict[tuple[str, str], bool | None] = {}
    covered: set[Line] = set()
    for at, places in covering(traces):
        names = tuple(programs.programs[place].name for place in places)
        kept.append(drawn[at].model_copy(update={"target_programs": names}))
        for place, name in zip(places, names, strict=True):
            outcomes[drawn[at].household, name] = runs[at][place].outcome
            covered |= traces[at][place]
    return Built(tuple(kept), outcomes, len(drawn), len(lines_of(traces)), len(covered))


def _runs(one: Household, programs: Programs, features: Mapping[str, Feature]) -> list[Run]:
    known = Profile(one, features).known(programs.keys)
    return [run(program, known, programs.keys) for program in programs.programs]


def _trace(own: tuple[Program, Run]) -> frozenset[Line]:
    program, ran = own
    return frozenset((program.name, line) for line in ran.lines)


def limits_of(programs: Programs, keys: KeyTable) -> dict[str, tuple[float, ...]]:
    """Return the numbers that the programs compare each key with, or name in the same line."""
    found: dict[str, set[float]] = {key.name: set() for key in keys}
    for program in programs.programs:
        for node in ast.walk(ast.parse(program.source)):
            if isinstance(node, ast.Compare):
                for name in _texts(node) & found.keys():
                    found[name] |= _numbers(node)
    return {name: tuple(sorted(numbers)) for name, numbers in found.items() if numbers}


def _texts(node: ast.AST) -> set[str]:
    return {
        one.value
        for one in ast.walk(node)
        if isinstance(one, ast.Constant) and isinstance(one.value, str)
    }


def _numbers(node: ast.AST) -> set[float]:
    return {
        float(one.value)
        for one in ast.walk(node)
        if isinstance(one, ast.Constant)
        and isinstance(one.value, int | float)
        and not isinstance(one.value, bool)
    }


def write_built(path: Path, built: Built) -> None:
    """Write the households as JSON lines in the shape of the published file, with outcomes."""
    lines: list[str] = []
    for one in built.households:
        record = one.model_dump(mode="json", exclude={"profile_text"})
        record["eligible"] = {name: built.outcomes[one.household, name] for name in one.targets}
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    try:
        path.write_text("".join(lines), encoding="utf-8")
    except OSError as error:
        raise UnreadableFile(str(path), str(error.strerror or error)) from None
