"""Words that decide whatever else is said: `anything over 15`, `12 is too late`, `any brand`.

Alone the former say it; in longer messages the same words bound either way (“anything over 500 is
out”), so that what is fitted on them doubts the short one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from math import inf

import numpy as np

from ...catalogs.query.schema import name_words
from ..language.column_phrases import FULL, column_topics
from ..language.cues import cues
from ..language.grades import grades
from ..language.units import UNITS
from .clocks import DAYTIMES
from .column_amounts import in_range
from .grade_mentions import bounds_number, named_beside
from .group_sizes import LIKELY
from .judged import Judged, Weighed
from .mention import Mention, Option
from .number_lists import BOUNDS, cues_beside
from .reading import NEAR, Reading
from .week_days import days_of

_SIDES = {"over": ">", "least": ">=", "under": "<", "most": "<="}
"""The side that a class of cues says."""

_PLAIN = frozenset(
    "above and at below excess fewer greater higher in is least less limit lower max maximum min "
    "minimum more most my no not nothing of or over plus than the tops under up upward upwards "
    "very".split()
)
"""Words of such cues that mean one side of any column: of years `older than 2015` is less."""

_FILLERS = frozenset(
    "a all an and anything are be do does er fine for good great has have i i'd i'll is it it's "
    "just like must need needs of ok okay one ones or please really should so some something "
    "thanks that that's the then to um want well will with works would yes".split()
)
"""Words that say nothing of a side."""


def side_of_plain_bound(reading: Reading, mention: Mention, side: str) -> str:
    """Return the side that a message says of its only number or day, if all it says is a bound.

    The one given, decided by what is fitted, unless it is the other side.
    """
    before = mention.first - 1
    if side == "==" and before >= 0 and bounds_number(reading, before, before):
        return ">=" if reading.folded[before].startswith("min") else "<="
    if side[0] not in "<>":
        return side
    said = [cue for cue in reading.cues if cue[2] in _SIDES]
    if not said or len({name for _, _, name in said}) > 1:
        return side
    told = {at for first, last, _ in said for at in range(first, last + 1)}
    if not {reading.folded[at] for at in told} <= _PLAIN:
        return side
    has_unit = mention.quantity is not None and mention.quantity.unit != ""
    told.update(range(mention.first, mention.last + 1 + has_unit), reading.naming_words)
    rest = {word for at, word in enumerate(reading.folded) if at not in told}
    plain = _SIDES[said[0][2]]
    return plain if side[0] != plain[0] and rest <= _FILLERS else side


_BEFORE = DAYTIMES | frozenset(
    "a an in on at during the any be start begin do make from between anything or nor".split()
)
"""Words between a denial and the stretch that it refuses: `it can't start in the`."""


def is_refused(reading: Reading, mention: Mention) -> bool:
    """Return whether a denial stands right before a mention, or right behind it.

    A comma parts `no, in the evening`.
    """
    words, at = reading.folded, mention.first - 1
    if _REFUSED_BEHIND.match(reading.text, reading.words[mention.last].end):
        return True
    while at >= 0 and words[at] in _BEFORE and not reading.gap(at + 1).strip():
        at -= 1
    if at < 0 or reading.gap(at + 1).strip() or "why" in words[:at]:
        return False
    if words[at] in ("but", "except"):
        return any(word.startswith(("any", "every")) for word in words[max(0, at - 2) : at])
    return any(last == at and kind in ("not", "against") for _, last, kind in reading.cues)


def denied_list(members: Sequence[Judged]) -> tuple[bool, bool]:
    """Return whether a denial stands before a bare list, and whether a word joins its last."""
    reading, folded = members[0].reading, members[0].reading.folded
    ends = [(one.mention.last + 1, other.mention.first) for one, other in pairwise(members)]
    between = [folded[start:end] for start, end in ends]
    bare = all(words[:1] in ([], *_JOINTS) and _ARTICLES.issuperset(words[1:]) for words in between)
    joined = all(reading.gap(at).strip() in ("", ",") for pair in ends for at in pair)
    denied = bare and joined and is_refused(reading, members[0].mention)
    return denied, between[-1][:1] in _JOINTS


_THROUGH = re.compile(r"\s?(?:[-–]|\b(?:to|till|through)\b)\s?", re.IGNORECASE)


def through_week(one: Judged, other: Judged) -> Judged:
    """Return the last of two weekdays, where it ends a stretch, as all behind the first: Tue-Thu.

    Any of them will do.
    """
    text, texts = one.reading.text, one.reading.index.columns.get(one.column)
    first, last = one.reading.words[one.mention.last], one.reading.words[other.mention.first]
    if texts is None or not _THROUGH.fullmatch(text, first.end, last.start):
        return other
    days = days_of(text[first.start : last.end]) - days_of(str(one.option.values[0]))
    held = {name: day for name in texts.parts or texts.ranks if len(day := days_of(name)) == 1}
    values = tuple(name for name, day in held.items() if day <= days)
    if not values:
        return other
    return replace(other, option=replace(other.option, how="together", values=values), link="or")


_JOINTS = (["or"], ["and"], ["nor"])
_ARTICLES = frozenset("a an any the".split())

_REFUSED_BEHIND = re.compile(
    r",?\s(?:(?:i|we)\s(?:just\s|really\s)?(?:can['’]?t|cannot|can not)\b(?!\swait)|"
    r"(?:is|are|would\sbe|isn['’]?t)\s(?:not\s|really\s|an?\s|just\s)?"
    r"(?:no(?:\s(?:good|use|go)|-go)|impossible|out(?=\W*$|[.,;!]|\sof\sthe\squestion)|"
    r"(?<=not\s|n't\s|n’t\s)(?:good|possible|convenient|an\soption))\b|"
    r"(?:do(?:es)?|wo|would|will|can?)(?:n['’]?t|\snot)\s(?:really\s)?(?:work|do|suit|fit)\b)",
    re.IGNORECASE,
)
"""Words right behind what is refused: `17:30 I can't`, `Monday is no good`, `6 pm won't do`."""


_ANY = frozenset("any whichever whatever".split())
_PARTICULAR = re.compile(r"\s(?:in\sparticular|specifically|especially)\b", re.IGNORECASE)
_DISLIKES = frozenset("hate hates dislike dislikes like likes love loves stand bear".split())


def needs_none(reading: Reading, mention: Mention) -> bool:
    """Return whether what sounds unwanted is only not asked for: `any brand`, `none in particular`.

    Who does not like something in particular wants it least of all.
    """
    clause = reading.around(mention.first, mention.last)
    if mention.kind == "value":
        behind = _PARTICULAR.match(reading.text, reading.words[mention.last].end)
        return behind is not None and _DISLIKES.isdisjoint(clause)
    said = reading.folded[max(0, mention.first - 1) : mention.first + 1]
    led = mention.kind == "name" and not _ANY.isdisjoint(said)
    denies = {"not", "against", "except"} & {name for _, _, name in cues(clause)}
    return led and not denies


_STRETCHES = ("range", "clock", "date")
"""How what lies between two ends is said."""

OUTSIDE = "outside"
"""The side of two ends between which nothing is wished, which no constraint says."""


def is_refused_range(reading: Reading, mention: Mention, option: Option) -> bool:
    """Return whether what lies between two ends is refused, but for a part of the day."""
    is_stretch = option.how in _STRETCHES and option.values[0] != option.values[-1]
    return (
        is_stretch and not is_part_of_day(reading, mention, option) and is_refused(reading, mention)
    )


def is_refused_moment(reading: Reading, mention: Mention, option: Option) -> bool:
    """Return whether a time or a day is refused, which leaves any other: `17:30 I can't`."""
    is_moment = option.how in ("clock", "date") and option.values[0] == option.values[-1]
    return is_moment and is_refused(reading, mention)


def is_part_of_day(reading: Reading, mention: Mention, option: Option) -> bool:
    """Return whether an option is a stretch of the day that words alone say: `evenings`."""
    said = "".join(reading.folded[at] for at in mention.places)
    is_stretch = option.how == "clock" and option.values[0] != option.values[-1]
    return is_stretch and not any(map(str.isdigit, said))


def side_of_refused_part(option: Option) -> str:
    """Return the side of a part of the day that is refused: what is not in the evening is before.

    What is not in the morning is after it, what is not in the afternoon before.
    """
    return ">" if str(option.values[-1]) <= "12:00" else "<"


_FREE = frozenset("available availability free ready vacant".split())
"""Words of a column's name from when on something is to be had: `free from`."""

_NO_SOONER = re.compile(r"\s(?:at\sthe\s(?:very\s)?earliest|onwards?|or\slater)\b", re.IGNORECASE)

_STAY = timedelta(7)


def as_stay(reading: Reading, mention: Mention, option: Option, side: str) -> tuple[Option, str]:
    """Return days of a column such as `free from` as a stay: it must be free on their first.

    Of a month any day will do. The option and the side as given where it is a bound.
    """
    words = name_words(option.column)
    if mention.kind != "date" or _FREE.isdisjoint(words) or "until" in words:
        return option, side
    if option.how not in ("date", "range"):
        return option, side
    led = reading.folded[max(0, mention.first - 1) : mention.first] == ["from"]
    named = option.column in named_beside(reading, mention.first, mention.last)
    bare = led or BOUNDS.isdisjoint(cues_beside(reading, mention.first, mention.last))
    if side not in ("==", "~") and not (side[0] == ">" and bare and not named):
        return option, side
    if _NO_SOONER.match(reading.text, reading.words[mention.last].end):
        return option, side
    first, last = (date.fromisoformat(str(day)) for day in option.values[:2])
    needed = first if option.how == "range" or last - first < _STAY or led else last
    return replace(option, values=(needed.isoformat(),) * 2), "<="


def side_of_rounded_bound(reading: Reading, mention: Mention, column: str, side: str) -> str:
    """Return the side of a bound that is said roughly: `up to about 700`, `at least some 20`.

    So it is where a number in the region of is the answer to what would be paid `at most`, or
    what somebody has to spend.
    """
    if side != "~":
        return side
    asked = _ASKED.search(reading.question) if column in reading.asked_about else None
    if asked is not None:
        return _SIDES[asked[1].lower()]
    start, end = reading.words[mention.first].start, reading.words[mention.last].end
    if column == reading.index.cost and (
        _SPENDING.search(reading.text, max(0, start - 48), start)
        or _MANAGED.match(reading.text, end)
    ):
        return ROUGHLY_MOST
    starts = {last: first for first, last, name in reading.cues if name == "about"}
    start = starts.get(mention.first - 1, 0)
    bounds = (name for _, last, name in reading.cues if last + 1 == start and name in _SIDES)
    joined = not reading.gap(start).strip()
    return next((_SIDES[name] for name in bounds if joined), side)


ROUGHLY_MOST = "~<="
"""The side of what is to be spent at most, roughly: a little more will do."""

_SPENDING = re.compile(
    r"\b(?:(?:i|we)(?:['’]ve\s(?:only\s)?got|\s(?:only\s|just\s)?have(?:\sgot)?)|"
    r"budget(?:\s(?:is|of|would\sbe)|:)?|spend(?:ing)?|pay(?:ing)?|afford|manage|"
    r"(?:go|stretch|run)\s(?:up\s)?to|part\swith)\s?"
    r"(?:(?:maybe|only|just|some(?:thing\s(?:like|around|about))?|somewhere|in\sthe\sregion\sof|"
    r"about|around|roughly|approximately|approx|circa|ca|~)"
    r"\.?\s?){0,3}[€$£]?\Z",
    re.IGNORECASE,
)
"""Words before what somebody has to spend: `we have around 20,000 euros`."""

_MANAGED = re.compile(
    r"\s?(?:[€$£]|pounds?|euros?|dollars?|quid|bucks)?(?:\sor\sso)?(?:\sto\sspend|"
    r"(?:\s(?:is|are|would\sbe)|['’]s)\s(?:(?:about|roughly|around|probably|really)\s)?"
    r"(?:(?:what|all|as\smuch\sas|as\sfar\sas|the\smost)\s(?:that\s)?(?:we|i|he|she|they)\b"
    r"[^.;,!?]{0,20}?\b(?:manage|afford|spend|pay|go|stretch|spare|have|got|budgeted)\b|"
    r"(?:my|our|the)\s(?:budget|limit)))\b",
    re.IGNORECASE,
)
"""Words behind it: `about 600 is what we can manage`."""

_ASKED = re.compile(r"\bat (most|least)\b", re.IGNORECASE)

_BEFORE_GRADE = frozenset(
    "is are was be would that's thats it's its that a an bit far way much just quite rather very "
    "pretty really too".split()
)
_SAYING = frozenset("is are was be would that's thats it's its too".split())
_REACH = 6
"""Words behind a number among which a complaint is about it."""


_NOT_GOOD = re.compile(
    r",?\s(?:(?:is|was|that['’]?s)(?:n['’]?t|\snot)|not)\s(?:(?:very|so|that|really|exactly|particularly)\s)?"
    r"(?:good|great|brilliant|ideal|amazing|impressive)\b",
    re.IGNORECASE,
)
"""Words right behind a number that is not good enough: `3.1 isn't great`."""


def side_of_complaint(reading: Reading, mention: Mention, column: str, side: str) -> str:
    """Return the side of what is less than a number that is called too much: `12 is too late`.

    So is one that is called what nobody wants of its column, `3.7, that's low` of a rating, `650
    is steep`. The one given where it is not called so. Of what is too little there should be more.
    """
    profile = reading.index.profiles[column]
    unwanted = {"low": {"<"}, "high": {">"}}.get(profile.desirable or "", set[str]())
    if unwanted and _NOT_GOOD.match(reading.text, reading.words[mention.last].end):
        return min(unwanted)
    has_unit = mention.quantity is not None and mention.quantity.unit is not None
    start = mention.last + 1 + has_unit
    for place in range(start, min(start + _REACH, len(reading.words))):
        says = place == start and reading.folded[place] in _SAYING - {"too"}
        if reading.gap(place).strip() not in (("", ",") if says else ("",)):
            return side
        word, is_too = reading.folded[place], "too" in reading.folded[start:place]
        senses = [s for s in grades().get((word,), ()) if s.form == "plain" and word != "bit"]
        if senses and not _SAYING.isdisjoint(reading.folded[start:place]):
            topics = column_topics(column)
            fit = [s for s in senses if is_too or not s.topic or s.topic in topics]
            ways = {"<" if sense.direction == "max" else ">" for sense in fit}
            return ways.pop() if len(ways) == 1 and (is_too or ways == unwanted) else side
        if word not in _BEFORE_GRADE and place not in reading.naming_words:
            return side
    return side


def as_measured(reading: Reading, item: Weighed) -> Weighed:
    """Return a measure that words bound as one of the only column of its kind: `within a mile`.

    `A mile from the pub` names the column, whatever else is as far. How long something takes may
    be said of anything, and so is of what is named beside it: `it gets here within a week`.
    """
    mention, number, profiles = item.mention, item.mention.quantity, reading.index.profiles
    if number is None or number.unit is None or number.high is not None:
        return item
    own = [
        at
        for at, option in enumerate(mention.options)
        if option.fit == 1
        and isinstance(end := option.values[-1], int | float)
        and in_range(end, profiles[option.column])
    ]
    if UNITS[number.unit][0] == "time":
        own = [at for at in own if _is_named(reading, mention, mention.options[at].column)]
    behind = mention.last + 2 + (reading.folded[mention.last + 2 : mention.last + 3] == ["away"])
    if reading.folded[behind : behind + 1] in (["of"], ["from"], ["to"]):
        named = [_named_behind(reading, mention.options[at].column, behind) for at in own]
        nearest, meant = min(named, default=inf), True
        own = [at for at, place in zip(own, named, strict=True) if place == nearest < inf]
    else:
        beside = cues_beside(reading, mention.first, mention.last)
        full = [at for at in own if _is_named(reading, mention, mention.options[at].column, FULL)]
        own = full if len(full) == 1 else own
        meant = len(full) == 1 or (item.gain <= 0 and not BOUNDS.isdisjoint(beside))
    if not meant or len(own) != 1 or number.currency:
        return item
    if item.gain > 0 and _is_nearer(
        reading, mention, *(mention.options[at].column for at in (item.best, own[0]))
    ):
        return item
    if item.gain > 0 and item.best == own[0]:
        return item
    logits = np.minimum(item.logits, np.float32(0.0))
    logits[own[0]] = LIKELY
    return replace(item, logits=logits)


def _is_nearer(reading: Reading, mention: Mention, column: str, other: str) -> bool:
    """Return whether a column is named before a number, and another not or behind it."""

    def before(name: str) -> int:
        named = (n.last for n in reading.namings.get(name, ()) if n.last < mention.first)
        return max(named, default=-1)

    return before(column) > before(other)


def _is_named(reading: Reading, mention: Mention, column: str, least: float = 0.0) -> bool:
    """Return whether a number's clause names a column so surely, with no other number between."""
    here = reading.clause_of[mention.first]
    for naming in reading.namings.get(column, ()):
        between = (naming.last + 1, mention.first)
        if naming.first > mention.last + 1:
            between = (mention.last + 2, naming.first)
        near = 0 <= between[1] - between[0] <= NEAR
        near = near and "#" not in reading.symbols[slice(*between)]
        if near and naming.strength >= least and reading.clause_of[naming.first] == here:
            return True
    return False


def _named_behind(reading: Reading, column: str, at: int) -> float:
    """Return the first word that names a column of the few behind one; infinity for none."""
    here, reach = reading.clause_of[at], range(at + 1, at + _REACH)
    places = (n.last for n in reading.namings.get(column, ()) if n.last in reach)
    return min((place for place in places if reading.clause_of[place] == here), default=inf)
