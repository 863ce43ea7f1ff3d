"""Put what a labelled sentence means to the mentions that the reader finds in it.

What a span of the gold covers selects a mention and its option; every other mention is not meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isclose

from ...dialogs.extraction.column_amounts import is_calendar_year
from ...dialogs.extraction.decoding import turned
from ...dialogs.extraction.mention import Mention, Option
from ...dialogs.extraction.mentions import find_mentions
from ...dialogs.extraction.merging import SOFT, bounding, values_with
from ...dialogs.extraction.network import SIDES
from ...dialogs.extraction.reading import Reading
from .labelled import (
    NOWHERE,
    LabelledConstraint,
    LabelledDirection,
    LabelledSentence,
    LabelledWaiver,
    Span,
)

Item = LabelledConstraint | LabelledDirection | LabelledWaiver

TEXT_OPS = ("==", "!=", "in", "not in", "contains", "contains any")
YES = ("yes", "y", "true", "t", "ja", "oui", "si")
NEGATIVE = ("!=", "not in", "is null")


@dataclass
class Label:
    """What a mention is meant as: the place of its option, and the decisions about it."""

    option: int
    side: str = ""
    polarity: str = ""
    grade: str | None = None
    hard: bool | None = None
    item: object = None
    corrected: bool = False


@dataclass
class Aligned:
    """A reading with a label for each mention: None where not meant, False where unclear."""

    reading: Reading
    mentions: list[Mention]
    labels: list[Label | bool | None]
    missed: list[object] = field(default_factory=list[object])

    def links(self) -> Iterator[tuple[int, int, str]]:
        """Yield pairs of neighbouring meant mentions of one column and how they are linked."""
        latest: dict[str, int] = {}
        for at, label in enumerate(self.labels):
            mention = self.mentions[at]
            if not isinstance(label, Label) or mention.kind == "grade" or not mention.has_words:
                continue
            column = mention.options[label.option].column
            if column in latest:
                yield latest[column], at, self._link(latest[column], at)
            latest[column] = at

    def _link(self, one: int, other: int) -> str:
        first, second = self.labels[one], self.labels[other]
        assert isinstance(first, Label)
        assert isinstance(second, Label)
        if first.corrected:
            return "replaces"
        ops = [
            item.op if isinstance(item, LabelledConstraint) else ""
            for item in (first.item, second.item)
        ]
        if first.item is second.item:
            return "or" if ops[0] in ("in", "not in", "contains any") else "separate"
        return "and" if ops == ["contains", "contains"] else "separate"


def items_of(sentence: LabelledSentence) -> tuple[Item, ...]:
    """Return all that a sentence means."""
    return (*sentence.constraints, *sentence.objectives, *sentence.leanings, *sentence.waived)


def align(reading: Reading, sentence: LabelledSentence) -> Aligned:
    """Return the mentions of a reading with what the sentence's gold says of them."""
    mentions = find_mentions(reading)
    aligned = Aligned(reading, mentions, [None] * len(mentions))
    columns = {constraint.column for constraint in sentence.constraints}
    items: list[tuple[object, Span]] = [
        (item, tuple(item.span))  # type: ignore[misc]
        for item in items_of(sentence)
    ]
    for item, span in items:
        found = _candidates(aligned, item, span)
        for _, _, label in found:
            if label.grade is not None:
                label.grade += "leaning" if item in sentence.leanings else "objective"
        if not _take(aligned, found):
            aligned.missed.append(item)
    for span in sentence.corrected:
        spanned = _overlapping(aligned, tuple(span))  # type: ignore[arg-type]
        found = [
            (overlap, at, Label(option, corrected=True, polarity="wanted"))
            for overlap, at in spanned
            for option, what in enumerate(mentions[at].options)
            if what.column in columns and mentions[at].kind in ("value", "number", "date")
        ]
        _take(aligned, found)
    for item in sentence.perhaps:
        for _, at, _ in _candidates(aligned, item, NOWHERE):
            if aligned.labels[at] is None:
                aligned.labels[at] = False
    return aligned


def _take(aligned: Aligned, found: list[tuple[float, int, Label]]) -> bool:
    """Label the mentions that cover an item best, of overlapping ones the best alone."""
    taken: list[int] = []
    for _, at, label in sorted(found, key=lambda triple: -triple[0]):
        mention = aligned.mentions[at]
        rivals = [aligned.mentions[other] for other in taken]
        if any(rival.first <= mention.last and mention.first <= rival.last for rival in rivals):
            if aligned.labels[at] is None:
                aligned.labels[at] = False
            continue
        if not isinstance(aligned.labels[at], Label):
            aligned.labels[at] = label
        taken.append(at)
    return bool(taken)


def _overlapping(aligned: Aligned, span: Span) -> list[tuple[float, int]]:
    """Return how well mentions and a span cover each other, and their places."""
    words = aligned.reading.words
    found: list[tuple[float, int]] = []
    for at, mention in enumerate(aligned.mentions):
        if not mention.has_words:
            continue
        start, end = words[mention.first].start, words[mention.last].end
        common = min(end, span[1]) - max(start, span[0])
        if common > 0 or span[1] == 0:
            joined = max(end, span[1]) - min(start, span[0]) if span[1] else 10
            overlap = common / joined if span[1] else (end - start) / joined
            found.append((overlap, at))
    return found


def _candidates(aligned: Aligned, item: object, span: Span) -> list[tuple[float, int, Label]]:
    found: list[tuple[float, int, Label]] = []
    for overlap, at in _overlapping(aligned, span):
        mention = aligned.mentions[at]
        for place, option in enumerate(mention.options):
            label = _label(aligned.reading, mention, option, item)
            if label is not None:
                label.option = place
                found.append((overlap + label_bonus(option), at, label))
    return found or list(_wordless(aligned, item))


def _wordless(aligned: Aligned, item: object) -> Iterator[tuple[float, int, Label]]:
    """Yield what means an item by no words of its own: an answer, or a value that was offered."""
    hard = item.hard if isinstance(item, LabelledConstraint) else None
    for at, mention in enumerate(aligned.mentions):
        for place, option in enumerate(mention.options):
            if option.column != item.column:  # type: ignore[attr-defined]
                continue
            polarity = _answered(aligned.reading, item) if mention.kind == "answer" else ""
            if mention.kind == "offer" and isinstance(item, LabelledConstraint):
                polarity = _meant_offer(option, item)
            if polarity:
                label = Label(place, polarity=polarity, hard=hard, item=item)
                yield 1.0 + (mention.kind == "offer"), at, label


def _meant_offer(option: Option, item: LabelledConstraint) -> str:
    """Return whether a constraint wishes for just what an option offers, or for none of it."""
    if item.op not in TEXT_OPS:
        return ""
    values = item.value if isinstance(item.value, list) else [item.value]
    same = {str(value) for value in values} == {str(value) for value in option.values}
    return ("unwanted" if item.op in NEGATIVE else "wanted") if same else ""


def label_bonus(option: Option) -> float:
    """Return what makes an option better among equals: a value rather than an open name."""
    return {"open": -5.0, "fuzzy": -0.5, "phrase": -0.2, "together": -0.1, "range": 0.5}.get(
        option.how, 0.0
    )


def _answered(reading: Reading, item: object) -> str:
    """Return the polarity by which an answer as a whole may mean an item."""
    if not isinstance(item, LabelledConstraint):
        return "unneeded" if type(item).__name__ == "LabelledWaiver" else ""
    yes_no = reading.index.yes_no.get(item.column)
    if yes_no is None or item.op not in ("==", "!="):
        return ""
    yes = item.value in (True, yes_no.yes) or str(item.value).casefold() in YES
    return "wanted" if yes == (item.op == "==") else "unwanted"


def _label(reading: Reading, mention: Mention, option: Option, item: object) -> Label | None:
    if option.column != item.column:  # type: ignore[attr-defined]
        return None
    name = type(item).__name__
    if name == "LabelledWaiver":
        fits = mention.kind in ("name", "value")
        return Label(0, polarity="unneeded", item=item) if fits else None
    if name == "LabelledDirection":
        return _grade_label(mention, option, item)
    assert isinstance(item, LabelledConstraint)
    if mention.kind in ("number", "date"):
        side = side_of(reading, mention, option, item)
        return Label(0, side=side, hard=item.hard, item=item) if side else None
    polarity = _polarity(reading, mention, option, item)
    return Label(0, polarity=polarity, hard=item.hard, item=item) if polarity else None


def _grade_label(mention: Mention, option: Option, item: object) -> Label | None:
    if mention.kind != "grade":
        return None
    turned = "" if option.values[0] == item.direction else "turned "  # type: ignore[attr-defined]
    return Label(0, grade=turned, item=item)


def _polarity(
    reading: Reading, mention: Mention, option: Option, item: LabelledConstraint
) -> str | None:
    """Return whether a mention means a constraint, and how; None where it does not."""
    if mention.kind == "name" and option.how == "flag":
        answered = _answered(reading, item)
        return (turned(answered) if option.contrary else answered) or None
    if mention.kind == "name" and item.op in ("is null", "is not null"):
        return "wanted" if item.op == "is not null" else "unwanted"
    if item.op not in TEXT_OPS or mention.kind not in ("value", "open"):
        return None
    polarity = "unwanted" if item.op in NEGATIVE else "wanted"
    wanted = {
        str(value) for value in (item.value if isinstance(item.value, list) else [item.value])
    }
    if mention.kind == "open":
        known = wanted <= reading.index.columns[option.column].ranks.keys()
        return None if known else polarity
    values = {str(value) for value in option.values}
    if option.how == "together":
        return polarity if values <= wanted else None
    if not wanted.isdisjoint(map(str, option.values[: option.rivals + 1])):
        # Values that the same words stand for equally well are told apart only by asking.
        return polarity
    if item.op == "not in" and option.how == "part" and len(wanted) > 1:
        holding = values_with(reading.index, option.column, str(option.values[0]))
        return polarity if holding and wanted >= set(holding) else None
    return None


def side_of(
    reading: Reading, mention: Mention, option: Option, item: LabelledConstraint
) -> str | None:
    """Return the side by which a number or date comes to a constraint; None where none does."""
    if mention.kind == "date":
        return next((side for side in SIDES if _day_is(option, side, item)), None)
    gold = item.value if isinstance(item.value, list) else [item.value]
    if not gold or any(isinstance(v, bool) or not isinstance(v, int | float) for v in gold):
        return None
    ends = [float(v) for v in gold]  # type: ignore[arg-type]
    said = [float(v) for v in option.values]  # type: ignore[arg-type]
    if item.op == "between" and len(said) == 2:
        return "==" if all(_close(a, b) for a, b in zip(said, ends, strict=True)) else None
    if len(said) == 2:
        return None
    if item.op == "between":
        reach = (
            1.0 if is_calendar_year(reading.index.numeric[option.column]) else abs(said[0]) * SOFT
        )
        if _close(ends[0], said[0] - reach) and _close(ends[1], said[0] + reach):
            return "~"
        middle = (ends[0] + ends[1]) / 2
        if _close(middle, said[0]):
            return "~"
        return ">=" if _close(said[0], ends[0]) else "<=" if _close(said[0], ends[1]) else None
    op = {"in": "==", "not in": "!="}.get(item.op, item.op)
    return op if op in SIDES and any(_close(said[0], end) for end in ends) else None


def _close(one: float, other: float) -> bool:
    return isclose(one, other, rel_tol=1e-3, abs_tol=1e-6)


def _day_is(option: Option, side: str, item: LabelledConstraint) -> bool:
    gold = [str(v)[:10] for v in (item.value if isinstance(item.value, list) else [item.value])]
    if option.how == "clock":
        gold = [f"0{v[:4]}" if v[1:2] == ":" else v[:5] for v in gold]
    ends = [str(value) for value in option.values]
    if item.op == "between":
        whole = side == "==" and gold == ends[:2]
        single = ends[0] == ends[1]
        return whole or (
            single
            and ((side == ">=" and gold[0] == ends[0]) or (side == "<=" and gold[1] == ends[1]))
        )
    return side == item.op and (gold[0] == bounding(option, side) or gold[0] in ends[:2])
