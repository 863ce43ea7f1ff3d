"""The two kinds of provider error (VI-G), counted against a reference, per 100 turns.

First kind: a fact was due, and another or none was told. Second kind: none was due, and one was
told. What was due is what a reference tells at the same place: the recorded provider, or ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...dialogs.information_seeking.task import ROOT, ClarificationTask, Provider, SpokenTurn
from ...dialogs.information_seeking.telling import newly_told, told_before
from .outcome import Turns


@dataclass(frozen=True)
class Choice:
    """The nodes told by a provider at one place of a dialogue, and those that were due."""

    due: tuple[str, ...]
    told: tuple[str, ...]

    @property
    def kind(self) -> int:
        """Return which kind of error it is; 0 for none."""
        if not self.due:
            return 2 if self.told else 0
        return 0 if set(self.due) == set(self.told) else 1


def places(task: ClarificationTask, turns: Turns) -> Iterator[tuple[Turns, SpokenTurn]]:
    """Yield each answer of a provider after its first, behind the turns before it."""
    for place, turn in enumerate(turns):
        if turn.speaker == "provider" and ROOT in told_before(task, turns[:place]):
            yield turns[:place], turn


def choices(task: ClarificationTask, turns: Turns, other: Provider) -> Iterator[Choice]:
    """Yield what was told in a dialogue (`due`) beside what another provider tells there."""
    for before, turn in places(task, turns):
        told = newly_told(task, before, other.reply(task, before).text)
        yield Choice(newly_told(task, before, turn.text), told)


def swapped(found: Iterable[Choice]) -> Iterator[Choice]:
    """Yield choices with the other provider as the reference."""
    return (Choice(choice.told, choice.due) for choice in found)


def error_rates(found: Iterable[Choice]) -> dict[str, float | int | None]:
    """Return both kinds per 100 turns, how often the right was done, and F1 over all nodes."""
    all_found = list(found)
    turns, kinds = len(all_found), [choice.kind for choice in all_found]
    firsts, seconds = kinds.count(1), kinds.count(2)
    due = sum(bool(choice.due) for choice in all_found)
    both = sum(len({*choice.due} & {*choice.told}) for choice in all_found)
    either = sum(len(choice.due) + len(choice.told) for choice in all_found)
    return {
        "turns": turns,
        "first_kind_per_100": _share(100 * firsts, turns),
        "second_kind_per_100": _share(100 * seconds, turns),
        "same_nodes_where_due": _share(due - firsts, due),
        "silent_where_none_due": _share(turns - due - seconds, turns - due),
        "f1": _share(2 * both, either),
    }


def _share(part: float, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
