"""`/v1/chat`: a conversation that ends in an offer."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import ConfigDict, Field, WithJsonSchema
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from .catalogs.errors import shown
from .dialogs.session import MAX_QUESTIONS, Session
from .engine.bounded_pool import Turn
from .http_bodies import Body, read_json
from .http_conversations import Conversation, Conversations
from .http_documents import BOOLEAN, OBJECT, OBJECTS, TEXT, answered, object_of, or_null
from .http_problems import HttpProblem
from .http_questions import json_response
from .http_requests import LONGEST_TEXT, CatalogName
from .http_state import ServerState, state_of

router = APIRouter(prefix="/v1/chat", tags=["chat"])

REPLY = object_of(
    id=TEXT,
    understood=or_null(OBJECT),
    question=or_null(object_of(slot=TEXT, text=TEXT)),
    proposal=or_null(OBJECT),
    wishes=object_of(base=OBJECTS, constraints=OBJECTS),
    accepted=or_null(OBJECT),
    ended=or_null(TEXT),
    expires_in={"type": "number", "description": "Seconds until it is forgotten, if not used."},
)
TRANSCRIPT = object_of(id=TEXT, messages=OBJECTS, ended=or_null(TEXT))
ENDED = object_of(ended=BOOLEAN)


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


class AcceptRequest(Body):
    """Which item of the proposal is taken."""

    place: int = Field(default=0, ge=0, le=1_000)


@router.post("", **answered(ChatRequest, REPLY, "The conversation, and its answer.", status=201))
async def begin(request: Request) -> Response:
    """Begin a conversation."""
    state = state_of(request)
    _check_one_worker(state)
    asked = await read_json(request, ChatRequest)
    conversations = state_of(request).conversations
    conversations.check_room()
    served = state.find(asked.catalog)

    def open_session(turn: Turn) -> Session:
        return Session(
            served.catalog,
            max_questions=asked.max_questions,
            deadline=state.settings.limits.deadline,
        )

    session = await served.engine.ask("chat", open_session, state.settings.limits.deadline)
    made = conversations.add(session, served)
    if asked.text is None:
        return json_response(_written(made, conversations, None), status=201)
    text = asked.text
    try:
        body = await _done(request, made, lambda: _heard(session, text, propose=False))
    except Exception:
        # Nobody was told its id.
        conversations.end(made.identity)
        raise
    return json_response(body, status=201)


@router.post("/{identity}/messages", **answered(MessageRequest, REPLY, "A question or a proposal."))
async def hear(request: Request, identity: str) -> Response:
    """Say something; a question comes back, or a proposal when enough is known."""
    found, asked = await _found(request, identity, MessageRequest)
    return json_response(
        await _done(
            request, found, lambda: _heard(found.session, asked.text, propose=asked.propose)
        )
    )


@router.post("/{identity}/refuse", **answered(RefuseRequest, REPLY, "The next proposal."))
async def refuse(request: Request, identity: str) -> Response:
    """Let something never give way; the next proposal comes back."""
    found, asked = await _found(request, identity, RefuseRequest)
    return json_response(
        await _done(request, found, lambda: _without(found.session.refuse(asked.positions)))
    )


@router.post("/{identity}/reweigh", **answered(ReweighRequest, REPLY, "The next proposal."))
async def reweigh(request: Request, identity: str) -> Response:
    """Set weights; the next proposal comes back."""
    found, asked = await _found(request, identity, ReweighRequest)
    weights = dict(_weighed(*one) for one in islice(asked.weights.items(), 64))
    return json_response(
        await _done(request, found, lambda: _without(found.session.reweigh(weights)))
    )


@router.post("/{identity}/accept", **answered(AcceptRequest, REPLY, "The item taken."))
async def accept(request: Request, identity: str) -> Response:
    """Take an item, and end."""
    found, asked = await _found(request, identity, AcceptRequest)
    return json_response(
        await _done(request, found, lambda: _without(found.session.accept(asked.place)))
    )


@router.get("/{identity}", **answered(None, TRANSCRIPT, "What was said."))
async def transcript(request: Request, identity: str) -> Response:
    """Return what was said so far."""
    session = state_of(request).conversations.find(identity).session
    said = [{"role": one.role, "content": one.content} for one in list(session.messages)]
    return json_response(to_json({"id": identity, "messages": said, "ended": session.ended}))


@router.delete("/{identity}", **answered(None, ENDED, "It is forgotten."))
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


async def _found(request: Request, identity: str, kind: type[Any]) -> tuple[Conversation, Any]:
    found = state_of(request).conversations.find(identity)
    asked = await read_json(request, kind)
    found.check_free()
    return found, asked


async def _done(
    request: Request, found: Conversation, do: Callable[[], dict[str, Any] | None]
) -> bytes:
    """Do something in a conversation, in the pool, and return what came of it."""
    conversations = state_of(request).conversations
    engine = found.served.engine
    deadline = state_of(request).settings.limits.deadline
    async with found.lock:
        return await engine.ask("chat", lambda _: _written(found, conversations, do()), deadline)


def _heard(session: Session, text: str, *, propose: bool) -> dict[str, Any]:
    if session.ended is not None:
        raise HttpProblem(409, "ended", f"this conversation has ended: {session.ended}")
    understood = session.hear(text).record()
    question = None if propose else session.next_question()
    if question is None and session.wishes.known:
        session.propose()
        return {"understood": understood}
    said = None if question is None else {"slot": question.slot, "text": question.text}
    return {"understood": understood, "question": said, "proposal": None}


def _without(_: object) -> None:
    """What was done shows in the session."""


def _written(
    found: Conversation, conversations: Conversations, reply: dict[str, Any] | None
) -> bytes:
    session = found.session
    proposal = None if session.proposal is None else session.proposal.record()
    return to_json(
        {
            "id": found.identity,
            "understood": None,
            "question": None,
            "proposal": proposal,
            "wishes": {
                "base": [one.record() for one in session.wishes.base],
                "constraints": [one.record() for one in session.wishes.soft],
            },
            "accepted": session.accepted,
            "ended": session.ended,
            "expires_in": conversations.seconds,
            **(reply or {}),
        }
    )


def _weighed(key: str, weight: object) -> tuple[int, float]:
    if not (key.isascii() and key.isdigit() and len(key) < 4):
        problem = f"no position: {shown(key)}"
    elif isinstance(weight, bool) or not isinstance(weight, int | float):
        problem = f"no weight: {shown(weight)}"
    else:
        return int(key), float(weight)
    raise HttpProblem(422, "bad-body", problem, hint='give {"0": 0.9}')
