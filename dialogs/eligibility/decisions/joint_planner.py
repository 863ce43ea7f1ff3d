"""Choose the question that settles most over all open programs at once.

A question is one key, of everybody it can still matter for. Its worth has two parts:

necessity   in worlds drawn from the keys' priors, the share of those where the key belongs to a
            small set of keys that settles every open program (found by deletion, as for a
            minimal unsatisfiable subset). What is asked in every world is asked for nothing.
progress    how many questions its answer is expected to make needless: the keys that can still
            matter to each program before and after it; a program decided needs none.

Both come from evaluating the programs in three values on what is known and what a world supposes:
about `EVALUATIONS` evaluations a question. Supposed values serve planning only, never deciding;
draws are stratified and depend on nothing but the slot and the sample's number. The document
asks the first missing key, program by program; this planner is our own.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any
from zlib import crc32

from ..keys import HIGHEST, SIZE, Key, Slot, Value
from .conversation_state import Ask, ConversationState, keys_of_size_question, line_of
from .evaluation import evaluate
from .program import Program

STRATA = 8
"""A power of two: an odd step through them meets each once."""

GOLDEN = 0.6180339887498949
"""Its multiples fill [0, 1) evenly."""


def draw(state: ConversationState, slot: Slot, sample: int) -> Value:
    """Return the value supposed for a slot in a sample; the same in every process.

    Each run of `STRATA` samples has one from each stratum of the prior, in an order of the
    slot's own, so that what is as likely as not is drawn as often as not.
    """
    key = state.keys.key(slot.key)
    turn, seed = sample // STRATA, crc32(str(slot).encode())
    stratum = (sample * (2 * (seed % 4) + 1) + (seed >> 2)) % STRATA
    place = (stratum + (seed / 2**32 + turn * GOLDEN) % 1.0) / STRATA
    rows = key.prior or _prior(key, tuple(state.programs))
    sums = list(accumulate(float(row[-1]) for row in rows))
    index = min(bisect_right(sums, place * sums[-1]), len(rows) - 1)
    if key.kind in ("bool", "choice"):
        return rows[index][0]
    low, high, weight = rows[index]
    inside = (place * sums[-1] - (sums[index] - weight)) / weight if weight else 0.0
    value = min(max(low + (high - low) * inside, key.low), key.high)
    return round(value) if key.kind == "int" else float(value)


@lru_cache(maxsize=4_096)
def _prior(key: Key, programs: tuple[Program, ...]) -> tuple[tuple[Any, ...], ...]:
    """Return a prior for a key that has none: even, and for numbers around what is compared."""
    if key.kind == "bool":
        return ((True, 0.0, 0.5), (False, 0.0, 0.5))
    if key.kind == "choice":
        return tuple((value, 0.0, 1.0) for value in key.values)
    limits = sorted({limit for program in programs for limit in _limits(program, key.name)})
    if not limits:
        return ((key.low, min(key.high, key.low + 100), 1.0),)
    ends = [key.low, *limits, min(key.high, limits[-1] * 2 + 1, HIGHEST)]
    return tuple((low, high, 1.0) for low, high in pairwise(ends) if low <= high)


@lru_cache(maxsize=16_384)
def _limits(program: Program, key: str) -> tuple[float, ...]:
    """Return the numbers that stand in the comparisons a key takes part in."""
    lines = set(program.checked.key_lines.get(key, ()))
    limits: list[float] = []
    for node in ast.walk(program.checked.tree):
        if isinstance(node, ast.Compare) and node.lineno in lines:
            limits.extend(_numbers(list(ast.walk(node))))
    return tuple(limits)


def _numbers(nodes: Sequence[ast.AST]) -> list[float]:
    values = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return [
        float(value)
        for value in values
        if isinstance(value, int | float) and not isinstance(value, bool)
    ]


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

    def next(self, state: ConversationState) -> Ask | None:
        """See `Planner.next`. Size comes first where members matter: without it nobody is all."""
        askable = [(program, state.askable(program)) for program in state.programs]
        open_programs = [(program, slots) for program, slots in askable if slots]
        for program, slots in open_programs:
            if SIZE in slots and any(slot.member is not None for slot in slots):
                line = line_of(state, program, SIZE)
                return Ask((SIZE,), keys_of_size_question(state), program.name, line)
        if not open_programs:
            return None
        best = self._best(state, open_programs)
        asked_slots = set(best.slots)
        program, relevant = next(pair for pair in open_programs if asked_slots & set(pair[1]))
        first = next(slot for slot in relevant if slot in asked_slots)
        return Ask(best.slots, best.keys, program.name, line_of(state, program, first))

    def _best(self, state: ConversationState, open_programs: Open) -> Candidate:
        candidates = self._candidates(state, open_programs)
        if len(candidates) == 1:
            return candidates[0]
        gains = [self._total_gain(state, open_programs, candidate) for candidate in candidates]
        pairs = list(zip(candidates, gains, strict=True))
        votes = necessity(
            state, open_programs, {candidate.keys[0]: gain for candidate, gain in pairs}
        )
        worths = [
            sum(votes.get(key, 0.0) for key in candidate.keys) + self.progress * gain
            for candidate, gain in pairs
        ]
        # The first of equals: programs and their lines have an order.
        return candidates[worths.index(max(worths))]

    def _candidates(self, state: ConversationState, open_programs: Open) -> list[Candidate]:
        by_key = _by_key(open_programs)
        candidates = [Candidate((key,), _of_all(state, key, by_key[key])) for key in by_key]
        topics: dict[str, list[str]] = {}
        for key in by_key:
            if self.keys_a_question > 1 and (topic := state.keys.key(key).topic):
                topics.setdefault(topic, []).append(key)
        for keys in topics.values():
            chosen = tuple(keys[: self.keys_a_question])
            if len(chosen) > 1:
                slots = [slot for key in chosen for slot in _of_all(state, key, by_key[key])]
                candidates.append(Candidate(chosen, tuple(slots)))
        return candidates

    def _total_gain(
        self, state: ConversationState, open_programs: Open, candidate: Candidate
    ) -> float:
        asked_slots = set(candidate.slots)
        return sum(
            self._gain(state, program, relevant, candidate)
            for program, relevant in open_programs
            if asked_slots & set(relevant)
        )

    def _gain(
        self,
        state: ConversationState,
        program: Program,
        relevant: tuple[Slot, ...],
        candidate: Candidate,
    ) -> float:
        """Return how many questions an answer is expected to make needless for a program."""
        place = (program.name, state.version(program), candidate.keys)
        if place not in self._gains:
            efforts: dict[tuple[Value, ...], int] = {}
            total = 0
            for world in range(WORLDS):
                values = tuple(draw(state, slot, world) for slot in candidate.slots)
                if values not in efforts:
                    supposed = dict(zip(candidate.slots, values, strict=True))
                    efforts[values] = _effort_after(state, program, supposed)
                total += efforts[values]
            self._gains[place] = _effort(relevant) - total / WORLDS
        return self._gains[place]


def _by_key(open_programs: Open) -> dict[str, tuple[Slot, ...]]:
    slots_by_key: dict[str, dict[Slot, None]] = {}
    for _, slots in open_programs:
        for slot in slots:
            slots_by_key.setdefault(slot.key, {})[slot] = None
    return {key: tuple(slots) for key, slots in slots_by_key.items()}


def _of_all(state: ConversationState, key: str, slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """Return whom to ask about: everyone, unless it matters for one person only."""
    return slots if len(slots) == 1 else state.open_slots(key)


def _effort(slots: Sequence[Slot]) -> int:
    """Return how many questions would settle a program if all that can matter did."""
    return len({slot.key for slot in slots})


def _effort_after(
    state: ConversationState, program: Program, supposed: Mapping[Slot, Value]
) -> int:
    evaluation = evaluate(program, {**state.known, **supposed}, state.keys)
    return _effort([slot for slot in evaluation.relevant if slot not in state.closed])


def necessity(
    state: ConversationState, open_programs: Open, gains: Mapping[str, float]
) -> dict[str, float]:
    """Return the share of supposed worlds in which each key belongs to a set that settles all."""
    slots = {key: state.open_slots(key) for key in _by_key(open_programs)}
    needs = [(program, {slot.key for slot in relevant}) for program, relevant in open_programs]
    readers = {key: [program for program, keys in needs if key in keys] for key in slots}
    # What few programs read, and what settles little, is dropped first: the keys kept serve many.
    # Of equals the later ones go, so that questions follow the text.
    places = {key: place for place, key in enumerate(slots)}
    order = sorted(slots, key=lambda key: (len(readers[key]), gains.get(key, 0.0), -places[key]))
    cost = sum(map(len, readers.values())) or 1
    worlds = max(LEAST_WORLDS, min(WORLDS, EVALUATIONS // cost))
    votes = dict.fromkeys(slots, 0.0)
    for world in range(worlds):
        for key in _settling(state, order, slots, readers, world):
            votes[key] += 1 / worlds
    return votes


def _settling(
    state: ConversationState,
    order: Sequence[str],
    slots: Mapping[str, Sequence[Slot]],
    readers: Mapping[str, Sequence[Program]],
    world: int,
) -> list[str]:
    """Return keys whose values in a world settle all programs, none of which can be left out."""
    supposed = dict(state.known)
    for key_slots in slots.values():
        supposed |= {slot: draw(state, slot, world) for slot in key_slots}
    kept_keys: list[str] = []
    for key in order:
        fewer = dict(supposed)
        for slot in slots[key]:
            fewer.pop(slot, None)
        if all(
            evaluate(program, fewer, state.keys).outcome is not None for program in readers[key]
        ):
            supposed = fewer
        else:
            kept_keys.append(key)
    return kept_keys
