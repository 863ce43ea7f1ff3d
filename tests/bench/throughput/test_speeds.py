"""The lines that say how fast repairs are, and the first questions of a new process. No timings."""

from __future__ import annotations

import pytest

from concede.bench.throughput import first_use, repair
from concede.bench.throughput.setting import Options, Setting
from concede.bench.throughput.shop import Shop

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


def test_a_new_process_says_what_its_first_questions_took():
    cell = first_use.cell(SETTING, 500, "none")
    assert cell.case == {"of": "repair", "rows": 500, "kernels": "none"}
    assert set(cell.figures) >= {"import_ms", "open_ms", "first_ms", "second_ms", "whole_ms"}
    assert all(value > 0 for value in cell.figures.values())
