"""What a number is on average, over some items or over all that fit; each is looked up.

Of many the rows at even steps are looked at, and the answer says that it is about so much.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import fmean

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint
from ..language.wording import listed, sentence
from .clock_sums import finite
from .negotiation import Negotiation
from .sampling import SAMPLE, sampled
from .sentences import counted

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
    """Return what columns of numbers are on average, and over how many items.

    Over some `rows`, else over what fits and is `within` besides. Empty without such a column.
    """
    numeric = [name for name in columns if talk.catalog.schema.find(name).family == "numeric"]
    own = {wish.column for wish in within}
    wishes = [*within, *(w for w in talk.preferences.known if w.column not in own)]
    count = len(rows) or counted(talk, within)
    if not numeric or not count:
        return "" if not numeric else sentence(f"there is none with {_named(talk, wishes)}")
    those = rows or sampled(talk, wishes)
    about = "about " if count > SAMPLE else ""
    of = f" with {_named(talk, wishes)}" if wishes else " in all"
    told = list[str]()
    for name in numeric:
        numbers = [number for row in those if (number := finite(row.get(name))) is not None]
        known = len(numbers) if count <= SAMPLE else count
        label = talk.wording.label(name)
        if not numbers:
            told.append(f"no {label} is known of them")
            continue
        value = talk.wording.value(_rounded(fmean(numbers)), name)
        over = listed(map(talk.wording.names, rows)) if rows else f"{known:,}{of}"
        told.append(f"the average {label} is {about}{value}, over {over}")
    return " ".join(map(sentence, told))


def _named(talk: Negotiation, wishes: Sequence[Constraint]) -> str:
    return listed(map(talk.wording.wish, wishes))


def _rounded(number: float) -> int | float:
    """Return a number of cents, whole where it is."""
    cents = round(number, 2)
    return int(cents) if cents == int(cents) else cents
