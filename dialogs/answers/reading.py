"""Statements of one key turned into values of members, by the kind of the key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..decisions.keys import Key, Value
from .amounts import Amount
from .choices import chosen
from .english import NEGATIVE
from .people import Mention
from .statements import Statement
from .topics import is_reversed, stems
from .units import converted, is_age
from .words import alike


@dataclass
class Heard:
    """What an answer says of one key: values by member, and who is not known about.

    `asked`: the members that the question is about. `general`: a yes or no without a name.
    `disputed`: of whom two things are said. `meant`: of whom something may be said.
    """

    key: Key
    asked: tuple[int, ...]
    everyone: frozenset[int]
    values: dict[int, Value] = field(default_factory=dict[int, Value])
    general: bool | None = None
    unknown: set[int] = field(default_factory=set[int])
    disputed: set[int] = field(default_factory=set[int])
    broad: set[int] = field(default_factory=set[int])
    meant: set[int] = field(default_factory=set[int])

    def tell(
        self,
        members: Iterable[int],
        value: Value | None,
        *,
        corrects: bool = False,
        broad: bool = False,
    ) -> None:
        """Take in a value.

        What is said of one member goes before what is said of a group (`broad`), a correction
        before what it corrects; else two different values cancel each other out.
        """
        if value is None:
            return
        for member in members:
            held = self.values.get(member)
            if held is not None and held != value and not corrects:
                if broad and member not in self.broad:
                    continue
                if broad or member not in self.broad:
                    self.disputed.add(member)
            self.values[member] = value
            (self.broad.add if broad else self.broad.discard)(member)
            if corrects:
                self.disputed.discard(member)

    def rest(self, named: Iterable[int]) -> frozenset[int]:
        """Return who of those asked about is not named."""
        among = frozenset(self.asked) if len(self.asked) > 1 else self.everyone
        return among - frozenset(named) - self.meant


def read(key: Key, told: Sequence[Statement], heard: Heard, *, universal: bool) -> None:
    """Take in the statements of a key; `universal`: the question asks whether all do."""
    named: set[int] = set()
    told = [one for one in told if not one.future]
    speaker = _implied_speaker(told, heard)
    for one in told:
        about = frozenset({0}) if one is speaker else _about(one, heard, named)
        named |= one.everybody | about if one.named else set[int]()
        heard.meant |= one.candidates
        if one.said is not None and heard.general is None:
            heard.general = one.said
        if one.unsure and not one.amounts:
            heard.unknown |= (about - {0} or about) or set(heard.asked)
            continue
        _READERS[key.kind](key, one, about, heard)
    if key.kind == "bool":
        _conclude(heard, universal)


def _implied_speaker(told: Sequence[Statement], heard: Heard) -> Statement | None:
    """Return the statement that is the speaker's own: `41, my husband is 43`."""
    unnamed = [one for one in told if not one.named and not one.mentions and one.amounts]
    if heard.key.kind not in ("int", "float") or len(unnamed) != 1 or len(heard.asked) < 2:
        return None
    others = frozenset[int]().union(*(one.everybody for one in told))
    is_one = len(unnamed[0].amounts) == 1
    return unnamed[0] if is_one and others and 0 not in others and 0 in heard.asked else None


def _about(one: Statement, heard: Heard, named: set[int]) -> frozenset[int]:
    """Return whom a statement is about; those asked about where it names nobody."""
    if heard.key.level == "household":
        return frozenset({0})
    if one.others:
        return heard.rest(named | one.people)
    if one.nobody and len(one.words) <= 2 and len(heard.asked) == 1:
        # "None." of one person's grade.
        return frozenset(heard.asked)
    if one.people:
        return one.people - one.excepted
    return frozenset() if one.vague else frozenset(heard.asked) - one.excepted


def _read_bool(key: Key, one: Statement, about: frozenset[int], heard: Heard) -> None:
    if not one.named:
        if one.content or one.denied:
            heard.general = _holds(key, one) if heard.general is None else heard.general
        return
    value = _holds(key, one)
    if one.said is not None and one.is_bare and not one.only and not one.denied:
        # "No for Tom" denies; "No, only Tom" does not.
        value = one.said
    heard.tell(about, value, corrects=one.corrects, broad=one.is_broad)
    heard.tell(one.excepted, not value, corrects=one.corrects)
    if one.only:
        heard.tell(heard.rest(about), not value, broad=True)


def _holds(key: Key, one: Statement) -> bool:
    """Return whether a statement says that a key is true.

    What reverses the key (`insured`, of `uninsured`) and a denial cancel each other out.
    """
    if one.content and is_reversed(key, one.content):
        return one.denied
    return not one.denies(key)


def _conclude(heard: Heard, universal: bool) -> None:
    """Settle those asked about whom no statement names, from yes, no and who was named.

    Naming who does, in answer to whether anybody does, says that the others do not; naming
    who does not, after a yes, says that the others do.
    """
    asked = set(heard.asked)
    left = asked - set(heard.values) - heard.unknown - heard.meant
    positive = [one for one in asked if heard.values.get(one) is True]
    negative = [one for one in asked if heard.values.get(one) is False]
    if len(asked) == 1 or not (positive or negative):
        if heard.general is not None and (len(asked) == 1 or heard.general == universal):
            heard.tell(left, heard.general)
    elif positive and not negative and not universal:
        heard.tell(left, False)
    elif negative and not positive and (heard.general is True or universal):
        heard.tell(left, True)
    elif positive and negative and heard.general is not None:
        heard.tell(left, universal)


def _read_number(key: Key, one: Statement, about: frozenset[int], heard: Heard) -> None:
    for members, amount in paired(one, about, heard):
        value = converted(amount, key)
        if value is not None and not one.denied:
            heard.tell(members, _typed(key, value), corrects=one.corrects, broad=one.is_broad)
    nought = _nought(key, one)
    if nought is not None and not one.amounts:
        heard.tell(about, _typed(key, nought), corrects=one.corrects, broad=one.is_broad)
    if one.only and not is_age(key) and key.low <= 0 and (one.amounts or nought is not None):
        heard.tell(heard.rest(about), _typed(key, 0.0), broad=True)


def _nought(key: Key, one: Statement) -> float | None:
    """Return what a statement without a number comes to: 0 for `none`, as a rule.

    A key may say what 0 stands for (`0 if working now`); then that has to be said. Where less
    than 0 is possible it stands for never: `never worked`, or a denial of something else.
    """
    if is_age(key) or key.low > 0:
        return None
    denied = one.denied or one.said is False
    told = stems(f"{key.name.replace('_', ' ')} {key.description}")
    if key.low < 0 and denied:
        is_own = any(alike(word, other) for word in one.topical for other in told)
        if "never" in one.negations or not (is_own or one.said is False):
            return key.low
    stands = ZERO.search(key.description) or ZERO.search(key.ask)
    if stands is None or stands[1].split()[0] in NEGATIVE:
        return 0.0 if denied else None
    meaning = stems(stands[1])
    affirmed = any(alike(word, other) for word in one.topical for other in meaning)
    return 0.0 if affirmed and not denied else None


ZERO = re.compile(r"\b0 if ([\w ]+)")


def _typed(key: Key, value: float) -> Value:
    return value if key.kind == "float" else int(value)


def paired(
    one: Statement, about: frozenset[int], heard: Heard
) -> list[tuple[frozenset[int], Amount]]:
    """Return whose number each is.

    Names and numbers in turn are paired in turn; one number is that of who is named; as many
    numbers as members of a group are theirs in order.
    """
    found = list(one.amounts)
    named = [mention for mention in one.mentions if mention.kind != "mine" and mention.people]
    if found and (bracketed := _bracketed(one)):
        return bracketed
    if len(found) == len(named) > 1:
        return [(mention.people, amount) for mention, amount in zip(named, found, strict=True)]
    if len(found) == 1:
        return [(about, found[0])] if _is_each(one, about, named, heard) else []
    if found and len(found) == len(about):
        return [(frozenset({at}), each) for at, each in zip(sorted(about), found, strict=True)]
    return []


def _bracketed(one: Statement) -> list[tuple[frozenset[int], Amount]]:
    """Return the numbers in brackets after a name, `Tom (4)`, where all numbers are such."""
    found: list[tuple[frozenset[int], Amount]] = []
    for amount in one.amounts:
        owner = next((who for who in one.mentions if who.last == amount.first - 2), None)
        if owner is None or one.words[amount.first - 1].low != "(":
            return []
        found.append((owner.people, amount))
    return found


def _is_each(one: Statement, about: frozenset[int], named: Sequence[Mention], heard: Heard) -> bool:
    """Return whether one number holds for each of several: not where `we` share a sum."""
    if len(about) <= 1:
        return True
    lows = {word.low for word in one.words}
    if lows & {"together", "combined", "total", "altogether"}:
        return False
    if lows & {"each", "both", "every", "all", "everyone", "everybody", "apiece"} or one.others:
        return True
    return one.denied or (bool(named) and is_age(heard.key)) or _is_nought(one)


def _is_nought(one: Statement) -> bool:
    return all(amount.value == 0 for amount in one.amounts)


def _read_choice(key: Key, one: Statement, about: frozenset[int], heard: Heard) -> None:
    inside = {
        at
        for mention in one.mentions
        for at in range(mention.first, mention.last + 1)
        if mention.people
    }
    words = [word for at, word in enumerate(one.words) if at not in inside]
    value = chosen(words, key, denied=one.denied or one.said is False)
    if value is None and one.said is False and one.content:
        value = chosen(words, key, denied=one.denied)
    heard.tell(about, value, corrects=one.corrects, broad=one.is_broad)


_READERS = {
    "bool": _read_bool,
    "int": _read_number,
    "float": _read_number,
    "choice": _read_choice,
}
