"""Turn the statements about one key into values of members, by the kind of the key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..keys import Key, Value
from .amounts import Amount, convert, is_age
from .choices import choose_value
from .english import NEGATIVE
from .people import Mention
from .statements import Statement
from .topics import is_reversed, stems
from .words import alike


@dataclass
class Finding:
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

    def add(
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
            before = self.values.get(member)
            if before is not None and before != value and not corrects:
                if broad and member not in self.broad:
                    continue
                if broad or member not in self.broad:
                    self.disputed.add(member)
            self.values[member] = value
            (self.broad.add if broad else self.broad.discard)(member)
            if corrects:
                self.disputed.discard(member)

    def add_clause(self, members: Iterable[int], value: Value | None, clause: Statement) -> None:
        """Take in the value that a statement gives to the members it is about."""
        self.add(members, value, corrects=clause.corrects, broad=clause.is_broad)

    def rest(self, named: Iterable[int]) -> frozenset[int]:
        """Return who of those asked about is not named."""
        among = frozenset(self.asked) if len(self.asked) > 1 else self.everyone
        return among - frozenset(named) - self.meant


def read(key: Key, statements: Sequence[Statement], finding: Finding, *, universal: bool) -> None:
    """Take in the statements of a key; `universal`: the question asks whether all do."""
    named: set[int] = set()
    statements = [clause for clause in statements if not clause.future]
    speaker = _implied_speaker(statements, finding)
    for clause in statements:
        about = frozenset({0}) if clause is speaker else _about(clause, finding, named)
        named |= clause.everybody | about if clause.named else set[int]()
        finding.meant |= clause.candidates
        if clause.yes_no is not None and finding.general is None:
            finding.general = clause.yes_no
        if clause.unsure and not clause.amounts:
            finding.unknown |= (about - {0} or about) or set(finding.asked)
            continue
        _READERS[key.kind](key, clause, about, finding)
    if key.kind == "bool":
        _conclude(finding, universal)


def _implied_speaker(statements: Sequence[Statement], finding: Finding) -> Statement | None:
    """Return the statement that is the speaker's own: `41, my husband is 43`."""
    unnamed = [
        clause
        for clause in statements
        if not clause.named and not clause.mentions and clause.amounts
    ]
    if finding.key.kind not in ("int", "float") or len(unnamed) != 1 or len(finding.asked) < 2:
        return None
    others = frozenset[int]().union(*(clause.everybody for clause in statements))
    is_one = len(unnamed[0].amounts) == 1
    return unnamed[0] if is_one and others and 0 not in others and 0 in finding.asked else None


def _about(clause: Statement, finding: Finding, named: set[int]) -> frozenset[int]:
    """Return whom a statement is about; those asked about where it names nobody."""
    if finding.key.level == "household":
        return frozenset({0})
    if clause.others:
        return finding.rest(named | clause.people)
    if clause.nobody and len(clause.words) <= 2 and len(finding.asked) == 1:
        # "None." of one person's grade.
        return frozenset(finding.asked)
    if clause.people:
        return clause.people - clause.excepted
    return frozenset() if clause.vague else frozenset(finding.asked) - clause.excepted


def _read_bool(key: Key, clause: Statement, about: frozenset[int], finding: Finding) -> None:
    if not clause.named:
        if clause.content or clause.denied:
            finding.general = _holds(key, clause) if finding.general is None else finding.general
        return
    value = _holds(key, clause)
    if clause.yes_no is not None and clause.is_bare and not clause.only and not clause.denied:
        # "No for Tom" denies; "No, only Tom" does not.
        value = clause.yes_no
    finding.add_clause(about, value, clause)
    finding.add(clause.excepted, not value, corrects=clause.corrects)
    if clause.only:
        finding.add(finding.rest(about), not value, broad=True)


def _holds(key: Key, clause: Statement) -> bool:
    """Return whether a statement says that a key is true.

    What reverses the key (`insured`, of `uninsured`) and a denial cancel each other out.
    """
    if clause.content and is_reversed(key, clause.content):
        return clause.denied
    return not clause.denies(key)


def _conclude(finding: Finding, universal: bool) -> None:
    """Settle those asked about whom no statement names, from yes, no and who was named.

    Naming who does, in answer to whether anybody does, says that the others do not; naming
    who does not, after a yes, says that the others do.
    """
    asked_members = set(finding.asked)
    left = asked_members - set(finding.values) - finding.unknown - finding.meant
    positive = [member for member in asked_members if finding.values.get(member) is True]
    negative = [member for member in asked_members if finding.values.get(member) is False]
    if len(asked_members) == 1 or not (positive or negative):
        if finding.general is not None and (
            len(asked_members) == 1 or finding.general == universal
        ):
            finding.add(left, finding.general)
    elif positive and not negative and not universal:
        finding.add(left, False)
    elif negative and not positive and (finding.general is True or universal):
        finding.add(left, True)
    elif positive and negative and finding.general is not None:
        finding.add(left, universal)


def _read_number(key: Key, clause: Statement, about: frozenset[int], finding: Finding) -> None:
    for members, amount in pair_amounts(clause, about, finding):
        value = convert(amount, key)
        if value is not None and not clause.denied:
            finding.add_clause(members, _typed(key, value), clause)
    nought = _nought(key, clause)
    if nought is not None and not clause.amounts:
        finding.add_clause(about, _typed(key, nought), clause)
    if clause.only and not is_age(key) and key.low <= 0 and (clause.amounts or nought is not None):
        finding.add(finding.rest(about), _typed(key, 0.0), broad=True)


def _nought(key: Key, clause: Statement) -> float | None:
    """Return what a statement without a number comes to: 0 for `none`, as a rule.

    A key may say what 0 stands for (`0 if working now`); then that has to be said. Where less
    than 0 is possible it stands for never: `never worked`, or a denial of something else.
    """
    if is_age(key) or key.low > 0:
        return None
    denied = clause.denied or clause.yes_no is False
    own_stems = stems(f"{key.name.replace('_', ' ')} {key.description}")
    if key.low < 0 and denied:
        is_own = any(alike(word, other) for word in clause.topical for other in own_stems)
        if "never" in clause.negations or not (is_own or clause.yes_no is False):
            return key.low
    stands = ZERO.search(key.description) or ZERO.search(key.ask)
    if stands is None or stands[1].split()[0] in NEGATIVE:
        return 0.0 if denied else None
    meaning = stems(stands[1])
    affirmed = any(alike(word, other) for word in clause.topical for other in meaning)
    return 0.0 if affirmed and not denied else None


ZERO = re.compile(r"\b0 if ([\w ]+)")


def _typed(key: Key, value: float) -> Value:
    return value if key.kind == "float" else int(value)


def pair_amounts(
    clause: Statement, about: frozenset[int], finding: Finding
) -> list[tuple[frozenset[int], Amount]]:
    """Return whose number each is.

    Names and numbers in turn are paired in turn; one number is that of who is named; as many
    numbers as members of a group are theirs in order.
    """
    numbers = list(clause.amounts)
    named = [mention for mention in clause.mentions if mention.kind != "mine" and mention.people]
    if numbers and (bracketed := _bracketed(clause)):
        return bracketed
    if len(numbers) == len(named) > 1:
        return [(mention.people, amount) for mention, amount in zip(named, numbers, strict=True)]
    if len(numbers) == 1:
        return [(about, numbers[0])] if _is_each(clause, about, named, finding) else []
    if numbers and len(numbers) == len(about):
        return [
            (frozenset({member}), each) for member, each in zip(sorted(about), numbers, strict=True)
        ]
    return []


def _bracketed(clause: Statement) -> list[tuple[frozenset[int], Amount]]:
    """Return the numbers in brackets after a name, `Tom (4)`, where all numbers are such."""
    pairs: list[tuple[frozenset[int], Amount]] = []
    for amount in clause.amounts:
        owner = next((who for who in clause.mentions if who.last == amount.first - 2), None)
        if owner is None or clause.words[amount.first - 1].low != "(":
            return []
        pairs.append((owner.people, amount))
    return pairs


def _is_each(
    clause: Statement, about: frozenset[int], named: Sequence[Mention], finding: Finding
) -> bool:
    """Return whether one number holds for each of several: not where `we` share a sum."""
    if len(about) <= 1:
        return True
    lows = {word.low for word in clause.words}
    if lows & {"together", "combined", "total", "altogether"}:
        return False
    if lows & {"each", "both", "every", "all", "everyone", "everybody", "apiece"} or clause.others:
        return True
    return clause.denied or (bool(named) and is_age(finding.key)) or _is_nought(clause)


def _is_nought(clause: Statement) -> bool:
    return all(amount.value == 0 for amount in clause.amounts)


def _read_choice(key: Key, clause: Statement, about: frozenset[int], finding: Finding) -> None:
    inside = {
        at
        for mention in clause.mentions
        for at in range(mention.first, mention.last + 1)
        if mention.people
    }
    words = [word for at, word in enumerate(clause.words) if at not in inside]
    value = choose_value(words, key, denied=clause.denied or clause.yes_no is False)
    if value is None and clause.yes_no is False and clause.content:
        value = choose_value(words, key, denied=clause.denied)
    finding.add_clause(about, value, clause)


_READERS = {"bool": _read_bool, "int": _read_number, "float": _read_number, "choice": _read_choice}
