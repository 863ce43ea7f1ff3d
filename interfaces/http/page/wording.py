"""Wording of the page: columns, values and criteria as a visitor reads them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from hashlib import blake2s
from html import unescape

from ....catalogs.errors import QueryError
from ....catalogs.query.constraint import Constraint, spoken
from ....catalogs.query.place_values import PLACE_TESTS, measured_words, place_condition
from ....dialogs.language.units import CURRENCY_SIGNS
from ....engine.explanation import no_less
from ....rendering.html import Child, Html, join, tag
from .constraints import parse_number
from .form_model import Field, FormModel
from .found_words import pieces_of
from .places import moved_place, place_phrase
from .query_string import PLACE_KINDS, Criterion, Preference

LONGEST_SHOWN = 120
# Texts inside of markup are escaped, so that whatever is in angle brackets is a tag.
TAGS = re.compile("<[^>]*>")
SIGNS = {"min": "≥", "max": "≤", "over": ">", "under": "<"}
DAY_WORDS = {"min": "from", "max": "until", "over": "after", "under": "before"}


def element_id(prefix: str, key: str) -> str:
    """Return an element's id for a key: the same on every page, whatever the key holds."""
    return f"{prefix}-{blake2s(key.encode('utf-8', 'replace'), digest_size=6).hexdigest()}"


def label(column: str) -> str:
    """Return a column's name for reading: underscores are spaces."""
    measured = measured_words(column)
    if measured is not None:
        return measured[0]
    return shortened(column.replace("_", " ").strip() or column)


def called(column: str, form: FormModel) -> str:
    """Return what a column is called: as somebody said, or else its name for reading."""
    return shortened(form.labels[column]) if column in form.labels else label(column)


def shortened(text: str) -> str:
    """Return a text short enough to stand on a page."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def value_words(value: object, column: str = "") -> str:
    """Return a value of the catalog for reading."""
    if value is None or value == "":
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.isoformat(" ", "minutes")
    if isinstance(value, date):
        return value.isoformat()
    return shortened(spoken(value, column))


def visually_hidden(*words: Child) -> Html:
    """Return words that only a screen reader reads."""
    return tag("span", *words, class_="unseen")


def isolated(value: str) -> Html:
    """Return a text that cannot turn the direction of what stands around it."""
    return tag("bdi", value)


def phrase(criterion: Criterion, form: FormModel) -> Html:
    """Return a criterion in words: `Year ≥ 2017`, `Make: Toyota or Honda`."""
    if criterion.kind in PLACE_KINDS:
        return isolated(shortened(place_phrase(criterion, form.places)))
    if criterion.kind == "find":
        return condition_words(criterion, form)
    colon = ": " if criterion.kind in ("is", "not") else " "
    return join(isolated(called(criterion.column, form)), colon, condition_words(criterion, form))


def plain_text(markup: Html) -> str:
    """Return what a reader sees of markup, as text."""
    return unescape(TAGS.sub("", markup))


def condition_words(criterion: Criterion, form: FormModel) -> Html:
    """Return a criterion in words without its column: `≥ 2017`, `Toyota or Honda`."""
    last, field = criterion.values[-1], form.by_column.get(criterion.column)
    if criterion.kind in PLACE_KINDS:
        return isolated(shortened(place_phrase(criterion, form.places)))
    if criterion.kind == "said":
        return isolated(shortened(last))
    if criterion.kind in ("is", "not"):
        named = listed([isolated(_choice(value, field)) for value in criterion.values], "or")
        return join("not ", named) if criterion.kind == "not" else named
    if criterion.kind in ("has", "find"):
        return join("has " if criterion.kind == "has" else "finds ", _sought(last))
    if field is not None and field.control == "days":
        return join(f"{DAY_WORDS[criterion.kind]} ", isolated(shortened(last)))
    number = with_unit(_number_words(last, criterion.column), criterion.column, form)
    return join(f"{SIGNS[criterion.kind]}\u00a0", isolated(number))


def _sought(said: str) -> Html:
    """Return words that are looked for in quotation marks, those that stand together in one."""
    pieces = pieces_of(shortened(said)) or (shortened(said),)
    return join(*(join(" " if at else "", "“", isolated(piece), "”") for at, piece in
                  enumerate(pieces)))  # fmt: skip


def with_unit(text: str, column: str, form: FormModel) -> str:
    """Return a number with what its column is counted in; as it is where nobody said."""
    measured = measured_words(column)
    unit = shortened(measured[1] if measured else form.units.get(column, ""))
    if not unit:
        return text
    return f"{unit}{text}" if unit in CURRENCY_SIGNS else f"{text} {unit}"


def _choice(value: str, field: Field | None) -> str:
    if field is not None and field.control == "yes_no":
        return {"true": "yes", "false": "no"}.get(value.casefold(), shortened(value))
    return shortened(value)


def _number_words(text: str, column: str) -> str:
    try:
        return spoken(parse_number(text), column)
    except QueryError:
        return shortened(text)


def listed(parts: Sequence[Child], joint: str = "and") -> Html:
    """Return parts as a list in a sentence."""
    if len(parts) < 2:
        return join(*parts)
    leading = [join(part, ", ") for part in parts[:-2]]
    return join(*leading, parts[-2], f" {joint} ", parts[-1])


def preference_words(preference: Preference, form: FormModel) -> Html:
    """Return a preference for reading: `lower MSRP`."""
    word = direction_word(preference.direction, form.by_column.get(preference.column))
    return join(word, " ", isolated(called(preference.column, form)))


def direction_word(direction: str, field: Field | None) -> str:
    """Return the word for a direction of a column."""
    if field is not None and field.control == "days":
        return "earlier" if direction == "low" else "later"
    return "lower" if direction == "low" else "higher"


def bound_words(to: Constraint, form: FormModel) -> Html:
    """Return where a bound is moved to: `41,000`, `3 to 5`."""
    if to.op in PLACE_TESTS:
        return isolated(place_condition(to.op, to.value))
    words = " to ".join(value_words(end, to.column or "") for end in to.values)
    return isolated(with_unit(words, to.column or "", form))


def moved_words(to: Constraint, column: str, form: FormModel) -> Html:
    """Return a moved bound: `price to 120`, `within 1.4 km of 40.75, -73.98`."""
    placed = moved_place(to)
    if placed is not None:
        return isolated(placed)
    return join(isolated(called(column, form)), " to ", bound_words(to, form))


def counted(count: int, noun: str) -> str:
    """Return a count with its noun: `1 item`, `1,200 items`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def item_count(count: int, *, exact: bool = True, brief: bool = False) -> str:
    """Return how many items: at least so many unless it is exact, with a sign where `brief`."""
    return no_less(counted(count, "item"), exact=exact, brief=brief)


def sentence(words: str) -> str:
    """Return words with a capital letter to begin with."""
    return words[:1].upper() + words[1:]


def bold_phrase(criterion: Criterion, form: FormModel) -> Html:
    """Return a criterion in words, set apart in a sentence."""
    return tag("b", phrase(criterion, form), class_="wish")
