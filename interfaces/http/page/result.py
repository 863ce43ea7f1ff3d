"""The result above the items: summary, chips of filters, why nothing matches, and repairs.

Each repair is a link to the address of the page with the filters changed, so that nothing here
needs a script.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ....engine.answer import Status
from ....rendering.html import Child, Html, join, tag
from .editor import edit_link, editor
from .form_model import FormModel
from .query_string import Criterion, Preference, Search
from .view_model import Alternative, Outcome
from .wording import (
    bold_phrase,
    bound_words,
    counted,
    element_id,
    isolated,
    item_count,
    listed,
    moved_words,
    phrase,
    plain_text,
    preference_words,
    sentence,
    shortened,
    visually_hidden,
)

SHOWN_CONFLICTS = 2
VISIBLE_ALTERNATIVES = 4


def summary(outcome: Outcome, form: FormModel) -> str:
    """Return what came out, in one sentence: read aloud whenever it changes."""
    count = outcome.answer.count
    items = item_count(count, exact=outcome.answer.counts_exact)
    if outcome.is_relaxed:
        return f"Nothing matches everything. {_relaxed_words(outcome, form)}: {items}."
    if outcome.answer.status is Status.SAT_NO_RELAXATION:
        if outcome.question.is_empty:
            return sentence(f"{items} in all.")
        return sentence(f"{items} match{'es' if count == 1 else ''}.")
    return "Nothing matches." if outcome.is_dead_end else "Not everything could be read in time."


def _relaxed_words(outcome: Outcome, form: FormModel) -> str:
    """Return what gave way: `Without pool: yes and with price to 120`."""
    moved = outcome.moved
    gone = [
        phrase(criterion, form)
        for criterion in outcome.relaxed_criteria
        if criterion.key not in moved
    ]
    stretched = [moved_words(to, to.column or "", form) for to in moved.values()]
    parts = [
        *([f"without {plain_text(listed(gone))}"] if gone else []),
        *([f"with {plain_text(listed(stretched))}"] if stretched else []),
    ]
    return sentence(" and ".join(parts))


def left_out(outcome: Outcome, form: FormModel) -> Html | None:
    """Return what of the address was not understood, and why."""
    named = {criterion.key: bold_phrase(criterion, form) for criterion in outcome.search.criteria}
    faults = [
        tag("li", named.get(key), ": " if key in named else None, words)
        for key, words in outcome.question.faults.items()
    ]
    if outcome.search.left_out:
        faults.append(tag("li", f"{outcome.search.left_out} filters are more than fit."))
    if not faults:
        return None
    return tag("section", tag("p", "Left out:"), tag("ul", *faults), class_="faults")


def show_more(outcome: Outcome, shown: int, step: int, most: int) -> Html | None:
    """Return a link to more of the items; None where all or enough of them are shown."""
    if shown >= min(outcome.answer.count, most):
        return None
    more = replace(outcome.search, top=min(outcome.search.top + step, most))
    answer = outcome.answer
    count = item_count(answer.count, exact=answer.counts_exact, brief=True)
    words = f"Show more of {count}"
    return tag("p", tag("a", words, href=more.address, class_="button", id="more"), class_="paging")


def chips(outcome: Outcome, form: FormModel) -> Html:
    """Return every criterion as a chip: with a way to drop it, and to put back what gave way."""
    criteria = [_chip(criterion, outcome, form) for criterion in outcome.search.criteria]
    preferences = [
        _preference_chip(preference, outcome, form) for preference in outcome.search.preferences
    ]
    listing = (
        tag("ul", *criteria, *preferences, class_="chips") if criteria or preferences else None
    )
    return tag("section", listing, editor(outcome, form), id="chips", aria_label="Chosen filters")


def _chip(criterion: Criterion, outcome: Outcome, form: FormModel) -> Html:
    words = phrase(criterion, form)
    gone, wrong = criterion.key in outcome.relaxed_keys, criterion.key in outcome.question.faults
    state = "gone" if gone else "wrong" if wrong else "must" if criterion.must else "kept"
    shown = join(
        tag("del" if gone or wrong else "span", words, class_="words"),
        _moved_to(criterion, outcome, form),
        visually_hidden(" (gave way)" if gone else " (left out)") if gone or wrong else None,
    )
    return tag(
        "li",
        edit_link(outcome.search, criterion.key, shown),
        _put_back(criterion, outcome, words) if gone and _may_stay(criterion, outcome) else None,
        _must_mark(criterion, outcome, words) if criterion.must else None,
        _remove(criterion.key, outcome, words),
        class_=f"chip {state}{_said(criterion.key, outcome)}",
    )


def _said(key: str, outcome: Outcome) -> str:
    """Return the class of what was said in words just now."""
    return " fresh" if outcome.heard and key in outcome.heard.keys else ""


def _may_stay(criterion: Criterion, outcome: Outcome) -> bool:
    return criterion.key in outcome.offers.kept


def _remove(key: str, outcome: Outcome, words: Child) -> Html:
    gone = outcome.search.without(key).undone_by(outcome.search)
    return _action(gone, "×", join("Remove ", words), key)


def _moved_to(criterion: Criterion, outcome: Outcome, form: FormModel) -> Html | None:
    """Return where the bound of a criterion went, if it was moved."""
    to = outcome.moved.get(criterion.key)
    return None if to is None else tag("span", " → ", bound_words(to, form), class_="words moved")


LINKS = {"×": ("remove", "x"), "Put back": ("put-back", "b"), "must": ("must-mark", "m")}
"""The class of a link on a chip and the prefix of its id, by its face."""


def _action(search: Search, face: str, words: Child, key: str, position: int | None = None) -> Html:
    """Return a link to a changed search; screen readers read `words` instead of its short face."""
    class_, prefix = LINKS[face]
    return tag(
        "a",
        tag("span", face, aria_hidden="true"),
        visually_hidden(words),
        href=search.address,
        class_=class_,
        id=element_id(prefix, key),
        data_position=position,
    )


def _put_back(criterion: Criterion, outcome: Outcome, words: Child) -> Html:
    search = outcome.search.put_back(criterion.key)
    position = outcome.question.criteria.index(criterion) if outcome.log_key else None
    return _action(search, "Put back", join("Put back ", words), criterion.key, position)


def _must_mark(criterion: Criterion, outcome: Outcome, words: Child) -> Html:
    search = outcome.search.optional(criterion.key)
    return _action(search, "must", join(words, " is a must; let it give way again"), criterion.key)


def _preference_chip(preference: Preference, outcome: Outcome, form: FormModel) -> Html:
    words = preference_words(preference, form)
    shown = tag("span", "prefer ", words, class_="words")
    return tag(
        "li",
        edit_link(outcome.search, preference.key, shown),
        _remove(preference.key, outcome, join("the preference for ", words)),
        class_=f"chip preference{_said(preference.key, outcome)}",
    )


def notice(outcome: Outcome, form: FormModel) -> Html | None:
    """Return why nothing matches, what gave way, and what else would do; None if all is met."""
    if outcome.answer.status is Status.SAT_NO_RELAXATION:
        return None
    return tag(
        "section",
        tag("h2", _headline(outcome), id="notice"),
        _gave_way(outcome, form),
        tag(
            "details",
            tag("summary", _more_words(outcome)),
            *_conflict_sentences(outcome, form),
            _alternatives(outcome, form),
            _must_ways(outcome, form) if outcome.is_dead_end else None,
            id="explained",
            open=outcome.is_dead_end,
        ),
        class_="notice",
        aria_labelledby="notice",
    )


def _more_words(outcome: Outcome) -> str:
    """Return what stands behind a summary where there is little room."""
    count = len(outcome.offers.ways)
    return f"Why, and {counted(count, 'other way')}" if count else "Why"


def _headline(outcome: Outcome) -> str:
    if outcome.answer.status is Status.UNKNOWN:
        return "Not all items could be read in time"
    if not _has_items(outcome):
        return "This catalog has no items"
    count = len(outcome.question.criteria)
    if outcome.is_dead_end:
        return "Nothing matches all that is a must"
    return {1: "Nothing matches this filter", 2: "Nothing matches both filters"}.get(
        count, f"Nothing matches all {count} filters"
    )


def _has_items(outcome: Outcome) -> bool:
    """Whether the catalog has any item: without one the empty set is a conflict."""
    return frozenset() not in outcome.before_choice.conflicts


def _conflict_sentences(outcome: Outcome, form: FormModel) -> Iterable[Html]:
    # The empty conflict says that there is nothing at all, which the headline says already.
    conflicts = [conflict for conflict in outcome.conflicts if conflict]
    if outcome.is_dead_end:
        conflicts = [
            conflict for conflict in conflicts if all(criterion.must for criterion in conflict)
        ]
    for conflict in conflicts[:SHOWN_CONFLICTS]:
        yield tag("p", conflict_words(conflict, form), _did_you_mean(conflict, outcome, form))
    more = len(conflicts) - SHOWN_CONFLICTS
    if more > 0:
        yield tag("p", f"And {counted(more, 'more such conflict')}.", class_="quiet")


def conflict_words(conflict: Sequence[Criterion], form: FormModel) -> Html:
    """Return that nothing meets some criteria together, in a sentence."""
    parts = [bold_phrase(criterion, form) for criterion in conflict]
    if len(parts) < 2:
        return join("No item at all meets ", *parts, ".")
    how = "both" if len(parts) == 2 else f"all {len(parts)} of"
    return join(f"No item meets {how} ", listed(parts), ".")


def _did_you_mean(conflict: Sequence[Criterion], outcome: Outcome, form: FormModel) -> Html | None:
    """Return links to the values most like one that no item has."""
    criterion = conflict[0]
    links = [
        tag(
            "a",
            isolated(shortened(spelling)),
            href=outcome.search.with_value(criterion.key, spelling).address,
            id=element_id("n", f"{criterion.key}={spelling}"),
        )
        for spelling in outcome.offers.meant.get(criterion.key, ())
        if len(conflict) == 1
    ]
    return tag("span", " Did you mean ", listed(links, "or"), "?") if links else None


def _gave_way(outcome: Outcome, form: FormModel) -> Html | None:
    """Return what was given up so that there is something to show, each with "put back"."""
    if not outcome.is_relaxed:
        return None
    lead = "As you chose, this gives way: " if outcome.answer is not outcome.before_choice else (
        "So this gives way: "
    )  # fmt: skip
    relaxed = [_relaxed(criterion, outcome, form) for criterion in outcome.relaxed_criteria]
    return tag("p", lead, *relaxed, class_="gave-way")


def _relaxed(criterion: Criterion, outcome: Outcome, form: FormModel) -> Html:
    words = phrase(criterion, form)
    back = outcome.search.put_back(criterion.key).address
    link = tag("a", "Put back", visually_hidden(" ", words), href=back, class_="button",
               id=element_id("pb", criterion.key))  # fmt: skip
    return tag(
        "span",
        tag("del", words, class_="wish"),
        _moved_to(criterion, outcome, form),
        " ",
        link if _may_stay(criterion, outcome) else None,
        class_="pair",
    )


def _alternatives(outcome: Outcome, form: FormModel) -> Html | None:
    """Return the other ways that were tried, the least sacrifice first, the first ones in view."""
    ways = outcome.offers.ways
    if not ways:
        return None
    return tag(
        "div",
        tag("h3", "Or instead" if outcome.is_relaxed else "What would help"),
        _alternative_list(ways[:VISIBLE_ALTERNATIVES], form),
        _more_alternatives(ways[VISIBLE_ALTERNATIVES:], form),
        class_="ways",
    )


def _more_alternatives(rest: Sequence[Alternative], form: FormModel) -> Html | None:
    if not rest:
        return None
    words = counted(len(rest), "more way")
    return tag("details", tag("summary", words), _alternative_list(rest, form), class_="more")


def _alternative_list(alternatives: Sequence[Alternative], form: FormModel) -> Html:
    return tag("ul", *(tag("li", _alternative(alternative, form)) for alternative in alternatives))


def _alternative(alternative: Alternative, form: FormModel) -> Html:
    return tag(
        "a",
        tag("span", _change(alternative, form), class_="change"),
        " ",
        _leads_to(alternative),
        href=alternative.search.address,
        id=element_id("a", alternative.search.address),
    )


def _leads_to(way: Alternative) -> Html:
    return tag("span", item_count(way.count, exact=way.exact, brief=True), class_="count")


def _change(alternative: Alternative, form: FormModel) -> Html:
    """Return what changes: `Give up pool: yes and stretch price to 120`."""
    drop = join("Give up ", listed([bold_phrase(part, form) for part in alternative.dropped]))
    moved = [
        tag("b", moved_words(to, criterion.column, form), class_="wish")
        for criterion, to in alternative.shifted
    ]
    if not moved:
        return drop
    if not alternative.dropped:
        return join("Stretch ", listed(moved))
    return join(drop, " and stretch ", listed(moved))


def _must_ways(outcome: Outcome, form: FormModel) -> Html | None:
    """Return a link for each set of musts that leads to items if it may give way, with a count."""
    if not outcome.must_ways:
        return None
    links = [tag("li", _must_way(way, form)) for way in outcome.must_ways]
    return tag("div", tag("h3", "What would help"), tag("ul", *links), class_="ways")


def _must_way(way: Alternative, form: FormModel) -> Html:
    musts = listed([bold_phrase(criterion, form) for criterion in way.dropped])
    return tag(
        "a",
        tag("span", "Let ", musts, " give way", class_="change"),
        " ",
        _leads_to(way),
        href=way.search.address,
        id=element_id("o", way.search.address),
    )
