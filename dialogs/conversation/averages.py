"""What a number is on average, over some items or over all that fit, of which it is known."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint
from ..language.wording import listed, sentence
from .clock_sums import finite
from .negotiation import Negotiation

_AVERAGE = re.compile(r"\b(?:averages?|averaged|typical(?:ly)?)\b", re.I)


def asks_average(text: str) -> bool:
    """Return whether a text asks what something is on average."""
    return _AVERAGE.search(text) is not None


def average(
    talk: Negotiation,
    columns: Sequence[str],
    within: Sequence[Constraint] = (),
    rows: Sequence[Row] = (),
) -> str:
    """Return what columns of numbers are on average, and over how many items that have one.

    Over some `rows`, else over what fits and is `within` besides. Empty without such a column.
    """
    numeric = [name for name in columns if talk.catalog.schema.find(name).family == "numeric"]
    own = {wish.column for wish in within}
    wishes = [*within, *(w for w in talk.preferences.known if w.column not in own)]
    if not numeric:
        return ""
    ids = talk.catalog.slice([talk.catalog.bind(wish) for wish in wishes]).ids
    if not (rows or len(ids)):
        return sentence(f"there is none with {_named(talk, wishes)}")
    of = f" with {_named(talk, wishes)}" if wishes else " in all"
    told = list[str]()
    for name in numeric:
        known = [row for row in rows if finite(row.get(name)) is not None]
        held = [finite(row[name]) for row in known] if rows else talk.catalog.numbers(name)[ids]
        numbers = np.array(held, np.float64)
        numbers = numbers[np.isfinite(numbers)]
        label = talk.wording.label(name)
        if not len(numbers):
            told.append(f"no {label} is known of them")
            continue
        value = talk.wording.value(_rounded(float(numbers.mean())), name)
        some = f"{len(numbers):,} of " if not rows and len(numbers) < len(ids) else ""
        over = listed(map(talk.wording.names, known)) if rows else f"{some}{len(ids):,}{of}"
        told.append(f"the average {label} is {value}, over {over}")
    return " ".join(map(sentence, told))


def _named(talk: Negotiation, wishes: Sequence[Constraint]) -> str:
    return listed(map(talk.wording.wish, wishes))


def _rounded(number: float) -> int | float:
    """Return a number of cents, whole where it is."""
    cents = round(number, 2)
    return int(cents) if cents == int(cents) else cents
