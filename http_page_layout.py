"""The page from top to bottom: what is always there, and the part that a change replaces."""

from __future__ import annotations

from collections.abc import Sequence

from .engine.answer import Status
from .engine.markup import Child, Html, document, join, tag
from .http_page_assets import ICON, SCRIPT, STYLE, Asset
from .http_page_fields import Filled, filters
from .http_page_form import FormModel
from .http_page_items import cards
from .http_page_matters import matters
from .http_page_outcome import Outcome
from .http_page_result import chips, left_out, notice, show_more, summary
from .http_page_wishes import FIRST_ITEMS, MOST_ITEMS, Wishes
from .http_page_words import items_of, label

PRODUCT = "concede"


def page(found: Outcome, form: FormModel, catalogs: Sequence[str]) -> Html:
    """Return the whole page."""
    body = tag(
        "body",
        tag("a", "Skip to the result", href="#result", class_="skip"),
        _header(form, catalogs),
        tag("p", id="status", role="status", class_="unseen", aria_live="polite"),
        app(found, form),
        data_version=form.version,
    )
    return document(_head(_title(found, form)), body)


def app(found: Outcome, form: FormModel) -> Html:
    """Return the part of the page that depends on the wishes: the form and the result."""
    filled = Filled(form, found.wishes, found.asked.faults)
    return tag("div", filters(filled), result(found, form), id="app")


def result(found: Outcome, form: FormModel) -> Html:
    """Return the result: chips, what is wrong, what matters, why, and the items."""
    return tag(
        "main",
        tag("div", chips(found, form), left_out(found, form), notice(found, form), id="why"),
        matters(found, form),
        tag(
            "section",
            _heading(found, form),
            cards(found, form),
            show_more(found, len(found.answer.items), FIRST_ITEMS, MOST_ITEMS),
            _incomplete(found),
            _record(found),
            id="outcome",
            aria_labelledby="items",
        ),
        id="result",
        tabindex="-1",
        data_summary=summary(found, form),
        data_title=_title(found, form),
    )


def _title(found: Outcome, form: FormModel) -> str:
    return f"{label(form.catalog)} – {summary(found, form)}"


def _heading(found: Outcome, form: FormModel) -> Html:
    return tag(
        "div",
        tag("h2", _items_heading(found), id="items"),
        tag("p", _order(found, form), class_="quiet"),
        class_="heading",
    )


def _order(found: Outcome, form: FormModel) -> str:
    """Return what the items are ordered by."""
    if found.answer.count < 2:
        return ""
    if found.asked.wishes or found.asked.query.objectives:
        return "best first"
    return f"lowest {label(form.cost_column)} first" if form.cost_column else ""


def _items_heading(found: Outcome) -> str:
    count, answer = found.answer.count, found.answer
    if found.relaxed:
        if len(found.gone) == len(found.asked.wishes):
            return f"{items_of(count)} in all"
        return f"{items_of(count)} {'meets' if count == 1 else 'meet'} the rest"
    if answer.status is Status.SAT_NO_RELAXATION:
        if found.asked.is_empty:
            return items_of(count)
        return f"{items_of(count)} {'matches' if count == 1 else 'match'}"
    return "Closest items" if answer.near_misses else "No items"


def _incomplete(found: Outcome) -> Html | None:
    if found.answer.complete:
        return None
    words = "The search was stopped early: what is listed is right, and there may be more."
    return tag("p", words, class_="quiet")


def _record(found: Outcome) -> Html | None:
    """Return the engine's own words, for who wants to know exactly."""
    if found.asked.is_empty:
        return None
    answer = found.answer
    proven = " Proven: no smaller part would have done." if answer.proven_minimal else ""
    return tag(
        "details",
        tag("summary", "In full"),
        tag("p", answer.explanation, proven),
        tag("p", f"Catalog version {answer.catalog_version}.", class_="quiet"),
        class_="record",
    )


def _header(form: FormModel, catalogs: Sequence[str]) -> Html:
    return tag(
        "header",
        tag("h1", label(form.catalog)),
        tag("p", items_of(form.rows), class_="quiet"),
        _catalogs(form, catalogs),
        class_="top",
    )


def _catalogs(form: FormModel, catalogs: Sequence[str]) -> Html | None:
    if len(catalogs) < 2:
        return None
    links = [
        tag("li", tag("a", label(one), href=Wishes(one).address,
                      aria_current="page" if one == form.catalog else None))
        for one in catalogs
    ]  # fmt: skip
    return tag("nav", tag("ul", *links), aria_label="Catalogs")


def _head(title: str) -> Html:
    return join(
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="robots", content="noindex"),
        tag("title", title),
        tag("link", rel="icon", href=_address(ICON), type="image/svg+xml"),
        tag("link", rel="stylesheet", href=_address(STYLE)),
        tag("script", src=_address(SCRIPT), defer=True),
    )


def _address(asset: Asset) -> str:
    # Relative, so that the page may be mounted anywhere.
    return f"page/{asset.name}?v={asset.version}"


def trouble(title: str, *children: Child) -> Html:
    """Return a page that only says what went wrong and the way back."""
    body = tag(
        "body",
        tag(
            "main",
            tag("h1", title),
            *children,
            tag("p", tag("a", "Start again", href="?", class_="button")),
            class_="trouble",
        ),
    )
    return document(_head(title), body)
