"""The tool `talk`: a conversation in the user's own words, a turn a call.

The last `MAX_CONVERSATIONS` used are kept in memory; a turn costs one question to the engine at
most.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from threading import Lock
from typing import Annotated, Any

from mcp.types import CallToolResult
from pydantic import Field

from ...catalogs.errors import QueryError, excerpt
from ...dialogs.conversation.clarifying import CLARIFYING
from ...dialogs.conversation.gain_agent import AskBy, agent_by
from ...dialogs.conversation.session import Session
from ...engine.runtime.thread_pool import QueueSlot
from .replies import Reply, short_row
from .tools import CatalogTools, result

MAX_CONVERSATIONS = 200
MAX_TEXT = 10_000

Text = Annotated[str, Field(max_length=MAX_TEXT, description="What the user said, word for word.")]
Asking = Annotated[
    AskBy,
    Field(description="Beginning: ask what rules out most (reach), or improves the choice (gain)."),
]
Conversation = Annotated[
    str, Field(max_length=64, description="The conversation that goes on; empty begins one.")
]


class TalkReply(Reply):
    """What the assistant says to a turn, and what is understood so far.

    `explanation` is all that is said; `asked` the column that it asks about. `items` are those
    offered now, the best first; `accepted` is the one taken last, `taken` are all, each
    `taken_numbers` times; `shortlist` is what is kept in mind.
    """

    conversation: str
    explanation: str
    acts: list[str]
    asked: str | None
    query: dict[str, Any]
    items: list[dict[str, Any]]
    accepted: dict[str, Any] | None
    taken: list[dict[str, Any]]
    taken_numbers: list[int]
    shortlist: list[dict[str, Any]]


class TalkTool:
    """Holds conversations over the catalog of some tools."""

    def __init__(self, tools: CatalogTools) -> None:
        self.tools = tools
        self._sessions: OrderedDict[str, tuple[Session, Lock]] = OrderedDict()

    async def talk(
        self, text: Text, conversation: Conversation = "", ask_by: Asking = "reach"
    ) -> Annotated[CallToolResult, TalkReply]:
        """Hold a conversation: pass on what the user says, and say `explanation` to the user.

        Understands wishes, corrections, questions, yes and no, and `undo`. Pass the
        `conversation` of the reply to go on with it.
        """

        def turn(slot: QueueSlot) -> TalkReply:
            return self._turn(text, conversation, ask_by, slot)

        return result(await self.tools.ask("talk", turn))

    def _turn(self, text: str, conversation: str, ask_by: AskBy, slot: QueueSlot) -> TalkReply:
        name, (session, lock) = self._found(conversation, ask_by)
        with lock:
            session.deadline = slot.left
            response = session.respond(text)
            proposal = session.proposal if response.proposes else None
            items = () if proposal is None else proposal.answer.items
            return TalkReply(
                conversation=name,
                explanation=response.text,
                acts=[str(act) for act in response.heard.acts],
                asked=response.question.slot if response.question else None,
                query=session.query.record(),
                items=[short_row(item.row) for item in items],
                accepted=None if session.accepted is None else short_row(session.accepted),
                taken=list(map(short_row, session.taken_rows)),
                taken_numbers=session.taken_numbers,
                shortlist=list(map(short_row, session.shortlist_rows)),
            )

    def _found(self, name: str, ask_by: AskBy = "reach") -> tuple[str, tuple[Session, Lock]]:
        """Return a conversation by name, a new one for no name; raise `QueryError`."""
        if not name:
            name = secrets.token_urlsafe(12)
            agent = agent_by(ask_by, self.tools.catalog)
            session = Session(
                self.tools.catalog,
                agent=agent,
                extractor=self.tools.reader,
                clarifying=CLARIFYING,
            )
            self._sessions[name] = session, Lock()
            while len(self._sessions) > MAX_CONVERSATIONS:
                self._sessions.popitem(last=False)
        found = self._sessions.get(name)
        if found is None:
            hint = "leave conversation empty to begin a new one"
            raise QueryError(f"no conversation {excerpt(name)}", hint=hint)
        self._sessions.move_to_end(name)
        return name, found
