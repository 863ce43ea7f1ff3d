"""Who judges a dialogue: without a model by the catalog, or a model by the rubrics of the task.

Without a model the item offered is looked up: explicit and implicit constraints by `credit`, what
was said of it by its row. A model sees the messages and what tools returned; asked several times it
is believed by majority, row by row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Protocol

from pydantic import BaseModel, Field

from ...catalogs.errors import BadReply
from ...dialogs.models.chat_model import ChatModel, Request
from ...dialogs.models.prompt import load_prompt
from ...dialogs.models.structured import ask_for
from ...dialogs.tools.schemas import Schemas, built_in_schemas
from ...dialogs.transcripts.transcript import Transcript
from .agreement import majority
from .credit import credits_of
from .dialogue import CalledTool, Dialogue
from .items import Items
from .scores import CREDITS, JudgedDialogue, Verdict, WeighedFactor
from .task import ExpectedTool, Task

NAMES = {"user": "Person", "assistant": "Agent"}
SHOWN = 20_000
"""Characters of a dialogue, and of tools' results, that a model is shown."""


class Judge(Protocol):
    """Says how far the last offer of a dialogue meets its task."""

    def verdict(self, dialogue: Dialogue) -> Verdict:
        """Return what is met, in the order of the task."""
        ...


@dataclass(frozen=True)
class OfflineJudge:
    """Looks the item up; an answer without an item of the catalog meets nothing."""

    items: Items

    def verdict(self, dialogue: Dialogue) -> Verdict:
        """See `Judge.verdict`."""
        task, offered = dialogue.task, dialogue.last_offer
        place = None if offered is None else self.items.place(offered.item)
        if offered is None or place is None:
            nothing = (False,) * len(task.explicit), (0.0,) * len(task.implicit)
            return Verdict(*nothing, (False,) * len(task.facts))
        row = self.items.rows[place]
        return Verdict(
            tuple(bool(self.items.met(constraint)[place]) for constraint in task.explicit),
            tuple(float(credits_of(self.items, need)[place]) for need in task.implicit),
            tuple(_holds(offered.facts, fact.column, row) for fact in task.facts),
        )


def _holds(facts: Any, column: str, row: dict[str, Any]) -> bool:
    """Return whether nothing else is said of a column than the row has; silence is no fault."""
    return column not in facts or str(facts[column]) == str(row.get(column))


class JudgedByModel(BaseModel):
    """What a model says: yes or no for each explicit factor and fact, a credit for each other."""

    explicit: Annotated[list[bool], Field(max_length=1_000)]
    implicit: Annotated[list[float], Field(max_length=1_000)]
    facts: Annotated[list[bool], Field(max_length=1_000)]


@dataclass(frozen=True)
class ModelJudge:
    """Asks a model `times` times. Raises `BadReply` for a verdict that fits no task."""

    model: ChatModel
    times: int = 3

    def verdict(self, dialogue: Dialogue) -> Verdict:
        """See `Judge.verdict`."""
        return majority([self._one(dialogue, number) for number in range(self.times)])

    def _one(self, dialogue: Dialogue, number: int) -> Verdict:
        task = dialogue.task
        prompt = load_prompt("judge_map_reply").render(
            explicit=_numbered([str(constraint) for constraint in task.explicit]),
            implicit=_numbered([f"{need.constraint} ({need.type})" for need in task.implicit]),
            facts=_numbered([f"what is said of {fact.column}" for fact in task.facts]),
            tools=_shown(dialogue.called),
            dialogue=Transcript(dialogue.messages).lines(NAMES)[-SHOWN:],
        )
        request = Request.of(prompt, role="judge", episode=f"{task.id} {number}")
        said = ask_for(self.model, request, JudgedByModel)
        verdict = Verdict(tuple(said.explicit), tuple(said.implicit), tuple(said.facts))
        _check(self.model.name, task, verdict)
        return verdict


def _check(name: str, task: Task, verdict: Verdict) -> None:
    for kind, given, wanted in (
        ("explicit factors", verdict.explicit, task.explicit),
        ("implicit factors", verdict.credits, task.implicit),
        ("facts", verdict.facts, task.facts),
    ):
        if len(given) != len(wanted):
            raise BadReply(f"{name} judges {len(given)} {kind} of {len(wanted)}")
    for need, credit in zip(task.implicit, verdict.credits, strict=True):
        if credit not in CREDITS[need.type]:
            raise BadReply(f"{name} gives a {need.type} factor {credit}")


def _numbered(lines: Sequence[str]) -> str:
    return "\n".join(f"{at}. {line}" for at, line in enumerate(lines, 1)) or "(none)"


def _shown(called: Sequence[CalledTool]) -> str:
    lines = [f"{each.call.tool}: {each.reply.result}" for each in called]
    return "\n".join(lines)[:SHOWN] or "(none)"


def judged(dialogue: Dialogue, verdict: Verdict, schemas: Schemas | None = None) -> JudgedDialogue:
    """Return a dialogue as the metrics see it."""
    task = dialogue.task
    known = built_in_schemas() if schemas is None else schemas
    calls = [each for each in dialogue.called if each.call.tool in known]
    return JudgedDialogue(
        verdict,
        tuple(WeighedFactor(need.weight, need.type) for need in task.implicit),
        frozenset(tool.tool for tool in task.tools),
        frozenset(each.call.tool for each in calls if _as_ruled(each, task.tools)),
        len(dialogue.turns),
        task.clarifications,
        dialogue.tokens,
    )


def _as_ruled(called: CalledTool, tools: Sequence[ExpectedTool]) -> bool:
    """Return whether a call keeps the rules of its tool; there are none for one not expected."""
    arguments = called.call.arguments
    for tool in tools:
        if tool.tool == called.call.tool:
            for rule in tool.rules:
                given = str(arguments.get(rule.param, "")).strip().casefold()
                if not given or (
                    rule.value is not None and str(rule.value).casefold() not in given
                ):
                    return False
    return True
