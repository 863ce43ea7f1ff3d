"""Why nothing matches, in words, and what gave way so that there is something to show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .catalogs.errors import nearest
from .engine.answer import Status
from .engine.markup import Html, join, tag
from .http_page_form import FormModel
from .http_page_outcome import Outcome
from .http_page_ways import dead_end, ways
from .http_page_wishes import Wish
from .http_page_words import cut, ident, isolated, listed, phrase, unseen, wish_phrase

SHOWN_CONFLICTS = 2
LONGEST_MEANT = 40


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
