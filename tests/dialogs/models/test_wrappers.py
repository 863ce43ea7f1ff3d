"""Retries, limits and the ledger around a model, on a clock that the test turns."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.errors import BadReply, ModelError, ModelRefused, ModelUnavailable
from concede.dialogs.models.chat_model import Reply, Request, Tokens
from concede.dialogs.models.openai_model import OpenAIModel
from concede.dialogs.models.scripted import ScriptedModel
from concede.dialogs.models.settings import ModelSettings
from concede.dialogs.models.wrappers import (
    ConcurrencyLimit,
    MeteredModel,
    RateLimit,
    RetryingModel,
    TokenBucket,
    UsageLedger,
)
from loopback_chat import Answer, Asked, LoopbackChat, refuses, says

HELLO = Request.of("hello")


class Clock:
    """Time that passes only while somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


class Failing:
    """A model that raises its errors in turn and then replies."""

    name = "failing"

    def __init__(self, *errors: ModelError) -> None:
        self.errors = list(errors)
        self.calls = 0

    def complete(self, request: Request) -> Reply:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return Reply("at last")


def busy(count: int, retry_after: float | None = None) -> Failing:
    return Failing(*(ModelUnavailable("busy", retry_after=retry_after) for _ in range(count)))


def retrying(inner: Failing, clock: Clock, **options: float) -> RetryingModel:
    given = {"attempts": 5, "total_s": 1_000.0, "seed": 1, **options}
    return RetryingModel(inner, clock=clock, wait=clock.wait, **given)  # pyright: ignore[reportArgumentType]


def test_waits_double_with_jitter_and_are_the_same_for_a_seed() -> None:
    clocks = [Clock(), Clock(), Clock()]
    for clock, seed in zip(clocks, (1, 1, 2), strict=True):
        assert retrying(busy(4), clock, seed=seed).complete(HELLO).text == "at last"
    assert clocks[0].waits == clocks[1].waits != clocks[2].waits
    for longest, waited in zip((0.5, 1.0, 2.0, 4.0), clocks[0].waits, strict=True):
        assert longest / 2 <= waited <= longest


def test_attempts_are_bounded() -> None:
    inner, clock = busy(100), Clock()
    with pytest.raises(ModelUnavailable):
        retrying(inner, clock, attempts=3).complete(HELLO)
    assert (inner.calls, len(clock.waits)) == (3, 2)


@given(st.integers(1, 20), st.floats(0, 300), st.none() | st.floats(0, 100))
def test_no_wait_goes_beyond_the_total(
    attempts: int, total_s: float, retry_after: float | None
) -> None:
    inner, clock = busy(100, retry_after), Clock()
    with pytest.raises(ModelUnavailable):
        retrying(inner, clock, attempts=attempts, total_s=total_s).complete(HELLO)
    assert clock.now <= total_s
    assert inner.calls == len(clock.waits) + 1 <= attempts
    assert all(waited >= (retry_after or 0.0) for waited in clock.waits)


@pytest.mark.parametrize("error", [ModelRefused("no", status=400), BadReply("what?")])
def test_what_will_not_pass_is_not_tried_again(error: ModelError) -> None:
    inner = Failing(error)
    with pytest.raises(type(error)):
        retrying(inner, Clock()).complete(HELLO)
    assert inner.calls == 1


def test_over_the_wire_retry_after_is_waited() -> None:
    clock = Clock()
    answers = [refuses(429, retry_after="7"), refuses(500), Answer(b"<html>"), says("done")]
    with LoopbackChat(answers) as server:
        inner = OpenAIModel(ModelSettings.of({}, model="tiny", base_url=server.url))
        model = RetryingModel(inner, clock=clock, wait=clock.wait)
        assert model.complete(HELLO).text == "done"
        assert len(server.asked) == 4
    assert clock.waits[0] == 7.0
    assert all(waited <= 2.0 for waited in clock.waits[1:])


def test_no_more_than_the_limit_are_under_way_at_once() -> None:
    # Two requests must meet in the server before either is answered.
    pair = Barrier(2)

    def meet(request: Asked) -> Answer:
        pair.wait(30)
        return says("met")

    with LoopbackChat(meet) as server:
        inner = OpenAIModel(ModelSettings.of({}, model="tiny", base_url=server.url))
        model = ConcurrencyLimit(inner, 2)
        with ThreadPoolExecutor(8) as pool:
            replies = list(pool.map(model.complete, [HELLO] * 8))
        assert server.peak == 2
    assert [reply.text for reply in replies] == ["met"] * 8


def test_a_place_is_given_back_after_a_failure() -> None:
    model = ConcurrencyLimit(busy(3), 1)
    for _ in range(3):
        with pytest.raises(ModelUnavailable):
            model.complete(HELLO)
    assert model.complete(HELLO).text == "at last"


def test_a_bucket_lets_a_burst_pass_and_then_its_rate() -> None:
    clock = Clock()
    bucket = TokenBucket(2.0, 3, clock=clock, wait=clock.wait)
    model = RateLimit(ScriptedModel(lambda request: "x"), bucket)
    for _ in range(6):
        model.complete(HELLO)
    assert clock.waits == [0.5, 0.5, 0.5]
    clock.now += 100.0
    for _ in range(4):
        model.complete(HELLO)
    assert clock.waits == [0.5] * 4


@given(st.floats(0.1, 50), st.integers(1, 5), st.lists(st.floats(0, 3), max_size=30))
def test_no_stretch_of_time_has_more_than_rate_and_burst(
    rate: float, burst: int, pauses: list[float]
) -> None:
    clock = Clock()
    bucket = TokenBucket(rate, burst, clock=clock, wait=clock.wait)
    passed: list[float] = []
    for pause in pauses:
        clock.now += pause
        bucket.take()
        passed.append(clock.now)
    for first, begun in enumerate(passed):
        for last in range(first, len(passed)):
            room = burst + rate * (passed[last] - begun)
            assert last - first + 1 <= room + 1e-6


def test_the_ledger_adds_up_by_role() -> None:
    clock = Clock()

    def slow(request: Request) -> Reply:
        clock.now += 2.0
        if request.role == "judge":
            raise ModelUnavailable("busy")
        return Reply("x", tokens=Tokens(10, 4))

    ledger = UsageLedger()
    model = MeteredModel(ScriptedModel(slow), ledger, clock=clock)
    for role in ("weighter", "agent", "weighter"):
        model.complete(Request.of("x", role=role))
    with pytest.raises(ModelUnavailable):
        model.complete(Request.of("x", role="judge"))
    none = {"failures": 0, "prompt_tokens": 0, "completion_tokens": 0}
    assert ledger.record() == {
        "agent": {**none, "calls": 1, "prompt_tokens": 10, "completion_tokens": 4, "seconds": 2.0},
        "judge": {**none, "calls": 1, "failures": 1, "seconds": 2.0},
        "weighter": {
            **none,
            "calls": 2,
            "prompt_tokens": 20,
            "completion_tokens": 8,
            "seconds": 4.0,
        },
    }
    assert list(ledger.record()) == ["agent", "judge", "weighter"]


def test_the_ledger_loses_nothing_among_threads() -> None:
    model = MeteredModel(ScriptedModel(lambda request: Reply("x", tokens=Tokens(1, 2))))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(model.complete, [HELLO] * 500))
    usage = model.ledger.record()["model"]
    assert (usage["calls"], usage["prompt_tokens"], usage["completion_tokens"]) == (500, 500, 1000)


def test_wrappers_keep_the_name() -> None:
    bucket = TokenBucket(1.0)
    model = MeteredModel(RetryingModel(RateLimit(ConcurrencyLimit(Failing(), 1), bucket)))
    assert model.name == "failing"
