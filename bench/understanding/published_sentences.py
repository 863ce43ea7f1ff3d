"""Labelled sentences from the training split of AWARE-US: personas, openings and answers.

What a text states is known from its instance: a wish whose value stands in it. Spans are not,
and left empty. A value of an instance that stands in part may be meant or not; behind an `if` it
is only supposed.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from .labelled import LabelledConstraint, LabelledSentence

ANYWHERE = (0, 0)
"""The span of what stands somewhere in the text."""

Record = Mapping[str, Any]


def published_sentences(folder: Path, catalog: str) -> Iterator[LabelledSentence]:
    """Yield the sentences of the instances of the training split in a folder of AWARE-US."""
    lines = (folder / "instances.jsonl").read_text(encoding="utf-8").splitlines()
    records = {record["id"]: record for record in map(json.loads, lines)}
    for record in records.values():
        if record["split"] == "train":
            yield _labelled(catalog, record["base_query_sentence"], "", record, all_of="base")
            yield _labelled(catalog, record["persona"], "", record, all_of="constraints")
    seen: set[tuple[str, str]] = set()
    with gzip.open(folder / "agent_runs.jsonl.gz", "rt", encoding="utf-8") as runs:
        for run in map(json.loads, runs):
            record = records[run["instance"]]
            if record["split"] != "train":
                continue
            for before, after in pairwise(run["dialogue"] or ()):
                told = before["content"], after["content"]
                if after["role"] == "user" and told not in seen:
                    seen.add(told)
                    yield _labelled(catalog, told[1], told[0], record)


def _labelled(
    catalog: str, text: str, before: str, record: Record, *, all_of: str = ""
) -> LabelledSentence:
    base = [{"column": c, "op": "==", "value": v} for c, v in record["base"].items()]
    wishes: Sequence[Record] = [*base, *record["constraints"]]
    told = [
        wish
        for wish in wishes
        if _stands(wish["value"], text)
        or (all_of == "constraints" and wish in record["constraints"])
        or (all_of == "base" and wish in base)
    ]
    supposed = [wish for wish in wishes if not all_of and _is_supposed(wish["value"], text)]
    perhaps = [wish for wish in wishes if wish not in told and wish not in supposed]
    return LabelledSentence(
        catalog,
        text,
        before=before,
        constraints=tuple(_constraint(wish) for wish in told if wish not in supposed),
        perhaps=tuple(map(_constraint, perhaps)),
    )


def _constraint(wish: Record) -> LabelledConstraint:
    return LabelledConstraint(wish["column"], wish["op"], wish["value"], ANYWHERE, None)


def _is_supposed(value: object, text: str) -> bool:
    """Return whether a value stands in a text, and only behind an `if` of its sentence."""
    holding = [part for part in re.split(r"(?<=[.!?])\s", text) if _stands(value, part)]
    return bool(holding) and all(
        not _stands(value, re.split(r"\bif\b", part)[0]) for part in holding
    )


def _stands(value: object, text: str) -> bool:
    """Return whether a value stands in a text, apart from case, commas, currency and brackets."""
    said = _plain(re.sub(r"\s*\(.*?\)", "", str(value)))
    return bool(re.search(rf"(?<!\w){re.escape(said)}(?!\w)", _plain(text)))


def _plain(text: str) -> str:
    return text.casefold().replace(",", "").replace("$", "").replace("-", " ")
