"""A call of a tool, what it replies, and recorded calls with their results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Protocol

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Stage = Literal["exact", "nearest", "simulated", "miss"]

Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class ToolCall:
    """What an agent asks of a tool."""

    tool: str
    arguments: Arguments = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class ToolReply:
    """What comes back, and how it was found; nothing where it is a `miss`.

    `similarity`: how alike the texts are, from 0 to 1, where the nearest was taken.
    """

    stage: Stage
    result: Any = None
    similarity: float | None = None

    def record(self) -> dict[str, Any]:
        """Return the reply as a JSON object."""
        shown = {} if self.similarity is None else {"similarity": round(self.similarity, 4)}
        return {"stage": self.stage, **shown, "result": self.result}


class Simulator(Protocol):
    """Answers calls that nobody recorded."""

    def result(self, call: ToolCall) -> Any:
        """Return a result; None for a call it cannot answer."""
        ...


def _named(value: Any) -> Any:
    """Return the name of a case, which may be a number; none is the empty one."""
    if value is None:
        return ""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    case: Annotated[str, BeforeValidator(_named), Field(max_length=1_000)] = ""
    tool: str = Field(max_length=1_000)
    arguments: dict[str, Any] = Field(max_length=1_000)

    @property
    def call(self) -> ToolCall:
        """The call alone."""
        return ToolCall(self.tool, self.arguments)


class RecordedCall(_Line):
    """A call that was made in a case, and its result, which may be any JSON value."""

    tool: str = Field(min_length=1, max_length=1_000)
    result: Any


class CallLine(_Line):
    """A call to be answered; `id` is given back as it came."""

    arguments: dict[str, Any] = Field(default_factory=dict[str, Any], max_length=1_000)
    id: str | int | None = None
