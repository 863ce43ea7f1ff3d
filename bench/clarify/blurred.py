"""Queries said with wishes blurred on purpose, and a person who answers what is asked of them.

A query is drawn from a row of an invented catalog, so that something meets it. One of its wishes is
blurred: a bound said as a vague word, a value by a word that several share, a number without its
column, a value beside another that it may be as well. The person answers each question from the
query, and says that it does not matter where the query has no such wish.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from ...catalogs.catalog import Catalog
from ...catalogs.query.constraint import Constraint
from ...dialogs.conversation.clarifying import CLARIFYING
from ...dialogs.conversation.roles import Question
from ...dialogs.conversation.session import Session
from ...dialogs.extraction.value_index import ValueIndex, index_of
from ...dialogs.language.column_phrases import TOPICS
from ...dialogs.language.units import graded_topics
from ...dialogs.language.wording import Wording
from ..understanding.generation.generate import generate

CATALOGS = 24
WISHES = (2, 3)
TRIES = 200
"""Draws for each query; a catalog on which nothing can be blurred is passed over."""

SHARES = (0.25, 0.5, 0.75)
MOST_VALUES = 12


@dataclass(frozen=True)
class Blurred:
    """A query, what is said of it, and which wish was blurred, in which words and way."""

    catalog: Catalog
    wishes: tuple[Constraint, ...]
    text: str
    meant: Constraint
    blurred: str
    way: str


@dataclass
class BlurredScores:
    """Queries with the right constraints by way of blurring, and the questions asked."""

    asking: bool
    queries: int = 0
    right: int = 0
    same_rows: int = 0
    questions: int = 0
    ways: dict[str, list[int]] = field(default_factory=dict[str, list[int]])

    def record(self) -> dict[str, Any]:
        """Return the figures as a JSON object."""
        of = max(1, self.queries)
        return {
            "clarifying": self.asking,
            "queries": self.queries,
            "right": self.right,
            "right_share": round(self.right / of, 4),
            "same_rows_share": round(self.same_rows / of, 4),
            "questions_per_query": round(self.questions / of, 3),
            "ways": {
                way: {"queries": n, "right": right} for way, (right, n) in sorted(self.ways.items())
            },
        }


def run_blurred(count: int, seed: int, folder: Path) -> list[BlurredScores]:
    """Return the figures of so many queries, without questions and with; `folder` for catalogs."""
    drawn = list(blurred_queries(count, seed, folder))
    found: list[BlurredScores] = []
    for most in (0, CLARIFYING):
        scores = BlurredScores(most > 0)
        for query in drawn:
            _score(query, most, scores)
        found.append(scores)
    return found


def _score(query: Blurred, most: int, scores: BlurredScores) -> None:
    session = Session(query.catalog, clarifying=most, slots=())
    session.hear(query.text)
    scores.queries += 1
    while (question := session.next_question()) is not None:
        scores.questions += 1
        session.hear(answer_to(question, query))
    known = session.preferences.known
    right = {_said(wish) for wish in known} == {_said(wish) for wish in query.wishes}
    scores.right += right
    scores.same_rows += _rows(query.catalog, known) == _rows(query.catalog, query.wishes)
    counts = scores.ways.setdefault(query.way, [0, 0])
    counts[0] += right
    counts[1] += 1


def _said(wish: Constraint) -> tuple[object, ...]:
    return (wish.column, wish.op, wish.value)


def _rows(catalog: Catalog, wishes: Sequence[Constraint]) -> bytes:
    return catalog.slice(map(catalog.bind, wishes)).ids.tobytes()


def answer_to(question: Question, query: Blurred) -> str:
    """Return what the person says: their wish about a column that the question names."""
    wording = Wording(query.catalog)
    said = re.search("“(.*?)”", question.text)
    if said is not None and said[1] in query.blurred:
        asked = [query.meant]
    else:
        asked = [wish for wish in query.wishes if _is_named(wording, wish, question)]
    if not asked:
        return "it doesn't matter"
    wish = asked[0]
    return f"{wording.label(wish.column)} {wording.condition(wish)}"


def _is_named(wording: Wording, wish: Constraint, question: Question) -> bool:
    label = wording.label(wish.column).casefold()
    return wish.column == question.slot or label in question.text.casefold()


def blurred_queries(count: int, seed: int, folder: Path) -> Iterator[Blurred]:
    """Yield so many queries over invented catalogs; the same seed yields the same."""
    random = Random(seed)
    catalogs = [Catalog.open(made.write(folder)) for made in generate(seed, 0, CATALOGS).catalogs]
    made = tries = 0
    while made < count and tries < TRIES * count:
        tries += 1
        drawn = _drawn(random.choice(catalogs), random)
        if drawn is not None:
            made += 1
            yield drawn


def _drawn(catalog: Catalog, random: Random) -> Blurred | None:
    """Return a query with one wish blurred; None where the wishes drawn cannot be."""
    index = index_of(catalog)
    (row,) = catalog.fetch([random.randrange(catalog.row_count)])
    columns = [name for name in (*index.numeric, *_named(index)) if row[name] is not None]
    if len(columns) < WISHES[0]:
        return None
    chosen = random.sample(columns, min(len(columns), random.choice(WISHES)))
    wishes = [_wish(catalog, index, name, row[name], random) for name in chosen]
    way, blur = random.choice(list(_WAYS.items()))
    for at, wish in enumerate(wishes):
        said = blur(catalog, index, wish, random)
        if said is not None:
            wording = Wording(catalog)
            parts = [wording.wish(other) for n, other in enumerate(wishes) if n != at]
            parts.insert(random.randrange(len(parts) + 1), said)
            return Blurred(catalog, tuple(wishes), ", ".join(parts), wish, said, way)
    return None


def _named(index: ValueIndex) -> list[str]:
    """Return the columns of a few short texts, one a cell."""
    return [
        name
        for name, held in index.columns.items()
        if not held.parts and 1 < len(held.ranks) <= MOST_VALUES and name not in index.yes_no
    ]


def _wish(catalog: Catalog, index: ValueIndex, name: str, value: Any, random: Random) -> Constraint:
    if name not in index.numeric:
        return Constraint(column=name, op="==", value=value)
    numbers = catalog.numbers(name)
    numbers = numbers[~np.isnan(numbers)]
    low = random.random() < 0.5
    bounds = np.quantile(numbers, SHARES, method="nearest")
    meets = [float(b) for b in bounds if (b >= float(value) if low else b <= float(value))]
    bound = random.choice(meets) if meets else float(value)
    plain = int(bound) if bound.is_integer() else bound
    return Constraint(column=name, op="<=" if low else ">=", value=plain)


def _vaguely(catalog: Catalog, index: ValueIndex, wish: Constraint, random: Random) -> str | None:
    """Return a word for much or little of a bound's column."""
    if wish.column not in index.numeric:
        return None
    topics = graded_topics(wish.column, index.profiles[wish.column].unit)
    low = wish.op == "<="
    words = [w for t in topics for w in (TOPICS[t].little if low else TOPICS[t].much)]
    single = [word for word in words if " " not in word]
    return random.choice(single) if single else None


def _in_part(catalog: Catalog, index: ValueIndex, wish: Constraint, random: Random) -> str | None:
    """Return a word of a value that other values of its column have, too."""
    if wish.op != "==" or not isinstance(wish.value, str) or wish.column is None:
        return None
    others = [v.split() for v in index.columns[wish.column].ranks if v != wish.value]
    words = [w for w in wish.value.split() if w.isalpha() and any(w in other for other in others)]
    return random.choice(words) if words and " " in wish.value else None


def _without_column(
    catalog: Catalog, index: ValueIndex, wish: Constraint, random: Random
) -> str | None:
    """Return a bound without its column, where another column holds the number, too."""
    if wish.column not in index.numeric or not isinstance(wish.value, int | float):
        return None
    holding = [
        name
        for name, profile in index.numeric.items()
        if isinstance(profile.minimum, int | float)
        and isinstance(profile.maximum, int | float)
        and profile.minimum <= wish.value <= profile.maximum
    ]
    side = "at most" if wish.op == "<=" else "at least"
    return f"{side} {wish.value}" if len(holding) > 1 else None


def _hesitantly(
    catalog: Catalog, index: ValueIndex, wish: Constraint, random: Random
) -> str | None:
    """Return a value beside another of its column."""
    if wish.op != "==" or wish.column is None:
        return None
    others = [value for value in index.columns[wish.column].ranks if value != wish.value]
    pair = [str(wish.value), random.choice(others)]
    random.shuffle(pair)
    return f"{pair[0]} or maybe {pair[1]}"


Blur = Callable[[Catalog, ValueIndex, Constraint, Random], "str | None"]

_WAYS: dict[str, Blur] = {
    "vague word": _vaguely,
    "part of a value": _in_part,
    "number without a column": _without_column,
    "alternatives": _hesitantly,
}
