"""The question that settles most over all open programs at once.

A question is one key, of everybody it can still matter for. Its worth has two parts:

necessity   in worlds drawn from the keys' priors, the share of those where the key belongs to a
            small set of keys that settles every open program (found by deletion, as for a
            minimal unsatisfiable subset). What is asked in every world is asked for nothing.
progress    how many questions its answer is expected to make needless: the keys that can still
            matter to each program before and after it; a program decided needs none.

Both come from the programs' own branches: each is evaluated in three values on what is known and
what a world supposes. The document asks the first missing key, program by program; this is ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .asking import Ask, heard_with_size, line_of
from .board import Board
from .evaluation import evaluate
from .keys import SIZE, Slot, Value
from .priors import draw
from .program import Program

WORLDS, LEAST_WORLDS = 8, 2
EVALUATIONS = 600
"""Evaluations of programs for one question, about; many programs are looked at in fewer worlds."""

PROGRESS = 0.1
"""What a question made needless weighs beside certain necessity, 1."""

Open = Sequence[tuple[Program, tuple[Slot, ...]]]
"""Open programs, each with the slots that can still matter to it."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible question: keys of one topic (mostly one), and whom it asks about."""

    keys: tuple[str, ...]
    slots: tuple[Slot, ...]


@dataclass
class JointPlanner:
    """See the module. `keys_a_question`: how many keys of one topic a question may hold."""

    keys_a_question: int = 1
    progress: float = PROGRESS
    _gains: dict[tuple[str, int, tuple[str, ...]], float] = field(
        default_factory=dict[tuple[str, int, tuple[str, ...]], float]
    )

    @property
    def name(self) -> str:
        """See `Planner.name`."""
        return "joint" if self.keys_a_question == 1 else "joint-topics"

    @property
    def runs(self) -> bool:
        """See `Planner.runs`."""
        return False

    def next(self, board: Board) -> Ask | None:
        """See `Planner.next`. Size comes first where members matter: without it nobody is all."""
        open_programs = [(one, slots) for one in board.programs if (slots := board.askable(one))]
        for program, slots in open_programs:
            if SIZE in slots and any(slot.member is not None for slot in slots):
                line = line_of(board, program, SIZE)
                return Ask((SIZE,), heard_with_size(board), program.name, line)
        if not open_programs:
            return None
        candidates = self._candidates(board, open_programs)
        best = candidates[0]
        if len(candidates) > 1:
            gains = [self._total_gain(board, open_programs, one) for one in candidates]
            single = {one.keys[0]: gain for one, gain in zip(candidates, gains, strict=True)}
            votes = necessity(board, open_programs, single)
            worths = [
                sum(votes.get(key, 0.0) for key in one.keys) + self.progress * gain
                for one, gain in zip(candidates, gains, strict=True)
            ]
            # The first of equals: programs and their lines have an order.
            best = candidates[max(range(len(worths)), key=lambda at: (worths[at], -at))]
        asked = set(best.slots)
        program, held = next(one for one in open_programs if asked & set(one[1]))
        first = next(slot for slot in held if slot in asked)
        return Ask(best.slots, best.keys, program.name, line_of(board, program, first))

    def _candidates(self, board: Board, open_programs: Open) -> list[Candidate]:
        by_key = _by_key(open_programs)
        found = [Candidate((key,), _of_all(board, key, slots)) for key, slots in by_key.items()]
        topics: dict[str, list[str]] = {}
        for key in by_key:
            if self.keys_a_question > 1 and (topic := board.keys.key(key).topic):
                topics.setdefault(topic, []).append(key)
        for keys in topics.values():
            chosen = tuple(keys[: self.keys_a_question])
            if len(chosen) > 1:
                slots = [slot for key in chosen for slot in _of_all(board, key, by_key[key])]
                found.append(Candidate(chosen, tuple(slots)))
        return found

    def _total_gain(self, board: Board, open_programs: Open, one: Candidate) -> float:
        asked = set(one.slots)
        return sum(
            self._gain(board, program, held, one)
            for program, held in open_programs
            if asked & set(held)
        )

    def _gain(
        self, board: Board, program: Program, held: tuple[Slot, ...], one: Candidate
    ) -> float:
        """Return how many questions an answer is expected to make needless for a program."""
        place = (program.name, board.stamp(program), one.keys)
        if place not in self._gains:
            efforts: dict[tuple[Value, ...], int] = {}
            total = 0
            for world in range(WORLDS):
                values = tuple(draw(board, slot, world) for slot in one.slots)
                if values not in efforts:
                    supposed = dict(zip(one.slots, values, strict=True))
                    efforts[values] = _effort_after(board, program, supposed)
                total += efforts[values]
            self._gains[place] = _effort(held) - total / WORLDS
        return self._gains[place]


def _by_key(open_programs: Open) -> dict[str, tuple[Slot, ...]]:
    found: dict[str, dict[Slot, None]] = {}
    for _, slots in open_programs:
        for slot in slots:
            found.setdefault(slot.key, {})[slot] = None
    return {key: tuple(slots) for key, slots in found.items()}


def _of_all(board: Board, key: str, slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """Return whom to ask about: everyone, unless it matters for one person only."""
    return slots if len(slots) == 1 else board.everyone(key)


def _effort(slots: Sequence[Slot]) -> int:
    """Return how many questions would settle a program if all that can matter did."""
    return len({slot.key for slot in slots})


def _effort_after(board: Board, program: Program, supposed: Mapping[Slot, Value]) -> int:
    found = evaluate(program, {**board.known, **supposed}, board.keys)
    return _effort([slot for slot in found.relevant if slot not in board.closed])


def necessity(board: Board, open_programs: Open, gains: Mapping[str, float]) -> dict[str, float]:
    """Return the share of supposed worlds in which each key belongs to a set that settles all."""
    slots = {key: board.everyone(key) for key in _by_key(open_programs)}
    readers = {
        key: [program for program, held in open_programs if key in {one.key for one in held}]
        for key in slots
    }
    # What few programs read, and what settles little, is dropped first: the keys kept serve many.
    # Of equals the later ones go, so that questions follow the text.
    places = {key: at for at, key in enumerate(slots)}
    order = sorted(slots, key=lambda key: (len(readers[key]), gains.get(key, 0.0), -places[key]))
    cost = sum(map(len, readers.values())) or 1
    worlds = max(LEAST_WORLDS, min(WORLDS, EVALUATIONS // cost))
    votes = dict.fromkeys(slots, 0.0)
    for world in range(worlds):
        for key in _settling(board, order, slots, readers, world):
            votes[key] += 1 / worlds
    return votes


def _settling(
    board: Board,
    order: Sequence[str],
    slots: Mapping[str, Sequence[Slot]],
    readers: Mapping[str, Sequence[Program]],
    world: int,
) -> list[str]:
    """Return keys whose values in a world settle all programs, none of which can be left out."""
    supposed = dict(board.known)
    for held in slots.values():
        supposed |= {slot: draw(board, slot, world) for slot in held}
    kept: list[str] = []
    for key in order:
        fewer = dict(supposed)
        for slot in slots[key]:
            fewer.pop(slot, None)
        if all(evaluate(one, fewer, board.keys).outcome is not None for one in readers[key]):
            supposed = fewer
        else:
            kept.append(key)
    return kept
