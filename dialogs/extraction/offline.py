"""Extraction without a model: what is said is proposed, weighed and decided together.

A catalog's words are indexed once a version; the rest is about linear in what was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import inf

from ...catalogs.errors import QueryError
from ...catalogs.versions.reader import CatalogReader
from ..language.code import is_code
from ..transcripts.transcript import Message, Span, Transcript
from . import wished
from .ages_said import is_age, takes_ages
from .bare_days import open_days
from .clocks import DAYTIMES
from .dates import DAYS_OF_WEEKS
from .decoding import judge
from .extracted import Extraction, Said, Unresolved
from .group_sizes import is_room
from .judged import Judged
from .leftovers import left_over
from .merging import Wishes
from .network import Network, fitted
from .places_said import places_said
from .reading import Reading, asked_columns
from .value_index import index_of

MAX_SAID = 100_000
"""Characters that one person says; ten times a long conversation."""

SLOT_STRENGTH = 1.0
"""How surely a column is meant that a caller names as the slot."""


@dataclass(frozen=True)
class OfflineExtractor:
    """Finds constraints by fitted decisions; deterministic.

    `network`, `wish_model`: other weights than those that ship.
    """

    network: Network | None = None
    wish_model: wished.WishedModel | None = None

    def extract(
        self,
        said: Said,
        catalog: CatalogReader,
        *,
        slot: str | None = None,
        today: date | None = None,
        wishing: Sequence[tuple[int, int]] = (),
    ) -> Extraction:
        """Return what the user's messages state, grounded in the catalog.

        `slot` names the column that the first user message answers. The question before every
        later answer tells its column. Assistant messages are never evidence. Relative dates
        count from `today`, by default the present day. `wishing`: characters of a message
        that are known to wish for something.

        Raises `UnknownColumn` for an unknown slot, `QueryError` for more than `MAX_SAID`
        characters.
        """
        transcript = Transcript.of(said)
        _check_length(transcript)
        index = index_of(catalog)
        first = {catalog.schema.find(slot).name: SLOT_STRENGTH} if slot else {}
        wishes, remarks, nearest = Wishes(catalog, index), Wishes(catalog, index), -inf
        for number, message, question in _answers(transcript):
            asked_about = first or asked_columns(question, index)
            first = {}
            today = today or date.today()
            if not message.is_typed:
                whole = Span(number, 0, len(message.content), message.content)
                wishes.not_understood.append(Unresolved(whole, "holds what nobody types"))
                continue
            placed = places_said(_readable(message.content), number, catalog.schema.places, today)
            text = placed.rest
            reading = Reading(text, number, index, asked_about, today, question)
            network = self.network or fitted()
            judged = judge(reading, network, _places(reading, wishing))
            if judged and is_code(text):
                # Of code nothing is meant but a value that is code itself.
                judged = [
                    item for item in judged if any(map(is_code, map(str, item.option.values)))
                ]
            near = (self.wish_model or wished.fitted()).nearness(reading, judged)
            # Who says how many they are, or how old, wishes for what takes them, whatever else.
            meant = judged if near >= 0 else [item for item in judged if _is_of_people(item)]
            if near >= 0 or not judged:
                wishes.placed.update((each.constraint.op, each) for each in placed.found)
            for item in meant:
                wishes.add(item)
            open_days(reading, wishes.waived, wishes.columns)
            dropped = [item for item in judged if item.mention.has_words and item not in meant]
            for item in dropped:
                remarks.add(item)
            nearest = max(nearest, near) if dropped else nearest
            idle = _idle(network, reading, meant, dropped)
            wishes.not_understood.extend(left_over(reading, meant, idle, catalog.name))
        named = remarks.extraction().constraints
        return replace(wishes.extraction(), named=named, nearness=nearest)


def extract(
    said: Said, catalog: CatalogReader, *, slot: str | None = None, today: date | None = None
) -> Extraction:
    """Return what a text or conversation states, without a model."""
    return OfflineExtractor().extract(said, catalog, slot=slot, today=today)


def _is_of_people(item: Judged) -> bool:
    """Return whether somebody says by it how many there are, or how old, to be taken."""
    of_age = bool(takes_ages(item.column)) and is_age(item.reading, item.mention)
    return of_age or is_room(item)


def _check_length(transcript: Transcript) -> None:
    length = sum(len(message.content) for _, message in transcript.by("user"))
    if length > MAX_SAID:
        raise QueryError(
            f"a person who says {length:,} characters", hint=f"give at most {MAX_SAID:,}"
        )


def _answers(transcript: Transcript) -> Iterator[tuple[int, Message, str]]:
    """Yield every user message with its number and the question right before it."""
    question = ""
    for number, message in enumerate(transcript):
        if message.role == "user":
            yield number, message, question
            question = ""
        elif message.role == "assistant":
            question = message.content


def _readable(text: str) -> str:
    """Return a typed text with half characters as spaces, every place kept."""
    return re.sub("[\ud800-\udfff]", " ", text)


def _idle(
    network: Network, reading: Reading, meant: Sequence[Judged], dropped: list[Judged]
) -> frozenset[str]:
    """Return the words that mean nothing of the catalog where nothing accounts for them."""
    index = reading.index
    idle = network.fillers - {reading.folded[at] for at in _words_of(dropped)}
    idle -= DAYS_OF_WEEKS if index.dates else frozenset()
    if index.clocks.keys().isdisjoint(item.column for item in meant):
        idle -= DAYTIMES if index.clocks else frozenset()
    return idle


def _places(reading: Reading, spans: Sequence[tuple[int, int]]) -> set[int]:
    """Return the places of the words that some characters are a part of."""
    return {
        at
        for at, word in enumerate(reading.words)
        if any(start < word.end and word.start < end for start, end in spans)
    }


def _words_of(judged: list[Judged]) -> set[int]:
    return {w for item in judged for w in item.mention.places}
