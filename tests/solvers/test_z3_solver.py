"""Z3's `unknown` is an open question, never a no."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import z3

from concede.solvers.cheapest_repairs import PricedRepairs
from concede.solvers.histogram import MaskHistogram
from concede.solvers.limits import Budget
from concede.solvers.masks import positions_of
from concede.solvers.minimal_sets import MinimalSets
from concede.solvers.registry import get_solver
from concede.solvers.z3_table import Stopped, decided, minimised_core
from histograms import histogram_of, random_masks
from twins import Twin

FOREVER = Budget(deadline=None)
MASKS, WIDTH = [0b011, 0b101, 0b110], 3


class Answering:
    """Stands in for a Z3 solver that gives one answer."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def set(self, *_: Any) -> None:
        pass

    def check(self, *_: Any) -> Any:
        return self.answer


def test_unknown_stops():
    with pytest.raises(Stopped):
        decided(Answering(z3.unknown), FOREVER)
    assert decided(Answering(z3.sat), FOREVER) is True
    assert decided(Answering(z3.unsat), FOREVER) is False


class GivesUp:
    """Stands in for z3: solvers that answer `unknown` from the n-th question on."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __getattr__(self, name: str) -> Any:
        real = getattr(z3, name)
        return self._giving_up(real) if name in ("Solver", "Optimize") else real

    def _giving_up(self, real: Any) -> Any:
        def check(solver: Any, *assumptions: Any) -> Any:
            self.left -= 1
            return z3.unknown if self.left < 0 else real.check(solver, *assumptions)

        return type(real.__name__, (real,), {"check": check})


@pytest.mark.parametrize("after", range(12))
def test_whenever_z3_gives_up_what_is_listed_is_right(monkeypatch: pytest.MonkeyPatch, after: int):
    twin = Twin([positions_of(mask) for mask in MASKS], WIDTH)
    histogram, solver = histogram_of(MASKS, WIDTH), get_solver("z3")
    fake = GivesUp(after)
    for module in ("z3_table", "z3_solver"):
        monkeypatch.setattr(f"concede.solvers.{module}.load_z3", lambda: fake)
    found = solver.minimal_sets(histogram, FOREVER)
    assert set(found.conflicts) <= set(twin.conflicts)
    assert set(found.repairs) <= set(twin.repairs)
    assert found.stopped_by == "deadline"
    fake.left = after
    cheapest = solver.cheapest_repairs(histogram, [0.3, 0.2, 0.1], 9, FOREVER)
    every = [{2}, {1}, {0}]
    assert [set(repair.dropped) for repair in cheapest.repairs] == every[:after]
    assert cheapest.stopped_by == ("deadline" if after <= 3 else None)


@pytest.mark.parametrize("milliseconds", [0, 1])
def test_a_short_deadline_lists_only_what_is_right(milliseconds: int):
    masks = random_masks(1, 3_000, 24, 0.4)
    rows = [positions_of(mask) for mask in set(masks)]
    solver, histogram = get_solver("z3"), histogram_of(masks, 24)
    found = solver.minimal_sets(histogram, Budget(deadline=milliseconds / 1000))
    assert found.stopped_by == "deadline"
    for conflict in found.conflicts:
        assert not any(conflict <= row for row in rows)
    for maximal in found.maximal:
        assert any(maximal <= row for row in rows)
    late = solver.cheapest_repairs(histogram, [1.0] * 24, 3, Budget(deadline=milliseconds / 1000))
    assert late.stopped_by == "deadline"


def test_minimised_core_is_a_conflict():
    twin = Twin([positions_of(mask) for mask in MASKS], WIDTH)
    assert minimised_core(histogram_of(MASKS, WIDTH), FOREVER) in twin.conflicts
    assert minimised_core(histogram_of([], 2), FOREVER) == frozenset()
    assert minimised_core(histogram_of([3], 2), FOREVER) is None


@pytest.mark.slow
def test_no_core_follows_from_part_of_the_rows():
    with pytest.raises(Stopped):
        minimised_core(histogram_of(MASKS, WIDTH, "deadline"), FOREVER)


@pytest.mark.slow
def test_threads_do_not_disturb_one_another():
    solver = get_solver("z3")
    asked = [histogram_of(random_masks(seed, 8, 6, 0.6), 6) for seed in range(16)]

    def answer(one: MaskHistogram) -> tuple[MinimalSets, PricedRepairs]:
        cheapest = solver.cheapest_repairs(one, [0.1, 0.2, 0.3] * 2, 5, FOREVER)
        return solver.minimal_sets(one, FOREVER), cheapest

    alone = [answer(entry) for entry in asked]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(answer, asked)) == alone
