"""The search form: a plain GET form, a labelled control for each column, the first ones in view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .engine.markup import Child, Html, tag
from .http_page_form import MOST_FIELDS, Field, FormModel
from .http_page_wishes import Wishes
from .http_page_words import ident, isolated, label

FORM = "search"
FREE_KINDS = {"typed": "is", "words": "has"}


@dataclass(frozen=True)
class Filled:
    """A form with what the visitor gave, and why some of it was not understood."""

    form: FormModel
    wishes: Wishes
    faults: Mapping[str, str]


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


def option(value: str, *, selected: bool = False, words: str | None = None) -> Html:
    """Return one choice of a menu."""
    shown = label(value) if words is None else words
    return tag("option", shown, value=value, selected=selected)


def field_html(field: Field, filled: Filled) -> Html:
    """Return a field with its label, what was given, and what is wrong with it."""
    return _CONTROLS[field.control](field, filled)


def _range(field: Field, filled: Filled) -> Html:
    ends = [_end(field, filled, kind) for kind in ("min", "max")]
    faults = [_fault(f"{kind}.{field.column}", filled) for kind in ("min", "max")]
    return _group(field, tag("div", ends[0], tag("span", "to", class_="to"), ends[1],
                             class_="ends"), *faults)  # fmt: skip


def _end(field: Field, filled: Filled, kind: str) -> Html:
    key = f"{kind}.{field.column}"
    days = field.control == "days"
    end = field.low if kind == "min" else field.high
    values = filled.wishes.values(key)
    given = values[-1] if values else None
    if days and given and key not in filled.faults:
        # A field for days has no room for a time.
        given = given[: len("2024-05-31")]
    return tag(
        "input",
        type="date" if days else "text",
        inputmode=None if days else "decimal",
        name=key,
        id=ident("f", key),
        value=given,
        placeholder=None if days else end,
        min=field.low if days else None,
        max=field.high if days else None,
        aria_label=f"{label(field.column)}, {'from' if kind == 'min' else 'to'}",
        **_describes(key, filled),
    )


def _group(field: Field, *children: Child) -> Html:
    legend = tag("legend", isolated(label(field.column)), title=field.column)
    return tag("fieldset", legend, *children, class_="field")


def _describes(key: str, filled: Filled) -> dict[str, str | bool | None]:
    """Return the attributes that tie a control to what is wrong with it."""
    if key not in filled.faults:
        return {}
    return {"aria_invalid": "true", "aria_describedby": ident("e", key)}


def _fault(key: str, filled: Filled) -> Html | None:
    found = filled.faults.get(key)
    return tag("p", found, class_="fault", id=ident("e", key)) if found else None


def _boxes(field: Field, filled: Filled) -> Html:
    key = f"is.{field.column}"
    chosen = filled.wishes.values(key)
    values = dict.fromkeys([*field.options, *(one for one in chosen if not _offers(field, one))])
    folded = {one.casefold() for one in chosen}
    boxes = [
        tag(
            "label",
            tag("input", type="checkbox", name=key, value=one, checked=one.casefold() in folded,
                id=ident("f", f"{key}={one}")),
            tag("span", isolated(label_of_value(one))),
            class_="box",
        )
        for one in values
    ]  # fmt: skip
    return _group(field, tag("div", *boxes, class_="boxes"), _fault(key, filled))


def label_of_value(value: str) -> str:
    """Return a value of a menu for reading."""
    return value if len(value) <= 60 else f"{value[:59]}…"


def _offers(field: Field, value: str) -> bool:
    folded = value.casefold()
    return any(one.casefold() == folded for one in field.options)


def _menu(field: Field, filled: Filled) -> Html:
    """Return a menu for each value chosen, and one more for another."""
    key = f"is.{field.column}"
    chosen = filled.wishes.values(key)
    menus = [_one_menu(field, key, one, place) for place, one in enumerate((*chosen, ""))]
    return _labelled(field, key, [*menus, _fault(key, filled)])


def _one_menu(field: Field, key: str, chosen: str, place: int) -> Html:
    options = [
        option(one, selected=one.casefold() == chosen.casefold(), words=label_of_value(one))
        for one in field.options
    ]
    if chosen and not _offers(field, chosen):
        options.append(option(chosen, selected=True, words=label_of_value(chosen)))
    name = label(field.column)
    return tag(
        "select",
        tag("option", "or also …" if place else "Any", value=""),
        *options,
        name=key,
        id=ident("f", key + "+" * place),
        aria_label=f"or also {name}" if place else None,
    )


def _yes_no(field: Field, filled: Filled) -> Html:
    key = f"is.{field.column}"
    chosen = {one.casefold() for one in filled.wishes.values(key)}
    options = [
        option(value, selected=value in chosen, words=words)
        for value, words in (("", "Any"), ("true", "Yes"), ("false", "No"))
    ]
    menu = tag("select", *options, name=key, id=ident("f", key))
    return _labelled(field, key, [menu, _fault(key, filled)])


def _free(field: Field, filled: Filled) -> Html:
    key = f"{FREE_KINDS[field.control]}.{field.column}"
    chosen = filled.wishes.values(key)
    blank = ("",) if field.control == "typed" or not chosen else ()
    suggested = ident("d", key)
    inputs = [
        _one_input(field, key, one, place, suggested, filled)
        for place, one in enumerate((*chosen, *blank))
    ]
    listing = tag("datalist", *(tag("option", value=one) for one in field.options), id=suggested)
    return _labelled(field, key, [*inputs, listing, _fault(key, filled)])


def _one_input(
    field: Field, key: str, given: str, place: int, suggested: str, filled: Filled
) -> Html:
    hint = "any" if field.control == "typed" else "words it contains"
    return tag(
        "input",
        type="text",
        name=key,
        id=ident("f", key + "+" * place),
        value=given or None,
        list=suggested,
        placeholder="or also …" if place else hint,
        aria_label=f"or also {label(field.column)}" if place else None,
        **_describes(key, filled),
    )


def _labelled(field: Field, key: str, children: Sequence[Child]) -> Html:
    name = tag("label", isolated(label(field.column)), for_=ident("f", key), title=field.column)
    return tag("div", name, *children, class_="field")


_CONTROLS = {
    "range": _range,
    "days": _range,
    "boxes": _boxes,
    "menu": _menu,
    "yes_no": _yes_no,
    "typed": _free,
    "words": _free,
}


def controlled_keys(fields: Iterable[Field]) -> set[str]:
    """Return the keys that the controls of these fields set."""
    return {key for field in fields for key in _keys(field)}


def _keys(field: Field) -> tuple[str, ...]:
    if field.ordered:
        return f"min.{field.column}", f"max.{field.column}"
    return (f"{FREE_KINDS.get(field.control, 'is')}.{field.column}",)
