"""`local`: one call of a model a constraint, on the answer about it alone (AWARE-US, 3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import BaseModel, Field

from ...catalogs.query.constraint import NEUTRAL_WEIGHT, Constraint
from ..models.chat_model import Request
from ..models.prompt import load_prompt
from ..models.structured import ask_for
from ..transcripts.transcript import Transcript
from .attribution import read_transcript
from .llm import MAX_SHOWN, STATED, UNASKED, LLMWeighter, named_spans, wish
from .weighting import Weighed


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
