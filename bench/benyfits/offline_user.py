"""A person who answers from a profile, in prose, without a model (ProADA, section 2.3).

It is told which facts a question wants, as a person understands a question, and says them in
sentences; whoever asked has to understand those. What it says depends on the household, the
question and the seed alone. Also by the way, at times, a fact that nobody asked for: the
document found that in 8 % of answers (section 6.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal, Protocol

from ...dialogs.eligibility.answers.amounts import is_age
from ...dialogs.eligibility.keys import SIZE, Key, KeyTable, Slot
from ...dialogs.eligibility.roles import Question
from ...dialogs.transcripts.transcript import Transcript
from .asked_facts import asked_slots
from .phrasing import kin, listed, said_number, said_of, sentence_of
from .profile import NAME, Profile
from .records import Value

Style = Literal["short", "full", "mixed"]
NOBODY = (
    ("None of us", "Nobody", "No, none of us"),
    ("none of us", "nobody in my household"),
)
EVERYBODY = (
    ("All of us", "Everyone", "Yes, all of us"),
    ("everyone in my household", "each of us"),
)
"""Short answers, and subjects of a sentence."""

BY_THE_WAY = 0.08
"""How often a fact is added that was not asked for (section 6.4)."""


class SimulatedUser(Protocol):
    """Answers questions about a household."""

    def answer(self, question: Question, transcript: Transcript) -> str:
        """Return what is said in answer to a question."""
        ...


@dataclass
class OfflineUser:
    """Answers from a profile. `style`: single words and names, whole sentences, or both."""

    profile: Profile
    keys: KeyTable
    seed: int = 0
    style: Style = "mixed"
    by_the_way: float = BY_THE_WAY
    _random: Random = field(default_factory=Random)

    def answer(self, question: Question, transcript: Transcript) -> str:
        """See `SimulatedUser.answer`."""
        slots = question.slots or asked_slots(question.text, self.profile, self.keys)
        self._random = Random(f"{self.seed} {self.profile.household.household} {question.text}")
        if not slots:
            return "I am not sure what you mean."
        plain = question.attempt > 1 or question.disputed
        parts = [self._people(question)] if SIZE in slots else []
        for name in dict.fromkeys(slot.key for slot in slots if slot != SIZE):
            own = [slot for slot in slots if slot.key == name]
            parts.append(self._answer_about(self.keys.key(name), own, plain=plain))
        if not plain and self._random.random() < self.by_the_way:
            parts.append(self._extra(slots))
        return " ".join(sentence_of(part) for part in parts if part)

    @property
    def _sexes(self) -> Sequence[str]:
        return [str(member.get("sex", "")) for member in self.profile.household.members]

    def _kin(self, member: int) -> str:
        relation = str(self.profile.household.members[member].get("relation", "housemate"))
        return kin(relation, self._sexes[member])

    def subject(self, member: int) -> str:
        """Return what a member is called: `I`, `my wife`, `my son Tom`, `Tom Hill`."""
        if member == 0:
            return "I"
        name = self.profile.household.names[member]
        own = self._kin(member)
        alone = [self._kin(at) for at in range(1, len(self._sexes))].count(own) == 1
        first = name.split()[0]
        firsts = [name.split()[0] for name in self.profile.household.names]
        short = first if firsts.count(first) == 1 else name
        choices = [short, name, f"my {own} {short}"] + ([f"my {own}"] if alone else [])
        return self._random.choice(choices)

    def _people(self, question: Question) -> str:
        """Return who lives here, with ages where they are asked for as well."""
        members = self.profile.household.members
        ages = "age" in question.keys and "age" in self.profile.features
        names = self.profile.household.names
        own = f"I am {names[0]}" + (f" and I am {members[0]['age']} years old" if ages else "")
        if len(members) == 1:
            alone = ("I live alone", "It is just me", "I live by myself")
            return f"{own}. {self._random.choice(alone)}"
        others = [
            f"my {self._kin(at)} {names[at]}" + (f" ({members[at]['age']})" if ages else "")
            for at in range(1, len(members))
        ]
        counted = said_number(len(members), self._random, words=True)
        form = self._random.randrange(3)
        if form == 0:
            return f"{own}. I live with {listed(others)}"
        if form == 1:
            return f"{own}. There are {counted} of us: me, {listed(others)}"
        return f"{own}, and {listed(others)} {'lives' if len(others) == 1 else 'live'} with me"

    def _answer_about(self, key: Key, slots: Sequence[Slot], *, plain: bool) -> str:
        values = {slot.member or 0: self.profile.value(slot, key) for slot in slots}
        known: dict[int, Value] = {at: value for at, value in values.items() if value is not None}
        if not known:
            return "I don't know"
        if key.level == "household":
            return self._of_household(key, known[0])
        if len(known) == 1:
            ((member, value),) = known.items()
            return self._of_one(key, member, value, plain=plain)
        if plain:
            return ". ".join(self._sentence(key, at, value) for at, value in known.items())
        return self._of_several(key, known)

    def _is_short(self) -> bool:
        return self.style == "short" or (self.style == "mixed" and self._random.random() < 0.4)

    def _sentence(self, key: Key, member: int, value: Value, subject: str = "") -> str:
        """Return the profile's sentence for a fact, its number as people write it."""
        text = self.profile.sentence(member, key.name)
        if not isinstance(value, bool | str) and (value != round(value) or value >= 1_000):
            text = text.replace(str(value), said_number(value, self._random))
        return said_of(text, subject or self.subject(member))

    def _of_household(self, key: Key, value: Value) -> str:
        if not isinstance(value, bool):
            if self._is_short():
                return str(value).replace("_", " ")
            return self._sentence(key, 0, value, self._random.choice(("I", "we")))
        word = "Yes" if value else "No"
        if self._is_short():
            return self._random.choice((word, f"{word}, we do" if value else f"{word}, we don't"))
        members = self.profile.household.members
        who = next(at for at, member in enumerate(members) if member[key.name] == value)
        return f"{word}, {_lower_unless_name(self._sentence(key, who, value, 'we'))}"

    def _of_one(self, key: Key, member: int, value: Value, *, plain: bool) -> str:
        full = self._sentence(key, member, value)
        if isinstance(value, bool):
            word = "Yes" if value else "No"
            if plain or self._is_short():
                return word
            return self._random.choice((full, f"{word}, {_lower_unless_name(full)}"))
        if self._is_short() and not isinstance(value, str) and value > 0:
            return said_number(value, self._random, words=True)
        if self._is_short() and key.kind == "choice" and value != "none":
            return str(value).replace("_", " ")
        return full

    def _of_several(self, key: Key, values: Mapping[int, Value]) -> str:
        if all(isinstance(value, bool) for value in values.values()):
            return self._yes_no(key, {at: bool(value) for at, value in values.items()})
        if key.kind == "choice":
            return self._grouped(key, values)
        return self._numbers(key, values)

    def _yes_no(self, key: Key, truths: Mapping[int, bool]) -> str:
        yes = [at for at, value in truths.items() if value]
        no = [at for at, value in truths.items() if not value]
        everyone = len(truths) == len(self.profile.household.members)
        short = self._is_short()
        if everyone and not (yes and no):
            words, subjects = EVERYBODY if yes else NOBODY
            if short:
                return self._random.choice(words)
            return said_of(self._affirmed(key, truths), self._random.choice(subjects))
        if everyone and len(no) == 1 and len(yes) > 1 and self._random.random() < 0.5:
            but = f"everyone except {_object(self.subject(no[0]))}"
            return but if short else said_of(self._affirmed(key, truths), but)
        if yes and everyone:
            return self._who(key, yes, short=short)
        return "; ".join(
            _lower_unless_name(self._sentence(key, at, value)) for at, value in truths.items()
        )

    def _who(self, key: Key, yes: Sequence[int], *, short: bool) -> str:
        names = [self.subject(at) for at in yes]
        if short:
            only = self._random.choice(("only ", "just ", ""))
            return only + listed([_object(name) for name in names])
        subject = listed(sorted(names, key=lambda name: name == "I"))
        full = said_of(self.profile.sentence(yes[0], key.name), subject)
        ending = self._random.choice(("", ", the rest of us don't", ", but nobody else"))
        if self._random.random() < 0.3:
            return f"Yes, {_lower_unless_name(full)}{ending}"
        return full + ending

    def _affirmed(self, key: Key, truths: Mapping[int, bool]) -> str:
        """Return the sentence that is true of somebody for whom the key is."""
        for at, value in truths.items():
            if value:
                return self.profile.sentence(at, key.name)
        return self.profile.features[key.name].text.get("true", f"{NAME} does").rstrip(". ")

    def _numbers(self, key: Key, values: Mapping[int, Value]) -> str:
        numbers = {at: value for at, value in values.items() if not isinstance(value, str)}
        some = {at: value for at, value in numbers.items() if value != 0 or is_age(key)}
        denial = f"{NAME} is not "
        if not some and self.profile.sentence(next(iter(values)), key.name).startswith(denial):
            affirmed = self.profile.sentence(0, key.name).replace(denial, f"{NAME} is ")
            return said_of(affirmed, "none of us")
        nothing = [at for at in numbers if at not in some]
        counts = key.low >= 0 and all(self._is_nothing(key, at) for at in nothing)
        if not some or not counts or not self._is_short() or min(some.values()) < 0:
            return self._all_sentences(key, values)
        return self._short_numbers(some, len(some) < len(values))

    def _is_nothing(self, key: Key, member: int) -> bool:
        """Return whether a 0 stands for nothing, not for something that is so now."""
        sentence = self.profile.sentence(member, key.name)
        return any(word in f" {sentence} " for word in (" not ", " never ", " 0 "))

    def _all_sentences(self, key: Key, values: Mapping[int, Value]) -> str:
        joined = self._random.choice((", ", ". ", "; "))
        full = [self._sentence(key, at, value) for at, value in values.items()]
        return joined.join(full) if joined == ". " else joined.join(map(_lower_unless_name, full))

    def _short_numbers(self, some: Mapping[int, float], others: bool) -> str:
        numbers = {at: said_number(value, self._random) for at, value in some.items()}
        if self._random.random() < 0.5:
            parts = [f"{number} for {_object(self.subject(at))}" for at, number in numbers.items()]
        else:
            parts = [f"{self.subject(at)}: {number}" for at, number in numbers.items()]
        nothing = ("nothing for the rest of us", "zero for everyone else")
        return ", ".join(parts + ([self._random.choice(nothing)] if others else []))

    def _grouped(self, key: Key, values: Mapping[int, Value]) -> str:
        if self._is_short() and len(set(map(str, values.values()))) == 1:
            ((_, value), *_) = values.items()
            if value != "none":
                return f"all of us: {str(value).replace('_', ' ')}"
        return self._all_sentences(key, values)

    def _extra(self, slots: Sequence[Slot]) -> str:
        """Return a fact that nobody asked for."""
        asked_keys = {slot.key for slot in slots}
        among = [key for key in self.keys if key.name in self.profile.features]
        among = [key for key in among if key.name not in asked_keys and key.level == "member"]
        if not among:
            return ""
        key = self._random.choice(among)
        member = self._random.randrange(len(self.profile.household.members))
        value = self.profile.value(key.slot(member), key)
        if value is None or key.name == "relation":
            return ""
        return f"By the way, {_lower_unless_name(self._sentence(key, member, value))}"


def _object(subject: str) -> str:
    return "me" if subject == "I" else subject


def _lower_unless_name(text: str) -> str:
    """Return a sentence as it goes on after `Yes,`: a leading `My` in lower case."""
    first = text.split(maxsplit=1)[:1]
    return text[:1].lower() + text[1:] if first in (["My"], ["Our"], ["We"], ["None"]) else text
