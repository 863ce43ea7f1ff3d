"""Values that mean that nothing is known, `Unknown` or `N/A`, where somebody asks for them.

In ordinary speech such words are no values. They are where a column is said to be listed as
one, where one stands in quotation marks, and where one follows the column's name and a colon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .reading import Reading
from .value_mentions import ValueMention

SURE = 0.9
NAMED = 0.6
"""How strongly the column is named, in the same clause, or was asked about."""

_LISTED = re.compile(
    r"\b(?:listed|marked|shown|recorded|entered|given|labell?ed|tagged|described|registered"
    r"|classed|classified|categori[sz]ed|stated|specified|noted|filed|appears?|reads?|says?)"
    r"(?:\s+down)?(?:\s+(?:as|under))?\s+(?:simply\s+|just\s+)?[\"'“\u2018«]?\Z|[:=]\s*[\"'“\u2018«]?\Z",
    re.IGNORECASE,
)
_QUOTES = {'"': '"', "“": "”", "\u2018": "\u2019", "«": "»", "'": "'"}


def placeholders(reading: Reading) -> list[ValueMention]:
    """Return the values that stand for nothing known and are asked for; marks their words."""
    mentions = list(_mentions(reading))
    for mention in mentions:
        reading.taken.update(range(mention.first, mention.last + 1))
    return mentions


def _mentions(reading: Reading) -> Iterator[ValueMention]:
    if not reading.index.placeholders:
        return
    for first in range(len(reading.words)):
        for last in range(first, min(first + 2, len(reading.words))):
            entries = reading.index.placeholders.get("".join(reading.stems[first : last + 1]), ())
            named = [entry for entry in entries if _is_named(reading, first, entry.column)]
            if named and _is_listed(reading, first, last):
                yield ValueMention(first, last, named[0].column, ((named[0], SURE),))


def _is_named(reading: Reading, word: int, column: str) -> bool:
    near = (naming.strength for naming in reading.named_near(word) if naming.column == column)
    return max([reading.asked_about.get(column, 0.0), *near]) >= NAMED


def _is_listed(reading: Reading, first: int, last: int) -> bool:
    start, end = reading.words[first].start, reading.words[last].end
    before, after = reading.text[max(0, start - 40) : start], reading.text[end : end + 1]
    quoted = _QUOTES.get(before[-1:]) == after if after else False
    return quoted or bool(_LISTED.search(before))
