"""Steps of a conversation that is kept here: the JSON routes and the page take the same ones.

Each is taken in the pool of questions, under the conversation's lock; what is answered is rendered
there, too, before another step can change it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Annotated, Any, TypeVar

from pydantic import ConfigDict, Field, WithJsonSchema

from ...catalogs.errors import excerpt
from ...dialogs.conversation import steps
from ...dialogs.conversation.clarifying import CLARIFYING
from ...dialogs.conversation.gain_agent import AskBy, agent_by
from ...dialogs.conversation.session import MAX_QUESTIONS, Session
from ...engine.runtime.thread_pool import QueueSlot
from .behaviours import weighter_for
from .body_reader import Body
from .consistency import reach
from .problem_details import HttpProblem
from .request_models import LONGEST_TEXT, CatalogName, MinVersion, UserName
from .session_store import StoredSession
from .state import Conversation, ServerState

StoredConversation = StoredSession[Conversation]
Members = dict[str, Any]
"""Members of a reply beside those that show the session."""

Rendered = TypeVar("Rendered")

WEIGHTS = {
    "type": "object",
    "maxProperties": 64,
    "propertyNames": {"pattern": "^[0-9]{1,3}$"},
    "additionalProperties": {"type": "number", "minimum": 0, "maximum": 1},
}


class ChatRequest(Body):
    """The beginning of a conversation."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"text": "I am looking for a Lexus sedan"}]}
    )

    catalog: CatalogName
    text: str | None = Field(default=None, max_length=LONGEST_TEXT, description="What is said.")
    max_questions: int = Field(
        default=MAX_QUESTIONS, ge=0, le=50, description="Questions before something is proposed."
    )
    user: UserName
    ask_by: AskBy = Field(
        default="reach",
        description="Ask what rules out most rows (reach), or what improves the choice (gain).",
    )
    min_version: MinVersion


class MessageRequest(Body):
    """What the person says next."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "under 30,000, please"}]})

    text: str = Field(max_length=LONGEST_TEXT)
    propose: bool = Field(default=False, description="Propose now, whatever is still open.")
    min_version: MinVersion


class RefuseRequest(Body):
    """What must not give way: wishes by position, or all that the proposal relaxes."""

    positions: tuple[int, ...] | None = Field(default=None, max_length=64)


class ForgetRequest(Body):
    """Which wish is forgotten: by its position in base, constraints and objectives together."""

    position: int = Field(ge=0, le=1_000)


class ReweighRequest(Body):
    """Weights of wishes, by position."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"weights": {"0": 0.9}}]})

    weights: Annotated[dict[str, Any], WithJsonSchema(WEIGHTS)]


class UndoRequest(Body):
    """Nothing more is said: the last step that changed something is taken back."""


class AcceptRequest(Body):
    """Which item of the proposal is taken."""

    place: int = Field(default=0, ge=0, le=1_000)


def hear(session: Session, body: MessageRequest) -> Members:
    """Take in what is said; go on with a question, or a proposal when enough is known."""
    response = session.respond(body.text, propose=body.propose)
    question = response.question
    said: Members = {"understood": response.heard.record(), "reply": response.text}
    if question is not None:
        said["question"] = {"slot": question.slot, "text": question.text}
    return said if response.proposes else {**said, "proposal": None}


def refuse(session: Session, body: RefuseRequest) -> Members:
    """Let something never give way."""
    return {"reply": steps.refuse(session, body.positions)}


def forget(session: Session, body: ForgetRequest) -> Members:
    """Forget a wish."""
    return {"reply": steps.forget(session, body.position)}


def reweigh(session: Session, body: ReweighRequest) -> Members:
    """Set weights."""
    session.reweigh(dict(_weight(*entry) for entry in islice(body.weights.items(), 64)))
    return {}


def undo(session: Session, body: UndoRequest) -> Members:
    """Take back what the last step changed."""
    return {"reply": steps.undo(session)}


def accept(session: Session, body: AcceptRequest) -> Members:
    """Take an item."""
    return {"reply": steps.accept(session, body.place)}


async def begin(
    state: ServerState,
    body: ChatRequest,
    render: Callable[[StoredConversation, Members], Rendered],
) -> Rendered:
    """Begin a conversation, hear its first text if there is one, and return what it renders as.

    Raises `Overloaded` where there are as many as may be, a 409 `HttpProblem` where the catalog
    does not reach `min_version` in time, and what the first step raises.
    """
    state.conversations.check_room()
    served = state.find(body.catalog)
    await reach(state, served, body.min_version, state.settings.limits.deadline)

    def open_session(slot: QueueSlot) -> Session:
        return Session(
            served.catalog,
            agent=agent_by(body.ask_by, served.catalog),
            extractor=state.reader,
            weighter=weighter_for(None if body.user is None else served.known_behaviour, body.user),
            max_questions=body.max_questions,
            clarifying=CLARIFYING,
            deadline=state.settings.limits.deadline,
        )

    session = await served.engine.ask("chat", open_session, state.settings.limits.deadline)
    stored = state.conversations.add(Conversation(session, served))
    first = None if body.text is None else MessageRequest(text=body.text, min_version=None)
    try:
        return await advance(
            state, stored, lambda session: hear(session, first) if first else {}, render
        )
    except Exception:
        # Nobody was told its id.
        state.conversations.end(stored.identity)
        raise


async def advance(
    state: ServerState,
    stored: StoredConversation,
    step: Callable[[Session], Members],
    render: Callable[[StoredConversation, Members], Rendered],
) -> Rendered:
    """Take a step of a conversation in the pool; return what it then renders as."""

    def call(slot: QueueSlot) -> Rendered:
        return render(stored, step(stored.value.session))

    async with stored.lock:
        engine = stored.value.served.engine
        return await engine.ask("chat", call, state.settings.limits.deadline)


def _weight(key: str, weight: object) -> tuple[int, float]:
    """Return a position and its weight, as a client wrote them."""
    if not (key.isascii() and key.isdigit() and len(key) < 4):
        problem = f"no position: {excerpt(key)}"
    elif isinstance(weight, bool) or not isinstance(weight, int | float):
        problem = f"no weight: {excerpt(weight)}"
    else:
        return int(key), float(weight)
    raise HttpProblem(422, "bad-body", problem, hint='give {"0": 0.9}')
