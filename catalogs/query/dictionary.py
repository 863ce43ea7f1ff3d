"""A column dictionary: what people call a catalog's columns and values.

{"wt_kg": {"label": "weight", "unit": "kg", "synonyms": ["how heavy it is"]},
 "body":  {"label": "body style", "values": {"SUV": ["off-roader", "4x4"]}}}
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self, cast

from pydantic import model_validator

from ..errors import BadConstraint, UnreadableFile
from .constraint import Checked
from .schema import Schema

MAX_FILE = 10 * 2**20
MAX_WORDS = 200
"""Characters of a label, a unit, a synonym."""

MAX_SYNONYMS = 1_000
"""Of one column, or of one value."""


class ColumnWords(Checked):
    """What people call one column, its unit, and other words for it and for its values.

    `label` names the column in a sentence; `values` maps a value, as the catalog spells it, to
    its other words. Raises `BadConstraint` for words too many or too long.
    """

    label: str = ""
    unit: str = ""
    synonyms: tuple[str, ...] = ()
    values: Mapping[str, tuple[str, ...]] = {}

    @model_validator(mode="after")
    def _check(self) -> Self:
        for words in (self.synonyms, *self.values.values()):
            if len(words) > MAX_SYNONYMS:
                raise BadConstraint("synonyms", len(words), f"more than {MAX_SYNONYMS:,}")
        for text in self._texts():
            if len(text) > MAX_WORDS:
                raise BadConstraint("synonyms", text, f"longer than {MAX_WORDS} characters")
        return self

    def _texts(self) -> Iterable[str]:
        yield from (self.label, self.unit, *self.synonyms)
        for words in self.values.values():
            yield from words

    @property
    def phrases(self) -> tuple[str, ...]:
        """The label, where there is one, and the synonyms."""
        return tuple(filter(None, (self.label, *self.synonyms)))


Dictionary = Mapping[str, ColumnWords]
DictionarySource = str | os.PathLike[str] | Mapping[str, ColumnWords | Mapping[str, Any]]


def read_dictionary(source: DictionarySource) -> dict[str, ColumnWords]:
    """Return a dictionary from a JSON file or a mapping by column.

    Raises `UnreadableFile` for a file that holds no JSON object, `BadConstraint` for an entry
    that cannot be.
    """
    if isinstance(source, str | os.PathLike):
        source = _read(Path(source))
    return {
        name: words if isinstance(words, ColumnWords) else ColumnWords.model_validate(words)
        for name, words in source.items()
    }


def labels_of(dictionary: Dictionary) -> dict[str, str]:
    """Return what columns are called, by their names; none where nobody said."""
    return {name: words.label for name, words in dictionary.items() if words.label}


def fitted_dictionary(dictionary: Dictionary, schema: Schema) -> dict[str, ColumnWords]:
    """Return a dictionary by the columns' own spelling; raise `UnknownColumn`."""
    return {schema.find(name).name: words for name, words in dictionary.items()}


def _read(path: Path) -> Mapping[str, Any]:
    try:
        if path.stat().st_size > MAX_FILE:
            raise UnreadableFile(str(path), f"longer than {MAX_FILE:,} bytes")
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise UnreadableFile(str(path), problem) from None
    if not isinstance(content, dict):
        raise UnreadableFile(str(path), "no JSON object of columns")
    return cast("Mapping[str, Any]", content)
