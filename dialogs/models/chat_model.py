"""Request and reply, and the protocol that every chat model implements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from json import dumps
from typing import Any, Literal, Protocol

from ...catalogs.errors import BadReply, excerpt
from ..transcripts.transcript import Message, Transcript

SchemaBy = Literal["json_schema", "json_object", "prompt"]
"""How a server is told of a schema: in full, as "some JSON object", or not at all."""


@dataclass(frozen=True, slots=True)
class Request:
    """Messages for a model, how it shall sample, and who asks.

    `role` and `episode` never reach the model: the ledger counts by role, the cassette finds
    replies by both. `top_logprobs` asks for that many alternatives to the reply's first token.
    """

    messages: tuple[Message, ...]
    role: str = "model"
    episode: str = ""
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    json_schema: Mapping[str, Any] | None = None
    schema_by: SchemaBy = "json_schema"
    top_logprobs: int | None = None

    @classmethod
    def of(
        cls,
        said: Transcript | str | Iterable[Message | Mapping[str, Any]],
        *,
        role: str = "model",
        episode: str = "",
    ) -> Request:
        """Return a request with the messages of a text (said by the user) or a transcript."""
        return cls(Transcript.of(said).messages, role, episode)

    def record(self) -> dict[str, Any]:
        """Return what decides the reply as a JSON object.

        `schema_by` is left out: it is how this server had to be asked, not what was asked.
        """
        return {
            "messages": [message.record() for message in self.messages],
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": self.seed,
            "stop": list(self.stop),
            "json_schema": None if self.json_schema is None else dict(self.json_schema),
            "top_logprobs": self.top_logprobs,
        }

    def sha256(self) -> str:
        """Return the hash of the canonical record: equal for equal questions, in any process."""
        text = dumps(self.record(), sort_keys=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Tokens:
    """How many tokens a call took, as far as the server says."""

    prompt: int = 0
    completion: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said.

    `top_logprobs`: the likeliest first tokens with their natural log-probabilities, likeliest
    first; empty where none were asked for or the server gives none.
    """

    text: str
    finish_reason: str = "stop"
    tokens: Tokens = field(default_factory=Tokens)
    top_logprobs: tuple[tuple[str, float], ...] = ()
    model: str = ""

    def record(self) -> dict[str, Any]:
        """Return the reply as a JSON object."""
        return {
            "text": self.text,
            "finish_reason": self.finish_reason,
            "tokens": {"prompt": self.tokens.prompt, "completion": self.tokens.completion},
            "top_logprobs": [list(pair) for pair in self.top_logprobs],
            "model": self.model,
        }


class ChatModel(Protocol):
    """Anything that replies to a request; called by several threads at once.

    `name` stands for model and endpoint: what is learned about a model is kept under it.
    """

    @property
    def name(self) -> str:
        """Model and endpoint in a few words, without credentials."""
        ...

    def complete(self, request: Request) -> Reply:
        """Return the model's reply; raise `ModelError` where there is none."""
        ...


class WrappedModel:
    """A model around another one, under the name of that one."""

    def __init__(self, inner: ChatModel) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        """The inner model's."""
        return self._inner.name


MAX_QUESTION, MAX_ANSWER = 500, 2_000
"""Characters kept of a question and of an answer that a model words."""


def spoken_reply(model: ChatModel, request: Request, longest: int) -> str:
    """Return what a model says, on one line, without control characters, up to a length.

    Raises `BadReply` where it says nothing, and any `ModelError` of the model.
    """
    text = model.complete(request).text[: 4 * longest]
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if not line:
        raise BadReply(f"{model.name} said nothing as {excerpt(request.role)}")
    return line[:longest]
