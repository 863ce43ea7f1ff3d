"""One dialogue on a task: agent and person take turns until the person ends it.

What is kept of it is what is scored: the messages, the tools called, the item that was last offered
and what was said of it. S_actual is the number of the agent's turns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ...dialogs.tools.calls import ToolCall, ToolReply
from ...dialogs.transcripts.transcript import Message
from .task import Task
from .user import FINISHED, User

MOST_TURNS = 12
"""The agent's turns, after which a dialogue is broken off."""

Record = dict[str, Any]


@dataclass(frozen=True)
class CalledTool:
    """A tool that was called, and what it replied."""

    call: ToolCall
    reply: ToolReply


@dataclass(frozen=True)
class Turn:
    """What an agent says in a turn, the tools it called before, and what it offers, if anything.

    `facts` are values by column that it says of the item; `relaxed` and `explanation` say what gave
    way in the repair that the offer comes from.
    """

    text: str
    called: tuple[CalledTool, ...] = ()
    item: Any = None
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    relaxed: tuple[Record, ...] = ()
    explanation: str = ""
    tokens: int = 0


class Agent(Protocol):
    """An agent under evaluation."""

    @property
    def name(self) -> str:
        """What it is called in a run."""
        ...

    def turn(self, task: Task, said: Sequence[Message]) -> Turn:
        """Return its next turn; all but the oracle look at what `VisibleTask` has alone."""
        ...


@dataclass(frozen=True)
class Dialogue:
    """A dialogue that was held."""

    task: Task
    messages: tuple[Message, ...]
    turns: tuple[Turn, ...]

    @property
    def last_offer(self) -> Turn | None:
        """The last turn that offered an item."""
        return next((turn for turn in reversed(self.turns) if turn.item is not None), None)

    @property
    def called(self) -> tuple[CalledTool, ...]:
        """The tools called, in order."""
        return tuple(called for turn in self.turns for called in turn.called)

    @property
    def tokens(self) -> int | None:
        """Tokens of the agent's model; None where nobody counted."""
        return sum(turn.tokens for turn in self.turns) or None


Said = Callable[[Message, Turn | None], None]


def unheard(message: Message, turn: Turn | None) -> None:
    """Take a message, and keep nothing."""


def converse(agent: Agent, user: User, task: Task, said: Said = unheard) -> Dialogue:
    """Hold a dialogue; `said` is told each message. Raises what agent and user raise."""
    messages, turns = [Message("user", task.query)], list[Turn]()
    said(messages[0], None)
    while len(turns) < MOST_TURNS:
        turn = agent.turn(task, tuple(messages))
        turns.append(turn)
        messages.append(Message("assistant", turn.text))
        said(messages[-1], turn)
        reply = Message("user", user.reply(task, tuple(messages)))
        messages.append(reply)
        said(reply, None)
        if reply.content.rstrip().endswith(FINISHED):
            break
    return Dialogue(task, tuple(messages), tuple(turns))
