"""What went wrong, in the classes of ProADA, section 6, found without a model.

Of pairs: *code generation* (the checker, given every fact of the household, says other than the
label), *conflating members* and *misreading* (a fact was understood that is another member's, or
nobody's), *no recovery* (undecided: nobody could tell, or questions ran out), *hallucination*
(decided though facts that the origin's checker read were never asked for). Of conversations:
*repetition*, *ultra-specificity* (a limit in the question instead of the value asked for),
*multi-member households* (only the applicant was asked about), *suggestibility* (a question
about kin that the household does not have).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ...dialogs.eligibility.answers.people import relation_of
from ...dialogs.eligibility.answers.words import words_of
from ...dialogs.eligibility.decisions.evaluation import run
from ...dialogs.eligibility.decisions.program import Program
from ...dialogs.eligibility.keys import SIZE, Key, KeyTable, Slot, Value
from .asked_facts import asked_slots
from .dialogue import Dialogue, slot_of
from .profile import Profile
from .published_data import BenyfitsData
from .records import Label

LIMIT = re.compile(
    r"\b(?:below|under|less than|more than|over|above|at least|at most|up to|exceeds?)\s+"
    r"(?:\$|€|£)?\d[\d,]*",
    re.IGNORECASE,
)
CLOSE = 0.01
"""How far a number may be from the fact: people round to two decimals."""


@dataclass(frozen=True)
class Failure:
    """A pair that went wrong. `eligible`: the label, None where it is withheld."""

    household: str
    program: str
    decided: bool | None
    eligible: bool | None
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class FailureClassifier:
    """Knows everything: the households, the labels and what each checker says."""

    data: BenyfitsData
    programs: Mapping[str, Program]
    keys: KeyTable

    def pairs(self, dialogue: Dialogue) -> list[Failure]:
        """Return the pairs of a conversation that are undecided or not as labelled."""
        failures: list[Failure] = []
        for program, decided in dialogue.decisions.items():
            label = self.data.labels.get((dialogue.household, program))
            if decided is not None and (label is None or label.eligible == decided):
                continue
            reasons = self._reasons(dialogue, program, label)
            true = None if label is None else label.eligible
            failures.append(Failure(dialogue.household, program, decided, true, tuple(reasons)))
        return failures

    def _profile(self, dialogue: Dialogue) -> Profile:
        return Profile(self.data.households[dialogue.household], self.data.features)

    def _reasons(self, dialogue: Dialogue, program: str, label: Label | None) -> list[str]:
        reasons: list[str] = []
        if dialogue.decisions[program] is None:
            why = dialogue.why.get(program, "")
            reasons.append("no recovery" + (f": {why}" if why else ""))
        profile = self._profile(dialogue)
        if program in self.programs and label is not None and dialogue.method == "proada":
            outcome = run(self.programs[program], profile.known(self.keys), self.keys).outcome
            reasons += ["code generation"] if outcome != label.eligible else []
        reasons += self._misread(dialogue, profile, program)
        if dialogue.method in ("direct", "react", "person") and label is not None:
            reasons += ["hallucination"] if self._is_premature(dialogue, label) else []
        if dialogue.method == "random":
            reasons.append("chance")
        return reasons or ["unexplained"]

    def _misread(self, dialogue: Dialogue, profile: Profile, program: str) -> list[str]:
        own = self.programs[program].keys if program in self.programs else ()
        reasons: list[str] = []
        for slot, value in dialogue.facts.items():
            if slot.key not in own or slot.key not in self.keys:
                continue
            key = self.keys.key(slot.key)
            if not same(value, profile.value(slot, key)):
                others = self._is_others(profile, slot, key, value)
                reasons.append(f"{'conflating members' if others else 'misreading'}: {slot}")
        return reasons

    def _is_others(self, profile: Profile, slot: Slot, key: Key, value: Value) -> bool:
        others = range(len(profile.household.members)) if slot.member is not None else ()
        if key.kind == "bool":
            # Half of all others have it by chance.
            return False
        return any(same(value, profile.value(key.slot(at), key)) for at in others)

    def _is_premature(self, dialogue: Dialogue, label: Label) -> bool:
        profile = self._profile(dialogue)
        asked_keys = {
            slot.key
            for turn in dialogue.turns
            for slot in turn.slots or asked_slots(turn.question, profile, self.keys)
        }
        read = {slot_of(name).key for name in label.read} - {"name", "relation"}
        return bool(read - asked_keys)

    def habits(self, dialogue: Dialogue) -> list[str]:
        """Return the bad habits of a conversation's questions."""
        profile = self._profile(dialogue)
        checks: dict[str, Callable[[], bool]] = {
            "repetition": lambda: _repeats(dialogue),
            "ultra-specificity": lambda: any(LIMIT.search(t.question) for t in dialogue.turns),
            "multi-member households": lambda: _only_applicant(dialogue, profile),
            "suggestibility": lambda: _about_nobody(dialogue, profile),
        }
        return [name for name, holds in checks.items() if holds()]


def same(value: Value, true: Value | None) -> bool:
    """Return whether a value is what is true, numbers to two decimals."""
    if isinstance(value, bool | str) or isinstance(true, bool | str | None):
        return type(value) is type(true) and value == true
    return abs(value - true) <= CLOSE


def _repeats(dialogue: Dialogue) -> bool:
    questions = [turn.slots for turn in dialogue.turns if turn.slots]
    texts = [" ".join(turn.question.casefold().split()) for turn in dialogue.turns]
    return len(set(questions)) < len(questions) or len(set(texts)) < len(texts)


def _only_applicant(dialogue: Dialogue, profile: Profile) -> bool:
    members = {slot.member for turn in dialogue.turns for slot in turn.slots if slot != SIZE}
    several = len(profile.household.members) > 1
    return several and bool(dialogue.turns) and members <= {0} and bool(members)


def _about_nobody(dialogue: Dialogue, profile: Profile) -> bool:
    """Return whether a question takes kin for granted (`your daughter`) that is not there."""
    kin = {str(member.get("relation", "")) for member in profile.household.members}
    return any(
        relation_of(words[at + 1].low) and not _has(kin, relation_of(words[at + 1].low))
        for words in (words_of(turn.question) for turn in dialogue.turns)
        for at in range(len(words) - 1)
        if words[at].low == "your"
    )


def _has(kin: set[str], relation: str) -> bool:
    return relation in kin or (relation == "child" and any("child" in relation for relation in kin))


def classes(failures: Sequence[Failure], habits: Sequence[str]) -> dict[str, int]:
    """Return how many pairs each reason holds for, and how many conversations each habit."""
    reasons = [{reason.split(":")[0] for reason in failure.reasons} for failure in failures]
    counts = Counter(name for names in reasons for name in names)
    return dict(sorted((counts + Counter(habits)).items()))
