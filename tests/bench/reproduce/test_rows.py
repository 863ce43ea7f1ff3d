"""Every printed cell has a row, and every row says what stands beside it, or why nothing does."""

from __future__ import annotations

import json

import pytest

from concede.bench.printed.tables import DOCUMENTS, PrintedCell, PrintedTable, printed
from concede.bench.reproduce.beside.every import every_row
from concede.bench.reproduce.headline import HEADLINE
from concede.bench.reproduce.row import (
    Beside,
    Figure,
    Results,
    Row,
    document_rows,
    figure,
    step_of,
)
from concede.bench.reproduce.stages.registry import STAGES

KEYS = {"document", "table", "cell", "printed", "recomputed", "ours", "low", "high", "comparable",
        "reason", "command"}  # fmt: skip


@pytest.fixture(scope="module")
def unrun() -> list[Row]:
    """The rows of a run of which nothing was run."""
    return every_row(Results(STAGES, {}))


def test_every_printed_cell_has_one_row(unrun):
    told = [(row.document, row.table, row.cell, row.printed) for row in unrun if row.step]
    cells = [
        (printed(file).name, table.name, cell.name, cell.value)
        for file in DOCUMENTS
        for table in printed(file).tables.values()
        for cell in table.cells()
    ]
    assert told == cells


def test_every_table_and_figure_has_a_row(unrun):
    named = {(row.document, row.table) for row in unrun}
    for file in DOCUMENTS:
        assert {(printed(file).name, table) for table in printed(file).tables} <= named


def test_without_a_figure_there_is_a_reason_and_nothing_is_comparable(unrun):
    assert [row for row in unrun if not row.reason or row.comparable or row.shown.value] == []


def test_a_row_is_json_with_the_promised_members(unrun):
    for row in unrun:
        record = json.loads(json.dumps(row.record(), allow_nan=False))
        assert set(record) == KEYS


def test_no_two_rows_have_one_name(unrun):
    names = [(row.document, row.table, row.cell) for row in unrun]
    assert len(set(names)) == len(names)


def test_the_rows_of_the_readme_are_among_them(unrun):
    assert set(HEADLINE) <= {(row.document, row.table, row.cell) for row in unrun}
    assert len(HEADLINE) == 12


def a_table(**more) -> PrintedTable:
    rows = {"a": (1.25, 3), "b": (None, 0.5)}
    return PrintedTable("Table 9", "of two", ("x", "y"), rows, **more)


def rows_of(table: PrintedTable, beside: Beside | None) -> list[Row]:
    document = printed("apec").__class__("Some", "somewhere", {table.name: table})

    def lookup(of: PrintedTable, cell: PrintedCell) -> Beside | None:
        return beside if cell.row == "a" and cell.column == "x" else None

    return list(document_rows(document, lookup, lambda table: iter(())))


def test_what_nothing_stands_beside_takes_the_reason_of_its_table():
    rows = rows_of(a_table(without="nobody ran it", notes={"b": "odd"}), None)
    assert [(row.cell, row.printed, row.reason) for row in rows] == [
        ("a, x", 1.25, "nobody ran it"),
        ("a, y", 3, "nobody ran it"),
        ("b, y", 0.5, "nobody ran it; odd"),
    ]


def test_the_interval_is_that_of_ours_where_there_is_one():
    both = Beside(Figure(1.2, 1.0, 1.4), Figure(2.0, 1.5, 2.5), True, "", "run it")
    row = rows_of(a_table(), both)[0].record()
    assert (row["recomputed"], row["ours"], row["low"], row["high"]) == (1.2, 2.0, 1.5, 2.5)
    alone = rows_of(a_table(), Beside(Figure(1.2, 1.0, 1.4), comparable=True))[0].record()
    assert (alone["ours"], alone["low"], alone["comparable"]) == (None, 1.0, True)


@pytest.mark.parametrize(("value", "same"), [(1.25, True), (1.2549, True), (1.2561, False)])
def test_as_printed_is_what_rounds_to_the_printed_digits(value: float, same: bool):
    row = rows_of(a_table(), Beside(Figure(value), comparable=True))[0]
    assert row.as_printed is same


def test_the_step_of_a_column_is_its_last_decimal():
    assert (step_of(a_table(), "x"), step_of(a_table(), "y")) == (0.01, 0.1)


def test_a_figure_is_scaled_with_its_interval():
    assert figure(0.5, (0.25, 0.75), 100) == Figure(50.0, 25.0, 75.0)
    assert figure(None, None, 100) == Figure(None)
