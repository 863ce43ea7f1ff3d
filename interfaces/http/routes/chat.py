"""`/v1/chat`: conversations that end in an offer; each request takes one step of one session."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from fastapi import APIRouter
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from ....dialogs.conversation.session import Session
from .. import conversation_steps as steps
from ..body_reader import Parsed
from ..consistency import reach
from ..conversation_steps import (
    AcceptRequest,
    ChatRequest,
    ForgetRequest,
    Members,
    MessageRequest,
    RefuseRequest,
    ReweighRequest,
    StoredConversation,
    UndoRequest,
)
from ..openapi import BOOLEAN, OBJECT, OBJECTS, TEXT, documented, object_of, or_null
from ..state import ServerState, state_of
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
    taken=OBJECTS,
    taken_numbers={"type": "array", "items": {"type": "integer"}},
    shortlist=OBJECTS,
    ended=or_null(TEXT),
    expires_in={"type": "number", "description": "Seconds until it is forgotten, if not used."},
)
TRANSCRIPT = object_of(id=TEXT, messages=OBJECTS, ended=or_null(TEXT))
ENDED = object_of(ended=BOOLEAN)


@router.post("", **documented(ChatRequest, REPLY, "The conversation, and its answer.", status=201))
async def begin(request: Request) -> Response:
    """Begin a conversation."""
    state = state_of(request)
    body = await state.bodies.read_json(request, ChatRequest)
    return json_response(await steps.begin(state, body, partial(_reply, state)), status=201)


@router.post(
    "/{identity}/messages", **documented(MessageRequest, REPLY, "A question or a proposal.")
)
async def hear(request: Request, identity: str) -> Response:
    """Say something; a question comes back, or a proposal when enough is known."""
    state = state_of(request)
    served = state.conversations.find(identity).value.served
    body = await state.bodies.read_json(request, MessageRequest)
    await reach(state, served, body.min_version, state.settings.limits.deadline)
    return await _taken(state, identity, lambda session: steps.hear(session, body))


@router.post("/{identity}/refuse", **documented(RefuseRequest, REPLY, "The next proposal."))
async def refuse(request: Request, identity: str) -> Response:
    """Let something never give way; the next proposal comes back."""
    return await _step(request, identity, RefuseRequest, steps.refuse)


@router.post("/{identity}/forget", **documented(ForgetRequest, REPLY, "As it is without it."))
async def forget(request: Request, identity: str) -> Response:
    """Forget a wish; where something was proposed, the next proposal comes back."""
    return await _step(request, identity, ForgetRequest, steps.forget)


@router.post("/{identity}/reweigh", **documented(ReweighRequest, REPLY, "The next proposal."))
async def reweigh(request: Request, identity: str) -> Response:
    """Set weights; the next proposal comes back."""
    return await _step(request, identity, ReweighRequest, steps.reweigh)


@router.post("/{identity}/undo", **documented(UndoRequest, REPLY, "As it was before."))
async def undo(request: Request, identity: str) -> Response:
    """Take back what the last step changed."""
    return await _step(request, identity, UndoRequest, steps.undo)


@router.post("/{identity}/accept", **documented(AcceptRequest, REPLY, "The item taken."))
async def accept(request: Request, identity: str) -> Response:
    """Take an item, and end."""
    return await _step(request, identity, AcceptRequest, steps.accept)


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


async def _step(
    request: Request,
    identity: str,
    kind: type[Parsed],
    step: Callable[[Session, Parsed], Members],
) -> Response:
    """Take a step of a conversation that the body of a request asks for; return the reply."""
    state = state_of(request)
    state.conversations.find(identity)
    body = await state.bodies.read_json(request, kind)
    return await _taken(state, identity, lambda session: step(session, body))


async def _taken(state: ServerState, identity: str, step: Callable[[Session], Members]) -> Response:
    """Take a step of a conversation that no other request is changing; return the reply."""
    stored = state.conversations.find(identity)
    stored.check_free()
    return json_response(await steps.advance(state, stored, step, partial(_reply, state)))


def _reply(state: ServerState, stored: StoredConversation, members: Members) -> bytes:
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
            "taken": session.taken_rows,
            "taken_numbers": session.taken_numbers,
            "shortlist": session.shortlist_rows,
            "ended": session.ended,
            "expires_in": state.conversations.seconds,
            **members,
        }
    )
