"""Weighters that ask a chat model: `local`, `global` and `pairwise` (AWARE-US, section 3).

local       one call a constraint, on the answer about it alone
global      one call, on the whole conversation, states all weights
pairwise    two calls a pair of constraints: which matters more. The published code compares the
            model's log-probabilities of answering A and B. Chat endpoints show only the likeliest
            first tokens, so this is an approximation: tokens that strip to A or B are added up;
            where a server gives no log-probabilities, the letter it writes counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Annotated

from pydantic import BaseModel, Field, create_model

from ...catalogs.errors import LimitError, one_line
from ...catalogs.query.constraint import NEUTRAL_WEIGHT, Constraint, words
from ..models.chat_model import ChatModel, Reply, Request
from ..models.prompt import load_prompt
from ..models.structured import ask_for
from ..transcripts.transcript import Span, Transcript
from .attribution import Reading, read_transcript
from .weighter import Weighed, Weighter

STATED = 0.5
"""Confidence in a weight that a model stated: nothing is known about how good it is."""

UNASKED = 0.3
"""Confidence in the neutral weight of what nobody spoke of, so no model was asked."""

MAX_SHOWN = 20_000
"""Characters of a conversation that a model is shown, the latest."""

MAX_WISH = 300


class LLMWeighter(Weighter):
    """A weighter on a chat model; the environment's where none is given.

    Raises `ModelError` where the model gives no usable reply.
    """

    def __init__(self, model: ChatModel | None = None, *, episode: str = "") -> None:
        self._model = model
        self.episode = episode

    @property
    def model(self) -> ChatModel:
        """The model, opened when it is first needed."""
        if self._model is None:
            from ..models.opening import open_model

            self._model = open_model()
        return self._model


def asking(weighter: Weighter, model: ChatModel | None, episode: str = "") -> Weighter:
    """Return a weighter that asks this model, where it asks one and one is given."""
    if model is None or not isinstance(weighter, LLMWeighter):
        return weighter
    return type(weighter)(model, episode=episode)


def conversation(transcript: Transcript) -> str:
    """Return the latest messages, one a line, as a prompt shows them."""
    names = {"user": "Person", "assistant": "Assistant", "system": "Note"}
    return transcript.lines(names)[-MAX_SHOWN:]


def wish(constraint: Constraint) -> str:
    """Return a constraint as a prompt names it, on one line."""
    return one_line(words(constraint)[:MAX_WISH])


def named_spans(reading: Reading, number: int) -> tuple[Span, ...]:
    """Return the clauses that speak about a constraint."""
    return tuple(dict.fromkeys(statement.clause.span for statement in reading.evidence[number]))


def says_something(transcript: Transcript) -> bool:
    """Return whether the person has said anything at all."""
    return any(message.content.strip() for _, message in transcript.by("user"))


class StatedWeight(BaseModel):
    """What the model replies."""

    weight: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class LocalWeighter(LLMWeighter):
    """Each constraint by what was answered about it, whatever else was said.

    Where nobody was asked, the messages that speak of the constraint count as the answer.
    """

    name = "local"

    def judge(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Iterator[Weighed]:
        """Yield the stated weights; a constraint nobody spoke of stays neutral, unasked."""
        reading = read_transcript(transcript, constraints)
        for number, constraint in enumerate(constraints):
            spans = named_spans(reading, number)
            numbers = sorted({span.message for span in spans})
            answer = "\n".join(transcript.messages[position].content for position in numbers)[
                :MAX_SHOWN
            ]
            if not answer.strip():
                yield Weighed(constraint, NEUTRAL_WEIGHT, UNASKED)
                continue
            text = load_prompt("weigh_one").render(constraint=wish(constraint), answer=answer)
            request = Request.of(text, role="weighter", episode=self.episode)
            stated = ask_for(self.model, request, StatedWeight)
            yield Weighed(constraint, stated.weight, STATED, spans)


NonNegative = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


class GlobalWeighter(LLMWeighter):
    """Weights that are none below 0 and add up to 1; equal where the model gives only zeros."""

    name = "global"

    def judge(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Iterator[Weighed]:
        """Yield the shares that one reply of the model gives to the constraints."""
        if not constraints:
            return
        has_text = says_something(transcript)
        stated = self._stated(transcript, constraints) if has_text else [0.0] * len(constraints)
        reading = read_transcript(transcript, constraints)
        for number, (constraint, weight) in enumerate(
            zip(constraints, shares(stated), strict=True)
        ):
            sure = STATED if has_text else UNASKED
            yield Weighed(constraint, weight, sure, named_spans(reading, number))

    def _stated(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Sequence[float]:
        listed = "\n".join(
            f"{at}. {wish(constraint)}" for at, constraint in enumerate(constraints, 1)
        )
        text = load_prompt("weigh_together").render(
            constraints=listed, dialogue=conversation(transcript)
        )
        request = Request.of(text, role="weighter", episode=self.episode)
        stated = ask_for(self.model, request, _reply_of(len(constraints)))
        return [float(weight) for weight in stated.model_dump()["weights"]]


def shares(stated: Sequence[float]) -> list[float]:
    """Return non-negative numbers as shares of their sum; equal shares where it is 0."""
    total = sum(stated)
    if total <= 0:
        return [1 / len(stated)] * len(stated)
    return [min(1.0, weight / total) for weight in stated]


def _reply_of(length: int) -> type[BaseModel]:
    """Return the reply's schema: exactly so many weights."""
    kind = Annotated[list[NonNegative], Field(min_length=length, max_length=length)]
    return create_model("StatedWeights", weights=(kind, ...))


EPSILON = 1e-6
"""Added to each count of wins before they are normalised, as in the published runs."""

MAX_COMPARED = 24
"""Constraints; each pair takes two calls, so 552 calls in all."""

ALTERNATIVES = 20
"""First tokens asked for, the most that common endpoints give."""


class PairwiseWeighter(LLMWeighter):
    """Each pair is asked about in both orders; replies that disagree are a tie, half each."""

    name = "pairwise"

    def judge(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Iterator[Weighed]:
        """Yield each constraint's share of the wins; raise `LimitError` for too many."""
        if len(constraints) > MAX_COMPARED:
            raise LimitError(
                f"{len(constraints)} constraints compared in pairs",
                hint=f"compare at most {MAX_COMPARED}, or use weighter global",
            )
        reading = read_transcript(transcript, constraints)
        has_text = says_something(transcript)
        weights = self._compared(transcript, constraints) if has_text else None
        for number, constraint in enumerate(constraints):
            weight, sure = (weights[number], STATED) if weights else (NEUTRAL_WEIGHT, UNASKED)
            yield Weighed(constraint, weight, sure, named_spans(reading, number))

    def _compared(self, transcript: Transcript, constraints: Sequence[Constraint]) -> list[float]:
        dialogue = conversation(transcript)
        wins = [0.0] * len(constraints)
        for i, j in combinations(range(len(constraints)), 2):
            one_way = self._first_wins(dialogue, constraints[i], constraints[j])
            other_way = 1 - self._first_wins(dialogue, constraints[j], constraints[i])
            # Only replies that agree decide.
            share = one_way if one_way == other_way else 0.5
            wins[i] += share
            wins[j] += 1 - share
        return normalised(wins)

    def _first_wins(self, dialogue: str, first: Constraint, second: Constraint) -> float:
        """Return 1 if the model keeps the first, 0 for the second, ½ if it does not say."""
        text = load_prompt("weigh_pair").render(
            dialogue=dialogue, first=wish(first), second=wish(second)
        )
        plain = Request.of(text, role="weighter", episode=self.episode)
        request = Request(
            plain.messages,
            plain.role,
            plain.episode,
            temperature=0.0,
            max_tokens=1,
            top_logprobs=ALTERNATIVES,
        )
        return choice(self.model.complete(request))


def choice(reply: Reply) -> float:
    """Return 1 for A, 0 for B, ½ for neither, by log-probabilities or else by the text."""
    odds = {"A": 0.0, "B": 0.0}
    for token, logprob in reply.top_logprobs:
        letter = _letter(token)
        if letter in odds and logprob <= 1e-6:
            odds[letter] += math.exp(min(logprob, 0.0))
    if not any(odds.values()):
        odds = {letter: float(_letter(reply.text[:20]) == letter) for letter in odds}
    return 0.5 if odds["A"] == odds["B"] else float(odds["A"] > odds["B"])


def _letter(text: str) -> str:
    """Return a token without what surrounds a bare letter."""
    return text.strip(" \t\r\n.,:;()[]*\"'`_▁Ġ").upper()


def normalised(wins: Sequence[float]) -> list[float]:
    """Return counts of wins as weights that add up to 1, none of them quite 0."""
    total = sum(wins) + EPSILON * len(wins)
    return [(count + EPSILON) / total for count in wins]
