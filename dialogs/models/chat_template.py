"""Messages as tokens, by the chat template that a model brings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

TEMPLATE_OPTIONS = {"enable_thinking": False}
"""For templates that would open a thought otherwise; others ignore it."""


def rendered(tokenizer: Any, messages: Sequence[Mapping[str, str]], **options: Any) -> str:
    """Return messages as the template writes them."""
    text: str = tokenizer.apply_chat_template(
        list(messages), tokenize=False, **TEMPLATE_OPTIONS, **options
    )
    return text


def encoded(tokenizer: Any, messages: Sequence[Mapping[str, str]], **options: Any) -> list[int]:
    """Return messages as tokens."""
    text = rendered(tokenizer, messages, **options)
    ids: list[int] = tokenizer.encode(text, add_special_tokens=False)
    return ids


def padded_left(ids: Sequence[Sequence[int]], padding: int) -> tuple[list[list[int]], Any]:
    """Return sequences of one length, padded at the left, and their attention masks."""
    longest = max(map(len, ids))
    rows = [[padding] * (longest - len(one)) + list(one) for one in ids]
    mask = [[0] * (longest - len(one)) + [1] * len(one) for one in ids]
    return rows, mask


def padding_of(tokenizer: Any) -> int:
    """Return the token that fills up; masked, so any will do where the tokenizer names none."""
    return 0 if tokenizer.pad_token_id is None else int(tokenizer.pad_token_id)
