"""The result above the items: summary, chips of filters, why nothing matches, and ways out.

Each way out is a link to the address of the page with the filters changed, so that nothing here
needs a script.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .catalogs.errors import nearest
from .engine.answer import Status
from .engine.markup import Child, Html, join, tag
from .http_page_form import FormModel
from .http_page_outcome import Alternative, Outcome
from .http_page_wishes import Preference, Wish
from .http_page_words import (
    bound_words,
    cut,
    ident,
    isolated,
    items_of,
    label,
    listed,
    phrase,
    plain,
    preference_words,
    unseen,
    wish_phrase,
)

SHOWN_CONFLICTS = 2
LONGEST_MEANT = 40
SHOWN_WAYS = 3
MORE_WAYS = 9


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


def chips(found: Outcome, form: FormModel) -> Html:
    """Return every wish as a chip: with a way to drop it, and to put back what gave way."""
    wishes = [_chip(one, found, form) for one in found.wishes.wishes]
    preferences = [_preference_chip(one, found, form) for one in found.wishes.preferences]
    listing = tag("ul", *wishes, *preferences, class_="chips") if wishes or preferences else None
    return tag("section", listing, id="chips", aria_label="Chosen filters")


def _chip(wish: Wish, found: Outcome, form: FormModel) -> Html:
    words = phrase(wish, form.by_column.get(wish.column))
    gone, wrong = wish.key in found.gone_keys, wish.key in found.asked.faults
    state = "gone" if gone else "wrong" if wrong else "must" if wish.must else "kept"
    return tag(
        "li",
        tag("del" if gone or wrong else "span", words, class_="words"),
        unseen(" (gave way)" if gone else " (left out)") if gone or wrong else None,
        _put_back(wish, found, words) if gone else None,
        _must_mark(wish, found, words) if wish.must else None,
        _action(found.wishes.without(wish.key).address, "×", join("Remove ", words), "remove",
                ident("x", wish.key)),
        class_=f"chip {state}",
    )  # fmt: skip


def _action(address: str, face: Child, words: Child, class_: str, id_: str) -> Html:
    """Return a link that changes the wishes; its name says of what, its face may be short."""
    return tag(
        "a",
        tag("span", face, aria_hidden="true"),
        tag("span", words, class_="unseen"),
        href=address,
        class_=class_,
        id=id_,
    )


def _put_back(wish: Wish, found: Outcome, words: Child) -> Html:
    return _action(
        found.wishes.put_back(wish.key).address,
        "Put back",
        join("Put back ", words),
        "put-back",
        ident("b", wish.key),
    )


def _must_mark(wish: Wish, found: Outcome, words: Child) -> Html:
    return _action(
        found.wishes.optional(wish.key).address,
        "must",
        join(words, " is a must; let it give way again"),
        "must-mark",
        ident("m", wish.key),
    )


def _preference_chip(one: Preference, found: Outcome, form: FormModel) -> Html:
    words = preference_words(one, form.by_column.get(one.column))
    address = found.wishes.without(one.key).address
    return tag(
        "li",
        tag("span", "prefer ", words, class_="words"),
        _action(address, "×", join("Remove the preference for ", words), "remove",
                ident("x", one.key)),
        class_="chip preference",
    )  # fmt: skip


def notice(found: Outcome, form: FormModel) -> Html | None:
    """Return why nothing matches, what gave way, and what else would do; None if all is met."""
    if found.answer.status is Status.SAT_NO_RELAXATION:
        return None
    return tag(
        "section",
        tag("h2", _headline(found), id="notice"),
        *_conflict_sentences(found, form),
        _gave_way(found, form),
        ways(found, form),
        dead_end(found, form) if found.dead_end else None,
        class_="notice",
        aria_labelledby="notice",
    )


def _headline(found: Outcome) -> str:
    if found.answer.status is Status.UNKNOWN:
        return "Not all items could be read in time"
    if not _has_items(found):
        return "This catalog has no items"
    count = len(found.asked.wishes)
    if found.dead_end:
        return "Nothing matches all that is a must"
    return {1: "Nothing matches this filter", 2: "Nothing matches both filters"}.get(
        count, f"Nothing matches all {count} filters"
    )


def _has_items(found: Outcome) -> bool:
    """Whether the catalog has any item: without one the empty set is a conflict."""
    return frozenset() not in found.before_choice.conflicts


def _conflict_sentences(found: Outcome, form: FormModel) -> Iterable[Html]:
    # The empty conflict says that there is nothing at all, which the headline says already.
    conflicts = [one for one in found.conflicts if one]
    if found.dead_end:
        conflicts = [one for one in conflicts if all(wish.must for wish in one)]
    for conflict in conflicts[:SHOWN_CONFLICTS]:
        yield tag("p", _conflict(conflict, form), _meant(conflict, found, form))
    more = len(conflicts) - SHOWN_CONFLICTS
    if more > 0:
        noun = "conflict" if more == 1 else "conflicts"
        yield tag("p", f"And {more:,} more such {noun}.", class_="quiet")


def _conflict(conflict: Sequence[Wish], form: FormModel) -> Html:
    parts = [wish_phrase(one, form) for one in conflict]
    if len(parts) < 2:
        return join("No item at all meets ", *parts, ".")
    how = "both" if len(parts) == 2 else f"all {len(parts)} of"
    return join(f"No item meets {how} ", listed(parts), ".")


def _meant(conflict: Sequence[Wish], found: Outcome, form: FormModel) -> Html | None:
    """Return links to the values most like one that no item has."""
    wish, field = conflict[0], form.by_column.get(conflict[0].column)
    value, alone = wish.values[-1], len(conflict) == 1 == len(wish.values)
    if wish.kind != "is" or field is None or not alone or len(value) > LONGEST_MEANT:
        return None
    # Comparing long texts takes long, and nobody mistypes them.
    known = [one for one in field.known if len(one) <= 2 * LONGEST_MEANT]
    like = [one for one in nearest(value, known) if one != value]
    links = [
        tag("a", isolated(cut(one)), href=found.wishes.with_value(wish.key, one).address,
            id=ident("n", f"{wish.key}={one}"))
        for one in like
    ]  # fmt: skip
    return tag("span", " Did you mean ", listed(links, "or"), "?") if links else None


def _gave_way(found: Outcome, form: FormModel) -> Html | None:
    """Return what was given up so that there is something to show, each with "put back"."""
    if not found.relaxed:
        return None
    lead = "As you chose, this gives way: " if found.answer is not found.before_choice else (
        "So this gives way: "
    )  # fmt: skip
    gone = [_gone(one, found, form) for one in found.gone_wishes]
    return tag("p", lead, *gone, class_="gave-way")


def _gone(wish: Wish, found: Outcome, form: FormModel) -> Html:
    words = phrase(wish, form.by_column.get(wish.column))
    back = found.wishes.put_back(wish.key).address
    return tag(
        "span",
        tag("del", words, class_="wish"),
        " ",
        tag("a", "Put back", unseen(" ", words), href=back, class_="button",
            id=ident("pb", wish.key)),
        class_="pair",
    )  # fmt: skip


def ways(found: Outcome, form: FormModel) -> Html | None:
    """Return the other ways, moved bounds and given-up wishes apart, the best of each in view."""
    stretched = [one for one in found.alternatives if one.shifted]
    dropped = [one for one in found.alternatives if not one.shifted]
    if not (stretched or dropped):
        return None
    rest = [*stretched[SHOWN_WAYS:], *dropped[SHOWN_WAYS:]][:MORE_WAYS]
    return tag(
        "div",
        tag("h3", "Or instead" if found.relaxed else "What would help"),
        _way_list([*dropped[:SHOWN_WAYS], *stretched[:SHOWN_WAYS]], form),
        _more_ways(rest, form),
        class_="ways",
    )


def _more_ways(rest: Sequence[Alternative], form: FormModel) -> Html | None:
    if not rest:
        return None
    count = len(rest)
    words = f"{count} more way{'' if count == 1 else 's'}"
    return tag("details", tag("summary", words), _way_list(rest, form), class_="more")


def _way_list(ways: Sequence[Alternative], form: FormModel) -> Html:
    return tag("ul", *(tag("li", _way(one, form)) for one in ways))


def _way(way: Alternative, form: FormModel) -> Html:
    return tag(
        "a",
        tag("span", _change(way, form), class_="change"),
        tag("span", items_of(way.count), class_="count"),
        href=way.wishes.address,
        id=ident("a", way.wishes.address),
    )


def _change(way: Alternative, form: FormModel) -> Html:
    """Return what changes: `Give up pool: yes and stretch price to 120`."""
    dropped = listed([wish_phrase(one, form) for one in way.dropped])
    moved = [
        tag("b", isolated(label(wish.column)), " to ", bound_words(to), class_="wish")
        for wish, to in way.shifted
    ]
    if not moved:
        return join("Give up ", dropped)
    if not way.dropped:
        return join("Stretch ", listed(moved))
    return join("Give up ", dropped, " and stretch ", listed(moved))


def dead_end(found: Outcome, form: FormModel) -> Html | None:
    """Return a way out of each must that stands in the way."""
    stuck = {wish.key for conflict in found.conflicts for wish in conflict if wish.must}
    musts = [one for one in found.asked.wishes if one.key in stuck]
    if not musts:
        return None
    ways = [
        tag(
            "li",
            tag(
                "a",
                tag("span", "Let ", wish_phrase(one, form), " give way", class_="change"),
                href=found.wishes.optional(one.key).address,
                id=ident("o", one.key),
            ),
        )
        for one in musts
    ]
    return tag("div", tag("h3", "What would help"), tag("ul", *ways), class_="ways")
