"""A search into a query on one catalog: a criterion becomes a constraint, or a fault in words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from ....catalogs.errors import ConcedeError, QueryError, nearest
from ....catalogs.query.constraint import Constraint, Objective, Scalar
from ....catalogs.query.places import is_measured
from ....catalogs.query.query import Query
from ....catalogs.versions.reader import CatalogReader
from .form_model import Field, FormModel
from .found_words import pieces_of, words_constraint
from .places import place_fields
from .query_string import PLACE_KINDS, Criterion, Preference, Search

LONGEST_VALUE = 200
LONGEST_QUOTED = 40
GROUPED = re.compile(r"[+-]?\d{1,3}([ ,'’_\u00a0\u2009\u202f]\d{3})+(\.\d+)?", re.ASCII)
PLAIN = re.compile(r"[+-]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})(e[+-]?\d{1,3})?", re.ASCII | re.I)
EXACT = 2**53
WILDCARDS = frozenset("%_")
OPERATORS = {"min": ">=", "max": "<=", "over": ">", "under": "<"}


@dataclass(frozen=True)
class Question:
    """The query of a search, and the criteria that its constraints come from, in their order.

    `faults` say by the key of a criterion or preference why it fits no column and was left out.
    """

    query: Query
    criteria: tuple[Criterion, ...]
    faults: Mapping[str, str]

    @property
    def is_empty(self) -> bool:
        """Whether nothing restricts the items."""
        return not self.criteria


def question_of(search: Search, form: FormModel, catalog: CatalogReader) -> Question:
    """Return a search as a query on a catalog; what fits no column is among the faults."""
    faults: dict[str, str] = {}
    fitting: list[Criterion] = []
    constraints: list[Constraint] = []
    for criterion in search.criteria:
        try:
            if criterion.kind not in (*PLACE_KINDS, "find"):
                check_column(criterion.column, catalog)
            field = form.by_column.get(criterion.column)
            constraint = constraint_of(criterion, field, form.texts)
            catalog.bind(constraint)
        except QueryError as error:
            faults[criterion.key] = error_sentence(error)
            continue
        fitting.append(criterion)
        constraints.append(constraint)
    objectives = tuple(_objectives(search.preferences, catalog, faults))
    query = Query(constraints=tuple(constraints), objectives=objectives)
    return Question(query, tuple(fitting), faults)


def check_column(name: str, catalog: CatalogReader) -> None:
    """Raise `QueryError` unless the catalog has a column of exactly this name, or measures it."""
    if is_measured(name):
        catalog.schema.find(name)
    elif name not in catalog.columns:
        near = nearest(name, catalog.columns)
        like = f"did you mean {', '.join(map(quoted, near))}?" if near else ""
        raise QueryError(f"there is no column {quoted(name)}", hint=like)


def error_sentence(error: ConcedeError) -> str:
    """Return an error as a visitor reads it."""
    words = "; ".join(part for part in (error.problem, error.hint) if part)
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith('?') else '.'}"


def quoted(value: str) -> str:
    """Return what a visitor gave in quotation marks, cut where it is long."""
    return f"“{value if len(value) <= LONGEST_QUOTED else value[:LONGEST_QUOTED] + '…'}”"


def _objectives(
    preferences: Iterable[Preference], catalog: CatalogReader, faults: dict[str, str]
) -> Iterable[Objective]:
    for preference in preferences:
        try:
            check_column(preference.column, catalog)
            if not catalog.schema.find(preference.column).ordered:
                raise QueryError(f"{quoted(preference.column)} has no more and no less")
        except QueryError as error:
            faults[preference.key] = error_sentence(error)
            continue
        direction = "min" if preference.direction == "low" else "max"
        yield Objective(
            column=preference.column, direction=direction, weight=preference.weight / 100
        )


def constraint_of(
    criterion: Criterion, field: Field | None, texts: Sequence[str] = ()
) -> Constraint:
    """Return a criterion as a constraint; raise `QueryError` for a value that cannot be read.

    `texts` are the columns in which words are looked for that no column is named for.
    """
    too_long = next((value for value in criterion.values if len(value) > LONGEST_VALUE), None)
    if too_long is not None:
        raise QueryError(f"{quoted(too_long)} is longer than {LONGEST_VALUE} characters")
    if criterion.kind in PLACE_KINDS:
        weighed = {"weight": criterion.weight / 100, "hard": criterion.must}
        return Constraint.model_validate(place_fields(criterion) | weighed)
    if criterion.kind == "find" or _has_several(criterion):
        return _words(criterion, texts if criterion.kind == "find" else (criterion.column,))
    operator, value = _operator_and_value(criterion, field)
    return Constraint(
        column=criterion.column,
        op=operator,
        value=value,
        weight=criterion.weight / 100,
        hard=criterion.must,
    )


def _has_several(criterion: Criterion) -> bool:
    """Whether a criterion looks for several words in a column, or for a quoted text."""
    said = criterion.values[-1]
    return criterion.kind == "has" and pieces_of(said) not in ((), (said,))


def _words(criterion: Criterion, columns: Sequence[str]) -> Constraint:
    said = criterion.values[-1]
    found = words_constraint(said, columns, weight=criterion.weight / 100, hard=criterion.must)
    if found is None:
        raise QueryError(f"{quoted(said)} has no word to look for", hint="write a word")
    return found


def _operator_and_value(
    criterion: Criterion, field: Field | None
) -> tuple[str, Scalar | tuple[Scalar, ...]]:
    last = criterion.values[-1]
    values = tuple(dict.fromkeys([_catalog_spelling(value, field) for value in criterion.values]))
    if criterion.kind == "is":
        return ("in", values) if len(values) > 1 else ("==", _catalog_spelling(last, field))
    if criterion.kind == "not":
        return ("not in", values) if len(values) > 1 else ("!=", _catalog_spelling(last, field))
    if criterion.kind == "has":
        # `contains` tells cases apart; it is for texts that `ilike` would read as patterns.
        return ("contains", last) if WILDCARDS.intersection(last) else ("ilike", f"%{last}%")
    if field is not None and field.control == "days":
        return _day_bound(criterion.kind, last, field)
    return OPERATORS[criterion.kind], _bound(last, field)


def _catalog_spelling(value: str, field: Field | None) -> str:
    """Return the catalog's own spelling of a value, where case alone differs."""
    if field is None or value in field.known:
        return value
    folded = value.casefold()
    return next((spelling for spelling in field.known if spelling.casefold() == folded), value)


def _bound(text: str, field: Field | None) -> Scalar:
    return parse_number(text) if field is None or field.control == "range" else text


def parse_number(text: str) -> int | float:
    """Return a number as people write it: `38500`, `38,500`, `38 500.5`.

    Raises `QueryError` for anything else; `38,5` could mean two things.
    """
    stripped = text.strip()
    if GROUPED.fullmatch(stripped):
        stripped = re.sub(r"[^\d.+-]", "", stripped)
    value = float(stripped) if PLAIN.fullmatch(stripped) else math.inf
    if not math.isfinite(value):
        raise QueryError(f"{quoted(text)} is not a number", hint="write 38500 or 38.5")
    return int(stripped) if stripped.lstrip("+-").isdigit() else value


def _day_bound(kind: str, text: str, field: Field) -> tuple[str, Scalar]:
    """Return a bound on days or moments; a last day counts whole, and one to be over passes."""
    day = parse_day(text)
    whole_day = kind in ("max", "over") and field.has_time and not isinstance(day, datetime)
    if not whole_day or day == date.max:
        return OPERATORS[kind], day
    return "<" if kind == "max" else ">=", day + timedelta(days=1)


def parse_day(text: str) -> date:
    """Return the day, or moment, of ISO text; raise `QueryError` for anything else."""
    try:
        is_day = len(text) <= len("2024-05-31")
        return date.fromisoformat(text) if is_day else datetime.fromisoformat(text)
    except ValueError:
        raise QueryError(f"{quoted(text)} is not a day", hint="write 2024-05-31") from None


def format_value(bound: object) -> str:
    """Return a constraint's value as an address holds it."""
    if isinstance(bound, date):
        return bound.isoformat()
    if isinstance(bound, float) and bound.is_integer() and abs(bound) < EXACT:
        return str(int(bound))
    # The shortest text that reads as exactly this number: a bound cut short would shut out
    # the very item it was moved for.
    return repr(bound) if isinstance(bound, float) else str(bound)
