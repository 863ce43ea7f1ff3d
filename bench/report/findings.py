"""The HTML of an episode's result beside the gold: constraints, weights, conflict, item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...catalogs.query.constraint import Constraint, spoken, words
from ...engine.answer import Status
from ...rendering.html import Child, Html, join, tag
from ...rendering.terminal_table import cut
from ..aware_us.failures import failure
from ..aware_us.gold import IDENTITY, Gold, as_text, constraint_key
from ..aware_us.outcome import Outcome
from .episode_events import EpisodeEvents, Quote, Step
from .wording import NOTHING

LONGEST = 90
MOST_QUOTES = 4
MOST_COLUMNS = 24

ENDS = {
    Status.SAT_NO_RELAXATION: "a match as understood: nothing had to give way",
    Status.SAT_AFTER_RELAXATION: "a match after something gave way",
    Status.UNSAT_EVEN_AFTER_RELAXATION: "no match, whatever gave way",
    Status.UNKNOWN: "not known: a failure or a limit ended it",
}


def findings(outcome: Outcome, events: EpisodeEvents, reason: str) -> Html:
    """Return what was understood, weighed, relaxed and offered; `reason` is why it ended."""
    return tag(
        "div",
        _reasons(outcome),
        tag("h5", "Constraints and weights"),
        _constraints(outcome),
        _evidence(events),
        *_conflict(events),
        tag("h5", "Item offered"),
        _item(outcome),
        tag("p", *_end(outcome, reason), class_="quiet"),
        tag("p", f"{events.unread:,} events could not be read.", class_="quiet")
        if events.unread
        else None,
        class_="findings",
    )


def _reasons(outcome: Outcome) -> Html | None:
    wrong = failure(outcome)
    if wrong is None:
        return None
    reasons = [tag("li", cut(reason, 400)) for reason in wrong.reasons]
    return tag("ul", *reasons, class_="reasons", aria_label="What went wrong")


def wish(constraint: Constraint) -> Html:
    """Return a constraint as a person would write it."""
    return tag("bdi", cut(words(constraint), LONGEST))


def _constraints(outcome: Outcome) -> Html:
    """Return each constraint meant, how it was read, and both weights with their order."""
    gold = outcome.gold.constraints
    known = {constraint.column for constraint in gold}
    extra = [constraint for constraint in outcome.parsed if constraint.column not in known]
    rows = [_meant(constraint, outcome) for constraint in gold]
    rows += [_extra(constraint, outcome) for constraint in extra]
    return _table(("meant", "understood", "gold weight", "weight given"), rows)


def _table(heads: Iterable[str], rows: Iterable[Html]) -> Html:
    head = tag("tr", *(tag("th", head, scope="col") for head in heads))
    return tag("div", tag("table", tag("thead", head), tag("tbody", *rows)), class_="wide")


def _meant(constraint: Constraint, outcome: Outcome) -> Html:
    parsed = outcome.parsed
    key = constraint_key(constraint)
    same = next((other for other in parsed if constraint_key(other) == key), None)
    others = [other for other in parsed if other.column == constraint.column]
    read = same or next(iter(others), None)
    return tag(
        "tr",
        tag("th", wish(constraint), _gold_mark(outcome.gold, constraint), scope="row"),
        tag("td", _read(same, others), _gone_marks(outcome, read)),
        tag("td", _weight(constraint, outcome.gold.constraints)),
        tag("td", _weight(read, parsed) if read else NOTHING),
    )


def _extra(constraint: Constraint, outcome: Outcome) -> Html:
    return tag(
        "tr",
        tag("th", "not asked", class_="quiet", scope="row"),
        tag("td", wish(constraint), _gone_marks(outcome, constraint)),
        tag("td", NOTHING),
        tag("td", _weight(constraint, outcome.parsed)),
    )


def _read(same: Constraint | None, others: Sequence[Constraint]) -> Child:
    if same is not None:
        return tag("span", "✓ same", class_="good")
    if not others:
        return tag("span", "✗ missed", class_="bad")
    return tag("span", "✗ ", join(*listed(map(wish, others))), class_="bad")


def listed(parts: Iterable[Child]) -> Iterator[Child]:
    """Yield parts with commas between them."""
    for at, part in enumerate(parts):
        yield join(", " if at else "", part)


def _gold_mark(gold: Gold, constraint: Constraint) -> Html | None:
    if gold.relaxed != constraint_key(constraint):
        return None
    return join(" ", tag("span", "gold: gives way", class_="mark gold"))


def _gone_marks(outcome: Outcome, read: Constraint | None) -> Html | None:
    """Say that what stands here gave way, and to what where a bound was moved."""
    if read is None:
        return None
    gone = [key for key in outcome.relaxed if key == constraint_key(read)]
    moved = [key for key in outcome.relaxed if key[0] == read.column and key not in gone]
    if not (gone or moved) or (not gone and len(moved) > 1):
        return None
    right = outcome.relax_match
    said = "gave way" if gone else join("became ", tag("bdi", cut(" ".join(moved[0]), LONGEST)))
    return join(" ", tag("span", said, class_=f"mark {'right' if right else 'wrong'}"))


def _weight(constraint: Constraint, among: Sequence[Constraint]) -> Child:
    """Return a weight as a bar, its number, and which gives way as the how-manieth by it."""
    if constraint.weight is None:
        return NOTHING
    lighter = sum(
        (other.weight or 0) < constraint.weight for other in among if other is not constraint
    )
    place = f"{lighter + 1} of {len(among)}"
    meter = tag(
        "meter", f"{constraint.weight:.2f}", min="0", max="1", value=f"{constraint.weight:.4f}"
    )
    number = tag("span", f"{constraint.weight:.2f}", class_="number")
    return join(meter, " ", number, " ", tag("span", place, class_="number quiet"))


def _evidence(events: EpisodeEvents) -> Html | None:
    """Return the words that each weight was taken from."""
    quoted = [weight for weight in events.weighed if weight.quotes]
    if not quoted:
        return None
    parts = [
        [tag("dt", wish(weight.constraint)), *map(_quote, weight.quotes[:MOST_QUOTES])]
        for weight in quoted
    ]
    summary = tag("summary", "Words that the weights were taken from")
    return tag("details", summary, tag("dl", *parts), class_="evidence")


def _quote(quote: Quote) -> Html:
    return tag("dd", tag("q", cut(quote.text, 200), dir="auto"))


def _conflict(events: EpisodeEvents) -> Iterator[Child]:
    if not (events.explanation or events.steps):
        return
    yield tag("h5", "The conflict, as it was explained")
    if events.explanation:
        yield tag("p", cut(events.explanation, 1_500), dir="auto")
    if events.steps:
        yield tag("ol", *(tag("li", *_step(step)) for step in events.steps[:12]), class_="steps")


def _step(step: Step) -> Iterator[Child]:
    yield "In conflict: "
    yield from listed(map(wish, step.conflict))
    if step.edit and step.edit.before:
        yield join(". ", wish(step.edit.before))
        yield join(" becomes ", wish(step.edit.to)) if step.edit.to else " is dropped"
    if step.matches is not None:
        yield f": {step.matches:,} match{'' if step.matches == 1 else 'es'}"
    yield "."


def _item(outcome: Outcome) -> Html:
    """Return the item offered beside the gold item, where they are compared and where they differ.

    Only columns that the gold item has.
    """
    gold, offered = outcome.gold.item, outcome.item
    if gold is None:
        return tag("p", *(_cells(offered) if offered else ["Nothing was offered."]))
    if offered is None:
        return tag("p", "Nothing was offered; gold is ", *_cells(gold), ".")
    columns = _compared_columns(gold, offered)
    rows = [_item_row(column, gold, offered) for column in columns[:MOST_COLUMNS]]
    same = "the gold item" if outcome.same_item else "another than the gold item"
    verdict = tag("p", same, class_="good" if outcome.same_item else "bad")
    return join(verdict, _table(("", "offered", "gold"), rows))


def _compared_columns(gold: Mapping[str, Any], offered: Mapping[str, Any]) -> list[str]:
    identity = [column for column in IDENTITY if column in gold]
    other = [column for column in gold if as_text(offered.get(column)) != as_text(gold[column])]
    return list(dict.fromkeys([*(identity or gold), *other]))


def _item_row(column: str, gold: Mapping[str, Any], offered: Mapping[str, Any]) -> Html:
    ours, meant = offered.get(column), gold[column]
    same = as_text(ours) == as_text(meant)
    return tag(
        "tr",
        tag("th", tag("bdi", cut(column)), scope="row"),
        tag("td", _value(ours, column), class_=None if same else "bad"),
        tag("td", _value(meant, column)),
    )


def _cells(item: Mapping[str, Any]) -> Iterator[Child]:
    columns = [column for column in IDENTITY if column in item] or list(item)[:4]
    yield from listed(_value(item[column], column) for column in columns)


def _value(value: object, column: str) -> Html:
    return tag("bdi", NOTHING if value is None else cut(spoken(value, column)))


def _end(outcome: Outcome, reason: str) -> Iterator[Child]:
    yield f"Ended: {cut(reason, 200)}; {ENDS[outcome.status]}."
    if outcome.questions is not None:
        yield f" Questions asked: {outcome.questions:,}."
    if outcome.tokens is not None:
        yield f" Tokens: {outcome.tokens:,}."
