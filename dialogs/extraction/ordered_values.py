"""Values in a common order that are said as a bound: `good or better`, `at least intermediate`.

Only where every value of a column has its place in one order. Two patterns a value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...catalogs.query.schema import name_words
from .judged import Judged

_ORDERS = (
    "poor|fair,acceptable|good|very good|excellent|like new,as new,mint|new,brand new",
    "beginner,beginners,basic,elementary|improver,improvers,intermediate|advanced|expert",
)
_AMOUNTS = (
    "very low|low|medium,moderate,average|high|very high",
    "tiny,extra small,xs|small,s|medium,m|large,big,l|extra large,very large,xl",
)
_CLASSES = "g|f|e|d|c|b|a|a+|a++|a+++"
"""The order of letters of a column about energy."""

_PLACES = [
    {word: at for at, words in enumerate(order.split("|")) for word in words.split(",")}
    for order in (*_ORDERS, *_AMOUNTS, _CLASSES)
]

_BEHIND = re.compile(
    r"\+{0,3}(?:\s\w{1,20})?\s(?:((?:or|and)\s(?:bett?er|higher|above|nicer|up))|"
    r"(or\s(?:worse|lower|below))|(at\s(?:the\s)?(?:very\s)?least|minimum))"
    r"(?=\s?(?:$|[.,;!?)]|(?:please|pls|is|are|would|will|and|but|with)\b))",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:at\s(?:the\s)?(?:very\s)?least|min(?:imum)?|(?:no|not|nothing)\s(?:worse\sthan|below|under))"
    r"\s(?:an?\s|in\s(?:an?\s)?)?$",
    re.IGNORECASE,
)
_NEAR = 32
"""Characters before a value that are looked at."""


def said_better(item: Judged) -> tuple[int, int] | None:
    """Return where words behind a value say that better or worse ones do as well: `or better`."""
    reading = item.reading
    if not item.mention.has_words:
        return None
    behind = _BEHIND.match(reading.text, reading.words[item.mention.last].end)
    return behind.span(behind.lastindex or 0) if behind and not behind[3] else None


def at_least(item: Judged) -> Judged:
    """Return a value that is said as a bound as all from it on, where their order is known."""
    if item.mention.kind != "value" or not (item.mention.has_words and item.option.values):
        return item
    reading, texts = item.reading, item.reading.index.columns[item.column]
    start, end = reading.words[item.mention.first].start, reading.words[item.mention.last].end
    behind = _BEHIND.match(reading.text, end)
    if not (behind or _BEFORE.search(reading.text[max(0, start - _NEAR) : start])):
        return item
    value = str(item.option.values[0])
    ranks = order_of(item.column, [*(texts.parts or texts.ranks)])
    if value not in ranks:
        return item
    least, most = ranks[value], max(ranks.values())
    if behind and behind[2]:
        least, most = 0, least
    told = sorted((n for n, r in ranks.items() if least <= r <= most), key=ranks.__getitem__)
    option = replace(item.option, how="together", values=tuple(told))
    # What is no worse than a value is wished, what is worse or better may be refused.
    wanted = item.polarity if behind else "wanted"
    return replace(item, option=option, polarity=wanted)


def is_amount(values: Sequence[str]) -> bool:
    """Return whether values say how much there is of something, and not how good it is."""
    names = {name.casefold() for name in values}
    return any(names <= {*re.split(r"[|,]", order)} for order in _AMOUNTS)


def order_of(column: str, values: Sequence[str]) -> dict[str, int]:
    """Return the places of a column's values in a common order, the worst least; none for none."""
    energy = not {"energy", "epc", "efficiency"}.isdisjoint(name_words(column))
    for places in _PLACES if energy else _PLACES[:-1]:
        ranks = {name: places.get(name.casefold(), -1) for name in values}
        if ranks and min(ranks.values()) >= 0:
            return ranks
    return {}
