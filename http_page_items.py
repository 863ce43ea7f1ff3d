"""The items offered, each with what it meets, what it misses, and why it stands where it does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .engine.answer import Contribution, Item, NearMiss
from .engine.markup import Child, Html, join, tag
from .http_page_form import FormModel
from .http_page_outcome import Outcome
from .http_page_wishes import Wish
from .http_page_words import isolated, label, more_or_less, phrase, target, value_words

FACTS = 8
"""Facts in view on a card, what was wished for first; the others are one click away."""

MOST_FACTS = 60
POINTS = 100


@dataclass(frozen=True)
class Card:
    """A row to show: the positions of the wishes it misses, and its score where it has one."""

    row_id: int
    row: Mapping[str, Any]
    misses: frozenset[int]
    contributions: tuple[Contribution, ...] = ()
    pareto: bool = False

    @classmethod
    def of_item(cls, item: Item) -> Card:
        """Return the card of an item offered."""
        return cls(item.row_id, item.row, frozenset(item.misses), item.contributions, item.pareto)

    @classmethod
    def of_near_miss(cls, near: NearMiss) -> Card:
        """Return the card of a row that misses something."""
        return cls(near.row_id, near.row, frozenset(one.position for one in near.violates))


def cards(found: Outcome, form: FormModel) -> Html:
    """Return the items offered, best first; where there are none, those that come closest."""
    shown = [Card.of_item(one) for one in found.answer.items]
    if not shown:
        shown = [Card.of_near_miss(one) for one in found.answer.near_misses[: found.wishes.top]]
    return tag("ol", *(card(one, found, form) for one in shown), class_="items")


def card(one: Card, found: Outcome, form: FormModel) -> Html:
    """Return one item."""
    wishes = found.asked.wishes
    met = len(wishes) - len(one.misses)
    badge = f"meets {met} of {len(wishes)}" if wishes else None
    ahead, behind = _facts(one, found, form)
    return tag(
        "li",
        tag(
            "article",
            tag(
                "header",
                tag("h3", title(one, form)),
                tag("p", badge, class_="meets all" if not one.misses else "meets")
                if badge
                else None,
            ),
            tag("dl", *ahead, class_="facts"),
            _why(one, found, form),
            _rest(behind),
        ),
        class_="item",
    )


def title(one: Card, form: FormModel) -> Html:
    """Return what an item is called: the columns that name it, or else its number."""
    parts = [
        isolated(value_words(one.row[column]))
        for column in form.titles
        if one.row.get(column) not in (None, "")
    ]
    return join(*(join(" " if place else "", part) for place, part in enumerate(parts))) or join(
        f"Item {one.row_id}"
    )


def _facts(one: Card, found: Outcome, form: FormModel) -> tuple[list[Html], list[Html]]:
    """Return the facts in view and the others: wished for, the price, then the form's order."""
    wished = list(dict.fromkeys(wish.column for wish in found.asked.wishes))
    preferred = [objective.column for objective in found.asked.query.objectives]
    cost = [form.cost_column] if form.cost_column else []
    first = [column for column in form.columns if column in form.first]
    ordered = dict.fromkeys([*wished, *preferred, *cost, *first, *form.columns])
    # What the title says already needs no fact, unless somebody asked for it.
    columns = [c for c in ordered if c in wished or c not in form.titles][:MOST_FACTS]
    count = max(FACTS, len(wished))
    made = [_fact(column, one, found, form) for column in columns if column in one.row]
    return made[:count], made[count:]


def _fact(column: str, one: Card, found: Outcome, form: FormModel) -> Html:
    positions = [i for i, wish in enumerate(found.asked.wishes) if wish.column == column]
    missed = [i for i in positions if i in one.misses]
    state = "missed" if missed else "met" if positions else None
    mark = {"missed": ("✗", "misses: "), "met": ("✓", "meets: ")}.get(state or "")
    return tag(
        "div",
        tag("dt", isolated(label(column))),
        tag(
            "dd",
            tag("span", mark[0], aria_hidden="true", class_="mark") if mark else None,
            tag("span", mark[1], class_="unseen") if mark else None,
            isolated(value_words(one.row.get(column), column)),
            " " if missed else None,
            _wanted([found.asked.wishes[i] for i in missed], form) if missed else None,
        ),
        class_=state,
    )


def _wanted(missed: Sequence[Wish], form: FormModel) -> Html:
    words = [target(one, form.by_column.get(one.column)) for one in missed]
    return tag("span", "wanted ", *_separated(words), class_="wanted")


def _separated(parts: Iterable[Child]) -> Iterable[Child]:
    for place, part in enumerate(parts):
        yield join(", " if place else "", part)


def _why(one: Card, found: Outcome, form: FormModel) -> Html | None:
    """Return the score in points: for each wish and preference, what it adds of what it could."""
    if not one.contributions:
        return None
    rows = [_why_row(part, found, form) for part in one.contributions]
    total = sum(part.contribution for part in one.contributions)
    most = sum(part.weight for part in one.contributions)
    unbeaten = "No other item here is as good in every respect and better in one."
    return tag(
        "details",
        tag("summary", "Why it is here", tag("span", f"{_points(total)} points", class_="count")),
        tag(
            "table",
            tag("thead", tag("tr", *(tag("th", head, scope="col") for head in _HEADS))),
            tag("tbody", *rows),
            tag("tfoot", tag("tr", tag("th", "Together", scope="row"), tag("td"),
                             tag("td", f"{_points(total)} of {_points(most)}"))),
        ),
        tag("p", unbeaten, class_="quiet") if one.pareto else None,
        class_="why",
    )  # fmt: skip


_HEADS = ("What counts", "How good", "Points")


def _why_row(part: Contribution, found: Outcome, form: FormModel) -> Html:
    return tag(
        "tr",
        tag("th", _term(part, found, form), scope="row"),
        tag("td", tag("meter", f"{part.satisfaction:.0%}", value=f"{part.satisfaction:.3f}",
                      min=0, max=1, aria_label="how good")),
        tag("td", f"{_points(part.contribution)} of {_points(part.weight)}"),
    )  # fmt: skip


def _term(part: Contribution, found: Outcome, form: FormModel) -> Html:
    if part.position is not None:
        wish = found.asked.wishes[part.position]
        return phrase(wish, form.by_column.get(wish.column))
    direction = next(
        (one.direction for one in found.asked.query.objectives if one.column == part.column), "min"
    )
    words = more_or_less("low" if direction == "min" else "high", form.by_column.get(part.column))
    return join(words, " ", isolated(label(part.column)))


def _points(share: float) -> str:
    return f"{share * POINTS:.0f}"


def _rest(facts: Sequence[Html]) -> Html | None:
    if not facts:
        return None
    words = f"{len(facts)} more fact{'' if len(facts) == 1 else 's'}"
    return tag("details", tag("summary", words), tag("dl", *facts, class_="facts"), class_="rest")
