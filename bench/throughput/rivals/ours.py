"""Our own answer: `RepairEngine.diagnose`, and apart from it the count behind every subset."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from ....engine.bound_query import Question as Asked
from ....engine.diagnosis import Diagnosis
from ....engine.repair_engine import RepairEngine
from ....solvers.histogram import Counts, MaskHistogram
from ....solvers.limits import Budget
from ....solvers.masks import Sets, mask_of
from ....solvers.registry import get_solver
from ..comparison import OURS, Answer, Runner, method, renewing
from ..data import Question

MOST_SETS = 10_000_000
"""All sets are listed: the limit of a diagnosis would end a comparison early."""


@method(OURS)
def ours(stack: ExitStack, question: Question, *, cold: bool) -> Runner:
    """Return our method: verdict, all MUSes and MCSes, and how many rows each MCS lets in.

    Warm, the query is prepared. Cold, every run asks for bounds that nobody
    has asked for before, so that each predicate is evaluated again.
    """
    engine = RepairEngine(question.catalog)

    def call(query: Asked) -> tuple[Diagnosis, Sets, Sets, Sequence[int]]:
        diagnosis = engine.diagnose(query, deadline=None, limit=MOST_SETS)
        return diagnosis, diagnosis.conflicts, diagnosis.repairs, diagnosis.repair_counts

    if cold:
        return renewing(question.unseen, call, _answer, question.columns_bytes)
    prepared = engine.prepare(question.query)
    return Runner(lambda: call(prepared), _answer, bytes=question.words_bytes)


@method("concede, counts only")
def histogram_only(stack: ExitStack, question: Question) -> Runner:
    """Return our solver without the engine above it: the histogram and every subset's count."""
    solver = get_solver("bitset")

    def call() -> tuple[MaskHistogram, Counts]:
        histogram = solver.histogram(question.problem, Budget(None))
        return histogram, histogram.subset_counts

    return Runner(call, lambda returned: _counts(*returned), bytes=question.words_bytes)


def _answer(returned: tuple[Diagnosis, Sets, Sets, Sequence[int]]) -> Answer:
    diagnosis, conflicts, repairs, counts = returned
    histogram = diagnosis.histogram
    found = _counts(histogram, histogram.subset_counts)
    assert list(counts) == [found["subset counts"][histogram.full & ~mask_of(r)] for r in repairs]
    return {**found, "conflicts": set(conflicts), "repairs": set(repairs)}


def _counts(histogram: MaskHistogram, counted: Counts) -> Answer:
    masks, counts = histogram.masks.tolist(), histogram.counts.tolist()
    return {"histogram": dict(zip(masks, counts, strict=True)), "subset counts": counted.tolist()}
