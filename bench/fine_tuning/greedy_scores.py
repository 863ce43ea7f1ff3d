"""How well slots are filled on rows that were held out: greedy replies, compared with gold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from ...dialogs.models.chat_template import encoded, generated
from ..aware_us.gold import as_text
from .rows import Row

MOST_ROWS, MOST_TOKENS, BATCH = 200, 64, 16
NOTHING: dict[str, Any] = {
    "valid_json": None,
    "right_column": None,
    "right_value": None,
    "held_out_rows": 0,
}


def held_out_scores(model: Any, tokenizer: Any, rows: Sequence[Row]) -> dict[str, Any]:
    """Return shares over slot rows; all None where there are none.

    `valid_json`: replies that are null or an object with column, op and value; `right_column`:
    of those that name a column, it is the slot's; `right_value`: replies equal to gold.
    Rows whose persona is withheld are left out where others are there. At most `MOST_ROWS`.
    """
    slots = [row for row in rows if row["meta"].get("role") == "slot"]
    known = [row for row in slots if not row["meta"].get("withheld")]
    asked = (known or slots)[:MOST_ROWS]
    if not asked:
        return dict(NOTHING)
    replies = greedy(model, tokenizer, [row["prompt"] for row in asked])
    filled = [Filled.of(reply) for reply in replies]
    valid = [reply for reply in filled if reply.is_valid]
    right = [
        reply.wish["column"] == row["meta"]["slot"]
        for reply, row in zip(filled, asked, strict=True)
        if reply.wish is not None
    ]
    gold = [json.loads(row["completion"][0]["content"]) for row in asked]
    equal = [
        one.is_valid and same_wish(one.wish, wish) for one, wish in zip(filled, gold, strict=True)
    ]
    return {
        "valid_json": len(valid) / len(asked),
        "right_column": sum(right) / len(right) if right else None,
        "right_value": sum(equal) / len(asked),
        "held_out_rows": len(asked),
    }


@dataclass(frozen=True)
class Filled:
    """A reply read as a wish. `wish` is None for null, and for what is not valid."""

    is_valid: bool
    wish: dict[str, Any] | None = None

    @classmethod
    def of(cls, reply: str) -> Filled:
        """Return what a reply says."""
        try:
            value: object = json.loads(reply)
        except (ValueError, RecursionError):
            return cls(False)
        if value is None:
            return cls(True)
        if not isinstance(value, dict) or {"column", "op", "value"} - set(cast("Any", value)):
            return cls(False)
        return cls(True, cast("dict[str, Any]", value))


def same_wish(first: dict[str, Any] | None, second: dict[str, Any] | None) -> bool:
    """Return whether two wishes are the same, values compared as text."""
    if first is None or second is None:
        return first is second
    return all(as_text(first[key]) == as_text(second[key]) for key in ("column", "op", "value"))


def greedy(model: Any, tokenizer: Any, prompts: Sequence[Sequence[dict[str, str]]]) -> list[str]:
    """Return the likeliest reply to each prompt, in batches of similar length."""
    ids = [encoded(tokenizer, prompt, add_generation_prompt=True) for prompt in prompts]
    order = sorted(range(len(ids)), key=lambda at: len(ids[at]))
    replies = [""] * len(ids)
    model.eval()
    for start in range(0, len(order), BATCH):
        batch = order[start : start + BATCH]
        asked = [ids[at] for at in batch]
        made = generated(model, tokenizer, asked, max_new_tokens=MOST_TOKENS, do_sample=False)
        for at, tokens in zip(batch, made[:, max(map(len, asked)) :], strict=True):
            replies[at] = tokenizer.decode(tokens, skip_special_tokens=True)
    return replies
