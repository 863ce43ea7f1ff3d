"""Read who lives in a household from its description: size, relations, names and ages.

One pass over the words; nothing is returned where the number of people is not certain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...language.numbers import ONES
from ..keys import MAX_MEMBERS, SIZE, Key, KeyTable, Known, Slot, Value
from .amounts import amounts, is_age
from .choices import choose_value
from .english import ADJECTIVES, CHILD, DIGRESSION, POSSESSIVES, QUALIFIED
from .people import is_relation, relation_of, singular
from .words import Word, words_of


@dataclass
class _Member:
    relation: str
    noun: str = ""
    name: str = ""
    age: float | None = None


@dataclass
class _Description:
    """What a description names: who speaks, the others in order, and how many it says there are."""

    speaker: str = ""
    others: list[_Member] = field(default_factory=list[_Member])
    sizes: set[int] = field(default_factory=set[int])
    alone: bool = False


def read_household(
    answer: str, keys: KeyTable, known: Known, names: Mapping[int, str]
) -> tuple[dict[Slot, Value], dict[int, str]]:
    """Return the size, relations and ages that an answer describes, and the members' names.

    Nothing where the number of people is not certain: fewer are stated than are named, or two
    different numbers are stated.
    """
    # What follows by the way is about somebody who was named.
    description = _description_of(words_of(DIGRESSION.split(answer, maxsplit=1)[0]))
    size = _size(description)
    if size is None or size > MAX_MEMBERS:
        return {}, {}
    facts: dict[Slot, Value] = {SIZE: size}
    called = {0: description.speaker} if description.speaker else {}
    for number, member in enumerate(description.others, 1):
        called[number] = _display_name(number, description.others)
        facts |= _facts_of(number, member, keys)
    for key in keys:
        if is_relation(key.name) and key.kind == "choice" and "self" in key.values:
            facts[key.slot(0)] = "self"
    return facts, called


def _display_name(number: int, others: Sequence[_Member]) -> str:
    """Return what to call a member: by name; with the kin where that tells two apart."""
    member = others[number - 1]
    alike = [other for other in others if other.relation == member.relation]
    if member.name and (len(alike) == 1 or not member.noun):
        return member.name
    if member.name:
        return f"your {member.noun} {member.name}"
    suffix = "" if len(alike) == 1 else f" {1 + alike.index(member)}"
    return f"your {member.noun or member.relation or 'housemate'}{suffix}"


def _facts_of(number: int, member: _Member, keys: KeyTable) -> dict[Slot, Value]:
    facts: dict[Slot, Value] = {}
    for key in keys:
        if key.level != "member":
            continue
        if member.age is not None and is_age(key) and key.kind in ("int", "float"):
            facts[key.slot(number)] = int(member.age)
        if is_relation(key.name) and key.kind == "choice":
            value = _relation_value(member.relation, key)
            if value is not None:
                facts[key.slot(number)] = value
    return facts


def _relation_value(relation: str, key: Key) -> Value | None:
    if relation in key.values:
        return relation
    return choose_value(words_of(relation), key, denied=False) if relation else None


def _size(description: _Description) -> int | None:
    named = 1 + len(description.others)
    if len(description.sizes) > 1:
        return None
    if description.sizes:
        (stated,) = description.sizes
        return stated if stated >= named else None
    return named if description.others or description.alone else None


def _description_of(words: Sequence[Word]) -> _Description:
    description = _Description()
    description.sizes = set(_stated_sizes(words))
    description.alone = _is_alone(words)
    description.speaker = _speaker(words)
    place = 0
    while place < len(words):
        place = _take(words, place, description)
    return description


def _is_alone(words: Sequence[Word]) -> bool:
    text = " ".join(word.low for word in words)
    return any(phrase in text for phrase in ALONE)


ALONE = (
    "just me|only me|nobody but me|no one but me|alone|by myself|on my own|nobody else"
    "|no one else|just myself|only myself"
    "|i 'm the only|i am the only|single person"
).split("|")


def _stated_sizes(words: Sequence[Word]) -> list[int]:
    """Return the household sizes that are stated: `four of us`, `a family of 3`, `two others`."""
    sizes: list[int] = []
    for amount in amounts(words):
        after = [word.low for word in words[amount.last + 1 : amount.last + 4]]
        before = [word.low for word in words[max(0, amount.first - 2) : amount.first]]
        size = int(amount.value)
        follows = after[:1] and after[0] in _COUNTED
        if after[:2] == ["of", "us"] or before[1:] == ["of"] or follows:
            if after[:2] == ["of", "us"] or follows or before[0] in ("household", "family"):
                sizes.append(size)
        elif after[:1] == ["others"] or (after[:1] and after[0] in _FURTHER and _is_counted(after)):
            sizes.append(size + 1)
    return [size for size in sizes if size > 0]


_COUNTED = frozenset("people persons members person member".split())
_FURTHER = frozenset("other additional more further".split())


def _is_counted(after: Sequence[str]) -> bool:
    return len(after) > 1 and after[1] in _COUNTED


def _speaker(words: Sequence[Word]) -> str:
    """Return the name in `I am Ann Lee`, `my name is Ann`, `this is Ann`."""
    for at in range(len(words)):
        lows = [word.low for word in words[at : at + 3]]
        for opening in (["my", "name", "is"], ["i", "am"], ["i", "'m"], ["this", "is"],
                        ["name", "'s"]):  # fmt: skip
            if lows[: len(opening)] == opening:
                name, _ = _name_at(words, at + len(opening))
                if name:
                    return name
    return ""


def _name_at(words: Sequence[Word], place: int) -> tuple[str, int]:
    """Return the capitalised words at a place, up to four, and the place after them."""
    at = place
    while at < min(place + 4, len(words)) and _is_name_word(words, at, at == place):
        at += 1
    return " ".join(word.text for word in words[place:at]), at


def _is_name_word(words: Sequence[Word], at: int, first: bool) -> bool:
    word = words[at]
    if not word.is_capital or word.low in _NEVER_NAMES or word.value is not None:
        return False
    titled = at + 1 < len(words) and words[at + 1].is_capital and words[at + 1].value is None
    return not first or not relation_of(word.low) or titled


_NEVER_NAMES = frozenset(
    "i i'm my we our the it it's there just only me and he she they you yes no a an in nyc new "
    "both all everyone us so also then plus with is".split()
)


@dataclass(frozen=True)
class _Kin:
    """Kin as described: `my two foster sons` is twice a foster child, called foster son."""

    relation: str
    noun: str
    count: int
    plural: bool

    def member(self, name: str = "", age: float | None = None) -> _Member:
        return _Member(self.relation, self.noun, name, age)


def _take(words: Sequence[Word], place: int, description: _Description) -> int:
    """Take in the people described at a place; return the place after them."""
    kin, after = _kin_at(words, place)
    if kin is None:
        return _take_name_first(words, place, description)
    return _take_names(words, after, description, kin)


def _kin_at(words: Sequence[Word], place: int) -> tuple[_Kin | None, int]:
    at, count, qualifier = place, 1, ""
    if words[at].low in POSSESSIVES:
        at += 1
    while at < len(words) and (
        words[at].low in ADJECTIVES or words[at].low in QUALIFIED or words[at].value is not None
    ):
        count = _count(words[at]) or count
        qualifier = words[at].low if words[at].low in QUALIFIED else qualifier
        at += 1
    if at + 1 < len(words) and relation_of(words[at].low) and relation_of(words[at + 1].low):
        # A baby daughter is one person.
        at += 1
    relation = relation_of(words[at].low) if at < len(words) else ""
    is_title = at == place > 0 and words[at].is_capital and words[at - 1].low[0].isalpha()
    if not relation or is_title:
        return None, place
    noun = words[at].low
    plural = count > 1 or noun != noun.removesuffix("s")
    if relation == CHILD:
        relation = QUALIFIED.get(qualifier, relation)
    if [word.low for word in words[at : at + 3]] == ["niece", "or", "nephew"]:
        noun, at = "niece or nephew", at + 2
    called = f"{qualifier} {singular(noun)}".strip()
    return _Kin(relation, called, count, plural), at + 1


def _count(word: Word) -> int:
    if word.value is not None:
        return int(word.value) if 0 < word.value <= MAX_MEMBERS else 0
    return ONES.get(word.low, 0)


def _take_names(words: Sequence[Word], at: int, description: _Description, kin: _Kin) -> int:
    """Take in the names after a relation: `my son Tom (4)`, `our kids Ann, Bo and Cy`."""
    at = _over(words, at)
    members: list[_Member] = []
    most = kin.count if kin.count > 1 else MAX_MEMBERS if kin.plural else 1
    while len(members) < most:
        name, after = _name_at(words, at)
        if not name:
            break
        age, after = _age_at(words, after)
        members.append(kin.member(name, age))
        at = after
        if len(members) == most or not _goes_on(words, at):
            break
        at = _over(words, at)
    if members and _is_known(members[0].name, description):
        return at
    if not members and not kin.plural and _is_repeated(kin.relation, description):
        return at
    if not members:
        age, at = _age_at(words, at)
        members = [kin.member(age=age) for _ in range(max(kin.count, 2 if kin.plural else 1))]
    members += [kin.member() for _ in range(kin.count - len(members))]
    description.others.extend(members[: MAX_MEMBERS + 1])
    return at


def _is_repeated(relation: str, description: _Description) -> bool:
    """Return whether `my wife` was named before; a second one has a name or number."""
    return any(member.relation == relation for member in description.others)


def _is_known(name: str, description: _Description) -> bool:
    """Return whether somebody of that name, or of that first name alone, was named before."""
    names = [member.name for member in description.others] + [description.speaker]
    return name in names or any(name == known.split(maxsplit=1)[0] for known in names if known)


def _goes_on(words: Sequence[Word], at: int) -> bool:
    """Return whether a list of names goes on after a comma or `and`."""
    if at >= len(words) or words[at].low not in (",", "and", "&"):
        return False
    return bool(_name_at(words, _over(words, at))[0])


def _over(words: Sequence[Word], at: int) -> int:
    """Return the place after marks and words such as `named`, `is`, `and`."""
    while at < len(words) and words[at].low in _BETWEEN:
        at += 1
    return at


_BETWEEN = frozenset(", : ( and named called is 's name are".split())


def _age_at(words: Sequence[Word], at: int) -> tuple[float | None, int]:
    """Return the age in `(4)`, `, 4,`, `, who is 4`, `aged 4`, and the place after it."""
    place = at
    while place < len(words) and words[place].low in _BEFORE_AGE:
        place += 1
    ages = amounts(words[place : place + 4]) if place < len(words) else []
    if not ages or ages[0].first or ages[0].unit not in ("", "year") or place == at:
        return None, at
    after = place + ages[0].last + 1
    if after < len(words) and (relation_of(words[after].low) or words[after].low in _PEOPLE):
        return None, at
    while after < len(words) and words[after].low in ("years", "year", "old", ")"):
        after += 1
    return ages[0].value, after


_BEFORE_AGE = frozenset(", ( who is aged age 's".split())
_PEOPLE = frozenset("people members others other of persons more additional kids".split())


def _take_name_first(words: Sequence[Word], place: int, description: _Description) -> int:
    """Take in `Tom, my son`, `Tom (my son)`, `Tom is my son`."""
    name, at = _name_at(words, place)
    if not name:
        return place + 1
    age, after = _age_at(words, at)
    after = _over(words, after)
    if after < len(words) and words[after].low in POSSESSIVES and not _is_known(name, description):
        start = len(description.others)
        end = _take(words, after, description)
        if len(description.others) == start + 1 and not description.others[-1].name:
            description.others[-1].name = name
            description.others[-1].age = age if age is not None else description.others[-1].age
            return end
        del description.others[start:]
    return at
