"""A run: every traveller is asked, and what was found is scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...dialogs.elicitation.agents import Planner, Stenographer, Traveller
from ...dialogs.elicitation.conversation import Elicitation, elicit
from ...dialogs.elicitation.schema import Schema
from ...dialogs.transcripts.transcript import Transcript
from ..progress import Counted, uncounted
from ..text_files import write_json_lines
from .judge import AgenticScores
from .scores import Scores, scored
from .travellers import TravellerRecord

Judging = Callable[[Transcript], AgenticScores]


@dataclass(frozen=True)
class Dialogue:
    """One traveller's conversation and what it is worth."""

    traveller: TravellerRecord
    elicitation: Elicitation
    agentic: AgenticScores
    scores: Scores

    @property
    def found(self) -> dict[str, Any]:
        """The values taken down, by entry."""
        return {name: known.value for name, known in self.elicitation.profile.items()}

    def prediction(self, schema: Schema) -> dict[str, Any]:
        """Return what is written of it: `profile` names every entry, null where unknown."""
        found, profile = self.found, self.elicitation.profile
        return {
            "id": self.traveller.id,
            "profile": {entry.name: found.get(entry.name) for entry in schema.entries},
            "evidence": {name: known.evidence.text for name, known in profile.items()},
            "asked": [question.entry for question in self.elicitation.asked],
            "rounds": self.elicitation.rounds,
            "overall": self.scores.overall,
            "critical": self.scores.critical,
            "plan_priority": self.agentic.plan_priority,
            "proactive": self.agentic.proactive,
            "clarification": self.agentic.clarification,
            "r_c": self.scores.r_c,
            "r_a": self.scores.r_a,
            "reward": self.scores.reward,
        }


@dataclass(frozen=True)
class Roles:
    """Who takes part besides the planner. `traveller` makes the one that answers for a record."""

    schema: Schema
    stenographer: Stenographer
    traveller: Callable[[TravellerRecord], Traveller]
    judge: Judging


def hold(roles: Roles, planner: Planner, traveller: TravellerRecord, rounds: int) -> Dialogue:
    """Hold one conversation of at most `rounds` questions and score it."""
    elicitation = elicit(
        roles.schema, planner, roles.stenographer, roles.traveller(traveller), rounds
    )
    agentic = roles.judge(elicitation.said)
    found = {name: known.value for name, known in elicitation.profile.items()}
    scores = scored(
        roles.schema,
        traveller.profile,
        traveller.critical,
        found,
        elicitation.rounds,
        agentic.total,
    )
    return Dialogue(traveller, elicitation, agentic, scores)


def hold_all(
    roles: Roles,
    planner: Planner,
    travellers: Sequence[TravellerRecord],
    rounds: int,
    progress: Counted = uncounted,
) -> list[Dialogue]:
    """Hold all conversations, in the order of the travellers."""
    return [hold(roles, planner, one, rounds) for one in progress(travellers, "asking travellers")]


def write_predictions(path: Path, dialogues: Sequence[Dialogue], schema: Schema) -> None:
    """Write a JSON line a dialogue. Raises `UnreadableFile` where that fails."""
    write_json_lines(path, (dialogue.prediction(schema) for dialogue in dialogues))
