"""A model's free text as one line of speech: control characters out, cut to a length."""

from __future__ import annotations

from ...catalogs.errors import BadReply, shown
from .chat_model import ChatModel, Request

MAX_QUESTION, MAX_ANSWER = 500, 2_000
"""Characters kept of a question and of an answer that a model words."""


def spoken_reply(model: ChatModel, request: Request, longest: int) -> str:
    """Return what a model says, on one line, without control characters, up to a length.

    Raises `BadReply` where it says nothing, and any `ModelError` of the model.
    """
    text = model.complete(request).text[: 4 * longest]
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if not line:
        raise BadReply(f"{model.name} said nothing as {shown(request.role)}")
    return line[:longest]
