"""Section: the number of rows that meet four constraints, through each tool's Python API."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from ...catalogs.sources.loading import TABLE
from ...engine.repair_engine import RepairEngine
from .comparison import OURS, Comparison, Runner, method
from .data import Question, shares_of
from .report import Cell
from .rivals.subset_tree import as_integer, roaring_bytes
from .setting import Job, Setting

ROWS = 1_000_000
WIDTH = 4
SHARE = 0.3

TITLE = "Feasibility of four constraints"
NOTE = (
    "The number of rows of 10⁶ that meet four constraints of 30 % each, through the Python API, "
    "the rows of each predicate known: `RepairEngine.check` on a prepared query, `count_all` "
    "on prepared row sets."
)


def jobs(setting: Setting) -> list[Job]:
    """Return the one job."""
    return [lambda: cell(setting)]


def cell(setting: Setting) -> Cell:
    """Return the comparison."""
    question = Question(setting.table(ROWS, 16), shares_of(SHARE, WIDTH))
    methods = [
        _check(question),
        _count_all(question),
        _pyroaring(question),
        _python_ints(question),
        _duckdb(question),
    ]
    case = {"rows": ROWS, "k": WIDTH, "density": SHARE, "state": "warm"}
    matching = question.catalog.count(question.problem.predicates)
    return Comparison(case, methods, question.selectivity(matching)).run(setting.options.fine_pace)


def _counting(call: Callable[[], int], size: int) -> Runner:
    return Runner(call, lambda count: {"count": count}, bytes=size)


@method(OURS)
def _check(stack: ExitStack, question: Question) -> Runner:
    engine = RepairEngine(question.catalog)
    prepared = engine.prepare(question.query)
    return _counting(lambda: engine.check(prepared).count, question.words_bytes)


@method("concede, count_all")
def _count_all(stack: ExitStack, question: Question) -> Runner:
    from ...solvers.bitset import count_all

    sets = [rows.flat for rows in question.row_sets]
    return _counting(lambda: count_all(sets), question.words_bytes)


@method("pyroaring", needs=("pyroaring",))
def _pyroaring(stack: ExitStack, question: Question) -> Runner:
    from pyroaring import BitMap

    first, *others = (rows.bitmap for rows in question.row_sets)
    last = others.pop()

    def call() -> int:
        # Faster than BitMap.intersection: the last step only counts.
        return BitMap.intersection(first, *others).intersection_cardinality(last)

    size = sum(roaring_bytes(rows.bitmap) for rows in question.row_sets)
    return _counting(call, size)


@method("Python integers")
def _python_ints(stack: ExitStack, question: Question) -> Runner:
    a, b, c, d = map(as_integer, question.row_sets)
    return _counting(lambda: (a & b & c & d).bit_count(), question.words_bytes)


@method("DuckDB")
def _duckdb(stack: ExitStack, question: Question) -> Runner:
    cursor = stack.enter_context(question.catalog.cursor().cursor())
    sql = f"SELECT count(*) FROM {TABLE} WHERE {' AND '.join(question.conditions)}"
    return _counting(lambda: cursor.execute(sql).fetchall()[0][0], question.columns_bytes)
