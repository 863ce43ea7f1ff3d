"""Figures over requests add up from the marks, and the two sets are what they say they are."""

from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from concede.bench.understanding.column_cells import read_columns
from concede.bench.understanding.request_errors import errors_of
from concede.bench.understanding.request_records import (
    HELD_OUT,
    GoldConstraint,
    RequestSet,
    development,
    held_out,
    read_requests,
)
from concede.bench.understanding.requests import score_requests
from concede.bench.understanding.wilson import share
from concede.catalogs.errors import QueryError
from concede.catalogs.query.constraint import Constraint
from concede.dialogs.extraction.extracted import Extracted, ExtractedObjective, Extraction
from concede.dialogs.transcripts.transcript import Span

SPAN = Span(0, 0, 1, "x")
RECORDS = """
{"catalog":"c","text":"a hut","gold":{"constraints":[{"column":"Kind","op":"==","value":"hut"}]},"phenomena":["plain value"]}
{"catalog":"c","text":"no barn, by May","today":"2026-01-02","gold":{"constraints":[{"column":"Kind","op":"!=","value":"barn"},{"column":"From","op":"<=","value":"2026-05-01"}]},"phenomena":["negation"]}
{"catalog":"c","text":"cheapest","gold":{"objectives":[{"column":"Price","direction":"min"}]},"phenomena":["superlative"]}
{"catalog":"c","text":"grrr","before":"Which?","gold":{"not_understood":true},"phenomena":["nothing meant"]}
"""  # noqa: E501


@pytest.fixture
def records(tmp_path: Path) -> RequestSet:
    (tmp_path / "catalogs").mkdir()
    rows = "Kind,Price,From\nhut,900,2026-05-01\nbarn,700,2026-07-01\nflat,800,2026-08-01\n"
    (tmp_path / "catalogs" / "c.csv").write_text(rows, encoding="utf-8")
    (tmp_path / "requests.jsonl").write_text(RECORDS, encoding="utf-8")
    return read_requests(tmp_path / "requests.jsonl")


def _reads(*constraints: tuple[str, str, Any], cheapest: bool = False) -> Extraction:
    found = (
        Extracted(Constraint(column=column, op=op, value=value), 1.0, SPAN, "x")
        for column, op, value in constraints
    )
    aims = (ExtractedObjective("Price", "min", 1.0, SPAN, "x"),) if cheapest else ()
    return Extraction(tuple(found), objectives=aims)


def test_figures_of_a_reader_known_by_heart(records: RequestSet):
    heard: list[tuple[object, date | None]] = []
    answers = iter(
        (
            _reads(("Kind", "==", "hut")),
            _reads(("Kind", "not in", ["barn"]), ("Price", "<=", 700)),
            _reads(),
            _reads(("Price", "<=", 7)),
        )
    )

    def reader(said: object, catalog: object, *, today: date | None = None) -> Extraction:
        heard.append((said, today))
        return next(answers)

    scores = score_requests(records, reader, resamples=50)
    overall = scores.overall
    assert (overall.constraints_right.right, overall.constraints_right.of) == (2, 4)
    assert overall.fully_right.right == 1
    # Right: Kind, Kind; missing: From; extra: Price, Price.
    assert overall.precision == pytest.approx(2 / 4)
    assert overall.recall == pytest.approx(2 / 3)
    assert overall.f1 == pytest.approx(4 / 7)
    assert overall.f1_interval is not None
    assert scores.phenomena["negation"].own.right == 1
    assert scores.phenomena["negation"].constraints_right.right == 0
    assert (scores.objectives.right, scores.objectives.of) == (0, 1)
    assert (scores.nothing_meant.right, scores.nothing_meant.of) == (0, 1)
    # Of four constraints read, each of confidence 1, two are meant.
    assert [(one.right, one.readings) for one in scores.calibration.bins] == [(0.5, 4)]
    assert heard[1] == ("no barn, by May", date(2026, 1, 2))
    assert heard[3][0] == [
        {"role": "assistant", "content": "Which?"},
        {"role": "user", "content": "grrr"},
    ]


def test_a_perfect_reader_has_perfect_figures(records: RequestSet):
    answers = iter(
        (
            _reads(("Kind", "==", "hut")),
            _reads(("Kind", "!=", "barn"), ("From", "<=", date(2026, 5, 1))),
            _reads(cheapest=True),
            _reads(),
        )
    )
    scores = score_requests(records, lambda said, catalog, today=None: next(answers), resamples=50)
    assert scores.overall.fully_right.share == 1.0
    assert scores.overall.f1 == 1.0
    assert scores.overall.f1_interval == (1.0, 1.0)


def test_wilson_intervals():
    # Newcombe 1998, table I: 81 of 263.
    low, high = share(81, 263).interval or (0.0, 0.0)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)
    assert (share(0, 0).share, share(0, 0).interval) == (None, None)


def test_errors_are_shown_for_one_phenomenon_and_never_of_the_held_out_set(records: RequestSet):
    def nothing(said: object, catalog: object, *, today: date | None = None) -> Extraction:
        return Extraction(())

    assert len(list(errors_of(records, "negation", nothing))) == 1
    with pytest.raises(QueryError, match="not shown"):
        next(errors_of(RequestSet((), HELD_OUT), "negation", nothing))


SETS = [development, held_out]
LISTED = ("in", "not in", "between", "contains any")


@pytest.mark.parametrize("read", SETS)
def test_gold_fits_the_catalogs(read: Callable[[], RequestSet]):
    records = read()
    files = {one.catalog: records.catalog_path(one.catalog) for one in records.requests}
    read_already = {name: read_columns(file) for name, file in files.items()}
    for request in records.requests:
        columns = read_already[request.catalog]
        gold = request.gold
        parts = (*gold.constraints, *gold.optional, *gold.objectives, *gold.leanings)
        named = {part.column for part in parts} | set(gold.waived)
        assert named <= set(columns), request.text
        for part in parts:
            if isinstance(part, GoldConstraint):
                assert isinstance(part.value, list) == (part.op in LISTED), request.text
                values = part.value if isinstance(part.value, list) else [part.value]
                column = columns[part.column]
                assert part.op == "is not null" or all(
                    isinstance(value, int | float)
                    if column.kind == "number"
                    else column.ordered or column.normal(value) in column.cells
                    for value in values
                ), (request.text, part)
                if column.kind == "date":
                    assert all(isinstance(column.normal(value), float) for value in values)
            else:
                assert columns[part.column].ordered, request.text
        if gold.not_understood:
            assert (*gold.constraints, *gold.objectives, *gold.leanings) == (), request.text


def test_the_sets_are_large_enough_and_share_nothing():
    first, second = development(), held_out()
    assert len(first.requests) >= 120
    assert len(second.requests) >= 220
    counted = Counter(name for one in second.requests for name in one.phenomena)
    assert min(counted.values()) >= 12
    assert set(counted) == {name for one in first.requests for name in one.phenomena}
    assert not {one.text for one in first.requests} & {one.text for one in second.requests}
    assert not {one.catalog for one in first.requests} & {one.catalog for one in second.requests}
