"""Other ways to something that matches: each one link, with how many items it gives."""

from __future__ import annotations

from collections.abc import Sequence

from .engine.markup import Html, join, tag
from .http_page_form import FormModel
from .http_page_outcome import Alternative, Outcome
from .http_page_words import bound_words, ident, isolated, items_of, label, listed, wish_phrase

SHOWN_WAYS = 3
MORE_WAYS = 9


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
