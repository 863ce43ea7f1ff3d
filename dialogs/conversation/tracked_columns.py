"""What a tracker knows of a column: its kind, its values, the words of its name and description.

Nothing here is written by hand for a catalog: kinds follow from the values, words from the
catalog's names or, where there is one, from a dictionary.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from ...catalogs.query.schema import name_words
from ...catalogs.versions.reader import CatalogReader
from ..language.column_phrases import stem
from ..language.tokens import tokens

Kind = Literal["truth", "date", "time", "number", "text", "unknown"]

MOST_VALUES = 100_000
"""Values of one column that are looked for in a text; what is beyond is not read."""

_KINDS: Sequence[tuple[Kind, re.Pattern[str]]] = (
    ("truth", re.compile(r"true|false|yes|no", re.IGNORECASE)),
    ("date", re.compile(r"\d{4}-\d\d-\d\d(?:[ T]00:00(?::00)?)?")),
    ("time", re.compile(r"\d{1,2}:\d\d(?::\d\d)?")),
    ("number", re.compile(r"[$€£]?-?\d[\d,]*(?:\.\d+)?")),
)
PLAIN = frozenset(
    "a an the i i'm i'd i'll i've you your it it's its is are was be been do does did can "
    "could will would shall should may might have has had what what's which when where who how "
    "why there that this these those they their them he she we us our my me mine please thanks "
    "thank yes yeah yep yup no nope not ok okay sure great good fine perfect sounds sound "
    "works work and or but if so then also just any some anything something else another other "
    "one ones find looking look search searching book reserve get need want like love prefer "
    "go going make let let's show give tell know think see to in at of on for from with by "
    "about as up out am pm all right that's there's hi hello hey well actually maybe instead "
    "don't doesn't didn't isn't can't won't more around near here too only oh alright awesome "
    "cool nice wonderful excellent correct yet still really very much many lot change".split()
)
"""Words that begin no name and name no column."""

_FILLERS = frozenset("the of a an is to for in on at or and which whether by with be".split())


@dataclass(frozen=True, slots=True)
class ColumnWords:
    """What a dictionary says of one column; `uses` are the uses of a service that take it."""

    description: str = ""
    closed: bool = False
    values: tuple[str, ...] = ()
    uses: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class TrackedColumn:
    """One column: `closed` where a value must be one of `values`."""

    name: str
    words: tuple[str, ...]
    kind: Kind
    values: tuple[str, ...]
    closed: bool
    role: str
    named: int

    def named_by(self, word: str) -> tuple[str, ...]:
        """Return the column's words that a stem names: `bed` for `bedroom`."""
        return _related(word, self.words)

    @property
    def use(self) -> str:
        """Return whether what is done in the end takes the column: unsaid where nobody says."""
        return self.role if self.role in ("unsaid", "told") else f"act{'act' in self.role}"

    @property
    def wished(self) -> bool:
        """Whether somebody may wish for a value: a column that no use takes is only told."""
        return self.role != "told"


@lru_cache(maxsize=1 << 16)
def _related(word: str, words: tuple[str, ...]) -> tuple[str, ...]:
    if len(word) < 3 or word in PLAIN or word.startswith("#"):
        return (word,) if word in words else ()
    return tuple(
        own
        for own in words
        if own == word
        or (len(own) > 2 and own not in PLAIN and (word.startswith(own) or own.startswith(word)))
    )


def tracked_columns(
    catalog: CatalogReader, dictionary: Mapping[str, ColumnWords] | None = None
) -> tuple[TrackedColumn, ...]:
    """Return the columns of a catalog, each read once: time in its distinct values."""
    said = dictionary or {}
    names = [column for column in catalog.columns if column != catalog.row_id]
    return tuple(
        tracked_column(
            name,
            [_text(v) for v in catalog.values(name, MOST_VALUES)],
            said.get(name, ColumnWords()),
        )
        for name in names
    )


def tracked_column(name: str, values: Sequence[str], said: ColumnWords) -> TrackedColumn:
    """Return one column from its name, its distinct values as text, and its dictionary entry."""
    known = tuple(dict.fromkeys([*said.values, *(value for value in values if value)]))
    words = dict.fromkeys(stem(word) for word in name_words(name))
    named = len(words)
    words |= dict.fromkeys(
        stem(token.folded) for token in tokens(said.description) if token.folded not in _FILLERS
    )
    kind = _kind(said.values or known)
    role = "unsaid" if said.uses is None else ",".join(sorted(said.uses)) or "told"
    return TrackedColumn(name, tuple(words), kind, known, said.closed, role, named)


def _kind(values: Sequence[str]) -> Kind:
    if not values:
        return "unknown"
    sample = values[:200]
    for kind, pattern in _KINDS:
        if all(pattern.fullmatch(value) for value in sample):
            return kind
    return "text"


def _text(value: Any) -> str:
    return str(value).strip() if not isinstance(value, float) else f"{value:g}"
