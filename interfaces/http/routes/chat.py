"""`/v1/chat`: conversations that end in an offer; each request takes one step of one session."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import ConfigDict, Field, WithJsonSchema
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from ....catalogs.errors import QueryError, excerpt
from ....dialogs.conversation.answers import understood
from ....dialogs.conversation.session import MAX_QUESTIONS, Session
from ....engine.runtime.thread_pool import QueueSlot
from ..body_reader import Body, Parsed
from ..openapi import BOOLEAN, OBJECT, OBJECTS, TEXT, documented, object_of, or_null
from ..problem_details import HttpProblem
from ..request_models import LONGEST_TEXT, CatalogName
from ..session_store import StoredSession
from ..state import Conversation, ServerState, state_of
from .repair import json_response

router = APIRouter(prefix="/v1/chat", tags=["chat"])

REPLY = object_of(
    id=TEXT,
    understood=or_null(OBJECT),
    reply=or_null(TEXT),
    question=or_null(object_of(slot=TEXT, text=TEXT)),
    proposal=or_null(OBJECT),
    wishes=object_of(base=OBJECTS, constraints=OBJECTS, objectives=OBJECTS),
    accepted=or_null(OBJECT),
    ended=or_null(TEXT),
    expires_in={"type": "number", "description": "Seconds until it is forgotten, if not used."},
)
TRANSCRIPT = object_of(id=TEXT, messages=OBJECTS, ended=or_null(TEXT))
ENDED = object_of(ended=BOOLEAN)

StoredConversation = StoredSession[Conversation]
Members = dict[str, Any]
"""Members of a reply beside those that show the session."""

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


class MessageRequest(Body):
    """What the person says next."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "under 30,000, please"}]})

    text: str = Field(max_length=LONGEST_TEXT)
    propose: bool = Field(default=False, description="Propose now, whatever is still open.")


class RefuseRequest(Body):
    """What must not give way: wishes by position, or all that the proposal relaxes."""

    positions: tuple[int, ...] | None = Field(default=None, max_length=64)


class ReweighRequest(Body):
    """Weights of wishes, by position."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"weights": {"0": 0.9}}]})

    weights: Annotated[dict[str, Any], WithJsonSchema(WEIGHTS)]


class UndoRequest(Body):
    """Nothing more is said: the last step that changed something is taken back."""


class AcceptRequest(Body):
    """Which item of the proposal is taken."""

    place: int = Field(default=0, ge=0, le=1_000)


@router.post("", **documented(ChatRequest, REPLY, "The conversation, and its answer.", status=201))
async def begin(request: Request) -> Response:
    """Begin a conversation."""
    state = state_of(request)
    _check_one_worker(state)
    body = await state.bodies.read_json(request, ChatRequest)
    state.conversations.check_room()
    served = state.find(body.catalog)

    def open_session(slot: QueueSlot) -> Session:
        return Session(
            served.catalog,
            extractor=state.reader,
            max_questions=body.max_questions,
            deadline=state.settings.limits.deadline,
        )

    session = await served.engine.ask("chat", open_session, state.settings.limits.deadline)
    stored = state.conversations.add(Conversation(session, served))
    if body.text is None:
        return json_response(_reply(stored, state, {}), status=201)
    text = body.text
    try:
        reply = await _advance(request, stored, lambda: _hear(session, text, propose=False))
    except Exception:
        # Nobody was told its id.
        state.conversations.end(stored.identity)
        raise
    return json_response(reply, status=201)


@router.post(
    "/{identity}/messages", **documented(MessageRequest, REPLY, "A question or a proposal.")
)
async def hear(request: Request, identity: str) -> Response:
    """Say something; a question comes back, or a proposal when enough is known."""

    def step(session: Session, body: MessageRequest) -> Members:
        return _hear(session, body.text, propose=body.propose)

    return await _step(request, identity, MessageRequest, step)


@router.post("/{identity}/refuse", **documented(RefuseRequest, REPLY, "The next proposal."))
async def refuse(request: Request, identity: str) -> Response:
    """Let something never give way; the next proposal comes back."""

    def step(session: Session, body: RefuseRequest) -> None:
        session.refuse(body.positions)

    return await _step(request, identity, RefuseRequest, step)


@router.post("/{identity}/reweigh", **documented(ReweighRequest, REPLY, "The next proposal."))
async def reweigh(request: Request, identity: str) -> Response:
    """Set weights; the next proposal comes back."""

    def step(session: Session, body: ReweighRequest) -> None:
        session.reweigh(dict(_weight(*entry) for entry in islice(body.weights.items(), 64)))

    return await _step(request, identity, ReweighRequest, step)


@router.post("/{identity}/undo", **documented(UndoRequest, REPLY, "As it was before."))
async def undo(request: Request, identity: str) -> Response:
    """Take back what the last step changed."""

    def step(session: Session, body: UndoRequest) -> Members:
        if not session.undo():
            raise QueryError("nothing to take back", hint="say something first")
        return {"reply": understood(session)}

    return await _step(request, identity, UndoRequest, step)


@router.post("/{identity}/accept", **documented(AcceptRequest, REPLY, "The item taken."))
async def accept(request: Request, identity: str) -> Response:
    """Take an item, and end."""

    def step(session: Session, body: AcceptRequest) -> None:
        session.accept(body.place)

    return await _step(request, identity, AcceptRequest, step)


@router.get("/{identity}", **documented(None, TRANSCRIPT, "What was said."))
async def transcript(request: Request, identity: str) -> Response:
    """Return what was said so far."""
    session = state_of(request).conversations.find(identity).value.session
    messages = [
        {"role": message.role, "content": message.content} for message in list(session.messages)
    ]
    return json_response(to_json({"id": identity, "messages": messages, "ended": session.ended}))


@router.delete("/{identity}", **documented(None, ENDED, "It is forgotten."))
async def end(request: Request, identity: str) -> Response:
    """Forget a conversation."""
    conversations = state_of(request).conversations
    conversations.find(identity)
    conversations.end(identity)
    return json_response(b'{"ended":true}')


def _check_one_worker(state: ServerState) -> None:
    if state.several_workers:
        raise HttpProblem(
            409,
            "several-workers",
            "no conversations here: the next message could reach another worker",
            hint="run one worker for chat",
        )


async def _step(
    request: Request,
    identity: str,
    kind: type[Parsed],
    step: Callable[[Session, Parsed], Members | None],
) -> Response:
    """Take a step of a conversation that no other request is changing; return the reply."""
    state = state_of(request)
    stored = state.conversations.find(identity)
    body = await state.bodies.read_json(request, kind)
    stored.check_free()
    return json_response(
        await _advance(request, stored, lambda: step(stored.value.session, body) or {})
    )


async def _advance(
    request: Request, stored: StoredConversation, step: Callable[[], Members]
) -> bytes:
    """Take a step of a conversation in the pool; return the reply, with the step's own members."""
    state = state_of(request)

    def call(slot: QueueSlot) -> bytes:
        return _reply(stored, state, step())

    async with stored.lock:
        engine = stored.value.served.engine
        return await engine.ask("chat", call, state.settings.limits.deadline)


def _hear(session: Session, text: str, *, propose: bool) -> Members:
    if session.accepted is not None:
        raise HttpProblem(409, "ended", f"this conversation has ended: {session.ended}")
    response = session.respond(text, propose=propose)
    question = response.question
    said: Members = {"understood": response.heard.record(), "reply": response.text}
    if question is not None:
        said["question"] = {"slot": question.slot, "text": question.text}
    return said if response.proposes else {**said, "proposal": None}


def _reply(stored: StoredConversation, state: ServerState, members: Members) -> bytes:
    session = stored.value.session
    proposal = None if session.proposal is None else session.proposal.record()
    return to_json(
        {
            "id": stored.identity,
            "understood": None,
            "reply": None,
            "question": None,
            "proposal": proposal,
            "wishes": {
                "base": [constraint.record() for constraint in session.preferences.base],
                "constraints": [constraint.record() for constraint in session.preferences.soft],
                "objectives": [goal.model_dump() for goal in session.preferences.objectives],
            },
            "accepted": session.accepted,
            "ended": session.ended,
            "expires_in": state.conversations.seconds,
            **members,
        }
    )


def _weight(key: str, weight: object) -> tuple[int, float]:
    """Return a position and its weight, as a client wrote them."""
    if not (key.isascii() and key.isdigit() and len(key) < 4):
        problem = f"no position: {excerpt(key)}"
    elif isinstance(weight, bool) or not isinstance(weight, int | float):
        problem = f"no weight: {excerpt(weight)}"
    else:
        return int(key), float(weight)
    raise HttpProblem(422, "bad-body", problem, hint='give {"0": 0.9}')
