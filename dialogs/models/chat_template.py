"""Messages as tokens, by the chat template that a model brings; and the replies to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .libraries import library

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


def generated(model: Any, tokenizer: Any, ids: Sequence[Sequence[int]], **options: Any) -> Any:
    """Return what `generate` gives for prompts of any lengths, each padded to the longest."""
    torch, padding = library("torch"), padding_of(tokenizer)
    rows, mask = padded_left(ids, padding)
    with torch.no_grad():
        return model.generate(
            input_ids=torch.tensor(rows, device=model.device),
            attention_mask=torch.tensor(mask, device=model.device),
            pad_token_id=padding,
            **options,
        )


def padding_of(tokenizer: Any) -> int:
    """Return the token that fills up; masked, so any will do where the tokenizer names none."""
    return 0 if tokenizer.pad_token_id is None else int(tokenizer.pad_token_id)
