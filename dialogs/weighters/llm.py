"""Base class of the weighters that ask a chat model, and what of a conversation it is shown."""

from __future__ import annotations

from ...catalogs.errors import one_line
from ...catalogs.query.constraint import Constraint, words
from ..models.chat_model import ChatModel
from ..transcripts.transcript import Span, Transcript
from .attribution import Reading
from .weighter import Weighter

STATED = 0.5
"""Confidence in a weight that a model stated: nothing is known about how good it is."""

UNASKED = 0.3
"""Confidence in the neutral weight of what nobody spoke of, so no model was asked."""

MAX_SHOWN = 20_000
"""Characters of a conversation that a model is shown, the latest."""

MAX_WISH = 300


class LLMWeighter(Weighter):
    """A weighter on a chat model; the environment's where none is given.

    Raises `ModelError` where the model gives no usable reply.
    """

    def __init__(self, model: ChatModel | None = None, *, episode: str = "") -> None:
        self._model = model
        self.episode = episode

    @property
    def model(self) -> ChatModel:
        """The model, opened when it is first needed."""
        if self._model is None:
            from ..models.opening import open_model

            self._model = open_model()
        return self._model


def asking(weighter: Weighter, model: ChatModel | None, episode: str = "") -> Weighter:
    """Return a weighter that asks this model, where it asks one and one is given."""
    if model is None or not isinstance(weighter, LLMWeighter):
        return weighter
    return type(weighter)(model, episode=episode)


def conversation(transcript: Transcript) -> str:
    """Return the latest messages, one a line, as a prompt shows them."""
    names = {"user": "Person", "assistant": "Assistant", "system": "Note"}
    return transcript.lines(names)[-MAX_SHOWN:]


def wish(constraint: Constraint) -> str:
    """Return a constraint as a prompt names it, on one line."""
    return one_line(words(constraint)[:MAX_WISH])


def named_spans(reading: Reading, number: int) -> tuple[Span, ...]:
    """Return the clauses that speak about a constraint."""
    return tuple(dict.fromkeys(statement.clause.span for statement in reading.evidence[number]))


def says_something(transcript: Transcript) -> bool:
    """Return whether the person has said anything at all."""
    return any(message.content.strip() for _, message in transcript.by("user"))
