"""Spots: words of a request that may be unclear, with what speaks for it; none is decided.

Each kind has its own features, the same on every catalog: how sure the reader is of its best
reading, how far the next one is, what stands around the words. Linear in the mentions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import log1p
from typing import Literal

from ..extraction.decoding import judged_as
from ..extraction.judged import Judged, Weighed
from ..extraction.network import GRADES, softmax
from .beside import named_beside, strength_of, surest
from .hedges import INDIFFERENT, hedges, is_torn
from .look import CLOSE, TELLING, Features, Look, bounded, by_column, in_cue
from .nearest import longer_values
from .numbers import numbers
from .unlinked import unlinked

Kind = Literal["vague", "ambiguous", "alternatives", "number", "unlinked"]
KINDS: tuple[Kind, ...] = ("vague", "ambiguous", "alternatives", "number", "unlinked")

APART = 6
"""Words between two values that are alternatives, at most."""

FEW = 3
"""Values that a question can name one by one."""


@dataclass(frozen=True)
class Spot:
    """Words `first` to `last` (included) that may be unclear, and what speaks for it.

    `readings` are the weighed mentions of these words; of alternatives, one each.
    """

    kind: Kind
    first: int
    last: int
    features: Features
    readings: tuple[Weighed, ...] = ()
    parts: tuple[Judged, ...] = field(default=())

    @property
    def words(self) -> frozenset[int]:
        """The words that are unclear: of alternatives those that name them."""
        if not self.parts:
            return frozenset(range(self.first, self.last + 1))
        return frozenset(word for part in self.parts for word in part.mention.places)

    def overlaps(self, other: Spot) -> bool:
        """Return whether two spots share a word."""
        return not self.words.isdisjoint(other.words)


def find_spots(look: Look, idle: Mapping[str, int]) -> Iterator[Spot]:
    """Yield all spots; `idle` counts the texts in which a word was known to mean nothing."""
    yield from _alternatives(look)
    yield from _vague(look)
    for item, features in numbers(look):
        first, last = item.mention.first, item.mention.last
        yield Spot("number", first, last, features, (item,))
    yield from _ambiguous(look)
    for first, last, features in unlinked(look, idle):
        yield Spot("unlinked", first, last, features, tuple(look.over(first, last)))


def _vague(look: Look) -> Iterator[Spot]:
    reading = look.reading
    taken = -1
    for graded in sorted(reading.grades, key=lambda g: (g.first, -g.last)):
        if graded.first <= taken:
            continue
        taken = graded.last
        over = list(look.over(graded.first, graded.last))
        own = [i for i in over if i.mention.kind == "grade"]
        if not own or _is_value(look, graded.first, graded.last):
            continue
        best = max(own, key=lambda item: item.gain)
        row = best.rows[best.best]
        ways = dict(zip(GRADES, look.network.chances("grade", row, best.words), strict=True))
        others = [i.gain for i in over if i.mention.kind != "grade"]
        form = {grade.form for grade in graded.meanings}
        chosen = [i for i in look.judged if i.mention.kind == "grade" and i.mention == best.mention]
        features = {
            "gain": bounded(best.gain),
            "chosen": float(bool(chosen)),
            "leaning": float(ways["leaning"] + ways["turned leaning"]),
            "chosen leaning": float(bool(chosen)) * float(ways["leaning"] + ways["turned leaning"]),
            "rival": bounded(max(others, default=-8.0)),
            "rival wins": float(max(others, default=-8.0) > best.gain),
            "plain": float("plain" in form),
            "ish": float("ish" in form),
            "more": float("more" in form),
            "most": float("most" in form),
            "number": float(look.numbers_near(graded.first, graded.last)),
            "told": float(any(grade.topic for grade in graded.meanings)),
            "past": float(in_cue(look, graded.first, "own", "suppose", "ask")),
        }
        yield Spot("vague", graded.first, graded.last, features, tuple(over))


def _is_value(look: Look, first: int, last: int) -> bool:
    """Return whether the reader takes some words for a value."""
    return any(
        item.mention.kind == "value" and item.mention.first <= last and first <= item.mention.last
        for item in look.judged
    )


def _ambiguous(look: Look) -> Iterator[Spot]:
    for item in [*look.judged, *_nearly_meant(look)]:
        mention = item.mention
        if mention.kind in ("value", "name"):
            over = tuple(look.over(mention.first, mention.last))
            own = next(weighed for weighed in over if _is_of(weighed, item))
            features = _of_columns(look, item, own, over) | _of_values(look, item, own, over)
            yield Spot("ambiguous", mention.first, mention.last, features, over)


def _of_columns(look: Look, item: Judged, own: Weighed, over: tuple[Weighed, ...]) -> Features:
    """Return what speaks for several columns: how near the next one is, and what rules it out."""
    mention, column = item.mention, item.column
    logits: dict[str, float] = {}
    for other in over:
        if other.mention.kind in ("value", "name"):
            for name, logit in by_column(other).items():
                logits[name] = max(logit, logits.get(name, -99.0))
    beside = named_beside(look, mention.first, mention.last)
    sure = surest({name: beside[name] for name in logits if name in beside})
    # A noun beside the words rules out the columns that it does not name.
    ruled = logits.keys() - sure if column in sure else set[str]()
    rest = {name: v for name, v in logits.items() if name not in {*ruled, column}}
    rivals = {name for name, logit in rest.items() if own.gain - logit < CLOSE}
    taken = {j.column for j in look.judged if j.mention.kind == "value" and j is not item}
    fits = [o.fit for w in over for o in w.mention.options if o.column in rivals]
    words = range(mention.first, mention.last + 1)
    return {
        "margin": bounded(own.gain - max(rest.values(), default=-8.0)),
        "rivals": float(bool(rivals)),
        "rival whole": max(fits, default=0.0),
        "beside": beside.get(column, 0.0),
        "beside other": strength_of(beside, rivals),
        "taken": float(bool(rivals) and rivals <= taken),
        "settled": float(bool(ruled)),
        "names itself": float(not look.reading.naming_words.isdisjoint(words)),
    }


def _of_values(look: Look, item: Judged, own: Weighed, over: tuple[Weighed, ...]) -> Features:
    """Return what speaks for several values, and how sure the reader is of its own."""
    mention, option, words = item.mention, item.option, look.reading.folded
    grades = [weighed.gain for weighed in over if weighed.mention.kind == "grade"]
    several = option.how == "together" or (option.how == "phrase" and option.rivals > 0)
    around = {*words[max(0, mention.first - 3) : mention.first]}
    around |= {*words[mention.last + 1 : mention.last + 4]}
    return {
        "gain": bounded(own.gain),
        "sure": item.chance,
        "best": float(softmax(own.logits).max()),
        "several": float(several),
        "heads": float(several and option.ends),
        "shared": float(several and _is_open(look, item)),
        "indifferent": float(bool(INDIFFERENT & around)),
        "covered": option.fit,
        "fuzzy": float(option.how == "fuzzy"),
        "longer": log1p(len(_longer(look, item))),
        "initials": float(option.how == "initials"),
        "name": float(mention.kind == "name"),
        "graded": bounded(max(grades, default=-8.0)),
        "unwanted": float(item.polarity != "wanted"),
        "values": log1p(len(option.values)) / 2,
    }


def _longer(look: Look, item: Judged) -> list[str]:
    """Return the longer values of which one that was said whole is a part: `matte black`."""
    if (
        item.mention.kind != "value"
        or item.option.how not in ("whole", "part")
        or item.polarity != "wanted"
    ):
        return []
    (value, *others) = item.option.values
    return [] if others else longer_values(look.reading.index, item.column, value)


def _nearly_meant(look: Look) -> Iterator[Judged]:
    """Yield words that several values share and that the reader passed over, as if meant."""
    settled = {
        word for item in look.judged if item.mention.kind != "grade" for word in item.mention.places
    }
    settled |= look.reading.naming_words
    for item in look.weighed:
        option = item.mention.options[item.best]
        words = item.mention.places
        shared = option.how == "together" or (option.how == "phrase" and option.rivals > 0)
        rare = max(look.reading.rarities[word] for word in words) >= TELLING
        open_ = item.gain > -CLOSE and settled.isdisjoint(words)
        if item.mention.kind == "value" and shared and rare and open_:
            yield judged_as(look.reading, item, item.best, look.network)


def _is_of(item: Weighed, judged: Judged) -> bool:
    """Return whether a mention is the one that was judged."""
    one, other = item.mention, judged.mention
    return (one.first, one.last, one.kind) == (other.first, other.last, other.kind)


def _is_open(look: Look, item: Judged) -> bool:
    """Return whether a word that several values share is all that is said of them.

    One that ends them says what they are: `SUV`, of `compact SUV` and `large SUV`, means any of
    them sooner than `compact` does, where they are many.
    """
    mention, words = item.mention, look.reading.folded
    before = words[max(0, mention.first - 3) : mention.first]
    around = {*before, *words[mention.last + 1 : mention.last + 4]}
    alone = item.polarity == "wanted" and not INDIFFERENT & around and not mention.inside
    heads = item.option.how == "together" and item.option.ends
    if len({_unnumbered(str(value)) for value in item.option.values}) == 1:
        return False
    return alone and len(item.option.values) > 1 and not (heads and len(item.option.values) > FEW)


def _unnumbered(value: str) -> str:
    """Return a value without a number at its end: `Cabin 12` is one of many cabins."""
    return value.rstrip("0123456789").rstrip(" #-")


def _alternatives(look: Look) -> Iterator[Spot]:
    """Yield pairs of values between which, or around which, somebody hesitates."""
    values = [i for i in look.judged if i.mention.kind == "value" and i.polarity == "wanted"]
    spans = list(hedges(look.reading.folded))
    for at, other in enumerate(values):
        mates = [one for one in values[:at] if _are_mates(look, one, other)]
        if mates:
            one = mates[-1]
            inside = [v for v in values[:at] if v.mention.first > one.mention.first]
            features = _hesitation(look, one, other, spans, inside)
            if features["joined"] or features["hedged"]:
                first, last = one.mention.first, other.mention.last
                yield Spot("alternatives", first, last, features, (), (one, other))


def _are_mates(look: Look, one: Judged, other: Judged) -> bool:
    """Return whether two values stand near enough and some column may hold both."""
    apart = other.mention.first - one.mention.last - 1
    return 0 <= apart <= APART and bool(_columns(look, one) & _columns(look, other))


def _hesitation(
    look: Look,
    one: Judged,
    other: Judged,
    spans: list[tuple[int, int]],
    inside: list[Judged],
) -> Features:
    reading = look.reading
    words, first, last = reading.folded, one.mention.last + 1, other.mention.first - 1
    end = other.mention.last
    inner = any(first <= a and b <= last for a, b in spans)
    trailing = any(0 <= a - end - 1 < 2 and "," not in reading.gap(end + 1) for a, _ in spans)
    leading = any(0 <= one.mention.first - 1 - b < 2 for _, b in spans)
    joined = "or" in words[first : last + 1] or "/" in reading.gap(other.mention.first)
    around = words[max(0, one.mention.first - 2) : end + 4]
    asks = joined and (_asks(look, end) or is_torn(words[end + 1 : end + 6]))
    hedged = asks or inner or (joined and (trailing or leading)) or (trailing and leading)
    return {
        "joined": float(joined),
        "hedged": float(hedged),
        "inside": float(bool(inside)),
        "or": float(other.link == "or"),
        "same": float(one.column == other.column),
        "indifferent": float(bool(INDIFFERENT & set(around))),
    }


def _asks(look: Look, last: int) -> bool:
    """Return whether a question mark stands right after a word."""
    return look.reading.text[look.reading.words[last].end :].lstrip().startswith("?")


def _columns(look: Look, item: Judged) -> set[str]:
    return {
        column
        for weighed in look.over(item.mention.first, item.mention.last)
        if weighed.mention.kind == "value"
        for column in by_column(weighed)
    }
