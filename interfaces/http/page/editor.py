"""The form in which a chip is corrected: what of, how, and which value; one is open at a time.

It says the whole search in hidden inputs, so that it works without a script.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....rendering.html import Child, Html, tag
from .corrections import AIMS, FIXED, KINDS, fits
from .filters import label_of_value, option
from .form_model import Field, FormModel
from .query_string import Criterion, Preference, Search
from .view_model import Outcome
from .wording import element_id, label, phrase, preference_words, visually_hidden

EDITOR = "fix"
SUGGESTED = "fix-values"
BLANKS = 1
"""Empty boxes for further values of a filter that takes several."""


def editor(outcome: Outcome, form: FormModel) -> Html | None:
    """Return the form that corrects what the address names; None where it names nothing there."""
    search = outcome.search
    criterion = search.get(outcome.edit)
    preference = next((each for each in search.preferences if each.key == outcome.edit), None)
    if criterion is not None:
        controls, named = _criterion_controls(criterion, outcome, form), phrase(criterion, form)
    elif preference is not None:
        controls = _preference_controls(preference, form)
        named = preference_words(preference, form)
    else:
        return None
    return tag(
        "form",
        tag("h2", "Correct “", named, "”", id="editing"),
        *(_hidden(name, value) for name, value in search.parameters()),
        _hidden("fix", outcome.edit),
        tag("div", *controls, class_="controls"),
        _actions(outcome),
        id=EDITOR,
        method="get",
        class_="editor",
        aria_labelledby="editing",
        autocomplete="off",
    )


def _hidden(name: str, value: str) -> Html:
    return tag("input", type="hidden", name=name, value=value)


def _actions(outcome: Outcome) -> Html:
    search = outcome.search
    gone = search.without(outcome.edit).undone_by(search)
    return tag(
        "div",
        tag("button", "Change", type="submit", class_="primary"),
        tag("a", "Remove", href=gone.address, class_="button", id="fix-remove"),
        tag("a", "Leave it", href=search.address, class_="quiet", id="fix-leave"),
        class_="editor-actions",
    )


def _criterion_controls(criterion: Criterion, outcome: Outcome, form: FormModel) -> Iterator[Child]:
    free = criterion.kind not in FIXED
    column = (outcome.edit_column or criterion.column) if free else criterion.column
    field = form.by_column.get(column)
    if free:
        yield _column_menu(column, form.fields, form)
        yield _menu("fix.kind", "How", _kinds(criterion, field))
    yield _values(criterion, field if column == criterion.column else None, field)
    yield tag(
        "label",
        tag("input", type="checkbox", name="fix.must", value="1", checked=criterion.must),
        tag("span", "must be met"),
        class_="box",
    )


def _preference_controls(preference: Preference, form: FormModel) -> Iterator[Child]:
    ordered = [field for field in form.fields if field.ordered]
    yield _column_menu(preference.column, ordered, form)
    aims = [
        option(direction, selected=direction == preference.direction, words=words)
        for direction, words in AIMS.items()
    ]
    yield _menu("fix.kind", "How", aims)


def _column_menu(chosen: str, fields: Iterable[Field], form: FormModel) -> Html:
    options = [
        option(field.column, selected=field.column == chosen, words=label(field.title))
        for field in fields
    ]
    if chosen not in form.by_column:
        options.insert(0, option(chosen, selected=True, words=label(chosen)))
    return _menu("fix.column", "What", options, first=True)


def _kinds(criterion: Criterion, field: Field | None) -> list[Html]:
    """Return the menu of operators; without a script the column may become any, so all stand."""
    return [
        option(kind, selected=kind == criterion.kind, words=words)
        for kind, words in sorted(KINDS.items(), key=lambda entry: not fits(entry[0], field))
    ]


def _menu(name: str, words: str, options: Iterable[Html], *, first: bool = False) -> Html:
    box = element_id("f", name)
    menu = tag("select", *options, name=name, id=box, autofocus=first)
    return tag("div", tag("label", words, for_=box), menu, class_="field")


def _values(criterion: Criterion, own: Field | None, field: Field | None) -> Html:
    """Return a box for each value, one more where there may be several, and suggestions."""
    several = criterion.kind in ("is", "not")
    shown = [_shown(value, own) for value in criterion.values]
    boxes = [*shown, *[""] * BLANKS] if several else shown[-1:]
    first = element_id("f", "fix.value")
    inputs = [
        tag(
            "input",
            type="text",
            name="fix.value",
            id=first if not at else None,
            value=value or None,
            list=SUGGESTED,
            aria_label="or also" if at else None,
            placeholder="or also …" if at else None,
        )
        for at, value in enumerate(boxes)
    ]
    return tag("div", tag("label", "Value", for_=first), *inputs, _suggested(field), class_="field")


def _shown(value: str, field: Field | None) -> str:
    if field is not None and field.control == "yes_no":
        return {"true": "yes", "false": "no"}.get(value.casefold(), value)
    return value


def _suggested(field: Field | None) -> Html:
    values = ("yes", "no") if field is not None and field.control == "yes_no" else (
        field.options if field is not None else ()
    )  # fmt: skip
    ends = (field.low, field.high) if field is not None and field.ordered else ()
    known = [value for value in (*values, *ends) if value]
    options = [tag("option", label_of_value(value), value=value) for value in known]
    return tag("datalist", *options, id=SUGGESTED)


def undo_line(outcome: Outcome) -> Html | None:
    """Return a way back to before the last correction; None where there was none."""
    if not outcome.undo:
        return None
    undo = tag("a", "Undo", href=outcome.undo, class_="button", id="undo")
    return tag("p", "Changed. ", undo, class_="undo")


def edit_link(search: Search, key: str, words: Child) -> Html:
    """Return a chip's words as the link that opens it to be corrected."""
    return tag(
        "a",
        words,
        visually_hidden(" – correct it"),
        href=search.editing(key).address,
        class_="edit",
        id=element_id("c", key),
    )
