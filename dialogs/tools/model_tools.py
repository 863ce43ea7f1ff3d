"""A chat model makes up the replies that nobody recorded.

Source: MapSatisfyBench, 4.2 (the third stage of its sandbox). The same call gets the same reply as
long as the object lives, whatever the model would say the second time; a cassette keeps it longer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from pydantic import BaseModel, Field

from ...catalogs.errors import BadReply
from ..models.chat_model import ChatModel, Request
from ..models.prompt import Prompt, load_prompt
from ..models.structured import ask_for
from .calls import RecordedCall, ToolCall
from .schemas import Schemas, built_in_schemas

LONGEST_EXAMPLE = 4_000
"""Characters of the recorded call that a model is shown."""


class MadeUp(BaseModel):
    """What a model gives."""

    result: dict[str, Any] = Field(max_length=10_000)


@dataclass
class ModelTools:
    """The simulated stage of a sandbox on a chat model; asked once for each call.

    `records`: of these the first of each tool shows the shape of a reply.
    """

    model: ChatModel
    records: Iterable[RecordedCall] = ()
    schemas: Schemas = field(default_factory=built_in_schemas)
    prompt: Prompt = field(default_factory=lambda: load_prompt("simulate_tool"))

    def __post_init__(self) -> None:
        self._examples: dict[str, RecordedCall] = {}
        for record in self.records:
            self._examples.setdefault(record.tool, record)
        self._made: dict[str, Mapping[str, Any] | None] = {}
        self._lock = Lock()

    def result(self, call: ToolCall) -> Any:
        """Return what the model makes up; None where it says nothing that can be read.

        Raises any `ModelError` but `BadReply`.
        """
        key = _json([call.tool, call.arguments])
        with self._lock:
            if key not in self._made:
                self._made[key] = self._ask(call)
            return self._made[key]

    def _ask(self, call: ToolCall) -> Mapping[str, Any] | None:
        schema = self.schemas.get(call.tool)
        text = self.prompt.render(
            tool=call.tool,
            description="" if schema is None else schema.description,
            parameters="" if schema is None else _json(schema.parameters),
            arguments=_json(call.arguments),
            example=self._example(call.tool),
        )
        try:
            return ask_for(self.model, Request.of(text, role="tools"), MadeUp).result
        except BadReply:
            return None

    def _example(self, tool: str) -> str:
        record = self._examples.get(tool)
        if record is None:
            return "nothing"
        shown = _json({"arguments": record.arguments, "result": record.result})
        return shown if len(shown) <= LONGEST_EXAMPLE else f"{shown[: LONGEST_EXAMPLE - 1]}…"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
