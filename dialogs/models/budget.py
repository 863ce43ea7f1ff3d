"""A cap on tokens that is never exceeded, and what a call costs.

Before a call the most that it can take is set aside: a token for each byte of its prompt, which no
byte-level tokenizer exceeds, what templates add, and the reply's `max_tokens`, which is set where
it was not. Where that does not fit any more the call is not made. Afterwards what the server says
it took is counted instead; a call that failed counts in full, as nobody says what it cost. Cost:
one pass over the prompt's bytes.
"""

from __future__ import annotations

import json
from dataclasses import replace
from threading import Condition

from ...catalogs.errors import TokensSpent
from .chat_model import ChatModel, Reply, Request, WrappedModel

MOST_REPLY = 4_096
"""Tokens of a reply where the request sets no limit."""

A_MESSAGE, A_REQUEST = 16, 128
"""Tokens that a chat template adds at most, around each message and around all of them."""

BYTES_A_TOKEN = 4
"""Of plain text, about; nobody knows before a server has counted."""


def prompt_at_most(request: Request) -> int:
    """Return a number of tokens that a request's prompt does not exceed."""
    said = sum(len(message.content.encode("utf-8", "replace")) for message in request.messages)
    return said + _schema_bytes(request) + A_MESSAGE * len(request.messages) + A_REQUEST


def _schema_bytes(request: Request) -> int:
    return len(json.dumps(request.json_schema).encode()) if request.json_schema else 0


def tokens_about(text: str) -> int:
    """Return how many tokens a text has, roughly."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_A_TOKEN)


def prompt_about(request: Request) -> int:
    """Return how many tokens a request's prompt has, roughly."""
    return sum(4 + tokens_about(message.content) for message in request.messages)


def charged(request: Request, reply: Reply) -> int:
    """Return what a call is counted as: what the server says, else the most it can have been."""
    tokens = reply.tokens
    prompt = tokens.prompt or prompt_at_most(request)
    return prompt + (tokens.completion or len(reply.text.encode("utf-8", "replace")))


class TokenBudget:
    """Tokens that may be taken in all, by several threads; `spent` were taken before."""

    def __init__(self, most: int, spent: int = 0) -> None:
        self.most = most
        self.spent = spent
        self._aside = 0
        self._changed = Condition()

    def set_aside(self, tokens: int) -> None:
        """Set tokens aside, once other calls have left room for them.

        Raises `TokensSpent` where there will be no room.
        """
        with self._changed:
            while self.spent + self._aside + tokens > self.most:
                if not self._aside or self.spent + tokens > self.most:
                    left = max(0, self.most - self.spent)
                    raise TokensSpent(self.most, left, tokens)
                self._changed.wait()
            self._aside += tokens

    def settle(self, aside: int, taken: int) -> None:
        """Count what was taken instead of what was set aside for it."""
        with self._changed:
            self._aside -= aside
            self.spent += taken
            self._changed.notify_all()


class BudgetedModel(WrappedModel):
    """A model that is asked only while the budget holds out.

    It belongs inside retries, whose every attempt costs, and inside a cassette, whose replies
    cost nothing.
    """

    def __init__(
        self, inner: ChatModel, budget: TokenBudget, *, most_reply: int = MOST_REPLY
    ) -> None:
        super().__init__(inner)
        self._budget = budget
        self._most_reply = most_reply

    def complete(self, request: Request) -> Reply:
        """Return the inner model's reply; raise its error, or `TokensSpent`."""
        if request.max_tokens is None:
            request = replace(request, max_tokens=self._most_reply)
        aside = prompt_at_most(request) + (request.max_tokens or 0)
        self._budget.set_aside(aside)
        taken = aside
        try:
            reply = self._inner.complete(request)
            taken = charged(request, reply)
            return reply
        finally:
            self._budget.settle(aside, taken)
