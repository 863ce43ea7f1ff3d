"""Whether any row meets four constraints, and how many do, through each tool's Python API."""

from __future__ import annotations

from contextlib import ExitStack

from ...catalogs.sources.loading import TABLE
from ...engine.repair_engine import RepairEngine
from .comparison import OURS, Comparison, Method, Runner
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
    """Return the race."""
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


def _check(question: Question) -> Method:
    def prepare(stack: ExitStack) -> Runner:
        engine = RepairEngine(question.catalog)
        prepared = engine.prepare(question.query)
        return Runner(
            lambda: engine.check(prepared),
            lambda answer: {"count": answer.count},
            bytes=question.words_bytes,
        )

    return Method(OURS, prepare)


def _count_all(question: Question) -> Method:
    def prepare(stack: ExitStack) -> Runner:
        from ...solvers.bitset import count_all

        sets = question.row_sets
        return Runner(
            lambda: count_all(sets), lambda count: {"count": count}, bytes=question.words_bytes
        )

    return Method("concede, count_all", prepare)


def _pyroaring(question: Question) -> Method:
    def prepare(stack: ExitStack) -> Runner:
        from pyroaring import BitMap

        first, *others = (rows.bitmap for rows in question.row_sets)
        last = others.pop()

        def call() -> int:
            # Faster than BitMap.intersection: the last step only counts.
            return BitMap.intersection(first, *others).intersection_cardinality(last)

        size = sum(roaring_bytes(rows.bitmap) for rows in question.row_sets)
        return Runner(call, lambda count: {"count": count}, bytes=size)

    return Method("pyroaring", prepare, needs=("pyroaring",))


def _python_ints(question: Question) -> Method:
    def prepare(stack: ExitStack) -> Runner:
        a, b, c, d = map(as_integer, question.row_sets)
        return Runner(
            lambda: (a & b & c & d).bit_count(),
            lambda count: {"count": count},
            bytes=question.words_bytes,
        )

    return Method("Python integers", prepare)


def _duckdb(question: Question) -> Method:
    def prepare(stack: ExitStack) -> Runner:
        cursor = stack.enter_context(question.catalog.cursor().cursor())
        sql = f"SELECT count(*) FROM {TABLE} WHERE {' AND '.join(question.conditions)}"
        return Runner(
            lambda: cursor.execute(sql).fetchall()[0][0],
            lambda count: {"count": count},
            bytes=question.columns_bytes,
        )

    return Method("DuckDB", prepare)
