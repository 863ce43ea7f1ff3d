"""Rows to train on: prompt and completion for SFT, prompt with chosen and rejected for DPO.

    {"prompt": [message, …], "completion": [message, …], "meta": {…}}
    {"prompt": [message, …], "chosen": [message, …], "rejected": [message, …], "meta": {…}}

A message is {"role", "content"}, as chat templates take it. `meta` has at least `split`,
`instance`, `role` and `fingerprint`; no part of it is trained on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal

from ...catalogs.errors import QueryError, excerpt

Row = dict[str, Any]
Messages = Sequence[Mapping[str, str]]
Stage = Literal["sft", "dpo"]
Split = Literal["train", "test"]

STAGES: tuple[Stage, ...] = ("sft", "dpo")
SPLITS: tuple[Split, ...] = ("train", "test")
PARTS: dict[Stage, tuple[str, ...]] = {
    "sft": ("prompt", "completion"),
    "dpo": ("prompt", "chosen", "rejected"),
}
"""The lists of messages in a row of each stage."""

ROLES = ("system", "user", "assistant")


def user_says(text: str) -> list[dict[str, str]]:
    """Return a prompt of one message."""
    return [{"role": "user", "content": text}]


def assistant_says(text: str) -> list[dict[str, str]]:
    """Return a completion of one message."""
    return [{"role": "assistant", "content": text}]


def json_text(value: object) -> str:
    """Return JSON as a model is trained to write it: on one line, letters as they are."""
    return json.dumps(value, ensure_ascii=False)


def fingerprint(*texts: str | None) -> str:
    """Return what tells an instance, a traveller or an episode apart, whatever its id: a hash.

    Of texts such as base sentence and persona; case and spaces do not count.
    """
    plain = [" ".join((text or "").casefold().split()) for text in texts]
    return sha256(json.dumps(plain).encode()).hexdigest()[:32]


@dataclass
class TrainingData:
    """Rows by stage and split, and what the manifest says of where they come from.

    `sources`: by name, the hash of each file they were made from; `prompts`: records of the
    prompt files; `settings`: what the builder was told.
    """

    builder: str
    seed: int
    sources: Mapping[str, str] = field(default_factory=dict[str, str])
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    prompts: Sequence[Mapping[str, object]] = ()
    rows: dict[tuple[Stage, Split], list[Row]] = field(
        default_factory=lambda: {(stage, split): [] for stage in STAGES for split in SPLITS}
    )

    def add(self, stage: Stage, rows: Iterable[Row]) -> None:
        """Add rows to the splits that their `meta` names."""
        for row in rows:
            self.rows[stage, row["meta"]["split"]].append(row)

    def counts(self) -> dict[str, dict[str, int]]:
        """Return the number of rows by stage and split."""
        return {
            stage: {split: len(self.rows[stage, split]) for split in SPLITS} for stage in STAGES
        }


def checked_row(value: object, stage: Stage, split: Split) -> Row:
    """Return a row as it was read; raise `QueryError` that says what is wrong with it."""
    if not isinstance(value, dict):
        raise QueryError(f"{excerpt(value)} is no row", hint=_hint(stage))
    row: Row = {str(key): part for key, part in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] JSON
    for part in PARTS[stage]:
        _check_messages(part, row.get(part))
    meta = row.setdefault("meta", {})
    if not isinstance(meta, dict):
        raise QueryError(f"meta {excerpt(meta)} is no object", hint="leave it out, or give {…}")
    if meta.get("split", split) != split:  # pyright: ignore[reportUnknownMemberType] JSON
        raise QueryError(f"a row of split {excerpt(meta['split'])} among {split}", hint=_hint(stage))
    if stage == "dpo" and row["chosen"] == row["rejected"]:
        raise QueryError("chosen and rejected are the same", hint="leave the row out")
    return row


def _check_messages(part: str, value: object) -> None:
    if not isinstance(value, list) or not value:
        raise QueryError(f"{part} {excerpt(value)} is no list of messages", hint=_MESSAGES)
    for message in value:  # pyright: ignore[reportUnknownVariableType] JSON
        fields: Any = message
        good = isinstance(fields, dict) and fields.get("role") in ROLES  # pyright: ignore[reportUnknownMemberType] JSON
        if not good or not isinstance(fields.get("content"), str):
            raise QueryError(f"{part}: {excerpt(fields)} is no message", hint=_MESSAGES)


_MESSAGES = 'write [{"role": "user", "content": "…"}, …]'


def _hint(stage: Stage) -> str:
    return f"a row of {stage} has {', '.join(PARTS[stage])} and meta"
