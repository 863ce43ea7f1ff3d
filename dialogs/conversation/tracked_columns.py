"""What a tracker knows of a column: its kind, its values, the words of its name and description.

Nothing here is written by hand for a catalog: kinds follow from the values, words from the
catalog's names or, where there is one, from a dictionary.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from ...catalogs.query.schema import name_words
from ...catalogs.versions.reader import CatalogReader
from ..language.column_phrases import stem
from ..language.tokens import tokens

Kind = Literal["truth", "date", "time", "number", "text", "unknown"]
_KINDS: Sequence[tuple[Kind, re.Pattern[str]]] = (
    ("truth", re.compile(r"true|false|yes|no", re.IGNORECASE)),
    ("date", re.compile(r"\d{4}-\d\d-\d\d(?:[ T]00:00(?::00)?)?")),
    ("time", re.compile(r"\d{1,2}:\d\d(?::\d\d)?")),
    ("number", re.compile(r"[$€£]?-?\d[\d,]*(?:\.\d+)?")),
)
MOST_VALUES = 100_000
"""Values of one column that are looked for in a text; what is beyond is not read."""

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
    """One column: `closed` where a value must be one of `values`.

    The first `named` of its words are its name's; `role` is how it is used, "told" where it is
    only told.
    """

    name: str
    words: tuple[str, ...]
    kind: Kind
    values: Mapping[str, None]
    closed: bool
    role: str
    named: int

    def named_by(self, word: str) -> tuple[str, ...]:
        """Return the column's words that a stem names: `bed` for `bedroom`."""
        return _related(word, self.words)

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
    return tuple(
        _tracked(name, map(_text, catalog.values(name, MOST_VALUES)), said.get(name, ColumnWords()))
        for name in catalog.columns
        if name != catalog.row_id
    )


def _tracked(name: str, values: Iterable[str], said: ColumnWords) -> TrackedColumn:
    known = dict.fromkeys([*said.values, *filter(None, values)])
    named = dict.fromkeys(stem(word) for word in name_words(name))
    told = (stem(word.folded) for word in tokens(said.description) if word.folded not in _FILLERS)
    sample = list(said.values or known)[:200]
    fitting: list[Kind] = [kind for kind, form in _KINDS if all(map(form.fullmatch, sample))]
    kind: Kind = fitting[0] if sample and fitting else "text" if sample else "unknown"
    role = "unsaid" if said.uses is None else ",".join(sorted(said.uses)) or "told"
    words = tuple(named | dict.fromkeys(told))
    return TrackedColumn(name, words, kind, known, said.closed, role, len(named))


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value).strip()
