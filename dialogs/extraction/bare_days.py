"""Days that no word bounds, of when something starts: `4 August`, `she arrives on the 11th of May`.

What starts on a day is wished for that day alone, but from then on by who is only there from then.
"""

from __future__ import annotations

import re
from typing import Any

from ...catalogs.query.schema import name_words
from .mention import Mention, Option
from .number_lists import BOUNDS, cues_beside
from .reading import Reading

_STARTS = frozenset(
    "start starts starting begin begins beginning first depart departs departure date day".split()
)
"""Words of a column's name that holds when something starts, or the day that it is on."""

_FROM = frozenset("from since".split())
_ONWARDS = re.compile(
    r"\W{0,2}(?:at\s+the\s+(?:very\s+)?(?:earliest|latest)|onwards?|on\s*$|"
    r"(?:or|and)\s+(?:later|after|before|earlier|sooner|onwards?)|at\s+least|and\s+not\b)",
    re.IGNORECASE,
)
"""Words right behind a day that bound from it."""

_ARRIVES = re.compile(
    r"\b(?:comes?|coming|arrives?|arriving|lands?|returns?|"
    r"(?:is|am|are|get|gets|getting|['’](?:s|m|re|ll\s+be|ll\s+get)|be)\s+"
    r"(?:only\s+|just\s+)?(?:back|here|home|free|around))\b"
    r"(?:\s+(?:to|from|home|back|me|us|here|over|in|only|just)){0,3}\s+(?:on\s+)?\Z",
    re.IGNORECASE,
)
"""Words before a day that say that somebody is not there before."""

_ANY = re.compile(
    r"\b(?:any|whichever|whatever)\s+(?:old\s+)?(?:day|date|week|weekend|month)s?\b"
    r"(?!\s+(?:but|except|apart|other|after|before|from|until|till|in|of|between|up|within)\b)",
    re.IGNORECASE,
)
"""Words of somebody to whom all days are the same: `any week is fine`."""


def open_days(reading: Reading, waived: dict[str, None], columns: dict[str, Any]) -> None:
    """Waive the days that a message leaves open, and forget what it wishes of them.

    `Any day` of a catalog that counts days means its dates; of one that names them, the names.
    """
    said, index = _ANY.search(reading.text), reading.index
    if said is None or not index.dates:
        return
    named = {
        name
        for name, places in reading.namings.items()
        for place in places
        if said.start() <= reading.words[place.first].start < said.end()
    }
    if named.difference(index.numeric, index.dates):
        return
    for name in named & index.numeric.keys():
        waived.pop(name, None)
    for name in [name for name in index.dates if _starts(name)] or index.dates:
        waived[name] = None
        columns.pop(name, None)


def _starts(column: str) -> bool:
    return not _STARTS.isdisjoint(name_words(column))


def side_of_bare_day(reading: Reading, mention: Mention, option: Option, side: str) -> str:
    """Return the side of a day of when something starts, the one given where words bound it."""
    if mention.day is None or not _starts(option.column):
        return side
    start, end = reading.words[mention.first].start, reading.words[mention.last].end
    if side != "!=" and _ARRIVES.search(reading.text, 0, start):
        return ">="
    if not BOUNDS.isdisjoint(cues_beside(reading, mention.first, mention.last)):
        return side
    led = reading.folded[max(0, mention.first - 1) : mention.first]
    if side[0] not in "<>" or not _FROM.isdisjoint(led) or _ONWARDS.match(reading.text, end):
        return side
    return "=="
