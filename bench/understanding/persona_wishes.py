"""What personas say, as examples for weighing: true wishes, what was said, how much each matters.

The reader has no part in it: a persona opens, answers questions about most of its columns in an
order drawn at random, and adds the others by their names. So the figures are the weighing's own.
Cost: one catalog opened and some questions written a persona.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from ...catalogs.catalog import Catalog
from ...catalogs.query.constraint import Constraint
from ...dialogs.conversation.agents import OfflineAgent
from ...dialogs.transcripts.transcript import Message, Transcript
from .personas import Persona, Weighed
from .wilson import Share, share

ADDED = 0.25
"""Share of the wishes that nobody asks about and the persona adds."""


@dataclass(frozen=True)
class WeighedTalk:
    """A conversation, the wishes in it in no telling order, and how much each matters."""

    catalog: str
    transcript: Transcript
    constraints: tuple[Constraint, ...]
    importances: tuple[float, ...]
    gives_up: int


def weighed_talks(
    personas: Iterable[Persona], catalogs: Path, orders: int = 1, seed: int = 0
) -> Iterator[WeighedTalk]:
    """Yield conversations with the personas, `orders` of each, that differ in their order."""
    chosen = list(personas)
    draw = random.Random(seed)
    for name in dict.fromkeys(persona.catalog for persona in chosen):
        with Catalog.open(catalogs / f"{name}.csv") as catalog:
            agent = OfflineAgent(catalog)
            for persona in (one for one in chosen if one.catalog == name):
                for _ in range(orders):
                    yield _talk(persona, agent, draw)


def _talk(persona: Persona, agent: OfflineAgent, draw: random.Random) -> WeighedTalk:
    asked = draw.sample(persona.constraints, len(persona.constraints))
    added = [wish for wish in asked if draw.random() < ADDED]
    known = [_constraint(wish.column, wish.op, wish.value) for wish in persona.base]
    messages = [Message("user", persona.opening)]
    for wish in (wish for wish in asked if wish not in added):
        question = agent.question(wish.column, known)
        messages.append(Message("assistant", question, wish.column))
        messages.append(Message("user", persona.answers.get(wish.column, "")))
        known.append(_constraint(wish.column, wish.op, wish.value))
    for wish in added:
        said = persona.answers.get(wish.column, "")
        messages.append(Message("user", f"{wish.column}: {said}"))
    return _shuffled(persona, messages, draw)


def _shuffled(persona: Persona, messages: Sequence[Message], draw: random.Random) -> WeighedTalk:
    wishes: list[Weighed] = draw.sample(persona.constraints, len(persona.constraints))
    return WeighedTalk(
        persona.catalog,
        Transcript(tuple(messages)),
        tuple(_constraint(wish.column, wish.op, wish.value) for wish in wishes),
        tuple(wish.weight for wish in wishes),
        [wish.column for wish in wishes].index(persona.gives_up),
    )


def _constraint(column: str, op: str, value: Any) -> Constraint:
    return Constraint(column=column, op=op, value=value)


@dataclass(frozen=True, slots=True)
class WeighingScores:
    """`lowest`: talks in which the wish to give up weighs least of all; `pairs`: pairs of wishes
    of different importance in the right order. A tie is not right."""

    lowest: Share
    pairs: Share

    def record(self) -> dict[str, Any]:
        """Return the scores as a JSON object."""
        return asdict(self)


Weigh = Callable[[Transcript, tuple[Constraint, ...]], Sequence[float]]


def score_weighing(weigh: Weigh, talks: Iterable[WeighedTalk]) -> WeighingScores:
    """Weigh the true wishes of each conversation and return the figures."""
    judged = list(talks)
    return score_talks(judged, [weigh(talk.transcript, talk.constraints) for talk in judged])


def score_talks(talks: Sequence[WeighedTalk], weighed: Sequence[Sequence[float]]) -> WeighingScores:
    """Return the figures of weights given to each conversation's wishes."""
    lowest: list[bool] = []
    pairs: list[bool] = []
    for talk, weights in zip(talks, weighed, strict=True):
        others = [weight for at, weight in enumerate(weights) if at != talk.gives_up]
        lowest.append(weights[talk.gives_up] < min(others, default=1.0))
        for i, j in combinations(range(len(weights)), 2):
            apart = talk.importances[i] - talk.importances[j]
            if apart:
                pairs.append((weights[i] - weights[j]) * apart > 0)
    return WeighingScores(share(sum(lowest), len(lowest)), share(sum(pairs), len(pairs)))
