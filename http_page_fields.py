"""The search form: a plain GET form, the fields worth asking first in view."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .engine.markup import Html, tag
from .http_page_controls import Filled, controlled_keys, field_html, option
from .http_page_form import MOST_FIELDS, Field
from .http_page_wishes import Wishes
from .http_page_words import ident

FORM = "search"


def filters(filled: Filled) -> Html:
    """Return the form: first the fields worth asking, then the others behind a summary."""
    ahead, behind = split_fields(filled)
    return tag(
        "form",
        tag(
            "details",
            tag("summary", "Filters", _chosen_count(filled.wishes)),
            tag("div", *(field_html(one, filled) for one in ahead), class_="fields"),
            _behind(behind, filled),
            _another_column(filled, {*ahead, *behind}),
            _actions(filled),
            id="filters",
            open=not filled.wishes.wishes or bool(filled.faults),
        ),
        *_riders(filled, {*ahead, *behind}),
        id=FORM,
        method="get",
        role="search",
        aria_label="Filters",
        autocomplete="off",
    )


def _chosen_count(wishes: Wishes) -> Html | None:
    count = len(wishes.wishes)
    return tag("span", f"{count} chosen", class_="count") if count else None


def split_fields(filled: Filled) -> tuple[list[Field], list[Field]]:
    """Return the fields in view and those behind a summary, both in the catalog's order."""
    form, used = filled.form, _used_columns(filled)
    ahead = [one for one in form.fields if one.column in form.first or one.column in used]
    behind = [one for one in form.fields if one.column not in form.first | used]
    return ahead, behind[: max(0, MOST_FIELDS - len(ahead))]


def _used_columns(filled: Filled) -> set[str]:
    return {one.column for one in filled.wishes.wishes} | set(filled.wishes.shown)


def _behind(fields: Sequence[Field], filled: Filled) -> Html | None:
    if not fields:
        return None
    count = len(fields)
    return tag(
        "details",
        tag("summary", f"{count} more filter{'' if count == 1 else 's'}"),
        tag("div", *(field_html(one, filled) for one in fields), class_="fields"),
        class_="more",
        id="more-filters",
    )


def _another_column(filled: Filled, present: set[Field]) -> Html | None:
    """Return a menu of the columns that have no field yet, in a catalog of many columns."""
    absent = [one.column for one in filled.form.fields if one not in present]
    if not absent:
        return None
    options = [tag("option", "Choose a column", value=""), *(option(one) for one in absent)]
    box = ident("f", "show")
    return tag(
        "div",
        tag("label", "Another filter", for_=box),
        tag("select", *options, name="show", id=box),
        class_="field",
    )


def _actions(filled: Filled) -> Html:
    return tag(
        "div",
        tag("button", "Show items", type="submit", class_="primary"),
        tag("a", "Clear all", href=Wishes(filled.wishes.catalog).address, class_="quiet")
        if filled.wishes.wishes or filled.wishes.preferences
        else None,
        class_="actions",
    )


def _riders(filled: Filled, present: set[Field]) -> Iterable[Html]:
    """Return hidden inputs for what the address says and no control of this form does."""
    wishes = filled.wishes
    if wishes.catalog:
        yield _hidden("catalog", wishes.catalog)
    for one in wishes.wishes:
        if one.key not in controlled_keys(present):
            yield from (_hidden(one.key, value) for value in one.values)
        if one.gives:
            yield _hidden("give", one.key)
    for column in wishes.shown:
        yield _hidden("show", column)


def _hidden(name: str, value: str) -> Html:
    return tag("input", type="hidden", name=name, value=value)
