"""A data set built by trace coverage: few households that run every line of all checkers.

ProADA, section 2.5: households are added greedily by how many lines not yet run their traces
add; then pairs of a household and a program are removed whose trace holds no line of its own.
Cost: every checker runs once a drawn household.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from pathlib import Path
from typing import Any, TypeVar

from ...dialogs.eligibility.decisions.evaluation import Run, run
from ...dialogs.eligibility.decisions.program import Program, Programs
from ...dialogs.eligibility.keys import KeyTable
from ..progress import Counted
from ..text_files import write_json_lines
from .profile import Profile
from .records import Feature, Household

TracedLine = TypeVar("TracedLine", bound=Hashable)

Traces = Sequence[Sequence[frozenset[TracedLine]]]
"""Lines run, by household and program; lines of two programs are never equal."""

Pick = tuple[int, tuple[int, ...]]
"""A household and the programs it is kept for, by their places."""


def covering(traces: Traces[TracedLine]) -> list[Pick]:
    """Return households and their programs that run every line which any household runs.

    In the order in which the households were added; ties go to the earlier household, and
    pairs are removed in the order of households and programs. A household left without a
    program is left out. Cost: each household's traces are united once, and looked at again
    only while its gain may still be the greatest (gains never grow).
    """
    pairs = [(at, place) for at in added(traces) for place in range(len(traces[at]))]
    kept = pruned([traces[at][place] for at, place in pairs])
    programs: dict[int, list[int]] = {}
    for pair in kept:
        programs.setdefault(pairs[pair][0], []).append(pairs[pair][1])
    return [(at, tuple(places)) for at, places in programs.items()]


def added(traces: Traces[TracedLine]) -> list[int]:
    """Return the households that add lines, greatest gain first, until no other adds any."""
    united = [frozenset[TracedLine]().union(*row) for row in traces]
    queue = [(-len(lines), at) for at, lines in enumerate(united)]
    heapify(queue)
    covered: set[TracedLine] = set()
    chosen: list[int] = []
    while queue:
        _, at = heappop(queue)
        gain = len(united[at] - covered)
        if queue and (-gain, at) > queue[0]:
            heappush(queue, (-gain, at))
        elif gain:
            chosen.append(at)
            covered |= united[at]
        else:
            break
    return chosen


def pruned(traces: Sequence[frozenset[TracedLine]]) -> list[int]:
    """Return the places of traces that stay when each without a line of its own is removed."""
    runs = Counter(line for trace in traces for line in trace)
    kept: list[int] = []
    for at, trace in enumerate(traces):
        if any(runs[line] == 1 for line in trace):
            kept.append(at)
        else:
            runs.subtract(trace)
    return kept


def lines_of(traces: Iterable[Iterable[frozenset[TracedLine]]]) -> set[TracedLine]:
    """Return every line that is run at all."""
    return {line for row in traces for trace in row for line in trace}


Line = tuple[str, int]
"""A program and one of its lines."""


@dataclass(frozen=True)
class CoveringDataset:
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
        pairs = [len(household.targets) for household in self.households]
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
    progress: Counted,
) -> CoveringDataset:
    """Return the households and pairs that run every line which any drawn household runs."""
    households = progress(drawn, "running checkers")
    runs = [_runs(household, programs, features) for household in households]
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
    return CoveringDataset(tuple(kept), outcomes, len(drawn), len(lines_of(traces)), len(covered))


def _runs(household: Household, programs: Programs, features: Mapping[str, Feature]) -> list[Run]:
    known = Profile(household, features).known(programs.keys)
    return [run(program, known, programs.keys) for program in programs.programs]


def _trace(own: tuple[Program, Run]) -> frozenset[Line]:
    program, ran = own
    return frozenset((program.name, line) for line in ran.lines)


def limits_of(programs: Programs, keys: KeyTable) -> dict[str, tuple[float, ...]]:
    """Return the numbers that the programs compare each key with, or name in the same line."""
    limits: dict[str, set[float]] = {key.name: set() for key in keys}
    for program in programs.programs:
        for node in ast.walk(ast.parse(program.source)):
            if isinstance(node, ast.Compare):
                parts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
                numbers = {
                    float(part)
                    for part in parts
                    if isinstance(part, int | float) and not isinstance(part, bool)
                }
                for name in limits.keys() & {part for part in parts if isinstance(part, str)}:
                    limits[name] |= numbers
    return {name: tuple(sorted(numbers)) for name, numbers in limits.items() if numbers}


def write_built(path: Path, built: CoveringDataset) -> None:
    """Write the households as JSON lines in the shape of the published file, with outcomes."""
    records: list[dict[str, Any]] = []
    for household in built.households:
        record = household.model_dump(mode="json", exclude={"profile_text"})
        record["eligible"] = {
            name: built.outcomes[household.household, name] for name in household.targets
        }
        records.append(record)
    write_json_lines(path, records)
