"""The three agentic scores by a chat model, and the sum of them by us (APEC-Travel, A.5)."""

from __future__ import annotations

from dataclasses import dataclass, field

from pydantic import BaseModel, Field

from ...dialogs.elicitation.model_roles import NAMES
from ...dialogs.models.chat_model import ChatModel, Request
from ...dialogs.models.prompt import Prompt, load_prompt
from ...dialogs.models.structured import ask_for
from ...dialogs.transcripts.transcript import Transcript
from .judge import AGENT, NO_DIALOGUE, TRAVELLER, AgenticScores

MOST, LONGEST = 200, 2_000


class Points(BaseModel):
    """What a judge's model gives."""

    plan_priority: int = Field(ge=1, le=5)
    proactive: int = Field(ge=1, le=5)
    clarification: int = Field(ge=1, le=5)


@dataclass(frozen=True)
class ModelJudge:
    """Scores by a model; a dialogue without both sides is worth nothing, and costs no call."""

    model: ChatModel
    prompt: Prompt = field(default_factory=lambda: load_prompt("judge_elicitation"))

    def score(self, said: Transcript) -> AgenticScores:
        """Return the scores of a dialogue. Raises `ModelError` where the model gives none."""
        if not {AGENT, TRAVELLER} <= {message.role for message in said}:
            return NO_DIALOGUE
        dialogue = said.lines(NAMES, most=MOST, longest=LONGEST)
        request = Request.of(self.prompt.render(dialogue=dialogue), role="judge")
        points = ask_for(self.model, request, Points)
        return AgenticScores(points.plan_priority, points.proactive, points.clarification)
