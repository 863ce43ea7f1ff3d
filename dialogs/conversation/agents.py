"""Clarifying agents: one without a model, one in a model's words.

The first asks about the column expected to rule out most rows. The expectation is taken from at
most 2,048 of the rows that meet what is known, fetched anew for each question. The second asks
about the slots in their order, each question one call of the model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.schema import ColumnProfile
from ...catalogs.versions.reader import CatalogReader
from ..language.column_phrases import column_phrases
from ..models.chat_model import MAX_ANSWER, MAX_QUESTION, ChatModel, Request, spoken_reply
from ..models.prompt import Prompt, load_prompt
from ..transcripts.transcript import Transcript
from .roles import Question

SAMPLE = 2_048
"""Rows looked at, at even steps."""

LISTED = 4
"""A question names the values to choose from when they are no more than this."""

UNNAMED = 0.6
"""Slots are columns with fewer distinct values a row than this: others identify a row."""


def open_slots(catalog: CatalogReader, known: Sequence[Constraint]) -> tuple[str, ...]:
    """Return the columns worth asking about, in the catalog's order.

    Left out are columns that something is known about, columns that tell rows apart and do
    not order them, and columns of one value.
    """
    taken = {constraint.column for constraint in known}
    return tuple(
        profile.name
        for profile in catalog.profiles()
        if profile.name not in taken
        and profile.kind != "other"
        and profile.distinct > 1
        and (
            profile.kind in ("numeric", "date") or profile.distinct < UNNAMED * max(1, profile.rows)
        )
    )


class OfflineAgent:
    """Asks about the slot whose answer is expected to rule out most of the rows left."""

    def __init__(self, catalog: CatalogReader) -> None:
        self.catalog = catalog
        self._profiles: dict[str, ColumnProfile] = {}

    def ask(
        self, transcript: Transcript, known: Sequence[Constraint], slots: Sequence[str]
    ) -> Question | None:
        """See `Agent.ask`. Raises `UnknownColumn` for a slot that the catalog has not."""
        names = [self.catalog.schema.find(slot).name for slot in slots]
        if not names:
            return None
        stakes = self.stakes(known, names)
        # Of equals the first slot given.
        chosen = max(names, key=lambda name: stakes[name])
        return Question(chosen, self.question(chosen))

    def stakes(self, known: Sequence[Constraint], slots: Sequence[str]) -> dict[str, float]:
        """Return for each slot the share of rows its answer is expected to rule out, in [0, 1].

        The rows are those that meet what is known, or all if none does. A person is taken to
        ask for any row's value with the same probability: a value asked for exactly rules out
        all rows with another, a bound half of them on average.
        """
        rows = self._rows(known)
        return {slot: self._stake(slot, rows) for slot in slots}

    def _stake(self, slot: str, rows: Sequence[Row]) -> float:
        values = [row[slot] for row in rows if row[slot] is not None]
        if not values:
            return 0.0
        same = sum(count * count for count in Counter(values).values()) / len(values) ** 2
        ruled_out = 1.0 - same
        if self.catalog.schema.find(slot).ordered:
            ruled_out /= 2.0
        # A row without a value meets nothing that is asked of it.
        share = len(values) / len(rows)
        return share * ruled_out + (1.0 - share)

    def _rows(self, known: Sequence[Constraint]) -> list[Row]:
        left = self.catalog.slice([self.catalog.bind(constraint) for constraint in known])
        if not len(left):
            left = self.catalog.slice([])
        step = max(1, len(left) // SAMPLE)
        return self.catalog.fetch(left.ids[::step][:SAMPLE].tolist())

    def question(self, slot: str) -> str:
        """Return one short question about a column, worded by what the column holds."""
        profile = self._profile(slot)
        thing = column_phrases(slot, self.catalog.schema.find(slot).family)[0]
        if profile.kind == "boolean":
            return f"Is {thing} something you want, something to avoid, or neither?"
        if profile.kind in ("numeric", "date"):
            return _about_numbers(thing, profile)
        if 1 < len(profile.values) <= LISTED:
            *others, last = map(str, profile.values)
            return f"Which {thing} would you like: {', '.join(others)} or {last}?"
        return f"Which {thing} would you like?"

    def _profile(self, slot: str) -> ColumnProfile:
        if slot not in self._profiles:
            self._profiles[slot] = self.catalog.profile(slot)
        return self._profiles[slot]


def _about_numbers(thing: str, profile: ColumnProfile) -> str:
    if profile.desirable == "low":
        return f"What is the most you would accept for the {thing}?"
    if profile.desirable == "high":
        return f"What is the least you need for the {thing}?"
    return f"What {thing} do you need, at least or at most?"


HEARD = 20
"""How many of the last messages a model is given."""


def dialogue_of(transcript: Transcript) -> str:
    """Return the last messages of a conversation, a line each, for a prompt."""
    names = {"user": "Person", "assistant": "Assistant", "system": "System"}
    return transcript.lines(names, most=HEARD, longest=MAX_ANSWER)


@dataclass(frozen=True)
class LLMAgent:
    """Asks about the slots in the order given, in a model's words (AWARE-US, appendix D)."""

    model: ChatModel
    episode: str = ""
    prompt: Prompt = field(default_factory=lambda: load_prompt("ask_for_slot"))

    def ask(
        self, transcript: Transcript, known: Sequence[Constraint], slots: Sequence[str]
    ) -> Question | None:
        """See `Agent.ask`. Raises `ModelError` where the model gives no question."""
        if not slots:
            return None
        text = self.prompt.render(slot=slots[0], dialogue=dialogue_of(transcript))
        request = Request.of(text, role="agent", episode=self.episode)
        return Question(slots[0], spoken_reply(self.model, request, MAX_QUESTION))
