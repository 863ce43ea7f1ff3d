"""The three agentic scores of a dialogue by rule: 1 to 5 each, 0 without a dialogue.

APEC-Travel has a model score dialogues by a rubric (A.5): whether questions come in a sensible
order with the important ones first, whether they are proactive, and whether vague answers are
asked about again. The rules here measure the same three things on the words alone; they know
neither what the traveller wants nor what is critical. The total is the sum of the axes: the
document's model adds up itself, and its totals are 0.01 to 0.03 off in 9 of 9 rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...dialogs.elicitation.agents import Asked, Stenographer
from ...dialogs.elicitation.asked_entry import entry_asked
from ...dialogs.elicitation.planners import CriticalPlanner
from ...dialogs.elicitation.profile import Profile
from ...dialogs.elicitation.schema import Entry, Schema
from ...dialogs.transcripts.transcript import Message, Transcript

AGENT, TRAVELLER = "assistant", "user"

ENOUGH = 10
"""Questions after which a dialogue is as long as the document asks for (A.3, A.6)."""

_THOUGHT = re.compile(r"\[think\].*?(\[end think\]|\[think_end\]|$)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class AgenticScores:
    """Three axes, 1 to 5 each, or 0 where there is no dialogue."""

    plan_priority: float
    proactive: float
    clarification: float

    @property
    def total(self) -> float:
        """The sum of the axes, whatever a model adds up to."""
        return round(self.plan_priority + self.proactive + self.clarification, 4)

    def record(self) -> dict[str, Any]:
        """Return the axes and their sum as a JSON object."""
        return {
            "plan_priority": self.plan_priority,
            "proactive": self.proactive,
            "clarification": self.clarification,
            "total": self.total,
        }


NO_DIALOGUE = AgenticScores(0, 0, 0)


@dataclass(frozen=True)
class OfflineJudge:
    """Scores by rule. The stenographer tells which answers were vague."""

    schema: Schema
    stenographer: Stenographer

    def score(self, said: Transcript) -> AgenticScores:
        """Return the scores of a dialogue; agent turns are `assistant`, the traveller's `user`."""
        turns = [_spoken(message) for message in said if message.role == AGENT]
        if not {AGENT, TRAVELLER} <= {message.role for message in said}:
            return NO_DIALOGUE
        entries = [entry_asked(self.schema, text) for text in turns]
        asked = [entry for entry in entries if entry is not None]
        # A turn that says nothing, or asks nothing that can be told, lowers an axis.
        empty = sum(not re.search(r"\w", text) for text in turns)
        # The first turn may greet.
        later = list(zip(entries, turns, strict=True))[1:]
        lost = sum(entry is None for entry, text in later if "?" in text)
        order = self._order(asked)
        plan = 1 + 4 * order if asked else 1.0
        proactive = 1 + 4 * min(1.0, len(set(asked)) / ENOUGH) - 0.5 * lost
        clarification = 1 + 4 * (self._clarified(said) if asked else 0.0)
        return AgenticScores(_axis(plan - empty), _axis(proactive - empty), _axis(clarification))

    def _order(self, asked: Sequence[Entry]) -> float:
        """Return how far important questions come first, 0 to 1: 0.5 is no order at all.

        Half of it the share of pairs of distinct entries in which the one more often critical
        stands first, half how often critical the entries asked about are beside the best.
        """
        distinct = list(dict.fromkeys(asked))
        if len(distinct) < 2:
            return 0.25 if distinct else 0.0
        chances = CriticalPlanner.chances(self.schema, Profile())
        pairs = [(a, b) for n, a in enumerate(distinct) for b in distinct[n + 1 :]]
        right = sum(chances[a.name] >= chances[b.name] for a, b in pairs) / len(pairs)
        chosen = sum(chances[e.name] for e in distinct) / len(distinct)
        best = sorted(chances.values(), reverse=True)[: len(distinct)]
        worth = chosen / (sum(best) / len(best))
        return (right + worth) / 2

    def _clarified(self, said: Transcript) -> float:
        """Return the share of vague answers that the next question asks about again.

        Asking about an entry twice is enough, so a second vague answer does not count.
        """
        vague = again = 0
        followed: Entry | None = None
        messages = list(said)
        for place in range(1, len(messages) - 1):
            before, message, after = messages[place - 1 : place + 2]
            if (before.role, message.role, after.role) != (AGENT, TRAVELLER, AGENT):
                continue
            entry = entry_asked(self.schema, _spoken(before))
            if entry is None or entry == followed:
                followed = None
                continue
            question = Asked(entry.name, before.content)
            upto = Transcript((before, message))
            if self.stenographer.read(self.schema, Profile(), question, upto).vague:
                vague += 1
                followed = entry if entry_asked(self.schema, _spoken(after)) == entry else None
                again += followed is not None
        # Where nothing was vague, nothing was left unclear.
        return again / vague if vague else 0.75


def _axis(value: float) -> float:
    return round(min(5.0, max(1.0, value)), 2)


def _spoken(message: Message) -> str:
    """Return what an agent says aloud, without its thoughts."""
    return _THOUGHT.sub(" ", message.content[:10_000]).strip()
