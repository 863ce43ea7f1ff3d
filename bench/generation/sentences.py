"""The query sentences of a record: in the published form for its columns, generic for others."""

from __future__ import annotations

from collections.abc import Sequence

from ...catalogs.constraint import Constraint
from ...dialogs.offline_persona_writer import phrase_of
from ..instances import BASE_COLUMNS

CLAUSES: dict[tuple[str, str], str] = {
    ("Model", "=="): "is a {}",
    ("Vehicle Size", "=="): "is {} size",
    ("Engine Fuel Type", "=="): "runs on {}",
    ("Year", ">="): "is from {} or newer",
    ("city mpg", ">="): "gets at least {} city MPG",
    ("highway MPG", ">="): "gets at least {} highway MPG",
    ("MSRP", "<="): "has MSRP at most ${:,}",
}
"""How published sentences say a constraint, by column and operator."""

LOWERED = "Vehicle Size"


def base_sentence(base: Sequence[Constraint]) -> str:
    """Return `base_query_sentence`; a published base reads back (`instances.base_of_sentence`)."""
    if not _is_published(base):
        wanted = " and ".join(map(phrase_of, base))
        return f"I am looking for something with {wanted}."
    make, style, transmission, wheels = (one.value for one in base)
    return f"I am looking for a {make} {style} with a {transmission} transmission and {wheels}."


def full_sentence(base: Sequence[Constraint], constraints: Sequence[Constraint]) -> str:
    """Return `full_query_sentence`: the base, then what else is asked."""
    published = _is_published(base)
    said = [_clause(one) if published else phrase_of(one) for one in constraints]
    return f"{', '.join([base_sentence(base).removesuffix('.'), *said])}."


def _is_published(base: Sequence[Constraint]) -> bool:
    return tuple(one.column for one in base) == BASE_COLUMNS


def _clause(constraint: Constraint) -> str:
    template = CLAUSES.get((constraint.column or "", constraint.op))
    if template is None:
        return f"has {phrase_of(constraint)}"
    value = constraint.value
    return template.format(str(value).lower() if constraint.column == LOWERED else value)
