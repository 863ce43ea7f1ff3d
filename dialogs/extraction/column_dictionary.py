"""Write a column dictionary: labels and units from the headers, or the words of a chat model.

A model is shown every column with what it holds and names it once; what it says of columns and
values that the catalog does not have is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import BaseModel, Field

from ...catalogs.errors import QueryError, one_line
from ...catalogs.query.constraint import spoken
from ...catalogs.query.dictionary import MAX_WORDS, ColumnWords
from ...catalogs.query.schema import ColumnProfile, name_words
from ...catalogs.versions.reader import CatalogReader
from ..models.chat_model import ChatModel, Request
from ..models.prompt import load_prompt
from ..models.structured import ask_for

COLUMNS_AT_ONCE = 30
"""Columns that one call describes."""

SHOWN_VALUES = 40
"""Values of a column that a model is shown."""

SHOWN_CHARACTERS = 60
MOST_SYNONYMS = 20
"""Words kept of one column, and of one value."""


class DescribedValue(BaseModel):
    """Other words for one value, as a model gives them."""

    value: str = Field(max_length=500)
    synonyms: list[str] = Field(max_length=200)


class DescribedColumn(BaseModel):
    """What a model says of one column; nothing of it is believed yet."""

    column: str = Field(max_length=500)
    label: str = Field(default="", max_length=500)
    unit: str = Field(default="", max_length=100)
    synonyms: list[str] = Field(default_factory=list, max_length=200)
    values: list[DescribedValue] = Field(default_factory=list[DescribedValue], max_length=1_000)


class DescribedColumns(BaseModel):
    """A model's whole reply."""

    columns: list[DescribedColumn] = Field(max_length=1_000)


def dictionary_of_headers(catalog: CatalogReader) -> dict[str, ColumnWords]:
    """Return a dictionary to fill in by hand: what headers and cells say themselves."""
    return {
        profile.name: ColumnWords(label=" ".join(name_words(profile.name)), unit=profile.unit)
        for profile in catalog.profiles()
    }


def described_by(catalog: CatalogReader, model: ChatModel) -> dict[str, ColumnWords]:
    """Return a dictionary in a model's words, one call for every `COLUMNS_AT_ONCE` columns.

    Columns the model passes over keep what their header says. Raises `ModelError` where it
    gives no usable reply.
    """
    words = dictionary_of_headers(catalog)
    profiles = catalog.profiles()
    prompt = load_prompt("describe_columns")
    for first in range(0, len(profiles), COLUMNS_AT_ONCE):
        shown = profiles[first : first + COLUMNS_AT_ONCE]
        text = prompt.render(columns="\n".join(_shown(profile) for profile in shown))
        reply = ask_for(model, Request.of(text, role="describer", episode=""), DescribedColumns)
        words.update(_grounded(reply.columns, catalog, words))
    return words


def _shown(profile: ColumnProfile) -> str:
    name = _short(profile.name)
    if profile.values:
        return f"- {name}: {', '.join(_short(str(v)) for v in profile.values[:SHOWN_VALUES])}"
    if profile.minimum is None:
        return f"- {name}: {profile.kind}"
    low, high = (spoken(end, profile.name) for end in (profile.minimum, profile.maximum))
    unit = f" {profile.unit}" if profile.unit else ""
    return f"- {name}: {profile.kind}, {_short(low)} to {_short(high)}{unit}"


def _grounded(
    described: Sequence[DescribedColumn], catalog: CatalogReader, headers: dict[str, ColumnWords]
) -> Iterator[tuple[str, ColumnWords]]:
    for column in described:
        try:
            name = catalog.schema.find(column.column).name
        except QueryError:
            continue
        profile = catalog.profile(name)
        known = {str(value).casefold(): str(value) for value in profile.values}
        values = {
            known[value.value.casefold()]: _kept(value.synonyms)
            for value in column.values
            if value.value.casefold() in known and _kept(value.synonyms)
        }
        yield (
            name,
            ColumnWords(
                label=_short(column.label) or headers[name].label,
                unit=profile.unit or _short(column.unit),
                synonyms=_kept(column.synonyms),
                values=values,
            ),
        )


def _kept(synonyms: Sequence[str]) -> tuple[str, ...]:
    words = [one_line(text).strip() for text in synonyms]
    kept = dict.fromkeys(word for word in words if 0 < len(word) <= MAX_WORDS)
    return tuple(kept)[:MOST_SYNONYMS]


def _short(text: str) -> str:
    return one_line(text).strip()[:SHOWN_CHARACTERS]
