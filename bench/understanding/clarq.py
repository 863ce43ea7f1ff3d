"""ClarQ-LLM's seekers (MIT) as labelled sentences: long questions in which nothing is a wish.

They ask how to reach a goal in a game, so on the catalog of a shop every number and name in
them is a decoy. English dialogues and, of every fourth, Chinese ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, cast

from ..json_lines import read_records
from .labelled import LabelledSentence

CHINESE_OF = 4
"""One Chinese dialogue of so many is taken: no catalog here is in Chinese."""


def clarq_sentences(
    folder: str | Path, catalogs: Sequence[str], seed: int = 0
) -> Iterator[LabelledSentence]:
    """Yield the seekers' turns, each on one of the catalogs drawn by the seed.

    Raises `UnreadableFile`.
    """
    random = Random(seed)
    path = Path(folder) / "dialogues.jsonl.gz"
    for number, dialogue in enumerate(read_records(path, _as_mapping)):
        if dialogue.get("lang") == "zh" and number % CHINESE_OF:
            continue
        catalog, before = random.choice(catalogs), ""
        turns = cast("list[dict[str, str]]", dialogue["turns"])
        for place, turn in enumerate(turns):
            if turn["speaker"] == "provider":
                before = _unnamed(turn["text"])
                continue
            last = place >= len(turns) - 2
            acts = ("thank", "end") if last and "bye" in turn["text"].lower() else ("ask_other",)
            yield LabelledSentence(
                catalog,
                _unnamed(turn["text"]),
                before,
                acts=acts,
                phenomena=("nothing",),
                source="clarq",
            )


def _as_mapping(record: object) -> dict[str, Any]:
    if not isinstance(record, dict):
        raise ValueError("no JSON object")
    return cast("dict[str, Any]", record)


def _unnamed(text: str) -> str:
    """Return a turn without the speaker's name before it."""
    name, colon, rest = text.partition(": ")
    return rest if colon and len(name) < 20 and " " not in name else text
