"""A simulated traveller: answers what it is asked from what it wants, in one of several styles.

Sentences come from `traveller_sentences.json`, or word for word from recorded answers. Each
answer depends on the seed and the entry alone, so the order of the questions changes none. It
never tells of an entry that was not asked about. Some first answers are vague; asked again, none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from ...catalogs.errors import QueryError, excerpt
from ..language.numbers import in_words
from .agents import Asked
from .answer_lexicon import NO, YES, is_about_avoiding, is_yes_no
from .requests import is_money
from .schema import NO_PREFERENCE, Entry, Schema, Value, travel_schema

MENTIONED = (0, 1, 1, 2)
"""How many wishes a request mentions; one is drawn."""

LONGEST_TRIP = 14
"""Days."""


def styles() -> tuple[str, ...]:
    """Return the styles a traveller may speak in."""
    return tuple(_sentences()["styles"])


class SimulatedTraveller:
    """A traveller with `values` by entry. Raises `QueryError` for an unknown style.

    `style`: one of `styles()`; drawn by the seed where it is empty. `answers`: by entry the
    first answer and the one when asked again, used instead of sentences; likewise `request`.
    """

    def __init__(
        self,
        values: Mapping[str, Value],
        style: str = "",
        seed: int | str = 0,
        *,
        schema: Schema | None = None,
        request: str = "",
        answers: Mapping[str, tuple[str, str]] | None = None,
    ) -> None:
        if style and style not in styles():
            raise QueryError(
                f"no style {excerpt(style)}", hint=f"give one of {', '.join(styles())}"
            )
        self.style = style or Random(f"{seed} style").choice(styles())
        self._values, self._seed = dict(values), seed
        self._schema = schema or travel_schema()
        self._request, self._answers = request, dict(answers or {})

    def request(self) -> str:
        """Return the opening: the way, and up to two wishes that it mentions by itself."""
        if self._request:
            return self._request
        random, listed = Random(f"{self._seed} request"), _sentences()
        start, goal = random.sample(listed["cities"], 2)
        back = random.randrange(2, LONGEST_TRIP)
        opening = random.choice(listed["openings"][self.style])
        said = [opening.replace("{from}", start).replace("{to}", goal).replace("{back}", str(back))]
        open_wishes = [
            texts[str(self._values[name])]
            for name, texts in listed["wishes"].items()
            if str(self._values.get(name)) in texts
        ]
        count = min(random.choice(MENTIONED), len(open_wishes))
        said += [random.choice(texts) for texts in random.sample(open_wishes, count)]
        return " ".join(said)

    def answer(self, asked: Asked) -> str:
        """Return the answer about one entry; one that nobody gave a value it keeps to itself."""
        if asked.entry in self._answers:
            return self._answers[asked.entry][asked.again]
        entry = self._schema.find(asked.entry)
        if entry.name not in self._values:
            return str(_sentences()["unknown"])
        random, listed = Random(f"{self._seed} {entry.name}"), _sentences()
        if random.random() < listed["styles"][self.style] and not asked.again:
            return random.choice(listed["vague"][self.style])
        kind, said = _kind_and_words(entry, self._values[entry.name], random)
        sentence: str = random.choice(listed[kind][self.style])
        return sentence.replace("{value}", said).replace("{Value}", said[:1].upper() + said[1:])


def _kind_and_words(entry: Entry, value: Value, random: Random) -> tuple[str, str]:
    """Return the kind of sentence that says a value, and the words for the value."""
    if entry.is_number:
        return "number", _number(entry, float(value), random)
    if value == NO_PREFERENCE:
        return "no_preference", ""
    if is_yes_no(entry) and value in (YES, NO):
        return str(value).lower(), ""
    said = random.choice(_sentences()["spoken"].get(str(value), [str(value)]))
    return ("avoid" if is_about_avoiding(entry) else "choice"), said


def _number(entry: Entry, number: float, random: Random) -> str:
    listed = _sentences()["money" if is_money(entry) else "rating"]
    plain = f"{number:g}"
    words = in_words(int(number)) if number.is_integer() and 0 <= number <= 20 else plain
    pattern: str = random.choice(listed)
    comma = f"{number:,.0f}" if number.is_integer() else plain
    return (
        pattern.replace("{plain}", plain).replace("{words}", words).replace("{comma}", comma)
        if number < 100 or is_money(entry)
        else plain
    )


@lru_cache(maxsize=1)
def _sentences() -> dict[str, Any]:
    path = Path(__file__).with_name("traveller_sentences.json")
    return json.loads(path.read_text(encoding="utf-8"))
