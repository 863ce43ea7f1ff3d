"""Comparison of methods: each answers the same question; answers are compared, then calls timed.

Our own methods run three times more before that, so that kernels are compiled and loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import wraps
from importlib.util import find_spec
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from ...catalogs.errors import ConcedeError, excerpt
from .report import Cell, Result, Selectivity
from .timings import Pace, Timing, once, timed

Answer = Mapping[str, Any]
"""What a method found, by what it is called, in plain values; see `alike`."""

P = ParamSpec("P")
Given = TypeVar("Given")

OURS = "concede"

TOLERANCE = 1e-9

WARM_UPS = 3
"""Runs of ours before the one that is compared: kernels load, compile, and are chosen."""

Case = dict[str, int | float | str]
"""What makes a question: rows, constraints, density …"""


class AnswersDiffer(ConcedeError):
    """Two methods answer the same question differently; nothing is timed then."""

    exit_code = 1

    def __init__(self, case: str, method: str, part: str, ours: object, theirs: object) -> None:
        self.case, self.method, self.part = case, method, part
        self.ours, self.theirs = ours, theirs
        super().__init__(
            f"answers differ for {case}: {part} is {excerpt(ours)} by {OURS}, "
            f"{excerpt(theirs)} by {method}",
            hint="one of the two is wrong; nothing was timed",
        )


class TimedOut(Exception):
    """A method did not end within the time it was given; its text says within which."""


def alike(left: Any, right: Any) -> bool:
    """Whether two answers are the same, but for `TOLERANCE` in sums of doubles."""
    if isinstance(left, float) or isinstance(right, float):
        numbers = isinstance(left, int | float) and isinstance(right, int | float)
        return left == right or (numbers and abs(left - right) <= TOLERANCE)
    if isinstance(left, dict) and isinstance(right, dict):
        ours, theirs = cast("dict[Any, Any]", left), cast("dict[Any, Any]", right)
        return ours.keys() == theirs.keys() and all(alike(ours[key], theirs[key]) for key in ours)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        pairs = (cast("Sequence[Any]", left), cast("Sequence[Any]", right))
        return len(pairs[0]) == len(pairs[1]) and all(map(alike, *pairs))
    return left == right


def too_long(foreseen: float, seconds: float, work: str) -> str:
    """Return why a method that needs so many seconds does not take part; empty if it may."""
    if foreseen <= seconds:
        return ""
    return f"{work}: about {foreseen:,.0f} s, over the {seconds:g} s allowed"


@dataclass(frozen=True)
class Runner:
    """A method made ready: `call` is timed, `before` runs before each call, untimed.

    `answer` turns what `call` returned into plain values, untimed.
    """

    call: Callable[[], Any]
    answer: Callable[[Any], Answer] = lambda returned: {}
    before: Callable[[], None] | None = None
    bytes: int | None = None


def renewing(
    make: Callable[[], Given],
    call: Callable[[Given], Any],
    answer: Callable[[Any], Answer] = lambda returned: {},
    size: int | None = None,
) -> Runner:
    """Return a runner whose every call is given something new, made before it and untimed."""
    given = [make()]

    def renew() -> None:
        given[0] = make()

    return Runner(lambda: call(given[0]), answer, renew, size)


@dataclass(frozen=True)
class Method:
    """One way to answer a question.

    `prepare` builds what the method may keep between questions; it is not timed, and what it
    opens it puts on the stack. `needs` names the packages it cannot do without; `skipped` says
    why it does not take part.
    """

    name: str
    prepare: Callable[[ExitStack], Runner]
    needs: tuple[str, ...] = ()
    skipped: str = ""

    @property
    def is_ours(self) -> bool:
        """Whether it is a way of ours: its first runs may compile a kernel and are not counted."""
        return self.name.startswith(OURS)

    @property
    def missing(self) -> tuple[str, ...]:
        """The packages it needs that are not there."""
        return tuple(package for package in self.needs if find_spec(package) is None)


def method(
    name: str, needs: tuple[str, ...] = (), skip: Callable[..., str] = lambda *args, **kwargs: ""
) -> Callable[[Callable[Concatenate[ExitStack, P], Runner]], Callable[P, Method]]:
    """Return a decorator: what prepares a method, given the stack first, becomes what names it.

    `skip`, given the same but the stack, says why the method does not take part.
    """

    def decorate(prepare: Callable[Concatenate[ExitStack, P], Runner]) -> Callable[P, Method]:
        @wraps(prepare)
        def named(*args: P.args, **kwargs: P.kwargs) -> Method:
            skipped = skip(*args, **kwargs)
            return Method(name, lambda stack: prepare(stack, *args, **kwargs), needs, skipped)

        return named

    return decorate


@dataclass
class Comparison:
    """One question put to our method, the first, and to its rivals."""

    case: Case
    methods: Sequence[Method]
    selectivity: Selectivity | None = None
    figures: dict[str, float] = field(default_factory=dict[str, float])

    def run(self, pace: Pace) -> Cell:
        """Return the times of all methods; raise `AnswersDiffer` before any is taken."""
        with ExitStack() as stack:
            started = [_Entry(method, stack) for method in self.methods]
            ours = started[0]
            for rival in started[1:]:
                self._compare(ours, rival)
            results = [entry.result(pace) for entry in started]
        base = results[0].median_ms
        compared = tuple(sorted({part for entry in started[1:] for part in entry.compared}))
        results[0] = results[0].model_copy(update={"compared": compared})
        return Cell(
            case=self.case,
            selectivity=self.selectivity,
            results=tuple(_with_ratio(result, base) for result in results),
            figures=self.figures,
        )

    def _compare(self, ours: _Entry, rival: _Entry) -> None:
        for part, theirs in (rival.answer or {}).items():
            expected = (ours.answer or {})[part]
            if not alike(theirs, expected):
                label = Cell(case=self.case).label
                raise AnswersDiffer(label, rival.method.name, part, *_apart(expected, theirs))
        rival.compared = tuple(rival.answer or ())


def _apart(ours: Any, theirs: Any) -> tuple[Any, Any]:
    """Return two answers, cut down to where they differ."""
    if isinstance(ours, set):
        mine, others = cast("set[Any]", ours), cast("set[Any]", theirs)
        return _first(mine - others), _first(others - mine)
    at_ours, at_theirs = _by_key(ours), _by_key(theirs)
    for key in [*at_ours, *at_theirs]:
        if not alike(at_ours.get(key), at_theirs.get(key)):
            inner, theirs_inner = _apart(at_ours.get(key), at_theirs.get(key))
            return {key: inner}, {key: theirs_inner}
    return ours, theirs  # pyright: ignore[reportUnknownVariableType] any type, narrowed away


def _by_key(answer: Any) -> dict[Any, Any]:
    if isinstance(answer, dict):
        return cast("dict[Any, Any]", answer)
    return dict(enumerate(cast("list[Any]", answer))) if isinstance(answer, list) else {}


def _first(only: set[Any]) -> list[Any]:
    """Return a set that only one side has, in order; nothing if there is none."""
    return [sorted(members) for members in sorted(only, key=sorted)[:1]]


class _Entry:
    """A method in a comparison: made ready and run once, unless it cannot take part."""

    def __init__(self, method: Method, stack: ExitStack) -> None:
        self.method = method
        self.answer: Answer | None = None
        self.compared: tuple[str, ...] = ()
        self.stopped = ""
        self.runner: Runner | None = None
        if not method.skipped and not method.missing:
            self._start(stack)

    def _start(self, stack: ExitStack) -> None:
        try:
            runner = self.method.prepare(stack)
            for _ in range(1 + WARM_UPS if self.method.is_ours else 1):
                if runner.before is not None:
                    runner.before()
                self.first, returned = once(runner.call)
                self.answer = runner.answer(returned)
        except TimedOut as end:
            self.stopped = str(end)
            return
        self.runner = runner

    def result(self, pace: Pace) -> Result:
        """Return the method's times, or why there are none."""
        name = self.method.name
        if self.method.skipped:
            return Result(method=name, outcome="skipped", why=self.method.skipped)
        if self.method.missing:
            why = f"without {' and '.join(self.method.missing)}"
            return Result(method=name, outcome="not installed", why=why)
        if self.runner is None:
            return Result(method=name, outcome="stopped", why=self.stopped)
        # What takes long is run once: the run whose answer was compared.
        is_long = self.first > pace.seconds * pace.least
        runner = self.runner
        timing = Timing((self.first,)) if is_long else timed(runner.call, pace, runner.before)
        return Result(
            method=name,
            outcome="measured",
            runs=len(timing.seconds),
            median_ms=timing.median * 1e3,
            p99_ms=timing.p99 * 1e3,
            fastest_ms=timing.fastest * 1e3,
            cpu_ms=timing.processor_median * 1e3 if timing.processor else None,
            bytes=runner.bytes,
            compared=self.compared,
        )


def _with_ratio(result: Result, base: float | None) -> Result:
    if base is None or result.median_ms is None:
        return result
    return result.model_copy(update={"ratio": result.median_ms / base})
