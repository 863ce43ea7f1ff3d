"""The page at `/chat`: a conversation in words and buttons, kept as the JSON routes keep theirs.

A step is a form that is posted; the answer leads to the address of the conversation, which shows
it as it is then. It works without a script.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fastapi import APIRouter
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from ....catalogs.errors import ConcedeError
from ....dialogs.conversation.session import Session
from ....engine.runtime.thread_pool import QueueSlot
from ....rendering.html import Html, tag
from .. import conversation_steps as steps
from ..body_reader import parsed
from ..conversation_steps import (
    AcceptRequest,
    ChatRequest,
    ForgetRequest,
    Members,
    MessageRequest,
    RefuseRequest,
    UndoRequest,
)
from ..problem_details import HttpProblem
from ..request_models import LONGEST_TEXT
from ..state import ServedCatalog, ServerState
from .addresses import chat_address
from .beside import step_beside
from .chat_view import Talk, chat_page, new_page
from .form_model import FormCache, FormModel
from .query_string import decoded, decoded_form, last_of, search_of
from .responses import PATIENCE, html_response, problem_response, redirect
from .talk_beside import BESIDE

MOST_BYTES = 12 * LONGEST_TEXT + 4_096
"""Of a form: a character takes up to twelve bytes."""

FORGOTTEN = "This conversation was idle for too long and is forgotten. Here begins a new one."
UNKNOWN = "unknown-conversation"

Parameters = Mapping[str, list[str]]
Step = Callable[[Session], Members]


def serve_chat(router: APIRouter, forms: FormCache, state: ServerState) -> None:
    """Add the page to a router: GET shows a conversation or the beginning of one, POST goes on."""
    page = _ChatPage(forms, state)
    router.add_api_route("/chat", page.show, methods=["GET", "HEAD"])
    router.add_api_route("/chat", page.go_on, methods=["POST"])


class _ChatPage:
    def __init__(self, forms: FormCache, state: ServerState) -> None:
        self.forms = forms
        self.state = state

    async def show(self, request: Request) -> Response:
        """Show a conversation, or the beginning of one."""
        parameters: Parameters = {}
        try:
            parameters = decoded(request.scope["query_string"])
            identity = last_of(parameters, "conversation")
            if not identity:
                page = await self._new(last_of(parameters, "catalog"))
            else:
                page = await self._kept(identity)
            return html_response(page, pictures=self._shows_pictures)
        except ConcedeError as error:
            return await self._trouble(error, parameters)

    @property
    def _shows_pictures(self) -> bool:
        """Whether any catalog has pictures: a conversation may be about each."""
        served = map(self.state.find, self.state.names)
        return any(each.catalog.presentation.image for each in served)

    async def go_on(self, request: Request) -> Response:
        """Take the step that a form says, and lead to the conversation."""
        parameters: Parameters = {}
        try:
            _check_site(request)
            body = await self.state.bodies.read_form(request, MOST_BYTES)
            parameters = decoded_form(body)
            identity = last_of(parameters, "conversation")
            if BESIDE in parameters:
                search = search_of(decoded_form(last_of(parameters, BESIDE)[1:].encode()))
                step = _step_of(parameters)
                return await step_beside(self.state, self.forms, search, identity, step)
            if identity:
                await self._step(identity, parameters)
            else:
                identity = await self._begin(parameters)
        except ConcedeError as error:
            return await self._trouble(error, parameters)
        # The catalog is named, too: where the conversation is forgotten, one about it begins.
        address = chat_address(catalog=last_of(parameters, "catalog"), conversation=identity)
        return redirect(address)

    async def _begin(self, parameters: Parameters) -> str:
        members = {
            "catalog": last_of(parameters, "catalog") or None,
            "text": last_of(parameters, "text"),
        }
        body = parsed(to_json(members), ChatRequest)
        return await steps.begin(self.state, body, lambda stored, said: stored.identity)

    async def _step(self, identity: str, parameters: Parameters) -> None:
        stored = self.state.conversations.find(identity)
        step = _step_of(parameters)
        stored.check_free()
        await steps.advance(self.state, stored, step, lambda stored, said: None)

    async def _kept(self, identity: str) -> Html:
        """Return the page of a conversation, as it is when nobody changes it."""
        stored = self.state.conversations.find(identity)
        talk = Talk(identity, stored.value.served.name, stored.value.session)

        def render(form: FormModel) -> Html:
            return chat_page(talk, form, self.state.names)

        async with stored.lock:
            return await self._rendered(stored.value.served, render)

    async def _new(self, catalog: str, text: str = "", note: str = "") -> Html:
        served = self.state.find(catalog or None)
        return await self._rendered(
            served, lambda form: new_page(form, self.state.names, text=text, note=note)
        )

    async def _rendered(self, served: ServedCatalog, render: Callable[[FormModel], Html]) -> Html:
        def call(slot: QueueSlot) -> Html:
            return render(self.forms.get(served.name, served.catalog.snapshot()))

        seconds = min(PATIENCE, self.state.settings.limits.deadline)
        return await served.engine.ask("page", call, seconds)

    async def _trouble(self, error: ConcedeError, parameters: Parameters) -> Response:
        """Return a page that says what went wrong; of a forgotten one, a new beginning."""
        if isinstance(error, HttpProblem) and error.kind == UNKNOWN:
            text = last_of(parameters, "text")
            try:
                page = await self._new(last_of(parameters, "catalog"), text, FORGOTTEN)
            except ConcedeError as further:
                return problem_response(further)
            return html_response(page, error.status)
        identity = last_of(parameters, "conversation")
        back = tag("a", "Back to the conversation", href=chat_address(conversation=identity))
        return problem_response(error, None, tag("p", back) if identity else None)


def _check_site(request: Request) -> None:
    """Raise a problem for a form that another site sends in a visitor's name."""
    if request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        raise HttpProblem(403, "cross-site", "another site sent this", hint="begin here")


def _step_of(parameters: Parameters) -> Step:
    """Return the step that a button or the field for words stands for."""

    def number(name: str) -> Any:
        value = last_of(parameters, name)
        return int(value) if value.isascii() and value.isdigit() and len(value) < 5 else value

    if "accept" in parameters:
        taken = parsed(to_json({"place": number("accept")}), AcceptRequest)
        return lambda session: steps.accept(session, taken)
    if "refuse" in parameters:
        kept = parsed(to_json({"positions": [number("refuse")]}), RefuseRequest)
        return lambda session: steps.refuse(session, kept)
    if "forget" in parameters:
        gone = parsed(to_json({"position": number("forget")}), ForgetRequest)
        return lambda session: steps.forget(session, gone)
    if "undo" in parameters:
        return lambda session: steps.undo(session, UndoRequest())
    said = last_of(parameters, "propose") or last_of(parameters, "text")
    message = parsed(to_json({"text": said, "propose": "propose" in parameters}), MessageRequest)
    return lambda session: steps.hear(session, message)
