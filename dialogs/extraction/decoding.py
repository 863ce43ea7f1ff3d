"""Decide what a message means: its mentions weighed together, each word used at most once.

A mention's weight is the log-odds of its best option against *not meant*. The heaviest set of
mentions that share no word is found by dynamic programming, in n log n of the mentions.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from math import log

import numpy as np

from ..language.units import UNITS, spelling
from .admitted import as_admitted, is_admitted
from .ages_said import with_ages
from .bare_days import side_of_bare_day
from .day_parts import are_either, as_time_of_day, side_of_day_part
from .features import context, dense, link_context, link_dense
from .group_sizes import UNLIKELY, side_of_group, with_groups
from .held_words import as_graded, without_held
from .judged import Judged, Weighed
from .lifted_values import lifted
from .mention import Mention
from .mentions import find_mentions
from .network import GRADES, LINKS, POLARITIES, SIDES, Floats, Network, softmax
from .number_lists import as_sure, goes_on, joined
from .phrasing import together
from .plain_bounds import (
    OUTSIDE,
    ROUGHLY_MOST,
    as_measured,
    as_stay,
    denied_list,
    is_part_of_day,
    is_refused,
    is_refused_moment,
    is_refused_range,
    needs_none,
    side_of_complaint,
    side_of_plain_bound,
    side_of_rounded_bound,
    through_week,
)
from .reading import Reading


def judge(reading: Reading, network: Network, wished: Collection[int] = ()) -> list[Judged]:
    """Return what is meant in a message, in the order of its words.

    `wished`: places of words that are known to wish for something.
    """
    weighed = as_sure([weigh(reading, mention, network) for mention in find_mentions(reading)])
    weighed = [lifted(item, wished) for item in weighed]
    weighed = [_in_its_unit(reading, item) for item in weighed]
    weighed = [with_groups(reading, as_measured(reading, item)) for item in weighed]
    weighed = [with_ages(reading, item) for item in weighed]
    weighed = [as_admitted(reading, as_time_of_day(reading, item)) for item in weighed]
    weighed = list(without_held(reading, [as_graded(reading, item) for item in weighed]))
    chosen = heaviest(list(_without_ends([item for item in weighed if item.gain > 0])))
    named = {item.mention.options[item.best].column for item in chosen if item.mention.has_words}
    kept = [
        item
        for item in chosen
        if item.mention.has_words or item.mention.options[item.best].column not in named
    ]
    kept = phrased(reading, kept, network)
    linked = _linked(reading, [_judged(reading, item, network) for item in kept], network)
    apart = _apart(kept, linked)
    if apart is not None:
        linked = _linked(reading, [_judged(reading, item, network) for item in apart], network)
    return list(_consistent(joined(linked)))


def _apart(kept: Sequence[Weighed], linked: Sequence[Judged]) -> list[Weighed] | None:
    """Return the mentions where one of two values of a column means another column.

    Of "Bath to York" one is where it starts, however much it sounds like a correction or a list.
    None where nothing contradicts, or no column that has one of them is free and more likely than
    nothing.
    """
    taken = {item.column for item in linked}
    for at, item in enumerate(linked):
        for before in range(at):
            if item.mention.kind != "value" or not _contradict(linked[before], item):
                continue
            alone = _stand_alone(linked[before + 1 : at + 1], item.column, ("or", "and"))
            if not alone and not _leads_to(linked[before], item):
                continue
            shared = {option.column for option in linked[before].mention.options}.intersection(
                option.column for option in item.mention.options
            )
            moved = [
                (kept[place].logits[option] - kept[place].gain, place, option)
                for place in (before, at)
                for option in range(len(kept[place].logits))
                if kept[place].logits[option] > 0
                and kept[place].mention.options[option].column not in taken
                and (alone or kept[place].mention.options[option].column in shared)
            ]
            if moved:
                _, place, option = max(moved)
                one_column = _with_best(kept[place], option)
                return [*kept[:place], one_column, *kept[place + 1 :]]
    return None


def _leads_to(one: Judged, other: Judged) -> bool:
    """Return whether nothing but a `to` parts two mentions: `Bath to York`."""
    return one.reading.folded[one.mention.last + 1 : other.mention.first] == ["to"]


def _with_best(item: Weighed, at: int) -> Weighed:
    """Return a mention that means its option at a place, or none of that column's rivals."""
    keep = [
        place
        for place in range(len(item.mention.options))
        if place == at or item.logits[place] <= item.logits[at]
    ]
    mention = replace(item.mention, options=tuple(item.mention.options[place] for place in keep))
    return replace(item, mention=mention, logits=item.logits[keep], rows=item.rows[keep])


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


FEW = 2
"""Words beside what is named from which on the encoder is asked: `and dimmable` tells it little."""


def has_context(reading: Reading, mentions: Iterable[Mention]) -> bool:
    """Return whether there are words enough around what is named for the encoder to be asked."""
    named = {at for mention in mentions for at in mention.places}
    return len(reading.words) - len(named) >= FEW


def phrased(reading: Reading, items: Sequence[Weighed], network: Network) -> list[Weighed]:
    """Return mentions with what the encoder makes of the words around them, if there are some."""
    mentions = [item.mention for item in items]
    if network.phrasing is None or not items or not has_context(reading, mentions):
        return list(items)
    heard = network.phrasing().hear(reading, mentions)
    return [
        replace(item, phrasing=told, wished=heard.wished)
        for item, told in zip(items, heard.mentions, strict=True)
    ]


OTHER_WORDS = ("in", "min")
"""Units that are other words as well."""


def _in_its_unit(reading: Reading, item: Weighed) -> Weighed:
    """Return a number with a unit as what is measured so, if something is.

    Three kilograms are no people; of `15 km/h` the first unit alone says nothing.
    """
    mention, quantity = item.mention, item.mention.quantity
    unit = quantity.unit if quantity is not None else None
    if unit is None or len(unit) < 2 or unit in OTHER_WORDS:
        return item
    said = "".join(reading.folded[mention.last + 1 : mention.last + 2])
    if not (spelling(said) in UNITS or reading.folded[mention.last][-1:].isalpha()):
        return item  # The question that a bare number answers names its unit.
    elsewhere = np.array([option.fit < 1.0 for option in mention.options])
    ends = (min(at, len(reading.words)) for at in (mention.last + 1, mention.last + 2))
    if elsewhere.all() or any(reading.gap(at).strip() == "/" for at in ends):
        return item
    return replace(
        item, logits=np.where(elsewhere, np.minimum(item.logits, -UNLIKELY), item.logits)
    )


def heaviest(items: list[Weighed]) -> list[Weighed]:
    """Return the mentions of the greatest total gain of which no two share a word."""
    wordless = [item for item in items if not item.mention.has_words]
    worded = [item for item in items if item.mention.has_words]
    ordered = sorted(worded, key=lambda item: item.mention.last)
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
    option = mention.options[best]
    chances = softmax(np.append(item.logits, np.float32(0.0)))
    others = sorted(
        ((mention.options[at], float(chances[at])) for at in range(len(item.logits)) if at != best),
        key=lambda pair: -pair[1],
    )
    chance = float(chances[best])
    side, polarity, grade = "==", "wanted", ""
    leaning: tuple[float, ...] = ()
    sides: tuple[float, ...] = ()
    if mention.kind in ("number", "date"):
        logits = _logits(item, best, "side", network)
        sides, (side, sure) = tuple(map(float, logits)), _likeliest(logits, SIDES)
        if option.how != "range":
            side = side_of_rounded_bound(reading, mention, option.column, side)
            side = side_of_plain_bound(reading, mention, side)
            side = side_of_group(reading, mention, option.column, side)
            side = side_of_complaint(reading, mention, option.column, side)
            side = side_of_bare_day(reading, mention, option, side)
            if is_part_of_day(reading, mention, option):
                side, sure = side_of_day_part(reading, mention, option, side), 1.0
            if is_refused_moment(reading, mention, option):
                side = "!="
        if is_refused_range(reading, mention, option):
            side = OUTSIDE
        option, side = as_stay(reading, mention, option, side)
    elif mention.kind == "grade":
        grade, sure = _likeliest(_logits(item, best, "grade", network), GRADES)
    else:
        logits = polarity_logits(item, best, network)
        polarity, sure = _likeliest(logits, POLARITIES)
        leaning = tuple(map(float, logits))
        is_any = option.how == "name" and option.column in reading.index.columns
        if (polarity == "unwanted" or is_any) and needs_none(reading, mention):
            polarity, leaning = "unneeded", ()
    hard, _ = _likeliest(_logits(item, best, "hard", network), ("soft", "hard"))
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
        sides=sides,
        wished=item.wished,
    )


def polarity_logits(item: Weighed, at: int, network: Network) -> Floats:
    """Return the log-odds of the polarities of what an option names, itself or by its contrary."""
    logits = _logits(item, at, "polarity", network)
    if item.mention.options[at].free_of:
        # Who refuses nuts wants what is nut-free, and so does who only names them.
        ends = [POLARITIES.index(name) for name in ("unwanted", "wanted")]
        logits = logits.copy()
        logits[ends] = np.sort(logits[ends])
    contrary = item.mention.options[at].contrary
    return logits[[POLARITIES.index(turned(name)) for name in POLARITIES]] if contrary else logits


def turned(polarity: str) -> str:
    """Return the polarity of what is named from that of its contrary: who wants `unheated`."""
    return {"wanted": "unwanted", "unwanted": "wanted"}.get(polarity, polarity)


def judged_as(reading: Reading, item: Weighed, at: int, network: Network) -> Judged:
    """Return a mention judged as if its option at a place were the only one."""
    mention = replace(item.mention, options=(item.mention.options[at],))
    alone = replace(
        item, mention=mention, logits=item.logits[at : at + 1], rows=item.rows[at : at + 1]
    )
    return _judged(reading, alone, network)


def _likeliest(logits: Floats, names: Sequence[str]) -> tuple[str, float]:
    """Return what log-odds decide for, and the probability that it is right."""
    best = int(logits.argmax())
    return names[best], float(softmax(logits)[best])


def _logits(item: Weighed, at: int, head: str, network: Network) -> Floats:
    """Return the log-odds of a decision about an option, by the network and the encoder."""
    logits = network.logits(head, item.rows[at][None, :], item.words)[0]
    told = item.phrasing.get(head)
    return logits if told is None else together(head, logits, told)


def _linked(reading: Reading, judged: list[Judged], network: Network) -> list[Judged]:
    """Return the same, linked: the members of a list are wanted together, or unwanted."""
    lists: dict[str, list[int]] = {}
    linked: list[Judged] = []
    for at, item in enumerate(judged):
        group = lists.get(item.column, [])
        if group and _has_place(item) and _has_place(linked[group[-1]]):
            item = replace(item, link=_link(reading, linked[group[-1]], item, network))
            item = through_week(linked[group[-1]], item)
            if item.leaning and denied_list([*(linked[place] for place in group), item])[0]:
                item = replace(item, link="or")
        continues = item.link in ("or", "and") and not is_refused(reading, item.mention)
        if group and continues and is_refused(reading, linked[group[-1]].mention):
            # `Not rock! Jazz or pop`: what was refused is no part of what is said then.
            continues = not reading.gap(item.mention.first).strip(" ,")
        lists[item.column] = [*group, at] if continues else [at]
        linked.append(item)
        _decide_together(linked, _said_again(linked))
        _decide_together(linked, lists[item.column])
    return linked


def _said_again(linked: Sequence[Judged]) -> list[int]:
    """Return the places of the mentions that name what the last one names, and of the last one."""
    item = linked[-1]
    if item.link == "replaces" or not _has_place(item):
        return []
    return [
        at
        for at, other in enumerate(linked)
        if other.column == item.column
        and other.mention.kind == item.mention.kind
        and set(other.option.values) == set(item.option.values)
    ]


def _decide_together(linked: list[Judged], members: Sequence[int]) -> None:
    """Give some mentions the polarity that they have on the whole.

    What is denied before a list is all of it: `no A, B or C`. Of `not A, B` it is the first alone.
    """
    if len(members) > 1 and all(linked[at].leaning for at in members):
        sums = [np.sum([linked[at].leaning for at in members], axis=0)] * len(members)
        denied, joint = denied_list([linked[at] for at in members])
        if denied and not joint:
            sums = [np.array(linked[at].leaning) for at in members]
        for at, leaning in zip(members, sums, strict=True):
            polarity = "unwanted" if denied and joint else POLARITIES[int(leaning.argmax())]
            linked[at] = replace(linked[at], polarity=polarity)


LAST_WORD = 1.0
"""By how much the odds of a later statement may be lower, as a logarithm, and it still counts.

Chosen on written requests and personas of catalogs that the reader had not seen.
"""

EITHER = 0.9
"""How sure it has to be that two values are wished of which a row has one alone.

Below that, one of them is mostly mentioned only; chosen as the constant above."""

_ENDS = {">": "low", ">=": "low", "<": "high", "<=": "high", "!=": "other"}
_ENDS[ROUGHLY_MOST] = "high"


def _consistent(judged: Sequence[Judged]) -> Iterator[Judged]:
    """Yield what is meant without what contradicts something said before, and is much less sure.

    What the words themselves link to what was said before stays.
    """
    for at, item in enumerate(judged):
        before = (
            place
            for place, other in enumerate(judged[:at])
            if _contradict(other, item) and _odds(item) < _odds(other) - LAST_WORD
        )
        if not any(_stand_alone(judged[place + 1 : at + 1], item.column) for place in before):
            yield item


def _stand_alone(
    items: Sequence[Judged], column: str, links: Sequence[str] = ("replaces", "or", "and")
) -> bool:
    """Return whether none of these is linked so to another of its column."""
    return not any(item.link in links for item in items if item.column == column)


def _contradict(one: Judged, other: Judged) -> bool:
    """Return whether two mentions of one column cannot both be meant."""
    if one.column != other.column or not (_has_place(one) and _has_place(other)):
        return False
    kinds, values = {one.mention.kind, other.mention.kind}, one.option.values
    index = one.reading.index
    if kinds <= {"value"}:
        both = one.polarity == other.polarity == "wanted" and not index.columns[one.column].parts
        return both and set(values) != set(other.option.values)
    if kinds in ({"number"}, {"date"}):
        ends = [_ENDS.get(item.side, "both") for item in (one, other)]
        meet = ends[0] == ends[1] or "both" in ends
        return meet and "other" not in ends and values != other.option.values
    flags = kinds <= {"name"} and one.column in index.yes_no
    return flags and {one.polarity, other.polarity} == {"wanted", "unwanted"}


def _odds(item: Judged) -> float:
    chance = min(max(item.chance, 1e-4), 1 - 1e-4)
    return log(chance / (1 - chance))


def _link(reading: Reading, before: Judged, item: Judged, network: Network) -> str:
    pair, options = (before.mention, item.mention), (before.option, item.option)
    also = is_admitted(reading, item.mention) or _is_not_only(before) or _is_not_only(item)
    if goes_on(*pair) or are_either(before, item) or (also and _are_wanted(before, item)):
        return "or"
    same = (before.polarity == item.polarity, before.side == item.side)
    words = network.embedded(link_context(reading, *pair))
    chances = network.chances("link", link_dense(reading, pair, options, same), words)
    if chances[LINKS.index("or")] < EITHER and _contradict(before, item):
        chances[LINKS.index("or")] = 0.0
    return LINKS[int(chances.argmax())]


def _are_wanted(one: Judged, other: Judged) -> bool:
    values = one.mention.kind == other.mention.kind == "value"
    return values and one.polarity == other.polarity == "wanted"


def _is_not_only(item: Judged) -> bool:
    first = item.mention.first
    return item.reading.folded[max(0, first - 2) : first] == ["not", "only"]


def _has_place(item: Judged) -> bool:
    return item.mention.has_words and item.mention.kind != "grade"
