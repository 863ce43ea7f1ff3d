"""What is said in the place of a wish, or will do beside it: `Ford perhaps?`, `Ashby too`.

A look at the wishes known of the same column; no rows are counted.
"""

from __future__ import annotations

import re

from ...catalogs.query.constraint import Constraint
from ..language.tokens import folded, folded_words
from .denied_features import DENIES
from .negotiation import Negotiation
from .turn import Turn

_ALSO = re.compile(
    r"^\W*(?:or|plus|also)\b|\balso\b|\b(?:too|as well)\W*$|"
    r"\b(?:would|will|could|might)\s+(?:also\s+)?do\b",
    re.IGNORECASE,
)
"""Words by which another value is as good as the one said before: `or Westpark`, `Ford too`."""

_RATHER = re.compile(r"\b(?:rather|instead|prefer|better|no wait)\b", re.IGNORECASE)


def said_besides(talk: Negotiation, turn: Turn) -> list[Constraint]:
    """Return the values that sentences which state nothing say will do too: `it can be Ashby too`.

    Only where another value of the column is wished.
    """
    said: list[Constraint] = []
    for part in turn.sentences:
        denied = part.asks or DENIES.search(part.text) or _RATHER.search(part.text)
        if _ALSO.search(part.text) and not denied and not turn.stated_in(part):
            values = turn.asking([part]).extraction.constraints
            said += [item.constraint for item in values if item.constraint.op == "=="]
    columns = {wish.column for wish in talk.preferences.known if wish.op in ("==", "in")}
    return [wish for wish in said if wish.column in columns] if len(said) == 1 else []


_INSTEAD = frozenset("instead maybe perhaps rather".split())
_BESIDE = frozenset("what how about or then please no the a an".split())


def put_instead(talk: Negotiation, turn: Turn) -> None:
    """Wish for a value that is only proposed in the place of the one wished: `Ford perhaps?`."""
    taken = [part.constraint for part in turn.taken.constraints]
    for part in turn.found.constraints:
        wish = part.constraint
        held = [k for k in talk.preferences.known if k.column == wish.column]
        held = [k for k in held if k.op in ("==", "in") and not {*k.values} & {*wish.values}]
        named = all(isinstance(value, str) for value in wish.values)
        if not (held and named) or wish.op not in ("==", "in") or part.implied or wish in taken:
            continue
        said = set(folded_words(turn.sentence_of(part).text))
        rest = said - {*folded_words(part.evidence.text)}
        replaced = {"instead", "of"} <= said or "than" in said
        proposes = rest & _INSTEAD and (rest <= _INSTEAD | _BESIDE or "instead" in rest)
        if proposes and not replaced:
            talk.preferences.exchange(held, [wish])


def lists(turn: Turn, wish: Constraint) -> bool:
    """Return whether a turn names several values of a wish by their own names: `red or blue`."""
    text = folded(turn.text)
    return sum(isinstance(value, str) and folded(value) in text for value in wish.values) > 1


def is_also(turn: Turn, wish: Constraint) -> bool:
    """Return whether a value is said to do, or a sentence says so of the single one it names."""
    for part in turn.sentences:
        stated = turn.stated_in(part)
        held = [item.constraint for item in stated]
        if wish in held and not _RATHER.search(part.text):
            values = [other for other in held if other.op in ("==", "in")]
            exact = [other for other in values if not isinstance(other.value, bool)]
            alone = exact == [wish] and _ALSO.search(part.text) is not None
            return alone or stated[held.index(wish)].also
    return False
