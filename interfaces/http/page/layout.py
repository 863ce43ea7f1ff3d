"""Layout: the whole page, and the parts of it that a change of filters replaces."""

from __future__ import annotations

from collections.abc import Sequence

from ....engine.answer import Status
from ....rendering.html import Child, Html, document, join, tag
from .addresses import chat_address
from .assets import ICON, SCRIPT, STYLE, Asset
from .editor import undo_line
from .filters import FilledForm, filters
from .form_model import FormModel
from .heard import heard_words
from .items import cards
from .query_string import FIRST_ITEMS, MOST_ITEMS, Search
from .result import chips, left_out, notice, show_more, summary
from .seen import logged_as, seen
from .talk_beside import talk_beside
from .view_model import Outcome
from .weights import weight_sliders
from .wording import called, item_count, label, sentence


def page(outcome: Outcome, form: FormModel, catalogs: Sequence[str], *, talks: bool = True) -> Html:
    """Return the whole page; `talks`: with a link to the one for conversations."""
    talk = tag("a", "Talk it over", href=chat_address(catalog=form.catalog))
    body = tag(
        "body",
        tag("a", "Skip to the result", href="#result", class_="skip"),
        header(form, catalogs, talk if talks else None, outcome.search.user),
        tag("p", id="status", role="status", class_="unseen", aria_live="polite"),
        app(outcome, form),
        data_version=form.version,
    )
    return document(head(_title(outcome, form)), body)


def app(outcome: Outcome, form: FormModel) -> Html:
    """Return the part of the page that depends on the search: the form, the talk, the result."""
    filled = FilledForm(form, outcome.search, outcome.question.faults)
    beside = tag("div", talk_beside(outcome, form), weight_sliders(outcome, form), id="beside")
    return tag("div", filters(filled), beside, _main(outcome, form), id="app")


def result(outcome: Outcome, form: FormModel) -> Html:
    """Return what a change of filters replaces: what matters, and the result."""
    return join(weight_sliders(outcome, form), _main(outcome, form))


def _main(outcome: Outcome, form: FormModel) -> Html:
    """Return the result: chips, what is wrong, why, and the items."""
    before = outcome.before_words.address if outcome.before_words else ""
    return tag(
        "main",
        tag(
            "div",
            heard_words(outcome.heard, before, outcome.offers.sought),
            undo_line(outcome),
            chips(outcome, form),
            left_out(outcome, form),
            notice(outcome, form),
            id="why",
        ),
        tag(
            "section",
            _heading(outcome, form),
            cards(outcome, form),
            show_more(outcome, len(outcome.answer.items), FIRST_ITEMS, MOST_ITEMS),
            _incomplete(outcome),
            _record(outcome),
            logged_as(outcome),
            id="outcome",
            aria_labelledby="items",
        ),
        id="result",
        tabindex="-1",
        data_summary=summary(outcome, form),
        data_title=_title(outcome, form),
        data_seen=seen(outcome),
    )


def _title(outcome: Outcome, form: FormModel) -> str:
    return f"{label(form.catalog)} – {summary(outcome, form)}"


def _heading(outcome: Outcome, form: FormModel) -> Html:
    return tag(
        "div",
        tag("h2", _items_heading(outcome), id="items"),
        tag("p", _order(outcome, form), class_="quiet"),
        class_="heading",
    )


def _order(outcome: Outcome, form: FormModel) -> str:
    """Return what the items are ordered by."""
    if outcome.answer.count < 2:
        return ""
    if outcome.question.criteria or outcome.question.query.objectives:
        return "nearest first" if outcome.answer.rank == "near" else "best first"
    return f"lowest {called(form.cost_column, form)} first" if form.cost_column else ""


def _items_heading(outcome: Outcome) -> str:
    count, answer = outcome.answer.count, outcome.answer
    items = sentence(item_count(count, exact=answer.counts_exact))
    if outcome.is_relaxed:
        if len(outcome.relaxed_positions) == len(outcome.question.criteria):
            return f"{items} in all"
        return f"{items} {'meets' if count == 1 else 'meet'} the rest"
    if answer.status is Status.SAT_NO_RELAXATION:
        if outcome.question.is_empty:
            return items
        return f"{items} {'matches' if count == 1 else 'match'}"
    return "Closest items" if answer.near_misses else "No items"


def _incomplete(outcome: Outcome) -> Html | None:
    if outcome.answer.complete:
        return None
    words = "The search was stopped early: what is listed is right, and there may be more."
    return tag("p", words, class_="quiet")


def _record(outcome: Outcome) -> Html | None:
    """Return the engine's own words, for who wants to know exactly."""
    if outcome.question.is_empty:
        return None
    answer = outcome.answer
    proven = " Proven: no smaller part would have done." if answer.proven_minimal else ""
    return tag(
        "details",
        tag("summary", "In full"),
        tag("p", answer.explanation, proven),
        tag("p", f"Catalog version {answer.catalog_version}.", class_="quiet"),
        class_="record",
    )


def header(form: FormModel, catalogs: Sequence[str], other: Html | None, user: str = "") -> Html:
    """Return what stands above each page; `other` leads to the other one."""
    return tag(
        "header",
        tag("h1", label(form.catalog)),
        tag("p", item_count(form.rows), class_="quiet"),
        tag("p", other, class_="other") if other else None,
        _catalogs(form, catalogs, user),
        class_="top",
    )


def _catalogs(form: FormModel, catalogs: Sequence[str], user: str) -> Html | None:
    if len(catalogs) < 2:
        return None
    links = [
        tag("li", tag("a", label(name), href=Search(name, user=user).address,
                      aria_current="page" if name == form.catalog else None))
        for name in catalogs
    ]  # fmt: skip
    return tag("nav", tag("ul", *links), aria_label="Catalogs")


def head(title: str, *, script: bool = True) -> Html:
    """Return the head of a page."""
    return join(
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="robots", content="noindex"),
        tag("title", title),
        tag("link", rel="icon", href=_address(ICON), type="image/svg+xml"),
        tag("link", rel="stylesheet", href=_address(STYLE)),
        tag("script", src=_address(SCRIPT), defer=True) if script else None,
    )


def _address(asset: Asset) -> str:
    # Relative, so that the page may be mounted anywhere.
    return f"page/{asset.name}?v={asset.version}"


def problem_page(title: str, *children: Child) -> Html:
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
    return document(head(title), body)
