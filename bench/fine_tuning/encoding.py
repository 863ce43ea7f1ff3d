"""Messages as tokens, and which of them are trained on: what the assistant says, no other.

An assistant's turn is found in the tokens themselves: it stands between the header that the chat
template writes before a reply and the token that ends one, which is trained on too. So the same
holds of any template, of SFT and of DPO, and of dialogues with several turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...catalogs.errors import QueryError
from ...dialogs.models.chat_template import encoded, rendered
from .rows import Row

IGNORED = -100
"""The label of a token that is not trained on."""


@dataclass(frozen=True)
class Turns:
    """How a template writes an assistant's turn: its header's tokens, and the one at its end."""

    header: tuple[int, ...]
    end: int

    @classmethod
    def of(cls, tokenizer: Any) -> Turns:
        """Return how a tokenizer's template writes turns.

        Raises `QueryError` where that cannot be told from what it writes.
        """
        said = [{"role": "user", "content": "a"}]
        before = rendered(tokenizer, said)
        header = rendered(tokenizer, said, add_generation_prompt=True)[len(before) :]
        whole = rendered(tokenizer, [*said, {"role": "assistant", "content": "b"}])
        after = whole.rpartition("b")[2]
        ends: list[int] = tokenizer.encode(after, add_special_tokens=False) if after else []
        if not header or not ends or not whole.startswith(before):
            raise QueryError(
                "its chat template does not mark where a reply begins and ends",
                hint="use a model with a chat template of turns, such as Qwen3's",
            )
        opened = header.split("<think>")[0]
        return cls(tuple(tokenizer.encode(opened, add_special_tokens=False)), ends[0])

    def mask(self, ids: Sequence[int]) -> list[int]:
        """Return 1 for each token inside an assistant's turn, its end included, else 0."""
        inside, header = False, list(self.header)
        mask = [0] * len(ids)
        for place in range(len(ids)):
            if inside:
                mask[place] = 1
                inside = ids[place] != self.end
            elif list(ids[max(0, place + 1 - len(header)) : place + 1]) == header:
                inside = True
        return mask


@dataclass(frozen=True)
class Encoded:
    """A row of SFT as tokens. `labels`: the token where it is trained on, else `IGNORED`."""

    ids: list[int]
    labels: list[int]
    cut: bool


def encode_row(tokenizer: Any, turns: Turns, row: Row, max_length: int) -> Encoded:
    """Return a row as at most `max_length` tokens; what is over is cut at the end."""
    prompt = encoded(tokenizer, row["prompt"], add_generation_prompt=True)
    ids = encoded(tokenizer, [*row["prompt"], *row["completion"]])
    begun = common_prefix(prompt, ids)
    mask = turns.mask(ids)
    labels = [
        token if inside and place >= begun else IGNORED
        for place, (token, inside) in enumerate(zip(ids, mask, strict=True))
    ]
    return Encoded(ids[:max_length], labels[:max_length], len(ids) > max_length)


def common_prefix(first: Sequence[int], second: Sequence[int]) -> int:
    """Return how many tokens two sequences begin with alike."""
    pairs = zip(first, second, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))
