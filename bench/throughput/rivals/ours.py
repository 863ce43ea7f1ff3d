"""Our own answer: `RepairEngine.diagnose`, and the count behind every subset."""

from __future__ import annotations

from contextlib import ExitStack

from ....engine.bound_query import Question as Asked
from ....engine.diagnosis import Diagnosis
from ....engine.repair_engine import RepairEngine
from ....solvers.histogram import Counts, MaskHistogram
from ....solvers.limits import Budget
from ....solvers.registry import get_solver
from ..comparison import OURS, Answer, Runner, method, renewing
from ..data import Question

MOST_SETS = 10_000_000
"""All sets are listed: the limit of a diagnosis would end a comparison early."""


@method(OURS)
def ours(stack: ExitStack, question: Question, *, cold: bool) -> Runner:
    """Return our method: verdict, all MUSes, MCSes and MSSes, the count of every subset.

    Warm, the query is prepared. Cold, every run asks for bounds that nobody
    has asked for before, so that each predicate is evaluated again.
    """
    engine = RepairEngine(question.catalog)

    def call(query: Asked) -> tuple[Diagnosis, Counts]:
        diagnosis = engine.diagnose(query, deadline=None, limit=MOST_SETS)
        return diagnosis, diagnosis.histogram.subset_counts

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


def _answer(returned: tuple[Diagnosis, Counts]) -> Answer:
    diagnosis, counted = returned
    sets = {"conflicts": set(diagnosis.conflicts), "repairs": set(diagnosis.repairs)}
    return {**_counts(diagnosis.histogram, counted), **sets}


def _counts(histogram: MaskHistogram, counted: Counts) -> Answer:
    masks, counts = histogram.masks.tolist(), histogram.counts.tolist()
    return {"histogram": dict(zip(masks, counts, strict=True)), "subset counts": counted.tolist()}
