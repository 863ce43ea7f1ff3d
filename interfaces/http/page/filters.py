"""The search form: a GET form with a labelled control for each column, the first ones in view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ....rendering.html import Child, Html, tag
from .form_model import MOST_FIELDS, Field, FormModel
from .places import control_value, place_controls
from .query_string import FIND, MOST_SAID, Search
from .wording import counted, element_id, isolated, label

FORM = "search"
FREE_KINDS = {"typed": "is", "words": "has"}


@dataclass(frozen=True)
class FilledForm:
    """A form with what the visitor gave, and why some of it was not understood."""

    form: FormModel
    search: Search
    faults: Mapping[str, str]


def filters(filled: FilledForm) -> Html:
    """Return the form: first the fields worth asking, then the others behind a summary."""
    visible, folded = split_fields(filled)
    return tag(
        "form",
        _own_words(),
        tag(
            "details",
            tag("summary", "Filters", _chosen_count(filled.search)),
            tag(
                "div",
                _find(filled),
                *_places(filled),
                *(field_html(field, filled) for field in visible),
                class_="fields",
            ),
            _more_fields(folded, filled),
            _another_column(filled, {*visible, *folded}),
            _actions(filled),
            id="filters",
            open=bool(filled.faults),
        ),
        *_hidden_inputs(filled, {*visible, *folded}),
        id=FORM,
        method="get",
        role="search",
        aria_label="Filters",
        autocomplete="off",
    )


def _places(filled: FilledForm) -> Iterable[Html]:
    """Yield the controls of places and hours, where the catalog has columns for them."""
    for control in place_controls(filled.form.places):
        box = element_id("f", control.key)
        entry = tag(
            "input",
            type=control.type,
            name=control.key,
            id=box,
            value=control_value(control, filled.search),
            placeholder=control.placeholder,
            **_fault_attributes(control.key, filled),
        )
        name = tag("label", control.label, for_=box)
        yield tag("div", name, entry, _fault(control.key, filled), class_="field")


def _own_words() -> Html:
    """Return the box for what is wanted in words; what was said before is filters by now."""
    box = element_id("f", "say")
    words = tag(
        "textarea",
        name="say",
        id=box,
        rows=1,
        maxlength=MOST_SAID,
        placeholder="not red, under 900, 2016 or newer",
        aria_describedby="say-hint",
        enterkeyhint="search",
    )
    buttons = tag(
        "div",
        tag("button", "Understand", type="submit", class_="primary"),
        tag("button", "Find words", type="submit", name="as", value="find"),
        class_="sends",
    )
    hint = tag(
        "p",
        "“Understand” reads a wish into filters that you can correct. “Find words” looks for "
        "items that hold all the words, in any order.",
        id="say-hint",
        class_="quiet hint",
    )
    name = tag("label", "What are you looking for?", for_=box)
    return tag("div", name, tag("div", words, buttons, class_="line"), hint, class_="field say")


def _find(filled: FilledForm) -> Html | None:
    """Return the box for words to be found in any text of an item, in any order."""
    if not filled.form.texts:
        return None
    box = element_id("f", FIND)
    entry = tag(
        "input",
        type="search",
        name=FIND,
        id=box,
        value=next(iter(filled.search.values(FIND)), None),
        placeholder="in any order",
        **_fault_attributes(FIND, filled),
    )
    name = tag("label", "Find words", for_=box)
    return tag("div", name, entry, _fault(FIND, filled), class_="field")


def _chosen_count(search: Search) -> Html | None:
    count = len(search.criteria)
    return (
        tag("span", str(count), tag("span", " chosen", class_="chosen"), class_="count")
        if count
        else None
    )


def split_fields(filled: FilledForm) -> tuple[list[Field], list[Field]]:
    """Return the fields in view and those behind a summary, both in the catalog's order."""
    form, used = filled.form, _used_columns(filled)
    visible = [field for field in form.fields if field.column in form.first or field.column in used]
    folded = [field for field in form.fields if field.column not in form.first | used]
    return visible, folded[: max(0, MOST_FIELDS - len(visible))]


def _used_columns(filled: FilledForm) -> set[str]:
    return {criterion.column for criterion in filled.search.criteria} | set(
        filled.search.extra_columns
    )


def _more_fields(fields: Sequence[Field], filled: FilledForm) -> Html | None:
    if not fields:
        return None
    return tag(
        "details",
        tag("summary", counted(len(fields), "more filter")),
        tag("div", *(field_html(field, filled) for field in fields), class_="fields"),
        class_="more",
        id="more-filters",
    )


def _another_column(filled: FilledForm, present: set[Field]) -> Html | None:
    """Return a menu of the columns that have no field yet, in a catalog of many columns."""
    absent = [field for field in filled.form.fields if field not in present]
    if not absent:
        return None
    choices = [option(field.column, words=label(field.title)) for field in absent]
    options = [tag("option", "Choose a column", value=""), *choices]
    box = element_id("f", "show")
    return tag(
        "div",
        tag("label", "Another filter", for_=box),
        tag("select", *options, name="show", id=box),
        class_="field",
    )


def _actions(filled: FilledForm) -> Html:
    search = filled.search
    blank = replace(search, criteria=(), preferences=(), extra_columns=(), left_out=0)
    anew = blank.undone_by(search)
    return tag(
        "div",
        tag("button", "Show items", type="submit", class_="primary"),
        tag("a", "Clear all", href=anew.address, class_="quiet", id="clear")
        if filled.search.criteria or filled.search.preferences
        else None,
        class_="actions",
    )


def _hidden_inputs(filled: FilledForm, present: set[Field]) -> Iterable[Html]:
    """Return hidden inputs for what the address says and no control of this form does."""
    search = filled.search
    named = {"catalog": search.catalog, "user": search.user, "conversation": search.conversation}
    yield from (_hidden(name, value) for name, value in named.items() if value)
    placed = {control.key for control in place_controls(filled.form.places)}
    controlled = controlled_keys(present) | placed
    if filled.form.texts:
        controlled.add(FIND)
    for criterion in search.criteria:
        if criterion.key not in controlled:
            yield from (_hidden(criterion.key, value) for value in criterion.values)
        if criterion.gives_way:
            yield _hidden("give", criterion.key)
    for column in search.extra_columns:
        yield _hidden("show", column)


def _hidden(name: str, value: str) -> Html:
    return tag("input", type="hidden", name=name, value=value)


def option(value: str, *, selected: bool = False, words: str | None = None) -> Html:
    """Return one choice of a menu."""
    text = label(value) if words is None else words
    return tag("option", text, value=value, selected=selected)


def field_html(field: Field, filled: FilledForm) -> Html:
    """Return a field with its label, what was given, and what is wrong with it."""
    return _CONTROLS[field.control](field, filled)


def _range(field: Field, filled: FilledForm) -> Html:
    ends = [_end(field, filled, kind) for kind in ("min", "max")]
    faults = [_fault(f"{kind}.{field.column}", filled) for kind in ("min", "max")]
    return _group(field, tag("div", ends[0], tag("span", "to", class_="to"), ends[1],
                             class_="ends"), *faults)  # fmt: skip


def _end(field: Field, filled: FilledForm, kind: str) -> Html:
    key = f"{kind}.{field.column}"
    days = field.control == "days"
    end = field.low if kind == "min" else field.high
    values = filled.search.values(key)
    value = values[-1] if values else None
    if days and value and key not in filled.faults:
        # A field for days has no room for a time.
        value = value[: len("2024-05-31")]
    return tag(
        "input",
        type="date" if days else "text",
        inputmode=None if days else "decimal",
        name=key,
        id=element_id("f", key),
        value=value,
        placeholder=None if days else end,
        min=field.low if days else None,
        max=field.high if days else None,
        aria_label=f"{label(field.title)}, {'from' if kind == 'min' else 'to'}",
        **_fault_attributes(key, filled),
    )


def _group(field: Field, *children: Child) -> Html:
    legend = tag("legend", isolated(label(field.title)), title=field.column)
    return tag("fieldset", legend, *children, class_="field")


def _fault_attributes(key: str, filled: FilledForm) -> dict[str, str | bool | None]:
    """Return the attributes that tie a control to what is wrong with it."""
    if key not in filled.faults:
        return {}
    return {"aria_invalid": "true", "aria_describedby": element_id("e", key)}


def _fault(key: str, filled: FilledForm) -> Html | None:
    fault = filled.faults.get(key)
    return tag("p", fault, class_="fault", id=element_id("e", key)) if fault else None


def _boxes(field: Field, filled: FilledForm) -> Html:
    key = f"is.{field.column}"
    chosen = filled.search.values(key)
    values = dict.fromkeys(
        [*field.options, *(value for value in chosen if not _offers(field, value))]
    )
    folded = {value.casefold() for value in chosen}
    boxes = [
        tag(
            "label",
            tag("input", type="checkbox", name=key, value=value, checked=value.casefold() in folded,
                id=element_id("f", f"{key}={value}")),
            tag("span", isolated(label_of_value(value))),
            class_="box",
        )
        for value in values
    ]  # fmt: skip
    return _group(field, tag("div", *boxes, class_="boxes"), _fault(key, filled))


def label_of_value(value: str) -> str:
    """Return a value of a menu for reading."""
    return value if len(value) <= 60 else f"{value[:59]}…"


def _offers(field: Field, value: str) -> bool:
    folded = value.casefold()
    return any(offered.casefold() == folded for offered in field.options)


def _menu(field: Field, filled: FilledForm) -> Html:
    """Return a menu for each value chosen, and one more for another."""
    key = f"is.{field.column}"
    chosen = filled.search.values(key)
    menus = [_select(field, key, value, place) for place, value in enumerate((*chosen, ""))]
    return _labelled(field, key, [*menus, _fault(key, filled)])


def _select(field: Field, key: str, chosen: str, place: int) -> Html:
    options = [
        option(value, selected=value.casefold() == chosen.casefold(), words=label_of_value(value))
        for value in field.options
    ]
    if chosen and not _offers(field, chosen):
        options.append(option(chosen, selected=True, words=label_of_value(chosen)))
    name = label(field.title)
    return tag(
        "select",
        tag("option", "or also …" if place else "Any", value=""),
        *options,
        name=key,
        id=element_id("f", key + "+" * place),
        aria_label=f"or also {name}" if place else None,
    )


def _yes_no(field: Field, filled: FilledForm) -> Html:
    key = f"is.{field.column}"
    chosen = {value.casefold() for value in filled.search.values(key)}
    options = [
        option(value, selected=value in chosen, words=words)
        for value, words in (("", "Any"), ("true", "Yes"), ("false", "No"))
    ]
    menu = tag("select", *options, name=key, id=element_id("f", key))
    return _labelled(field, key, [menu, _fault(key, filled)])


def _free(field: Field, filled: FilledForm) -> Html:
    key = f"{FREE_KINDS[field.control]}.{field.column}"
    chosen = filled.search.values(key)
    blank = ("",) if field.control == "typed" or not chosen else ()
    suggested = element_id("d", key)
    inputs = [
        _text_input(field, key, value, place, suggested, filled)
        for place, value in enumerate((*chosen, *blank))
    ]
    listing = tag(
        "datalist", *(tag("option", value=value) for value in field.options), id=suggested
    )
    return _labelled(field, key, [*inputs, listing, _fault(key, filled)])


def _text_input(
    field: Field, key: str, value: str, place: int, suggested: str, filled: FilledForm
) -> Html:
    hint = "any" if field.control == "typed" else "words it contains"
    return tag(
        "input",
        type="text",
        name=key,
        id=element_id("f", key + "+" * place),
        value=value or None,
        list=suggested,
        placeholder="or also …" if place else hint,
        aria_label=f"or also {label(field.title)}" if place else None,
        **_fault_attributes(key, filled),
    )


def _labelled(field: Field, key: str, children: Sequence[Child]) -> Html:
    name = tag("label", isolated(label(field.title)), for_=element_id("f", key), title=field.column)
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
