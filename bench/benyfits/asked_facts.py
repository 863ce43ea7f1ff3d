"""The facts that a free-text question asks for, by the words it shares with each key."""

from __future__ import annotations

from ...dialogs.eligibility.answers.people import People, mentions
from ...dialogs.eligibility.answers.topics import stems, topics_of
from ...dialogs.eligibility.answers.words import words_of
from ...dialogs.eligibility.keys import SIZE, Key, KeyTable, Slot
from .profile import Profile

HOUSEHOLD = frozenset("everyone everybody anyone anybody household family all each who".split())
COMPOSITION = ("who lives", "how many people", "household size", "size of your household",
               "members of your household", "how many members")  # fmt: skip


def asked_slots(text: str, profile: Profile, keys: KeyTable) -> tuple[Slot, ...]:
    """Return the facts that a question wants; none where it is about nothing known.

    The key that shares the most telling words with the question, of whom it names: everybody
    for `anyone`, `your household`; the applicant for `you`.
    """
    low = text.casefold()
    if any(phrase in low for phrase in COMPOSITION):
        return (SIZE,)
    topics = topics_of(keys)
    content = stems(text)
    ranked = sorted(((topics.shared(content, key.name), key.name) for key in keys), reverse=True)
    if not ranked or ranked[0][0] <= 0:
        return ()
    key = keys.key(ranked[0][1])
    return tuple(dict.fromkeys(key.slot(at) for at in _members(text, profile)))


def _members(text: str, profile: Profile) -> list[int]:
    words = words_of(text)
    everyone = list(range(len(profile.household.members)))
    if {word.low for word in words} & HOUSEHOLD:
        return everyone
    relations = {
        Slot(at, "relation"): str(member.get("relation", ""))
        for at, member in enumerate(profile.household.members)
    }
    people = People.of(relations, dict(enumerate(profile.household.names)), _RELATION)
    named = [mention.people for mention in mentions(words, people) if mention.kind == "people"]
    return sorted(frozenset[int]().union(*named)) or [0]


_RELATION = KeyTable.of([Key("relation", "choice", values=("self", "spouse", "child"))])
