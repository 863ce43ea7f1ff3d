"""Clarifying agents: one without a model, one in a model's words.

The first asks what it costs, then about the column expected to rule out most rows. The
expectation is taken from at most 2,048 of the rows that meet what is known, fetched anew for each
question. The second asks about the slots in their order, each question one call of the model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.schema import ColumnProfile, name_words
from ...catalogs.versions.reader import CatalogReader
from ..language.wording import Wording, listed
from ..models.chat_model import MAX_ANSWER, MAX_QUESTION, ChatModel, Request, spoken_reply
from ..models.prompt import Prompt, load_prompt
from ..transcripts.transcript import Transcript
from .roles import Choice, Question

SAMPLE = 2_048
"""Rows looked at, at even steps."""

LISTED = 4
"""Values that a question names to choose from."""

NAMED = 12
"""Values of a column that people can be expected to know between."""

UNNAMED = 0.6
"""Slots are columns with fewer distinct values a row than this: others identify a row."""

PROSE = 40
"""Characters that a column's values have on average, at most; longer ones are text."""

_IDENTIFYING = frozenset(
    "id ids uuid guid key index idx isbn sku ean asin vin zip zipcode postcode postal phone "
    "telephone fax url urls uri link links href website image images photo photos picture "
    "thumbnail email mail lat latitude lon lng long longitude coordinate coordinates geo "
    "description text note notes comment comments summary address street".split()
)
"""Words of columns' names that nobody decides by."""


def parts_of(value: object) -> tuple[Any, ...]:
    """Return a cell's values: those of a list, else the one it holds, if any."""
    if isinstance(value, list | tuple):
        return tuple(cast("Sequence[Any]", value))
    return () if value is None else (value,)


def open_slots(catalog: CatalogReader, known: Sequence[Constraint]) -> tuple[str, ...]:
    """Return the columns worth asking about, in the catalog's order.

    Left out are columns that something is known about, columns that tell rows apart and do
    not order them, ids, coordinates, addresses and free text, and columns of one value.
    """
    taken = {constraint.column for constraint in known}
    return tuple(
        profile.name
        for profile in catalog.profiles()
        if profile.name not in taken and _is_decided_by(profile)
    )


def _is_decided_by(profile: ColumnProfile) -> bool:
    if profile.kind in ("other", "text") or profile.distinct < 2:
        return False
    if _IDENTIFYING.intersection(name_words(profile.name)):
        return False
    if profile.kind in ("numeric", "date"):
        return not _numbers_rows(profile)
    texts = [value for value in profile.values[:100] if isinstance(value, str)]
    prose = sum(map(len, texts)) > PROSE * len(texts)
    linked = any(value.startswith(("http://", "https://", "www.")) for value in texts[:10])
    repeats = profile.distinct < UNNAMED * max(1, profile.rows) or profile.kind == "boolean"
    return repeats and not prose and not linked


def _numbers_rows(profile: ColumnProfile) -> bool:
    """Return whether a column counts the rows: 1, 2, 3, …"""
    low, high = profile.minimum, profile.maximum
    if not isinstance(low, int) or not isinstance(high, int) or profile.rows < NAMED:
        return False
    return profile.distinct == profile.rows == high - low + 1


class OfflineAgent:
    """Asks about the slot whose answer is expected to rule out most of the rows left."""

    def __init__(self, catalog: CatalogReader) -> None:
        self.catalog = catalog
        self.wording = Wording(catalog)
        self._profiles: dict[str, ColumnProfile] = {}

    def ask(
        self, transcript: Transcript, known: Sequence[Constraint], slots: Sequence[str]
    ) -> Question | None:
        """See `Agent.ask`. Raises `UnknownColumn` for a slot that the catalog has not."""
        names = [self.catalog.schema.find(slot).name for slot in slots]
        if not names:
            return None
        stakes = self.stakes(known, names)
        # What it costs before all else; of equals the first slot given.
        cost = self.catalog.cost_column
        chosen = max(names, key=lambda name: (name == cost and stakes[name] > 0.0, stakes[name]))
        return self._about(chosen, known)

    def stakes(self, known: Sequence[Constraint], slots: Sequence[str]) -> dict[str, float]:
        """Return for each slot the share of rows its answer is expected to rule out, in [0, 1].

        The rows are those that meet what is known, or all if none does. A person is taken to
        ask for any row's value with the same probability: a value asked for exactly rules out
        all rows with another, a bound half of them on average.
        """
        rows = self._rows(known)
        return {slot: self._stake(slot, rows) for slot in slots}

    def _stake(self, slot: str, rows: Sequence[Row]) -> float:
        values = [part for row in rows for part in dict.fromkeys(parts_of(row[slot]))]
        if not values:
            return 0.0
        known = sum(row[slot] is not None for row in rows)
        # Of lists an entry that all have rules out nothing.
        counts = Counter(values).values()
        ruled_out = sum(count * (1.0 - count / known) for count in counts) / len(values)
        if self.catalog.schema.find(slot).ordered:
            ruled_out /= 2.0
        # A row without a value meets nothing that is asked of it.
        share = known / len(rows)
        stake = share * ruled_out + (1.0 - share)
        # Of hundreds of names hardly anybody has one in mind.
        many = self._profile(slot).distinct if isinstance(values[0], str) else 0
        return stake * min(1.0, NAMED / max(1, many)) ** 0.5

    def _rows(self, known: Sequence[Constraint]) -> list[Row]:
        left = self.catalog.slice([self.catalog.bind(constraint) for constraint in known])
        if not len(left):
            left = self.catalog.slice([])
        step = max(1, len(left) // SAMPLE)
        return self.catalog.fetch(left.ids[::step][:SAMPLE].tolist())

    def question(self, slot: str, known: Sequence[Constraint] = ()) -> str:
        """Return a question about a column, by what the column holds where `known` is met."""
        return self._about(slot, known).text

    def _about(self, slot: str, known: Sequence[Constraint]) -> Question:
        profile, name = self._profile(slot), self.wording.label(slot)
        if profile.kind in ("numeric", "date"):
            return Question(slot, self._about_numbers(profile, name, known))
        counts = self._counts(profile, known)
        choices = tuple(
            # Uncut, so that whoever says it is understood.
            Choice(value if isinstance(value, str) else self.wording.value(value, slot), count)
            for value, count in counts
            if count
        )
        if profile.kind == "boolean":
            text = f"Do you want {name}, or is it all the same?"
            return Question(slot, text, choices)
        if len(counts) < 2:
            return Question(slot, f"Which {name} would you like?", choices)
        # A single one more is named, too.
        shown = LISTED + (len(counts) == LISTED + 1)
        named = [
            f"{self.wording.value(value, slot)} ({count:,})" for value, count in counts[:shown]
        ]
        others = len(counts) - shown
        if others > 0:
            named.append(f"one of {others:,} others")
        asks = f"Which {name} would you like"
        if profile.kind == "list" and name.endswith("ed"):
            asks = f"What should be {name}"
        return Question(slot, f"{asks}: {listed(named, 'or')}?", choices)

    def _counts(
        self, profile: ColumnProfile, known: Sequence[Constraint]
    ) -> list[tuple[str | bool, int]]:
        """Return values with how many rows that meet what is known have them, most first."""
        wishes = [self.catalog.bind(wish) for wish in known if wish.column != profile.name]
        several = profile.kind == "list"
        rows = self._rows(known) if profile.distinct > NAMED or several else ()
        seen = Counter(part for row in rows for part in parts_of(row[profile.name]))
        values = [value for value, _ in seen.most_common()] or list(profile.values)
        counted = list[tuple[str | bool, int]]()
        for value in values[:NAMED]:
            meant = self.catalog.bind(
                Constraint(column=profile.name, op="contains" if several else "==", value=value)
            )
            counted.append((value, self.catalog.count([*wishes, meant])))
        left = [(value, 0) for value in values[NAMED:]]
        fit = self.catalog.count(wishes) if several else 0
        counted = [pair for pair in counted if pair[1]]
        # An entry that all have is nothing to choose.
        counted = [pair for pair in counted if pair[1] != fit] or counted
        return sorted(counted, key=lambda pair: -pair[1]) + left

    def _about_numbers(self, profile: ColumnProfile, name: str, known: Sequence[Constraint]) -> str:
        rows = self._rows(known) if known else ()
        held = [row[profile.name] for row in rows if row[profile.name] is not None]
        # Of a sample the ends are not known.
        whole = 0 < len(rows) < SAMPLE and len(held) > 1
        low, high = (min(held), max(held)) if whole else (profile.minimum, profile.maximum)
        ends = [self.wording.value(end, profile.name) for end in (low, high)]
        reach = f"{name[0].upper()}{name[1:]} goes from {ends[0]} to {ends[1]}."
        if profile.name == self.catalog.cost_column:
            return f"{reach} What would you pay at most?"
        if profile.desirable == "low":
            return f"{reach} What is the most you would accept?"
        if profile.desirable == "high":
            return f"{reach} What is the least you need?"
        if profile.kind == "date":
            return f"{reach} From when, or until when?"
        return f"{reach} What do you need, at least or at most?"

    def _profile(self, slot: str) -> ColumnProfile:
        if slot not in self._profiles:
            self._profiles[slot] = self.catalog.profile(slot)
        return self._profiles[slot]


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
