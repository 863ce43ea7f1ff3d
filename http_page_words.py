"""How the page says things: columns, values and wishes as a visitor reads them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from hashlib import blake2s
from html import unescape

from .catalogs.constraint import Constraint, spoken
from .catalogs.errors import QueryError
from .engine.markup import Child, Html, join, tag
from .http_page_constraints import number
from .http_page_form import Field, FormModel
from .http_page_wishes import Preference, Wish

LONGEST_SHOWN = 120
# Texts inside of markup are escaped, so that whatever is in angle brackets is a tag.
TAGS = re.compile("<[^>]*>")
SIGNS = {"min": "≥", "max": "≤"}
DAY_WORDS = {"min": "from", "max": "until"}


def ident(prefix: str, key: str) -> str:
    """Return an element's id for a key: the same on every page, whatever the key holds."""
    return f"{prefix}-{blake2s(key.encode('utf-8', 'replace'), digest_size=6).hexdigest()}"


def label(column: str) -> str:
    """Return a column's name for reading: underscores are spaces."""
    return cut(column.replace("_", " ").strip() or column)


def cut(text: str) -> str:
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
    return cut(spoken(value, column))


def unseen(*words: Child) -> Html:
    """Return words that only a screen reader reads."""
    return tag("span", *words, class_="unseen")


def isolated(value: str) -> Html:
    """Return a text that cannot turn the direction of what stands around it."""
    return tag("bdi", value)


def phrase(wish: Wish, field: Field | None) -> Html:
    """Return a wish for reading: `Year ≥ 2017`, `Make: Toyota or Honda`."""
    colon = ": " if wish.kind == "is" else " "
    return join(isolated(label(wish.column)), colon, target(wish, field))


def plain(markup: Html) -> str:
    """Return what a reader sees of markup, as text."""
    return unescape(TAGS.sub("", markup))


def target(wish: Wish, field: Field | None) -> Html:
    """Return what is wished for without the column: `≥ 2017`, `Toyota or Honda`."""
    last = wish.values[-1]
    if wish.kind == "is":
        return listed([isolated(_choice(one, field)) for one in wish.values], "or")
    if wish.kind == "has":
        return join("has “", isolated(cut(last)), "”")
    if field is not None and field.control == "days":
        return join(f"{DAY_WORDS[wish.kind]} ", isolated(cut(last)))
    return join(f"{SIGNS[wish.kind]}\u00a0", isolated(_number_words(last, wish.column)))


def _choice(value: str, field: Field | None) -> str:
    if field is not None and field.control == "yes_no":
        return {"true": "yes", "false": "no"}.get(value.casefold(), cut(value))
    return cut(value)


def _number_words(text: str, column: str) -> str:
    try:
        return spoken(number(text), column)
    except QueryError:
        return cut(text)


def listed(parts: Sequence[Child], joint: str = "and") -> Html:
    """Return parts as a list in a sentence."""
    if len(parts) < 2:
        return join(*parts)
    leading = [join(one, ", ") for one in parts[:-2]]
    return join(*leading, parts[-2], f" {joint} ", parts[-1])


def preference_words(preference: Preference, field: Field | None) -> Html:
    """Return a preference for reading: `lower MSRP`."""
    return join(more_or_less(preference.direction, field), " ", isolated(label(preference.column)))


def more_or_less(direction: str, field: Field | None) -> str:
    """Return the word for a direction of a column."""
    if field is not None and field.control == "days":
        return "earlier" if direction == "low" else "later"
    return "lower" if direction == "low" else "higher"


def bound_words(to: Constraint) -> Html:
    """Return where a bound is moved to: `41,000`, `3 to 5`."""
    ends = to.value if isinstance(to.value, tuple) else (to.value,)
    return isolated(" to ".join(value_words(end, to.column or "") for end in ends))


def items_of(count: int) -> str:
    """Return a count with its noun."""
    return "1 item" if count == 1 else f"{count:,} items"


def wish_phrase(wish: Wish, form: FormModel) -> Html:
    """Return a wish for reading, set apart in a sentence."""
    return tag("b", phrase(wish, form.by_column.get(wish.column)), class_="wish")
