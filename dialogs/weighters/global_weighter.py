"""`global`: one call of a model, on the whole conversation, states all weights (AWARE-US, 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import BaseModel, Field, create_model

from ...catalogs.query.constraint import Constraint
from ..models.chat_model import Request
from ..models.prompt import load_prompt
from ..models.structured import ask_for
from ..transcripts.transcript import Transcript
from .attribution import read_transcript
from .llm import STATED, UNASKED, LLMWeighter, conversation, named_spans, says_something, wish
from .weighting import Weighed

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
