"""What one side says in a turn, as a tracker sees it: the values its words may mean, by column.

Values, numbers, dates and how surely each is meant are read by the reader of wishes
(`dialogs/extraction`), acts by the reader of acts; only runs of words that no column holds are
added. Some hundred microseconds a turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise

import numpy as np

from ...catalogs.query.schema import name_words
from ..extraction.decoding import polarity_logits, weigh
from ..extraction.judged import Weighed
from ..extraction.mention import Mention
from ..extraction.mentions import day_of, find_mentions, odd_runs
from ..extraction.network import POLARITIES, Network, fitted
from ..extraction.reading import LONGEST_QUESTION, Reading, asked_columns
from ..extraction.value_index import ValueIndex
from ..language.column_phrases import NAME_FILLERS, stem
from ..language.tokens import tokens
from .acts import ActModel, ActReading, read_acts

NONE = -9.0
"""Log-odds of what nothing speaks for."""

LONGEST_NAME = 8
"""Words of a name that no column holds."""

_EDGES = re.compile(r"^the\s+(?=.*\s)|['’]s$|(?<=[^.]m)\.$", re.IGNORECASE)
"""What is said with a value and is none of it."""


@dataclass(frozen=True, slots=True)
class ColumnUse:
    """What a schema says of one column: `closed` where its values are a list to choose from.

    `uses` are the uses of a service that take it; None where nothing is said of them.
    """

    description: str = ""
    closed: bool = False
    uses: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class TrackedColumn:
    """One column: the stems of its name and, behind the first `named`, of its description."""

    name: str
    words: tuple[str, ...]
    named: int
    kind: str
    closed: bool
    role: str

    @property
    def wished(self) -> bool:
        """Whether somebody may wish for a value: a column that no use takes is only told."""
        return self.role != "told"


def tracked_columns(
    index: ValueIndex, schema: Mapping[str, ColumnUse] | None = None
) -> dict[str, TrackedColumn]:
    """Return the columns of a catalog by name."""
    uses = schema or {}
    return {name: _tracked(name, index, uses.get(name, ColumnUse())) for name in index.profiles}


def _tracked(name: str, index: ValueIndex, use: ColumnUse) -> TrackedColumn:
    named = dict.fromkeys(map(stem, name_words(name)))
    told = (word.folded for word in tokens(use.description))
    words = named | dict.fromkeys(stem(word) for word in told if word not in NAME_FILLERS)
    kinds = (
        ("truth", index.yes_no),
        ("date", index.dates),
        ("time", index.clocks),
        ("number", index.numeric),
    )
    kind = next((kind for kind, columns in kinds if name in columns), "text")
    role = "unsaid" if use.uses is None else ",".join(use.uses) or "told"
    return TrackedColumn(name, tuple(words), len(named), kind, use.closed, role)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value that characters `span` may mean for a column, none where the whole turn does.

    `gain` are the log-odds that it is meant, `lead` those against the next column. `around` are
    the three words before (nearest first) and the two behind, `near` how near a word of the
    column stands.
    """

    column: str
    value: str
    span: tuple[int, int] | None
    kind: str
    how: str
    around: tuple[str, ...]
    near: str
    gain: float = 0.0
    lead: float = 0.0
    polarity: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: its words (names and values masked), candidates and acts, and what it answers.

    `asked` weighs the columns that what was said before asks about.
    """

    text: str = ""
    words: tuple[str, ...] = ()
    candidates: Sequence[Candidate] = ()
    asked: Mapping[str, float] = field(default_factory=dict[str, float])
    acts: ActReading = field(default_factory=lambda: ActReading((), 0.0, states=False, affirms=0.0))


SILENCE = Turn()


@dataclass(frozen=True)
class TurnReader:
    """Reads turns over the columns of a catalog; relative dates count from `today`."""

    index: ValueIndex
    columns: Mapping[str, TrackedColumn]
    today: date
    network: Network = field(default_factory=fitted)
    acts: ActModel = field(default_factory=ActModel.fitted)

    def user(self, text: str, before: str) -> Turn:
        """Return what the person says, behind what was said before."""
        asked = asked_columns(before, self.index) if before else {}
        turn = self._turn(text, before, asked)
        said = (one for one in turn.candidates if one.gain > 0 and one.kind != "flag")
        sure = [one.span for one in said if one.span]
        return replace(turn, acts=read_acts(text, before, values=sure, model=self.acts))

    def assistant(self, text: str) -> Turn:
        """Return what the assistant says."""
        return self._turn(text, "", {})

    def _turn(self, text: str, before: str, asked: dict[str, float]) -> Turn:
        text = text[:LONGEST_QUESTION]
        # Only what answers yes or no is read beside its question.
        answers = any(column.kind == "truth" for column in self.columns.values())
        question = before if answers else ""
        reading = Reading(text, 0, self.index, asked, self.today, question)
        stems = [stem(word) for word in reading.folded]
        found = [*self._meant(reading, stems), *self._open(reading, stems)]
        return Turn(text, tuple(reading.symbols), found, asked)

    def _meant(self, reading: Reading, stems: Sequence[str]) -> Iterator[Candidate]:
        """Yield what the mentions of the reader of wishes may mean."""
        for mention in find_mentions(reading):
            options = tuple(one for one in mention.options if self.columns[one.column].wished)
            if options and mention.kind in ("value", "number", "date", "name", "answer"):
                told = replace(mention, options=options)
                weighed = weigh(reading, told, self.network)
                for at in range(len(options)):
                    yield from self._candidates(reading, stems, weighed, at)

    def _candidates(
        self, reading: Reading, stems: Sequence[str], weighed: Weighed, at: int
    ) -> Iterator[Candidate]:
        mention, gains = weighed.mention, weighed.logits
        option, gain = mention.options[at], float(weighed.logits[at])
        column = self.columns[option.column]
        rival = float(max((g for other, g in enumerate(gains) if other != at), default=NONE))
        polarities = polarity_logits(weighed, at, self.network)
        polarity = POLARITIES[int(polarities.argmax())]
        one = self._candidate(reading, stems, mention, column)
        one = replace(one, gain=gain, lead=gain - rival)
        if mention.kind in ("name", "answer"):
            if column.kind == "truth":
                for place, value in enumerate(("True", "False")):
                    sure = float(polarities[place] - np.delete(polarities, place).max())
                    more = gain + min(0.0, sure)
                    yield replace(one, value=value, kind="flag", how=value, gain=more)
        elif option.how != "range":
            value = option.values[0]
            plain = f"{value:g}" if isinstance(value, float) else str(value)
            polarity = polarity if mention.kind == "value" else ""
            said = plain if column.closed else one.value
            yield replace(one, value=said, how=option.how, polarity=polarity)

    def _open(self, reading: Reading, stems: Sequence[str]) -> Iterator[Candidate]:
        """Yield names that no column holds, also of two parts: `Walnut Creek, CA`."""
        runs = list(odd_runs(reading))
        pairs = [
            (one[0], other[1])
            for one, other in pairwise(runs)
            if other[0] == one[1] + 1 and reading.gap(other[0]).strip() == ","
        ]
        for first, last in [*runs, *pairs]:
            if last - first < LONGEST_NAME:
                unknown = reading.index.known.isdisjoint(reading.stems[first : last + 1])
                how = f"{reading.is_name(first)} {min(last - first, 3)} {unknown}"
                for column in self.columns.values():
                    if column.wished and column.kind == "text" and not column.closed:
                        mention = Mention(first, last, "open", ())
                        yield replace(self._candidate(reading, stems, mention, column), how=how)

    def _candidate(
        self, reading: Reading, stems: Sequence[str], mention: Mention, column: TrackedColumn
    ) -> Candidate:
        first, last, span = mention.first, mention.last, None
        if last >= first:
            span = reading.words[first].start, reading.words[last].end
        said = _EDGES.sub("", reading.text[span[0] : span[1]]) if span else ""
        around = tuple(
            "^" if not 0 <= at < len(stems) else "#" if reading.symbols[at] in "#@?" else stems[at]
            for at in (first - 1, first - 2, first - 3, last + 1, last + 2)
        )
        near = _near(stems, first, last, column)
        return Candidate(column.name, said, span, mention.kind, "", around, near)


def _near(stems: Sequence[str], first: int, last: int, column: TrackedColumn) -> str:
    """Return on which side a word of a column stands next to some words, and how near."""
    sides: dict[str, int] = {}
    for at, word in enumerate(stems):
        if word in column.words and not first <= at <= last:
            distance = min(first - at if at < first else at - last, 5)
            side = ("<" if at < first else ">") + str(word in column.words[: column.named])
            sides[side] = min(distance, sides.get(side, 5))
    side, distance = min(sides.items(), key=lambda pair: pair[1], default=("", 0))
    return f"{side}{distance}"


def first_day(index: ValueIndex) -> date:
    """Return the first day that a catalog holds; where it holds none, today."""
    days = (day_of(profile.minimum) for profile in index.dates.values())
    return min((day for day in days if day), default=date.today())
