"""The lines that say how fast repairs are, and the first questions of a new process. No timings."""

from __future__ import annotations

from itertools import count

import pytest

from concede.bench.throughput import first_use, repair, shop
from concede.bench.throughput.comparison import alike
from concede.bench.throughput.setting import Options, Setting
from concede.bench.throughput.shop import Shop
from concede.catalogs.vectors import kernel_use
from concede.engine.repair_engine import RepairEngine

SETTING = Setting(Options(quick=True, repeats=1))


@pytest.mark.parametrize("base", [False, True])
def test_a_comparison_of_repairs_says_how_fast_each_kind_is(base):
    cell = repair.cell(SETTING, Shop(2_000, 7), base=base)
    assert [speed.kind for speed in cell.speeds] == ["first", "warm", "prepared"]
    for speed in cell.speeds:
        assert (speed.rows, speed.k, speed.base) == (2_000, 6, base)
        assert 0 < speed.p50_ms <= speed.p99_ms
        assert speed.cpu_ms > 0
        assert speed.duckdb_ratio is not None
    whole = [result for result in cell.results if "whole" in result.method]
    assert [result.compared for result in whole] == [("whole",)] * 2


def test_every_bound_of_a_question_nobody_asked_is_new():
    shop = Shop(2_000, 7)
    first, second = shop.unseen(base=True), shop.unseen(base=True)
    for one, other in zip(
        (*first.base, *first.constraints), (*second.base, *second.constraints), strict=True
    ):
        assert (one.value != other.value) == (one.op != "==")


@pytest.mark.parametrize("base", [False, True])
def test_late_questions_nobody_asked_have_the_answer_of_the_one_compared(base, monkeypatch):
    market = Shop(2_000, 7)
    engine = RepairEngine(market.catalog, threads=1)

    def answer(query):
        return repair.whole_of_engine(engine.repair(query, top=repair.TOP))

    expected = answer(market.query(base=base))
    # A run asks some thousand of them before it compares answers over its last catalog.
    monkeypatch.setattr(shop, "_unseen", count(20_000))
    first, second = market.unseen(base=base), market.unseen(base=base)
    assert first != second
    assert alike(answer(first), expected)
    assert alike(answer(second), expected)


@pytest.mark.parametrize("base", [False, True])
def test_a_question_has_one_answer_whatever_was_asked_before(base, monkeypatch):
    answers = [
        answer
        for kernel_rows in (10**9, -1)
        for answer in _first_and_later_answers(monkeypatch, kernel_rows, base=base)
    ]
    assert all(answer == answers[0] for answer in answers)


def _first_and_later_answers(monkeypatch, kernel_rows, *, base):
    monkeypatch.setattr(kernel_use, "KERNEL_ROWS", kernel_rows)
    market = Shop(4_000, 7)
    engine, query = RepairEngine(market.catalog, threads=1), market.query(base=base)
    asked = [(query, "bitset"), (query, "bitset"), (query, "sql"), (engine.prepare(query), None)]
    for question, solver in asked:
        yield repair.whole_of_engine(engine.repair(question, top=repair.TOP, solver=solver))
    market.catalog.warm()
    warm = engine.repair(market.query(base=base), top=repair.TOP)
    yield repair.whole_of_engine(warm)


def test_a_new_process_says_what_its_first_questions_took():
    cell = first_use.cell(SETTING, 500, "none")
    assert cell.case == {"of": "repair", "rows": 500, "kernels": "none"}
    assert set(cell.figures) >= {"import_ms", "open_ms", "first_ms", "second_ms", "whole_ms"}
    assert all(value > 0 for value in cell.figures.values())
