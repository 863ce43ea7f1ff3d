"""What was said in a conversation, as the chat page and the panel beside the results show it."""

from __future__ import annotations

from collections.abc import Iterable

from ....rendering.html import Html, tag
from .wording import counted, isolated, visually_hidden

SHOWN_TEXT = 2_000
"""Characters of a message that are shown."""


def messages_said(earlier: int, greeting: str, messages: Iterable[tuple[str, str]]) -> Html:
    """Return the last messages, role and text, in order; `earlier` ones are counted.

    The box begins at its end where it is too high.
    """
    first = f"{counted(earlier, 'earlier message')} not shown" if earlier else greeting
    lines = [_message("assistant", first), *(_message(*each) for each in messages)]
    return tag("div", tag("ol", *lines), class_="said", role="log", tabindex="0",
               aria_label="What was said")  # fmt: skip


def _message(role: str, content: str) -> Html:
    text = content if len(content) <= SHOWN_TEXT else f"{content[:SHOWN_TEXT]}…"
    mine = role == "user"
    who = visually_hidden("You: " if mine else "Answer: ")
    return tag("li", who, isolated(text), class_="mine" if mine else "theirs")
