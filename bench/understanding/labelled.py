"""Sentences with what they mean on a catalog: the format that every reader is trained on.

One JSON object a line, written and read in one pass; 100,000 sentences are some 40 MB.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter

from ..json_lines import read_records
from ..text_files import naming

Span = tuple[int, int]
"""Where words stand in a text: first character and one past the last."""

NOWHERE: Span = (0, 0)
"""The span of what is meant by words that nobody marked."""

Plain = bool | int | float | str
"""A value as JSON holds it; dates and times are ISO texts."""

Direction = Literal["min", "max"]

Source = Literal["made", "sgd", "clarq", "aware_us", "known"]


@dataclass(frozen=True, slots=True)
class LabelledConstraint:
    """A wish about a column, and where its value's words stand.

    `value` is what the catalog holds: a scalar, a list for `in`, `not in` and `contains any`,
    two ends for `between`, nothing for `is null` and `is not null`. `span` covers the words of
    the value, without the words of the column or of the comparison; of a list, from the first
    value to the last; for presence and for a yes-no column, the words that name the thing.
    `hard` None: not known, and not to be learned from.
    """

    column: str
    op: str
    value: Plain | list[Plain] | None
    span: Span
    hard: bool | None = False


@dataclass(frozen=True, slots=True)
class LabelledDirection:
    """An objective or a leaning: a column wished low (`min`) or high (`max`), and its words."""

    column: str
    direction: Direction
    span: Span


@dataclass(frozen=True, slots=True)
class LabelledWaiver:
    """A column that the person says they do not mind about, and the words that name it."""

    column: str
    span: Span


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """What one person said in one turn, and all that it means.

    `before` is what the assistant said right before, `asked` the column that it asked about,
    both empty at the start. `decoys` are spans that look like a value and are not meant,
    `corrected` spans of values taken back later in the same text (no constraint has them).
    `acts` are dialogue acts in the order of the text. `phenomena` name what makes the sentence
    hard, for counting errors by them; `cues` are the cue phrases used. `today` is the day it
    was said, as ISO text, where its dates count from that. A sentence `apart` has a domain or a
    cue phrase that no sentence without it has. Whether what is said of `perhaps` is meant here is
    not known: it teaches neither.
    """

    catalog: str
    text: str
    before: str = ""
    asked: str = ""
    constraints: tuple[LabelledConstraint, ...] = ()
    objectives: tuple[LabelledDirection, ...] = ()
    leanings: tuple[LabelledDirection, ...] = ()
    waived: tuple[LabelledWaiver, ...] = ()
    decoys: tuple[Span, ...] = ()
    corrected: tuple[Span, ...] = ()
    perhaps: tuple[LabelledConstraint, ...] = ()
    acts: tuple[str, ...] = ()
    phenomena: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    source: Source = "made"
    apart: bool = False
    today: str = ""

    def record(self) -> dict[str, Any]:
        """Return the sentence as a JSON object, fields that are empty left out."""
        return {name: value for name, value in asdict(self).items() if value or name == "text"}


_SENTENCE = TypeAdapter(LabelledSentence)


def read_labelled(path: str | Path) -> Iterator[LabelledSentence]:
    """Yield the sentences of a file of JSON lines, gunzipped where its name ends in `.gz`.

    Raises `UnreadableFile` that names the line of what is wrong.
    """
    yield from read_records(path, _SENTENCE.validate_python)


def write_labelled(path: str | Path, sentences: Iterable[LabelledSentence]) -> None:
    """Write sentences as JSON lines; the same sentences make the same bytes.

    Raises `UnreadableFile` where the file cannot be written.
    """
    with naming(path), Path(path).open("w", encoding="utf-8") as file:
        for sentence in sentences:
            file.write(json.dumps(sentence.record(), ensure_ascii=False))
            file.write("\n")
