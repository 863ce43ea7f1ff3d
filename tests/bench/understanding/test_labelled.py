"""Labelled sentences survive being written and read; a bad line is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from concede.bench.understanding.labelled import (
    LabelledConstraint,
    LabelledDirection,
    LabelledSentence,
    LabelledWaiver,
    read_labelled,
    write_labelled,
)
from concede.catalogs.errors import UnreadableFile

SENTENCES = [
    LabelledSentence("bikes", "hello", acts=("greet",)),
    LabelledSentence(
        "bikes",
        "a red or blue one under 300, as light as possible, cheapish, any size",
        before="What are you after?",
        asked="price",
        constraints=(
            LabelledConstraint("colour", "in", ["red", "blue"], (2, 13)),
            LabelledConstraint("price", "<", 300, (24, 27), hard=True),
            LabelledConstraint("basket", "==", True, (0, 1)),
            LabelledConstraint("weight", "<=", 11.5, (0, 1)),
            LabelledConstraint("lights", "is not null", None, (0, 1)),
        ),
        objectives=(LabelledDirection("weight", "min", (29, 49)),),
        leanings=(LabelledDirection("price", "min", (51, 59)),),
        waived=(LabelledWaiver("size", (65, 69)),),
        decoys=((0, 1),),
        corrected=((2, 5),),
        acts=("inform",),
        phenomena=("alternatives",),
        apart=True,
    ),
]


def test_written_and_read_back(tmp_path: Path) -> None:
    write_labelled(tmp_path / "a.jsonl", SENTENCES)
    back = list(read_labelled(tmp_path / "a.jsonl"))
    assert back == SENTENCES
    assert [type(c.value) for c in back[1].constraints] == [list, int, bool, float, type(None)]


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"catalog": "a", "text": "b"}\n{"catalog": "a", "text": 3}\n')
    with pytest.raises(UnreadableFile, match="line 2"):
        list(read_labelled(path))
