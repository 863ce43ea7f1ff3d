"""A profile's sentences in the first person, by rules of grammar, and numbers as people write them.

Numbers have digits with or without thousands marks, dollars, `k`, or are words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from ...dialogs.language.numbers import in_words
from .profile import NAME

_FIRST = {"is": "am", "has": "have", "does": "do", "was": "was"}
_SEVERAL = {"is": "are", "has": "have", "does": "do", "was": "were"}
_KEPT = frozenset("can cannot did could will would".split())
_ADVERBS = frozenset("always never previously currently already also".split())
_PAST = re.compile(r"(?:ed|served|lost|incurred|lived)$")


def said_of(sentence: str, subject: str) -> str:
    """Return a sentence about `{name}` as one about a subject: `I`, `we`, `Ann`, `Ann and Bo`."""
    person = person_of(subject)
    if f"{NAME}'s" in sentence:
        return _owned(sentence, subject, person)
    body = sentence.replace(NAME, "", 1).strip()
    if person == "third":
        return f"{subject} {body}".replace(NAME, subject)
    words = body.split()
    at = next((place for place, word in enumerate(words) if word not in _ADVERBS), 0)
    if words:
        words[at] = _verb(words[at], person)
    text = re.sub(
        r"\band (\w+s)\b", lambda match: f"and {_verb(match[1], person)}", " ".join(words)
    )
    return f"{subject} {_belonging(text, person)}".replace(NAME, subject)


def person_of(subject: str) -> str:
    """Return `first`, `we`, `several` or `third`."""
    if subject.casefold() in ("i", "we"):
        return {"i": "first", "we": "we"}[subject.casefold()]
    return "several" if " and " in subject else "third"


def _verb(verb: str, person: str) -> str:
    irregular = _FIRST if person == "first" else _SEVERAL
    if verb in irregular:
        return irregular[verb]
    if verb in _KEPT or _PAST.search(verb) or not verb.endswith("s") or verb.endswith("ss"):
        return verb
    return verb[:-3] + "y" if verb.endswith("ies") else verb[:-1]


def _belonging(text: str, person: str) -> str:
    own = {"first": ("my", "myself", "I"), "we": ("our", "ourselves", "we")}.get(person)
    if own is None:
        return text
    text = re.sub(r"\btheir\b", own[0], text)
    text = re.sub(r"\b(?:themselves|themself)\b", own[1], text)
    return re.sub(r"\bthey\b", own[2], text)


def _owned(sentence: str, subject: str, person: str) -> str:
    owner = {"first": "my", "we": "our"}.get(person) or _owners(subject)
    text = sentence.replace(f"{NAME}'s", owner, 1).replace(NAME, subject)
    text = _belonging(text, person)
    return text[:1].upper() + text[1:]


def _owners(subject: str) -> str:
    """Return whose something is: `Ann's`, `Ann's and my`."""
    names = re.split(r", | and ", subject)
    return listed(["my" if name == "I" else f"{name}'s" for name in names])


def listed(names: Sequence[str], word: str = "and") -> str:
    """Return names as a list in words."""
    return f"{', '.join(names[:-1])} {word} {names[-1]}" if len(names) > 1 else "".join(names)


def sentence_of(text: str) -> str:
    """Return a text with a capital at its start and a full stop."""
    text = " ".join(text.split())
    text = re.sub(r"\ba (?=[aeiouAEIOU](?!ne\b|ni))", "an ", text)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


_KIN = {
    "spouse": ("husband", "wife"),
    "child": ("son", "daughter"),
    "stepchild": ("stepson", "stepdaughter"),
    "grandchild": ("grandson", "granddaughter"),
    "foster child": ("foster son", "foster daughter"),
    "adopted child": ("adopted son", "adopted daughter"),
    "sibling": ("brother", "sister"),
    "niece or nephew": ("nephew", "niece"),
}


def kin(relation: str, sex: str) -> str:
    """Return what somebody of a relation and sex is called: `wife`, `foster son`, `friend`."""
    both = _KIN.get(relation)
    return relation if both is None else both[sex == "female"]


def said_number(value: float, random: Random, *, words: bool = False) -> str:
    """Return a number that is not negative as somebody may write it; never another number."""
    if value != int(value):
        return f"{value:.2f}"
    whole = int(value)
    if words and whole < 100 and random.random() < 0.3:
        return in_words(whole)
    if whole >= 1_000 and whole % 1_000 == 0 and random.random() < 0.5:
        return f"{whole // 1_000}k"
    if whole >= 1_000:
        return random.choice((f"{whole:,}", f"${whole:,}", str(whole)))
    return str(whole)
