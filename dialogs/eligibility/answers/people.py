"""Find mentions of people: names, relations to the speaker, pronouns, everyone, nobody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ...language.numbers import ONES
from ..keys import SIZE, KeyTable, Known
from .english import (
    ADJECTIVES,
    ALL,
    CHILD,
    CHILDLIKE,
    NONE,
    PLURALS,
    POSSESSIVES,
    QUALIFIED,
    RELATION_NOUNS,
    REST,
    TAILS,
)
from .words import Word, words_of

MentionKind = Literal["people", "all", "none", "rest", "he", "they", "mine"]

COMMON_WORDS = frozenset(
    "will may mark grace joy faith hope bill rose dawn art rich jack pat sue drew chase penny "
    "summer april june august young long wood woods white brown black green king day law love "
    "self major price page case best west hill field ford sharp small short strong little rice "
    "bush lane stone read head good wise wade banks grant foster carpenter cook baker".split()
)
"""Names that are words as well; they count only with a capital letter."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Words `first` to `last` (included) that name people.

    `people`: their numbers; empty where a pronoun still has to be resolved. `kind` "mine" is
    an owner only (`my income`), "rest" everyone not named yet. `vague`: several people fit
    what was said of one.
    """

    first: int
    last: int
    kind: MentionKind
    people: frozenset[int] = frozenset()
    vague: bool = False
    plural: bool = False


def places_of(named: Iterable[Mention]) -> set[int]:
    """Return the places of the words that name people."""
    return {at for mention in named for at in range(mention.first, mention.last + 1)}


def people_of(named: Iterable[Mention]) -> frozenset[int]:
    """Return all who are named."""
    return frozenset[int]().union(*(mention.people for mention in named))


@dataclass(frozen=True)
class People:
    """A household as an answer can name it: member 0 speaks."""

    names: Mapping[int, tuple[str, ...]]
    relations: Mapping[int, str]
    nouns: Mapping[int, str]
    size: int
    _starts: dict[str, list[tuple[tuple[str, ...], frozenset[int]]]] = field(
        default_factory=dict[str, list[tuple[tuple[str, ...], frozenset[int]]]]
    )

    @classmethod
    def of(cls, known: Known, names: Mapping[int, str], keys: KeyTable) -> People:
        """Return the people of a household; relations are read from a key of that name."""
        relation_keys = [key.name for key in keys if key.kind == "choice" and is_relation(key.name)]
        relations: dict[int, str] = {}
        for name in relation_keys:
            for slot, value in known.items():
                if slot.key == name and slot.member is not None:
                    relations[slot.member] = str(value).casefold()
        called = {member: _words_of_name(name) for member, name in names.items()}
        nouns = {member: noun for member, words in called.items() if (noun := _noun(words))}
        for member, noun in nouns.items():
            relations.setdefault(member, relation_of(noun))
        own_names = {member: _own_name(words) for member, words in called.items()}
        size = known.get(SIZE)
        most = max([*own_names, *relations, *(slot.member or 0 for slot in known)], default=0) + 1
        most = max(most, size if isinstance(size, int) else 1)
        people = cls(own_names, relations, nouns, most)
        people._index_names()
        return people

    @property
    def everyone(self) -> frozenset[int]:
        """All members' numbers."""
        return frozenset(range(self.size))

    def _index_names(self) -> None:
        for member, words in self.names.items():
            if words:
                for phrase in {words, words[:1], words[-1:]}:
                    self._add(phrase, member)

    def _add(self, phrase: tuple[str, ...], member: int) -> None:
        listed = self._starts.setdefault(phrase[0], [])
        for place, (other, people) in enumerate(listed):
            if other == phrase:
                listed[place] = (other, people | {member})
                return
        listed.append((phrase, frozenset({member})))
        listed.sort(key=lambda entry: -len(entry[0]))

    def named_at(self, words: Sequence[Word], place: int) -> Mention | None:
        """Return the name that stands at a word."""
        for phrase, people in self._starts.get(words[place].low, ()):
            stop = place + len(phrase)
            if tuple(word.low for word in words[place:stop]) == phrase:
                if len(phrase) == 1 and not _is_name(words[place]):
                    continue
                return Mention(place, stop - 1, "people", people, vague=len(people) > 1)
        return None

    def with_relation(self, relation: str, *, plural: bool = False) -> frozenset[int]:
        """Return who has a relation; children by blood first, then any other children."""
        members = self._exactly(relation)
        if relation != CHILD:
            return members
        any_child = frozenset(member for member, kin in self.relations.items() if kin in CHILDLIKE)
        return any_child if plural or not members else members

    def narrowed(self, members: frozenset[int], noun: str) -> frozenset[int]:
        """Return who of some is known by a noun: the granddaughter of two grandchildren."""
        return frozenset(member for member in members if self.nouns.get(member) == noun) or members

    def _exactly(self, relation: str) -> frozenset[int]:
        return frozenset(
            member for member, kin in self.relations.items() if kin == relation and member
        )


def is_relation(key: str) -> bool:
    """Return whether a key holds what somebody is to the applicant."""
    return "relation" in key.casefold() or "relative" in key.casefold()


def _words_of_name(name: str) -> tuple[str, ...]:
    return tuple(word.low for word in words_of(name[:200]) if not word.is_mark and word.low != "'s")


def _noun(words: Sequence[str]) -> str:
    """Return what kin somebody is called as: `daughter`, of `your daughter Ann`."""
    return (
        next((word for word in words[:4] if relation_of(word)), "") if _is_described(words) else ""
    )


def _own_name(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the name alone; empty where somebody goes by `your daughter`."""
    if not _is_described(words):
        return words
    last = max((at for at, word in enumerate(words[:4]) if relation_of(word)), default=-1)
    return tuple(word for word in words[last + 1 :] if not word.isdigit())


def _is_described(words: Sequence[str]) -> bool:
    return bool(words) and words[0] in ("your", "my", "the", "our")


def _is_name(word: Word) -> bool:
    return word.is_capital or word.low not in COMMON_WORDS


def relation_of(noun: str) -> str:
    """Return the relation that a noun names, in singular or plural; empty for none."""
    return (
        RELATION_NOUNS.get(noun) or PLURALS.get(noun) or RELATION_NOUNS.get(noun[:-1], "")
        if noun.endswith("s") or noun in PLURALS or noun in RELATION_NOUNS
        else ""
    )


def singular(noun: str) -> str:
    """Return a noun for one of several kin: `sons` → `son`, `kids` → `kid`."""
    if noun in PLURALS:
        return PLURALS[noun]
    return noun if noun in RELATION_NOUNS else noun.removesuffix("s")


def _is_plural(noun: str) -> bool:
    return noun in PLURALS or noun not in RELATION_NOUNS


def relation_at(words: Sequence[Word], place: int, people: People) -> Mention | None:
    """Return who a phrase such as `my younger daughter`, `the kids` or `foster son` names."""
    at = place
    if words[at].low in POSSESSIVES:
        at += 1
    qualifier = ""
    while at < len(words) and (words[at].low in ADJECTIVES or words[at].low in QUALIFIED):
        qualifier = QUALIFIED.get(words[at].low, qualifier)
        at += 1
    if at >= len(words):
        return None
    if at + 1 < len(words) and relation_of(words[at].low) and relation_of(words[at + 1].low):
        # A baby daughter is one person.
        at += 1
    noun = words[at].low
    relation = relation_of(noun)
    if not relation or (at == place > 0 and words[at].is_capital):
        # Capitals inside a sentence are of a name: Children's Services.
        return None
    if "a" in (words[place].low, words[place - 1].low if place else ""):
        # "Is a parent", "feeds a baby": what somebody is, or anybody's.
        return None
    if relation == CHILD and qualifier:
        relation = qualifier
    plural = _is_plural(noun)
    members = people.with_relation(relation, plural=plural)
    members = members if plural else people.narrowed(members, noun)
    return Mention(
        place, at, "people", members, vague=len(members) != 1 and not plural, plural=plural
    )


def pronoun_at(words: Sequence[Word], place: int, people: People) -> Mention | None:
    """Return who a pronoun, `everyone`, `none of us`, `nobody else` or `the rest` names."""
    if (mention := _each_of(words, place, people)) is not None:
        return mention
    if (mention := _counted_us(words, place, people)) is not None:
        return mention
    low = words[place].low
    follows = [word.low for word in words[place + 1 : place + 5]]
    for phrase, kind in _PHRASES:
        if phrase[0] == low and tuple(follows[: len(phrase) - 1]) == phrase[1:]:
            mention = Mention(place, place + len(phrase) - 1, kind, plural=True)
            return _resolved(mention, people, phrase)
    if low == "us" and (words[place].text == "US" or (place and words[place - 1].low == "the")):
        return None
    kind = _PRONOUNS.get(low)
    if kind is None or (low == "all" and follows[:1] not in ([], [","], ["."], ["are"], ["do"])):
        return None
    return _resolved(Mention(place, place, kind, plural=kind == "all"), people, (low,))


def _counted_us(words: Sequence[Word], place: int, people: People) -> Mention | None:
    """Return everyone where `all four of us`, `the 3 of us` say as many as there are."""
    if words[place].low not in ("all", "the") or place + 3 >= len(words):
        return None
    count = words[place + 1].value or ONES.get(words[place + 1].low)
    is_all = [word.low for word in words[place + 2 : place + 4]] == ["of", "us"]
    if is_all and count == people.size:
        return Mention(place, place + 3, "all", people.everyone, plural=True)
    return None


def _each_of(words: Sequence[Word], place: int, people: People) -> Mention | None:
    """Return who `none of the kids`, `both of my sons`, `neither of them` name."""
    kind = _EACH.get(words[place].low)
    after = words[place + 1].low if place + 1 < len(words) else ""
    before = words[place - 1] if place else None
    leads = after != "of" and after[:1].isalnum()
    follows = before is not None and before.value is None and before.is_capital
    if words[place].low == "neither" and (leads or follows):
        # "Neither do the children", "Tom neither": a word for not, of who is named.
        return Mention(place, place, "mine")
    at = place + 2
    if kind is None or at >= len(words) or words[at - 1].low != "of":
        return None
    group = relation_at(words, at, people)
    if group is not None and group.plural:
        return replace(group, first=place, kind=kind)
    if words[at].low == "them":
        return Mention(place, at, kind, people.everyone - {0}, plural=True)
    return None


_EACH: dict[str, MentionKind] = {
    **dict.fromkeys(("all", "both", "each"), "all"),
    **dict.fromkeys(("none", "neither"), "none"),
}


def _resolved(mention: Mention, people: People, phrase: tuple[str, ...]) -> Mention:
    if mention.kind in ("all", "none"):
        return replace(mention, people=people.everyone)
    if phrase[-1] in ("i", "me", "myself", "my", "mine"):
        return replace(mention, people=frozenset({0}), plural=False)
    if phrase[-1] == "our":
        return replace(mention, people=people.everyone)
    return mention


def _phrases() -> list[tuple[tuple[str, ...], MentionKind]]:
    """Return the phrases for several people, the longest first."""
    kinds_of: dict[tuple[str, ...], MentionKind] = {}
    kinds: tuple[tuple[MentionKind, str], ...] = (("all", ALL), ("none", NONE), ("rest", REST))
    for kind, text in kinds:
        for phrase in text.split("|"):
            head = tuple(phrase.split())
            whole = head[-1] in ("us", "all", "family", "household") or kind == "rest"
            for tail in ((),) if whole else ((), *_TAILS):
                kinds_of.setdefault((*head, *tail), kind)
    return sorted(kinds_of.items(), key=lambda item: -len(item[0]))


_TAILS = tuple(tuple(tail.split()) for tail in TAILS.split("|"))
_PHRASES = _phrases()

_PRONOUNS: dict[str, MentionKind] = {
    "i": "people",
    "me": "people",
    "myself": "people",
    "mine": "mine",
    "my": "mine",
    "we": "all",
    "us": "all",
    "ours": "mine",
    "our": "mine",
    "all": "all",
    "he": "he",
    "she": "he",
    "him": "he",
    "her": "he",
    "himself": "he",
    "herself": "he",
    "they": "they",
    "them": "they",
}


def mentions(words: Sequence[Word], people: People) -> list[Mention]:
    """Return who is named, in order; a relation and the name beside it are one mention."""
    named: list[Mention] = []
    place = 0
    while place < len(words):
        mention = _mention_at(words, place, people)
        if mention is None:
            place += 1
            continue
        place = mention.last + 1
        if named and (joined := _in_apposition(words, named[-1], mention)):
            named[-1] = joined
        else:
            named.append(mention)
    return named


def _mention_at(words: Sequence[Word], place: int, people: People) -> Mention | None:
    return (
        people.named_at(words, place)
        or relation_at(words, place, people)
        or pronoun_at(words, place, people)
    )


def _in_apposition(words: Sequence[Word], first: Mention, second: Mention) -> Mention | None:
    """Return `my daughter Ann`, `Ann, my daughter`, `my son (Tom)` as one mention."""
    between = [word.low for word in words[first.last + 1 : second.first]]
    if between not in ([], [","], ["("]) or first.kind != "people" or second.kind != "people":
        return None
    both = first.people & second.people
    if not both or first.people == second.people == frozenset({0}):
        return None
    if first.plural or second.plural:
        return None
    return Mention(first.first, second.last, "people", both, vague=len(both) != 1)
