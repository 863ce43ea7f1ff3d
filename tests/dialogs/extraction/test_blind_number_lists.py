"""Numbers as lists in the words of somebody who had not seen the reader, and what looks like them.

`bench/understanding/development/number_lists.jsonl`: 70 lists, 50 others. A turn is right where the
rows that its numbers let through are those of the gold, column by column.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from concede.bench.understanding.request_records import DEVELOPMENT
from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.dialogs.extraction.offline import OfflineExtractor
from concede.dialogs.transcripts.transcript import Message, Transcript

LISTS = 70
Turn = dict[str, Any]


@pytest.fixture(scope="module")
def turns() -> list[Turn]:
    text = (DEVELOPMENT / "number_lists.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def let_through(catalog: Catalog, wishes: Iterable[Constraint]) -> dict[str, list[int]]:
    """Return the rows that the wishes on each numeric column let through."""
    by_column: dict[str, list[Constraint]] = {}
    for wish in wishes:
        if wish.column and catalog.schema.find(wish.column).family == "numeric":
            by_column.setdefault(wish.column, []).append(wish)
    return {
        column: catalog.slice([catalog.bind(wish) for wish in own]).ids.tolist()
        for column, own in by_column.items()
    }


def is_right(turn: Turn, catalog: Catalog) -> bool:
    said = [Message("user", turn["text"])]
    if turn["question"]:
        said.insert(0, Message("assistant", turn["question"], turn["slot"]))
    read = OfflineExtractor().extract(Transcript.of(said), catalog, slot=turn["slot"])
    gold = map(Constraint.model_validate, turn["wishes"])
    return let_through(catalog, gold) == let_through(
        catalog, [part.constraint for part in read.constraints]
    )


def catalog_of(folder: Path, name: str) -> Catalog:
    return Catalog.open(folder / f"{name}.csv")


@pytest.mark.parametrize(("which", "right"), [(slice(LISTS), 51), (slice(LISTS, None), 43)])
def test_lists_are_understood_and_what_looks_like_them_is_none(
    turns: list[Turn], which: slice, right: int
) -> None:
    """Before numbers were read as lists, 15 and 42 were right."""
    catalogs = {
        name: catalog_of(DEVELOPMENT / "catalogs", name)
        for name in {turn["catalog"] for turn in turns}
    }
    found = [is_right(turn, catalogs[turn["catalog"]]) for turn in turns[which]]
    assert sum(found) >= right
