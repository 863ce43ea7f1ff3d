"""An agent on a chat model that calls tools: one step a request, until it asks or answers.

A step is a call, a question, or an answer that names an item. The same tool with the same arguments
is called at most three times (appendix C.2); what is beyond is told so, and not called.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from ...catalogs.errors import BadReply
from ...dialogs.models.chat_model import MAX_ANSWER, ChatModel, Request
from ...dialogs.models.prompt import load_prompt
from ...dialogs.models.structured import ask_for
from ...dialogs.models.wrappers import MeteredModel, UsageLedger
from ...dialogs.tools.calls import RecordedCall, ToolCall, ToolReply
from ...dialogs.tools.catalog_tools import CatalogTools
from ...dialogs.tools.sandbox import ReplaySandbox
from ...dialogs.tools.schemas import ToolSchema
from ...dialogs.transcripts.transcript import Message, Transcript
from .agents import HISTORY_TOOL
from .dialogue import CalledTool, Turn
from .items import Items
from .task import Task
from .task_tools import PROFILE_TOOL, TaskTools

MOST_EQUAL = 3
"""Calls of one tool with the same arguments."""

MOST_STEPS = 20
"""Steps of a turn."""

SHOWN = 4_000
"""Characters of a tool's result that the model is shown."""


class Step(BaseModel):
    """What a model does next."""

    action: Literal["call", "ask", "answer"]
    tool: Annotated[str, Field(max_length=200)] = ""
    arguments: Annotated[dict[str, Any], Field(max_length=50)] = {}
    text: Annotated[str, Field(max_length=20_000)] = ""
    item: str | int | float | None = None
    facts: Annotated[dict[str, Any], Field(max_length=100)] = {}


@dataclass(frozen=True)
class ToolAgent:
    """Calls tools as a model says. Raises what the model raises, `BadReply` for endless steps.

    `records` are replayed before the catalog is asked; `with_profile`: history and profile are
    given at once, and need not be asked for (B.4).
    """

    model: ChatModel
    items: Items
    records: Sequence[RecordedCall] = field(default=(), repr=False)
    with_profile: bool = False
    name: str = "model"

    def turn(self, task: Task, said: Sequence[Message]) -> Turn:
        """See `Agent.turn`."""
        sandbox = ReplaySandbox(self.records, (TaskTools(self.items, task), self._catalog_tools))
        ledger = UsageLedger()
        model = MeteredModel(self.model, ledger)
        called: list[CalledTool] = []
        for _ in range(MOST_STEPS):
            step = ask_for(model, self._request(task, sandbox, said, called), Step)
            if step.action == "call":
                call = ToolCall(step.tool, step.arguments)
                called.append(CalledTool(call, self._reply(sandbox, call, called, task.id)))
                continue
            text = " ".join(step.text.split())[:MAX_ANSWER] or "…"
            item = step.item if step.action == "answer" else None
            return Turn(text, tuple(called), item, step.facts, tokens=_tokens(ledger))
        raise BadReply(f"{self.model.name} neither asks nor answers in {MOST_STEPS} steps")

    @cached_property
    def _catalog_tools(self) -> CatalogTools:
        return CatalogTools(self.items.catalog, key=self.items.key)

    def _reply(
        self, sandbox: ReplaySandbox, call: ToolCall, called: Sequence[CalledTool], case: str
    ) -> ToolReply:
        equal = sum(each.call == call for each in called)
        if equal >= MOST_EQUAL:
            return ToolReply("miss", f"called {MOST_EQUAL} times already: find another way")
        return sandbox.reply(call, case)

    def _request(
        self,
        task: Task,
        sandbox: ReplaySandbox,
        said: Sequence[Message],
        called: Sequence[CalledTool],
    ) -> Request:
        prompt = load_prompt("map_agent").render(
            query=task.query,
            context=json.dumps(_context(task), ensure_ascii=False),
            profile=self._profile(task) if self.with_profile else "(ask the tools)",
            tools="\n".join(_brief(sandbox.schemas[name]) for name in sorted(sandbox.schemas)),
            key=self.items.key,
            called="\n".join(_shown(each) for each in called) or "(none yet)",
            dialogue=Transcript(tuple(said)).lines({"user": "Person", "assistant": "You"}),
        )
        return Request.of(prompt, role="agent", episode=task.id)

    def _profile(self, task: Task) -> str:
        tools = TaskTools(self.items, task)
        known = [tools.result(ToolCall(name)) for name in (PROFILE_TOOL, HISTORY_TOOL)]
        return json.dumps(known, ensure_ascii=False, default=str)


def _context(task: Task) -> dict[str, Any]:
    """Return the circumstances that are told; the profile is a tool's to tell."""
    return {name: value for name, value in task.context.items() if name != "profile"}


def _brief(schema: ToolSchema) -> str:
    required = set(schema.required)
    names = ", ".join(name if name in required else f"[{name}]" for name in schema.properties)
    return f"- {schema.name}({names}): {schema.description}"


def _shown(called: CalledTool) -> str:
    arguments = json.dumps(dict(called.call.arguments), ensure_ascii=False, default=str)
    result = json.dumps(called.reply.result, ensure_ascii=False, default=str)[:SHOWN]
    return f"{called.call.tool} {arguments} -> {called.reply.stage}: {result}"


def _tokens(ledger: UsageLedger) -> int:
    """Return the tokens of all calls together."""
    return sum(
        int(usage.get("prompt_tokens", 0)) + int(usage.get("completion_tokens", 0))
        for usage in ledger.record().values()
    )
