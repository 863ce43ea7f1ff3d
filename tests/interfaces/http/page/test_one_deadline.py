"""One deadline for a page: its questions share the time, and none is asked once it is gone."""

from functools import partial
from typing import Any

import pytest

from concede import RepairEngine
from concede.catalogs.deadline import Deadline
from concede.interfaces.http.page import view_model
from concede.interfaces.http.page.constraints import question_of
from concede.interfaces.http.page.form_model import form_model
from concede.interfaces.http.page.query_string import parse_query_string
from concede.interfaces.http.page.view_model import Outcome, ask_engine
from shop_window import shop_window

SHOP = shop_window()
FORM = form_model(SHOP)
SECONDS = 3.0
CLASH = "is.maker=Birch&is.fanless=true&max.price_eur=600"
DEAD_END = f"{CLASH}&must=is.maker&must=is.fanless"
CHOSEN = f"{CLASH}&give=is.maker&give=max.price_eur"


class SlowEngine(RepairEngine):
    """An engine whose questions take so many seconds each of a clock, or all they may."""

    def __init__(self, seconds: float) -> None:
        super().__init__(SHOP, threads=1)
        self.seconds = seconds
        self.now = 0.0
        self.given: list[float | None] = []

    def repair(self, *question: Any, deadline: float | None, **options: Any) -> Any:
        self._take(deadline)
        return super().repair(*question, deadline=None, **options)

    def diagnose(self, *question: Any, deadline: float | None, **options: Any) -> Any:
        self._take(deadline)
        return super().diagnose(*question, deadline=None, **options)

    def _take(self, deadline: float | None) -> None:
        self.given.append(deadline)
        self.now += self.seconds if deadline is None else min(self.seconds, deadline)


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch):
    """Ask an engine, by whose clock the page goes."""

    def asked(engine: SlowEngine, query: str, deadline: float | None = SECONDS) -> Outcome:
        clock = partial(Deadline, clock=lambda: engine.now)
        monkeypatch.setattr(view_model, "Deadline", clock, raising=False)
        search = parse_query_string(query.encode())
        return ask_engine(engine, search, question_of(search, FORM, SHOP), deadline)

    return asked


@pytest.mark.parametrize("seconds", [0.25, 0.5, 1.0, 1.25, 2.0, 9.0])
@pytest.mark.parametrize("query", ["is.maker=Birch", CLASH, CHOSEN, DEAD_END])
def test_all_questions_together_take_no_more_than_the_deadline(ask, query: str, seconds: float):
    engine = SlowEngine(seconds)
    ask(engine, query)
    assert engine.now <= SECONDS
    assert all(engine.given)


def test_a_question_is_given_what_those_before_it_left(ask):
    engine = SlowEngine(0.5)
    outcome = ask(engine, DEAD_END)
    assert engine.given == [3.0, 2.5, 2.0, 1.5]
    assert len(outcome.must_ways) == 2


def test_ways_that_no_time_is_left_for_are_left_out(ask):
    engine = SlowEngine(1.0)
    outcome = ask(engine, DEAD_END)
    assert engine.given == [3.0, 2.0, 1.0]
    assert outcome.is_dead_end
    assert len(outcome.must_ways) == 1
    engine = SlowEngine(9.0)
    assert ask(engine, DEAD_END).must_ways == ()
    assert engine.given == [3.0]


def test_a_choice_has_half_of_the_time_whatever_comes_before_it(ask):
    engine = SlowEngine(9.0)
    outcome = ask(engine, CHOSEN)
    assert engine.given == [1.5, 1.5]
    assert outcome.relaxed_keys == {"is.maker", "max.price_eur"}


def test_without_a_deadline_every_question_has_all_the_time(ask):
    engine = SlowEngine(9.0)
    assert len(ask(engine, DEAD_END, None).must_ways) == 2
    assert engine.given == [None] * 4
