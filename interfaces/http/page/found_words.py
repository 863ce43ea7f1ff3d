"""Words to be found in an item's texts, in any order and in any case, as one SQL condition.

A text in double quotes is looked for as it stands. One pass over each text column and word; columns
are the catalog's own names and words are literals, so that nothing said becomes SQL.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....catalogs.query.constraint import Constraint

MOST_WORDS = 12
"""Words that are looked for; further ones are left out."""

_PIECES = re.compile(r'"([^"]+)"|([^\s"]+)')


def pieces_of(said: str) -> tuple[str, ...]:
    """Return the words of a text, and what stands in double quotes as one piece."""
    found = (match[1] or match[2] for match in _PIECES.finditer(said))
    cleaned = (" ".join(piece.split()) for piece in found)
    return tuple(dict.fromkeys(piece for piece in cleaned if piece))[:MOST_WORDS]


def quoted_phrase(text: str) -> str:
    """Return a text to be found as it stands: in quotes where it has several words."""
    return f'"{text}"' if len(text.split()) > 1 and '"' not in text else text


def words_constraint(
    said: str, columns: Sequence[str], *, weight: float, hard: bool
) -> Constraint | None:
    """Return that each word stands in one of the columns; None where there is nothing to look for.

    A column that is NULL holds no word.
    """
    pieces = pieces_of(said)
    if not pieces or not columns:
        return None
    condition = " AND ".join(_holds(piece, columns) for piece in pieces)
    return Constraint(op="sql", value=condition, weight=weight, hard=hard)


def _holds(piece: str, columns: Sequence[str]) -> str:
    literal = "'" + piece.replace("'", "''") + "'"
    named = ('"' + column.replace('"', '""') + '"' for column in columns)
    parts = [f"contains(lower({name}), lower({literal}))" for name in named]
    return f"({' OR '.join(parts)})"
