"""What to ask next: the published order, and the question that settles most.

A planner looks at the board and names slots, or None where asking no longer helps. To add one,
write a class with `name`, `runs` and `next` and a line in `PLANNERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from ...catalogs.errors import QueryError, nearest, shown
from .board import Board
from .keys import SIZE, Slot, Value
from .priors import draw
from .program import Program


@dataclass(frozen=True, slots=True)
class Ask:
    """Slots to ask for in one question, and the program and line that need them."""

    slots: tuple[Slot, ...]
    keys: tuple[str, ...]
    program: str
    line: int


class Planner(Protocol):
    """Chooses what is asked next."""

    @property
    def name(self) -> str:
        """What the planner is called."""
        ...

    @property
    def runs(self) -> bool:
        """Whether programs decide as Python runs them, or as soon as nothing can change."""
        ...

    def next(self, board: Board) -> Ask | None:
        """Return what to ask; None where no answer can settle anything more."""
        ...


@dataclass(frozen=True)
class PublishedPlanner:
    """The first missing key, program by program (ProADA, section 3).

    `together`: the key is asked for all members at once. Where the missing fact is one that
    nobody can tell, the next one that can still matter is asked instead.
    """

    together: bool = False

    @property
    def name(self) -> str:
        """See `Planner.name`."""
        return "published-together" if self.together else "published"

    @property
    def runs(self) -> bool:
        """See `Planner.runs`."""
        return True

    def next(self, board: Board) -> Ask | None:
        """See `Planner.next`."""
        for program in board.programs:
            ran = board.run(program)
            if ran.outcome is not None or ran.error:
                continue
            missing = ran.missing
            if missing is not None and missing.slot not in board.closed:
                return self._ask(board, missing.slot, program, missing.line)
            askable = board.askable(program)
            if askable:
                return self._ask(board, askable[0], program, _line(board, program, askable[0]))
        return None

    def _ask(self, board: Board, slot: Slot, program: Program, line: int) -> Ask:
        slots = (slot,)
        if self.together and slot.member is not None:
            slots = board.everyone(slot.key)
        return Ask(slots, (slot.key,), program.name, line)


def _line(board: Board, program: Program, slot: Slot) -> int:
    return dict(board.evaluation(program).lines).get(slot, 0)


SAMPLES = 8
"""Answers supposed for each question."""


@dataclass
class JointPlanner:
    """The question that settles most over all open programs.

    A question is one key, of everybody it can still matter for (or several keys of one topic,
    up to `keys_a_question`). Its worth is how many questions it is expected to make
    needless: for each program, the keys that can still matter before it and after it, over
    `samples` answers drawn from the keys' priors; a program decided needs none. Household size
    comes first, as without it no question can be put about everyone.
    """

    samples: int = SAMPLES
    keys_a_question: int = 1
    _gains: dict[tuple[str, int, tuple[str, ...]], float] = field(
        default_factory=dict[tuple[str, int, tuple[str, ...]], float]
    )

    @property
    def name(self) -> str:
        """See `Planner.name`."""
        return "joint"

    @property
    def runs(self) -> bool:
        """See `Planner.runs`."""
        return False

    def next(self, board: Board) -> Ask | None:
        """See `Planner.next`."""
        open_programs = [(one, board.askable(one)) for one in board.programs]
        open_programs = [(program, slots) for program, slots in open_programs if slots]
        if not open_programs:
            return None
        for program, slots in open_programs:
            if SIZE in slots:
                return Ask(
                    (SIZE,), self._with_size(board), program.name, _line(board, program, SIZE)
                )
        questions = self._questions(board, open_programs)
        worths = [self._worth(board, open_programs, keys, slots) for keys, slots in questions]
        # The first of equals: programs and their lines have an order.
        best = max(range(len(questions)), key=lambda at: (worths[at], -at))
        keys, slots = questions[best]
        program = next(one for one, held in open_programs if set(held) & set(slots))
        first = next(one for one in board.askable(program) if one in slots)
        return Ask(slots, keys, program.name, _line(board, program, first))

    def _with_size(self, board: Board) -> tuple[str, ...]:
        return heard_with_size(board)

    def _questions(
        self, board: Board, open_programs: list[tuple[Program, tuple[Slot, ...]]]
    ) -> list[tuple[tuple[str, ...], tuple[Slot, ...]]]:
        by_key: dict[str, dict[Slot, None]] = {}
        for _, slots in open_programs:
            for slot in slots:
                by_key.setdefault(slot.key, {})[slot] = None
        found = [((key,), _of_all(board, key, tuple(slots))) for key, slots in by_key.items()]
        if self.keys_a_question > 1:
            found += self._by_topic(board, by_key)
        return found

    def _by_topic(
        self, board: Board, by_key: dict[str, dict[Slot, None]]
    ) -> list[tuple[tuple[str, ...], tuple[Slot, ...]]]:
        topics: dict[str, list[str]] = {}
        for key in by_key:
            if topic := board.keys.key(key).topic:
                topics.setdefault(topic, []).append(key)
        found: list[tuple[tuple[str, ...], tuple[Slot, ...]]] = []
        for keys in topics.values():
            chosen = tuple(keys[: self.keys_a_question])
            if len(chosen) > 1:
                slots = [one for key in chosen for one in _of_all(board, key, tuple(by_key[key]))]
                found.append((chosen, tuple(slots)))
        return found

    def _worth(
        self,
        board: Board,
        open_programs: list[tuple[Program, tuple[Slot, ...]]],
        keys: tuple[str, ...],
        slots: tuple[Slot, ...],
    ) -> float:
        asked = set(slots)
        return sum(
            self._gain(board, program, held, keys, slots)
            for program, held in open_programs
            if asked & set(held)
        )

    def _gain(
        self,
        board: Board,
        program: Program,
        held: tuple[Slot, ...],
        keys: tuple[str, ...],
        slots: tuple[Slot, ...],
    ) -> float:
        place = (program.name, board.stamp(program), keys)
        if place not in self._gains:
            before = _effort(held)
            efforts: dict[tuple[Value, ...], int] = {}
            total = 0.0
            for sample in range(self.samples):
                values = tuple(draw(board, slot, sample) for slot in slots)
                if values not in efforts:
                    efforts[values] = _effort_after(board, program, slots, values)
                total += before - efforts[values]
            self._gains[place] = total / self.samples
        return self._gains[place]


def _of_all(board: Board, key: str, slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """Return whom to ask about: everyone, unless it matters for one person only."""
    return slots if len(slots) == 1 else board.everyone(key)


def _effort(slots: tuple[Slot, ...]) -> int:
    """Return how many questions would settle a program if all that can matter did."""
    return len({slot.key for slot in slots})


def _effort_after(
    board: Board, program: Program, slots: tuple[Slot, ...], values: tuple[Value, ...]
) -> int:
    from .evaluation import evaluate

    supposed = {**board.known, **dict(zip(slots, values, strict=True))}
    found = evaluate(program, supposed, board.keys)
    return _effort(tuple(slot for slot in found.relevant if slot not in board.closed))


def heard_with_size(board: Board) -> tuple[str, ...]:
    """Return the keys that a question for the household's members brings an answer to."""
    topic = board.keys.key(SIZE.key).topic
    if not topic:
        return (SIZE.key,)
    needed = {key for program in board.programs for key in program.keys}
    along = (key.name for key in board.keys if key.topic == topic and key.name != SIZE.key)
    return (SIZE.key, *(name for name in along if name in needed))


PLANNERS: dict[str, Callable[[], Planner]] = {
    "joint": JointPlanner,
    "published": PublishedPlanner,
    "published-together": lambda: PublishedPlanner(together=True),
}


def planner_names() -> tuple[str, ...]:
    """Return the names of the planners, the default first."""
    return tuple(PLANNERS)


def get_planner(name: str) -> Planner:
    """Return a planner by name; raise `QueryError` for one that is not there."""
    if name not in PLANNERS:
        like = ", ".join(nearest(name, PLANNERS) or PLANNERS)
        raise QueryError(f"no planner {shown(name)}", way_out=f"planners: {like}")
    return PLANNERS[name]()
