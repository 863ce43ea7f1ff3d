"""Item cards: what each meets and misses, its facts, and the points that make its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ....engine.answer import Contribution, Item, NearMiss
from ....rendering.html import Child, Html, join, tag
from .form_model import FormModel
from .pictures import picture, safe_address
from .query_string import Criterion
from .view_model import Outcome
from .wording import (
    called,
    condition_words,
    counted,
    direction_word,
    isolated,
    phrase,
    plain_text,
    value_words,
    with_unit,
)

FACTS = 8
"""Facts in view on a card, those asked for first; the others are one click away."""

MOST_FACTS = 60
POINTS = 100


@dataclass(frozen=True)
class Card:
    """A row to show: the positions of the criteria it misses, and its score where it has one."""

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
        return cls(
            near.row_id, near.row, frozenset(violation.position for violation in near.violates)
        )


Foot = Callable[[int], Child]
"""What stands below the facts of a card, by its place."""


def _no_foot(place: int) -> Child:
    return None


def cards(outcome: Outcome, form: FormModel, foot: Foot = _no_foot) -> Html:
    """Return the items offered, best first; where there are none, those that come closest.

    Only what is offered has a foot.
    """
    rows = cards_of(outcome)
    if not outcome.answer.items:
        foot = _no_foot
    listed = (_card(card, outcome, form, foot(place)) for place, card in enumerate(rows))
    return tag("ol", *listed, class_="items")


def cards_of(outcome: Outcome) -> list[Card]:
    """Return the cards shown, the top one first."""
    offered = [Card.of_item(item) for item in outcome.answer.items]
    near = outcome.answer.near_misses[: outcome.search.top]
    return offered or [Card.of_near_miss(each) for each in near]


def item_key(card: Card, outcome: Outcome) -> str | None:
    """Return the key of an item where somebody's log names it."""
    value = card.row.get(outcome.log_key) if outcome.log_key else None
    return None if value is None else str(value)


def _card(card: Card, outcome: Outcome, form: FormModel, foot: Child) -> Html:
    count = len(outcome.question.criteria)
    badge = f"meets {count - len(card.misses)} of {count}" if count else None
    visible, folded = _facts(card, outcome, form)
    named = title(card, form)
    return tag(
        "li",
        tag(
            "article",
            picture(card.row, form.image, plain_text(named)),
            tag(
                "header",
                tag("h3", _linked(named, card, form)),
                _price(card, form),
                tag("p", badge, class_="meets all" if not card.misses else "meets")
                if badge
                else None,
            ),
            tag("dl", *visible, class_="facts"),
            _why(card, outcome, form),
            _rest(folded),
            foot,
        ),
        class_="item",
        data_key=item_key(card, outcome),
    )


def title(card: Card, form: FormModel) -> Html:
    """Return what an item is called: the columns that name it, or else its number."""
    values = [card.row.get(column) for column in form.titles]
    parts = [isolated(value_words(value)) for value in values if value not in (None, "")]
    return join(*_separated(parts, " ")) or join(f"Item {card.row_id}")


def _linked(named: Html, card: Card, form: FormModel) -> Html:
    """Return what an item is called, as a link to its page where it has one on the web."""
    address = safe_address(card.row.get(form.link)) if form.link else None
    return named if address is None else tag("a", named, href=address, rel="noopener")


def _price(card: Card, form: FormModel) -> Html | None:
    """Return what an item costs, set apart, where it is known."""
    column = form.cost_column
    value = card.row.get(column) if column else None
    if column is None or value in (None, "") or column in form.titles:
        return None
    shown = isolated(_value(value, column, form))
    return tag("p", tag("span", called(column, form), " ", class_="unseen"), shown, class_="price")


def _facts(card: Card, outcome: Outcome, form: FormModel) -> tuple[list[Html], list[Html]]:
    """Return the facts in view and the others: asked for, the price, then the form's order."""
    asked_for = list(dict.fromkeys(criterion.column for criterion in outcome.question.criteria))
    preferred = [objective.column for objective in outcome.question.query.objectives]
    cost = [form.cost_column] if form.cost_column else []
    first = [column for column in form.columns if column in form.first]
    ordered = dict.fromkeys([*asked_for, *preferred, *cost, *first, *form.columns])
    # What stands above already needs no fact, unless somebody asked for it.
    above = {*form.titles, *cost, form.image, form.link}
    columns = [column for column in ordered if column in asked_for or column not in above][
        :MOST_FACTS
    ]
    count = max(FACTS, len(asked_for))
    facts = [_fact(column, card, outcome, form) for column in columns if column in card.row]
    return facts[:count], facts[count:]


def _fact(column: str, card: Card, outcome: Outcome, form: FormModel) -> Html:
    criteria = outcome.question.criteria
    positions = [at for at, criterion in enumerate(criteria) if criterion.column == column]
    missed = [criteria[at] for at in positions if at in card.misses]
    state = "missed" if missed else "met" if positions else None
    mark = {"missed": ("✗", "misses: "), "met": ("✓", "meets: ")}.get(state or "")
    return tag(
        "div",
        tag("dt", isolated(called(column, form))),
        tag(
            "dd",
            tag("span", mark[0], aria_hidden="true", class_="mark") if mark else None,
            tag("span", mark[1], class_="unseen") if mark else None,
            isolated(_value(card.row.get(column), column, form)),
            " " if missed else None,
            _wanted(missed, form) if missed else None,
        ),
        class_=state,
    )


def _value(value: object, column: str, form: FormModel) -> str:
    """Return a value with its unit, where there is a value."""
    words = value_words(value, column)
    return words if value in (None, "") else with_unit(words, column, form)


def _wanted(missed: Sequence[Criterion], form: FormModel) -> Html:
    words = [condition_words(criterion, form) for criterion in missed]
    return tag("span", "wanted ", *_separated(words, ", "), class_="wanted")


def _separated(parts: Iterable[Child], separator: str) -> Iterable[Child]:
    for place, part in enumerate(parts):
        yield join(separator if place else "", part)


def _why(card: Card, outcome: Outcome, form: FormModel) -> Html | None:
    """Return the score in points: what each criterion and preference adds of what it could."""
    if not card.contributions:
        return None
    rows = [_why_row(part, outcome, form) for part in card.contributions]
    total = sum(part.contribution for part in card.contributions)
    most = sum(part.weight for part in card.contributions)
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
        tag("p", unbeaten, class_="quiet") if card.pareto else None,
        class_="why",
    )  # fmt: skip


_HEADS = ("What counts", "How good", "Points")


def _why_row(part: Contribution, outcome: Outcome, form: FormModel) -> Html:
    return tag(
        "tr",
        tag("th", _term(part, outcome, form), scope="row"),
        tag("td", tag("meter", f"{part.satisfaction:.0%}", value=f"{part.satisfaction:.3f}",
                      min=0, max=1, aria_label="how good")),
        tag("td", f"{_points(part.contribution)} of {_points(part.weight)}"),
    )  # fmt: skip


def _term(part: Contribution, outcome: Outcome, form: FormModel) -> Html:
    if part.position is not None:
        criterion = outcome.question.criteria[part.position]
        return phrase(criterion, form)
    highs = [wish.column for wish in outcome.question.query.objectives if wish.direction == "max"]
    direction = "high" if part.column in highs else "low"
    words = direction_word(direction, form.by_column.get(part.column))
    return join(words, " ", isolated(called(part.column, form)))


def _points(share: float) -> str:
    return f"{share * POINTS:.0f}"


def _rest(facts: Sequence[Html]) -> Html | None:
    if not facts:
        return None
    words = counted(len(facts), "more fact")
    return tag("details", tag("summary", words), tag("dl", *facts, class_="facts"), class_="rest")
