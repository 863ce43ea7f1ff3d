"""Rows to train on: prompt and completion for SFT, prompt with chosen and rejected for DPO.

    {"prompt": [message, …], "completion": [message, …], "meta": {…}}
    {"prompt": [message, …], "chosen": [message, …], "rejected": [message, …], "meta": {…}}

A message is {"role", "content"}, as chat templates take it. `meta` has at least `split`,
`instance`, `role` and `fingerprint`; no part of it is trained on.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

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


def user_says(text: str) -> list[dict[str, str]]:
    """Return a prompt of one message."""
    return [{"role": "user", "content": text}]


def assistant_says(text: str) -> list[dict[str, str]]:
    """Return a completion of one message."""
    return [{"role": "assistant", "content": text}]


def json_text(value: object) -> str:
    """Return JSON as a model is trained to write it: on one line, letters as they are."""
    return json.dumps(value, ensure_ascii=False)


TRAINING_SHARE = 0.8
"""Of instances, travellers and episodes (AWARE-US, section 4: 80/20)."""


def splits(fingerprints: Iterable[str], seed: int) -> dict[str, Split]:
    """Return the split of each fingerprint; equal ones are one, and a single one is trained on."""
    names = sorted(set(fingerprints))
    random.Random(f"{seed} split").shuffle(names)
    training = max(1, round(TRAINING_SHARE * len(names)))
    return {name: "train" if at < training else "test" for at, name in enumerate(names)}


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

    def without_repeats(self) -> TrainingData:
        """Take out rows that are there twice, and training rows with a prompt of a test row."""
        for stage in STAGES:
            tested = {json_text(row["prompt"]) for row in self.rows[stage, "test"]}
            for split in SPLITS:
                first: dict[str, Row] = {}
                for row in self.rows[stage, split]:
                    if split == "test" or json_text(row["prompt"]) not in tested:
                        first.setdefault(json_text([row[part] for part in PARTS[stage]]), row)
                self.rows[stage, split] = list(first.values())
        return self

    def counts(self) -> dict[str, dict[str, int]]:
        """Return the number of rows by stage and split."""
        return {
            stage: {split: len(self.rows[stage, split]) for split in SPLITS} for stage in STAGES
        }


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    role: Literal["system", "user", "assistant"]
    content: str


_Said = Annotated[list[_Message], Field(min_length=1)]


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    prompt: _Said
    meta: dict[str, Any] = {}


class _Supervised(_Row):
    completion: _Said


class _Preference(_Row):
    chosen: _Said
    rejected: _Said


_SHAPES: dict[Stage, type[_Row]] = {"sft": _Supervised, "dpo": _Preference}


def checked_row(value: object, stage: Stage, split: Split) -> Row:
    """Return a row as it was read.

    Raises pydantic's `ValidationError` for another shape, and `QueryError` for a row of another
    split, or of which chosen and rejected are the same.
    """
    row = _SHAPES[stage].model_validate(value).model_dump()
    named = row["meta"].setdefault("split", split)
    if named != split:
        problem = f"a row of split {excerpt(named)} among {split}"
        raise QueryError(problem, hint="keep each in its file")
    if stage == "dpo" and row["chosen"] == row["rejected"]:
        raise QueryError("chosen and rejected are the same", hint="leave the row out")
    return row
