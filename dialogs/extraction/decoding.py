"""Decide what a message means: its mentions weighed together, each word used at most once.

A mention's weight is the log-odds of its best option against *not meant*. The heaviest set of
mentions that share no word is found by dynamic programming, in n log n of the mentions.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .features import context, dense, link_context, link_dense
from .mentions import Mention, Option, find_mentions
from .network import GRADES, LINKS, POLARITIES, SIDES, Floats, Network, softmax
from .reading import Reading


@dataclass(frozen=True, slots=True)
class Weighed:
    """A mention with the log-odds of its options; `rows` their features, `words` its context's."""

    mention: Mention
    logits: Floats
    rows: Floats
    words: Floats

    @property
    def best(self) -> int:
        """The place of the likeliest option."""
        return int(self.logits.argmax())

    @property
    def gain(self) -> float:
        """The log-odds of the likeliest option against not meant."""
        return float(self.logits.max())


@dataclass(frozen=True, slots=True)
class Judged:
    """A mention that is meant, as which option, and all that was decided about it.

    `chance` is the probability that all of it is right; `others` the options it could be as well.
    `link` says how it goes on from the mention of its column before it in the message,
    `leaning` holds the log-odds of each polarity.
    """

    reading: Reading
    mention: Mention
    option: Option
    chance: float
    others: tuple[tuple[Option, float], ...] = ()
    side: str = "=="
    polarity: str = "wanted"
    hard: bool = False
    grade: str = ""
    link: str = ""
    leaning: tuple[float, ...] = ()

    @property
    def column(self) -> str:
        """The column it is about."""
        return self.option.column


def judge(reading: Reading, network: Network) -> list[Judged]:
    """Return what is meant in a message, in the order of its words."""
    weighed = [weigh(reading, mention, network) for mention in find_mentions(reading)]
    chosen = heaviest(list(_without_ends([item for item in weighed if item.gain > 0])))
    named = {item.mention.options[item.best].column for item in chosen if _has_words(item)}
    judged = [
        _judged(reading, item, network)
        for item in chosen
        if _has_words(item) or item.mention.options[item.best].column not in named
    ]
    return _linked(reading, judged, network)


def _has_words(item: Weighed) -> bool:
    return item.mention.last >= item.mention.first


def _without_ends(items: list[Weighed]) -> Iterator[Weighed]:
    """Yield what is more likely meant than not, without the ends of ranges that are meant."""
    ranges = [item for item in items if item.mention.options[item.best].how == "range"]
    for item in items:
        mention, column = item.mention, item.mention.options[item.best].column
        around = (
            other.mention
            for other in ranges
            if other is not item and other.mention.options[other.best].column == column
        )
        if not any(o.first <= mention.first and mention.last <= o.last for o in around):
            yield item


def weigh(reading: Reading, mention: Mention, network: Network) -> Weighed:
    """Return a mention with the log-odds of its options against not meant."""
    rows, words = dense(reading, mention), network.embedded(context(reading, mention))
    return Weighed(mention, network.logits("option", rows, words)[:, 0], rows, words)


def heaviest(items: list[Weighed]) -> list[Weighed]:
    """Return the mentions of the greatest total gain of which no two share a word."""
    wordless = [item for item in items if not _has_words(item)]
    ordered = sorted(filter(_has_words, items), key=lambda item: item.mention.last)
    ends = [item.mention.last for item in ordered]
    totals = [0.0]
    for at, item in enumerate(ordered):
        before = bisect_right(ends, item.mention.first - 1, hi=at)
        totals.append(max(totals[-1], totals[before] + item.gain))
    kept: list[Weighed] = []
    at = len(ordered)
    while at:
        if totals[at] == totals[at - 1]:
            at -= 1
            continue
        kept.append(ordered[at - 1])
        at = bisect_right(ends, ordered[at - 1].mention.first - 1, hi=at - 1)
    return [*reversed(kept), *wordless]


def _judged(reading: Reading, item: Weighed, network: Network) -> Judged:
    mention, best = item.mention, item.best
    option, row = mention.options[best], item.rows[best]
    chances = softmax(np.append(item.logits, np.float32(0.0)))
    others = sorted(
        ((mention.options[at], float(chances[at])) for at in range(len(item.logits)) if at != best),
        key=lambda pair: -pair[1],
    )
    chance = float(chances[best])
    side, polarity, grade = "==", "wanted", ""
    leaning: tuple[float, ...] = ()
    if mention.kind in ("number", "date"):
        side, sure = _decided(network, "side", SIDES, row, item.words)
    elif mention.kind == "grade":
        grade, sure = _decided(network, "grade", GRADES, row, item.words)
    else:
        polarity, sure = _decided(network, "polarity", POLARITIES, row, item.words)
        leaning = tuple(map(float, network.logits("polarity", row[None, :], item.words)[0]))
    hard, _ = _decided(network, "hard", ("soft", "hard"), row, item.words)
    return Judged(
        reading,
        mention,
        option,
        chance * sure,
        tuple(others),
        side,
        polarity,
        hard == "hard",
        grade,
        leaning=leaning,
    )


def judged_as(reading: Reading, item: Weighed, at: int, network: Network) -> Judged:
    """Return a mention judged as if its option at a place were the only one."""
    mention = replace(item.mention, options=(item.mention.options[at],))
    alone = replace(
        item, mention=mention, logits=item.logits[at : at + 1], rows=item.rows[at : at + 1]
    )
    return _judged(reading, alone, network)


def _decided(
    network: Network, head: str, names: Sequence[str], row: Floats, words: Floats
) -> tuple[str, float]:
    chances = network.chances(head, row, words)
    best = int(chances.argmax())
    return names[best], float(chances[best])


def _linked(reading: Reading, judged: list[Judged], network: Network) -> list[Judged]:
    """Return the same, linked: the members of a list are wanted together, or unwanted."""
    lists: dict[str, list[int]] = {}
    linked: list[Judged] = []
    for at, item in enumerate(judged):
        group = lists.get(item.column, [])
        if group and _has_place(item) and _has_place(linked[group[-1]]):
            item = replace(item, link=_link(reading, linked[group[-1]], item, network))
        lists[item.column] = [*group, at] if item.link in ("or", "and") else [at]
        linked.append(item)
        members = [linked[other] for other in lists[item.column]]
        if len(members) > 1 and all(member.leaning for member in members):
            together = np.sum([member.leaning for member in members], axis=0)
            for other in lists[item.column]:
                linked[other] = replace(linked[other], polarity=POLARITIES[int(together.argmax())])
    return linked


def _link(reading: Reading, before: Judged, item: Judged, network: Network) -> str:
    pair, options = (before.mention, item.mention), (before.option, item.option)
    same = (before.polarity == item.polarity, before.side == item.side)
    words = network.embedded(link_context(reading, *pair))
    return _decided(network, "link", LINKS, link_dense(reading, pair, options, same), words)[0]


def _has_place(item: Judged) -> bool:
    return item.mention.last >= item.mention.first and item.mention.kind != "grade"
