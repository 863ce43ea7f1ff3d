"""The smallest set of examples that still runs every line: greedy, then pruned.

ProADA, section 2.5: households are added greedily by how many lines not yet run their traces
through all checkers add; then pairs of a household and a program are greedily removed whose
trace holds no line that nothing else runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from heapq import heapify, heappop, heappush
from typing import TypeVar

Line = TypeVar("Line", bound=Hashable)

Traces = Sequence[Sequence[frozenset[Line]]]
"""Lines run, by household and program; lines of two programs are never equal."""

Pick = tuple[int, tuple[int, ...]]
"""A household and the programs it is kept for, by their places."""


def covering(traces: Traces[Line]) -> list[Pick]:
    """Return households and their programs that run every line which any household runs.

    In the order in which the households were added; ties go to the earlier household, and
    pairs are removed in the order of households and programs. A household left without a
    program is left out. Cost: each household's traces are united once, and looked at again
    only while its gain may still be the greatest (gains never grow).
    """
    pairs = [(at, place) for at in added(traces) for place in range(len(traces[at]))]
    kept = pruned([traces[at][place] for at, place in pairs])
    programs: dict[int, list[int]] = {}
    for one in kept:
        programs.setdefault(pairs[one][0], []).append(pairs[one][1])
    return [(at, tuple(places)) for at, places in programs.items()]


def added(traces: Traces[Line]) -> list[int]:
    """Return the households that add lines, greatest gain first, until no other adds any."""
    united = [frozenset[Line]().union(*row) for row in traces]
    queue = [(-len(lines), at) for at, lines in enumerate(united)]
    heapify(queue)
    covered: set[Line] = set()
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


def pruned(traces: Sequence[frozenset[Line]]) -> list[int]:
    """Return the places of traces that stay when each without a line of its own is removed."""
    runs = Counter(line for trace in traces for line in trace)
    kept: list[int] = []
    for at, trace in enumerate(traces):
        if any(runs[line] == 1 for line in trace):
            kept.append(at)
        else:
            runs.subtract(trace)
    return kept


def lines_of(traces: Iterable[Iterable[frozenset[Line]]]) -> set[Line]:
    """Return every line that is run at all."""
    return {line for row in traces for trace in row for line in trace}
