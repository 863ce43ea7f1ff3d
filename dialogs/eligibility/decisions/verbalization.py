"""Word questions from the key table, and decisions with their reasons, without a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..keys import SIZE, Key, KeyTable, Known, Slot, Value
from ..roles import Decision, Question, Reason

COMPOSITION = (
    "Who lives in your household, yourself included? "
    "Please give everyone's name and how they are related to you."
)

SINGULAR = {"is": "is", "do": "does", "have": "has", "was": "was"}
PLURAL = {"is": "are", "do": "do", "have": "have", "was": "were"}


def name_of(member: int, names: Mapping[int, str]) -> str:
    """Return what a member is called when spoken of to the applicant."""
    return "you" if member == 0 else names.get(member) or f"person {member + 1}"


def join_words(names: Sequence[str], word: str = "and") -> str:
    """Return names as a list in words."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {word} {names[-1]}"


class OfflineQuestionWriter:
    """Words questions from the key table, and from comments where the table has no words."""

    def write(
        self, question: Question, keys: KeyTable, known: Known, names: Mapping[int, str]
    ) -> str:
        """See `QuestionWriter.write`."""
        if SIZE in question.slots:
            text = keys.key(SIZE.key).ask or COMPOSITION
        else:
            parts = [self._of_key(name, question, keys, known, names) for name in question.keys]
            text = " ".join(dict.fromkeys(parts))
        if question.attempt > 1 and not question.disputed:
            expected = keys.key(question.keys[0]).expected
            text = f"I could not make out the answer. {text} (Please answer with {expected}.)"
        return text

    def _of_key(
        self, name: str, question: Question, keys: KeyTable, known: Known, names: Mapping[int, str]
    ) -> str:
        key = keys.key(name)
        slots = [slot for slot in question.slots if slot.key == name]
        hint = question.requirement if name == question.keys[0] else ""
        if key.level == "household":
            return one_person(key, ("your household",), hint)
        members = [slot.member or 0 for slot in slots]
        size = known.get(SIZE)
        if len(members) > 1 and isinstance(size, int) and len(members) == size:
            return everyone(key, hint)
        if len(members) > 1 and key.kind == "bool":
            people = join_words([name_of(member, names) for member in members], "or")
            return f"{phrase(key, hint)}: which of {people} does this hold for, if any?"
        return one_person(key, [name_of(member, names) for member in members], hint)


def one_person(key: Key, people: Sequence[str], hint: str) -> str:
    """Return a question about one person or a few."""
    person = join_words(people)
    if key.ask:
        forms = PLURAL if len(people) > 1 or person == "you" else SINGULAR
        return _filled(key.ask, {"person": person, **forms})
    if key.kind == "bool":
        return f"Is this true of {person}: {phrase(key, hint)}?"
    if key.kind == "choice":
        return f"Which of these fits {person} ({phrase(key, hint)}): {options(key)}?"
    return f"For {person}: {phrase(key, hint)}?"


def everyone(key: Key, hint: str) -> str:
    """Return a question about all members at once."""
    if key.ask_all:
        return key.ask_all
    if key.kind == "bool":
        return f"Is this true of anyone in your household, and of whom: {phrase(key, hint)}?"
    if key.kind == "choice":
        return f"Which of these fits each of you ({phrase(key, hint)}): {options(key)}?"
    return f"For each of you: {phrase(key, hint)}?"


def phrase(key: Key, hint: str = "") -> str:
    """Return what a key stands for, in words."""
    return (key.description or hint or key.name.replace("_", " ")).rstrip("?.: ")


def options(key: Key) -> str:
    """Return the values of a choice as a list in words."""
    return join_words([str(value) for value in key.values], "or")


def _filled(text: str, words: Mapping[str, str]) -> str:
    """Return a text with its {words} filled in; other braces stay."""
    for name, word in words.items():
        text = text.replace("{" + name + "}", word)
    return text[:1].upper() + text[1:]


def disputed_text(
    slot: Slot, first: Value, second: Value, keys: KeyTable, names: Mapping[int, str]
) -> str:
    """Return the question which of two statements holds."""
    key = keys.key(slot.key)
    about = "" if slot.member is None else f" ({name_of(slot.member, names)})"
    earlier, later = spoken_value(first), spoken_value(second)
    return f"About {phrase(key)}{about} I first understood {earlier}, then {later}. Which is right?"


def spoken_value(value: Value) -> str:
    """Return a value as people say it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,.15g}" if isinstance(value, int | float) else f"“{value}”"


MAX_FACTS, MAX_MISSING = 6, 5


def verbalize_decision(decision: Decision, keys: KeyTable, names: Mapping[int, str]) -> str:
    """Return a decision and its reasons in a few sentences."""
    if decision.eligible is None:
        return f"{decision.program}: undecided. {_undecided(decision, keys, names)}"
    verdict = "eligible" if decision.eligible else "not eligible"
    reasons = "; ".join(verbalize_reason(reason, keys, names) for reason in decision.reasons)
    because = f" because: {reasons}." if reasons else ", whatever the answers."
    return f"{decision.program}: {verdict}{because}"


def _undecided(decision: Decision, keys: KeyTable, names: Mapping[int, str]) -> str:
    if not decision.missing:
        return f"{decision.why[:1].upper()}{decision.why[1:]}."
    facts = [verbalize_slot(slot, keys, names) for slot in decision.missing[:MAX_MISSING]]
    more = len(decision.missing) - len(facts)
    rest = f" and {more} more" if more else ""
    return f"Missing ({decision.why}): {'; '.join(facts)}{rest}."


def verbalize_reason(reason: Reason, keys: KeyTable, names: Mapping[int, str]) -> str:
    """Return one line's requirement and the facts it read."""
    facts = verbalize_facts(reason.facts, keys, names)
    return f"“{reason.requirement}” – {facts}" if reason.requirement else facts


def verbalize_facts(
    facts: Sequence[tuple[Slot, Value]], keys: KeyTable, names: Mapping[int, str]
) -> str:
    """Return facts in words, the first few of many."""
    phrases = [
        f"{verbalize_slot(slot, keys, names)}: {spoken_value(value)}"
        for slot, value in facts[:MAX_FACTS]
    ]
    more = len(facts) - len(phrases)
    return ", ".join(phrases) + (f" and {more} more" if more else "")


def verbalize_slot(slot: Slot, keys: KeyTable, names: Mapping[int, str]) -> str:
    """Return what a slot stands for, in words."""
    about = phrase(keys.key(slot.key))
    if slot.member is None or slot == SIZE:
        return about
    return f"{name_of(slot.member, names)}, {about}"
