"""Questions with a short deadline are not interrupted by the collector of garbage."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest

from concede import Constraint, Query, QueryError, RepairEngine
from concede.catalogs.catalog import Catalog
from concede.engine import repair_engine
from concede.engine.runtime.collector_pause import SOON, collector_paused


@pytest.fixture(scope="module")
def engine() -> Iterator[RepairEngine]:
    with Catalog.open("sample:cars") as cars:
        yield RepairEngine(cars)


QUERY = Query(constraints=(Constraint(column="MSRP", op="<=", value=1),))


@pytest.mark.parametrize("asked", ["check", "diagnose", "repair"])
@pytest.mark.parametrize("deadline", [SOON, 10 * SOON, None])
def test_nothing_is_collected_while_a_short_question_is_answered(
    engine: RepairEngine, monkeypatch: pytest.MonkeyPatch, asked: str, deadline: float | None
):
    during: list[bool] = []
    bind = repair_engine.bind

    def seen(*args):
        during.append(gc.isenabled())
        return bind(*args)

    monkeypatch.setattr(repair_engine, "bind", seen)
    getattr(engine, asked)(QUERY, deadline=deadline)
    assert during == [deadline != SOON]
    assert gc.isenabled()


def test_it_goes_on_after_a_question_that_fails(engine: RepairEngine):
    with pytest.raises(QueryError, match="Colum"):
        engine.repair(
            Query(constraints=(Constraint(column="Colum", op="<=", value=1),)), deadline=SOON
        )
    assert gc.isenabled()


def test_a_process_that_has_turned_it_off_finds_it_off(engine: RepairEngine):
    gc.disable()
    try:
        engine.repair(QUERY, deadline=SOON)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_it_goes_on_when_the_first_of_two_questions_has_ended():
    first, second = collector_paused(SOON), collector_paused(SOON)
    with first:
        assert not gc.isenabled()
        # Another thread's question, which finds it off, leaves it so.
        with collector_paused(SOON):
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
    with second:
        with first:
            assert not gc.isenabled()
        assert gc.isenabled()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_it_goes_on_in_a_process_forked_meanwhile():
    with collector_paused(SOON):
        child = os.fork()
        if not child:
            os._exit(0 if gc.isenabled() else 1)
        assert not gc.isenabled()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
