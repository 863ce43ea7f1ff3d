"""The result in one sentence, what of the address was left out of it, and more of it."""

from __future__ import annotations

from dataclasses import replace

from .engine.answer import Status
from .engine.markup import Html, tag
from .http_page_form import FormModel
from .http_page_outcome import Outcome
from .http_page_words import items_of, listed, phrase, plain, wish_phrase


def summary(found: Outcome, form: FormModel) -> str:
    """Return what came out, in one sentence: read aloud whenever it changes."""
    count = found.answer.count
    if found.relaxed:
        gone = listed([phrase(one, form.by_column.get(one.column)) for one in found.gone_wishes])
        return f"Nothing matches everything. Without {plain(gone)}: {items_of(count)}."
    if found.answer.status is Status.SAT_NO_RELAXATION:
        if found.asked.is_empty:
            return f"{items_of(count)} in all."
        return f"{items_of(count)} match{'es' if count == 1 else ''}."
    return "Nothing matches." if found.dead_end else "Not everything could be read in time."


def left_out(found: Outcome, form: FormModel) -> Html | None:
    """Return what of the address was not understood, and why."""
    named = {one.key: wish_phrase(one, form) for one in found.wishes.wishes}
    faults = [
        tag("li", named.get(key), ": " if key in named else None, words)
        for key, words in found.asked.faults.items()
    ]
    if found.wishes.left_out:
        faults.append(tag("li", f"{found.wishes.left_out} filters are more than fit."))
    if not faults:
        return None
    return tag("section", tag("p", "Left out:"), tag("ul", *faults), class_="faults")


def show_more(found: Outcome, shown: int, step: int, most: int) -> Html | None:
    """Return a link to more of the items; None where all or enough of them are shown."""
    if shown >= min(found.answer.count, most):
        return None
    more = replace(found.wishes, top=min(found.wishes.top + step, most))
    words = f"Show more of {items_of(found.answer.count)}"
    return tag("p", tag("a", words, href=more.address, class_="button", id="more"), class_="paging")
