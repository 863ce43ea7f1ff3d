"""How well states and acts of conversations were read: the figures published for them.

A value of a closed list is right where it is one of the spellings; free text is as right as its
words, in any order, are alike (rapidfuzz's `token_sort_ratio`), the most like spelling counting.
The joint goal accuracy of a turn is the product over all columns held or wished, as published.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.fuzz import token_sort_ratio

ALIKE = 0.9
"""From here on a value of free text is called right where the answer is yes or no."""

State = Mapping[str, Sequence[str]]


def matched(value: str, spellings: Sequence[str], *, fuzzy: bool) -> float:
    """Return how right a value is, 0 to 1, beside the spellings of the true one."""
    said = value.strip().lower()
    if not fuzzy:
        return float(any(said == spelling.strip().lower() for spelling in spellings))
    return max((token_sort_ratio(said, s.strip().lower()) for s in spellings), default=0.0) / 100


def column_scores(read: State, true: State, closed: Collection[str]) -> dict[str, float]:
    """Return how right each column is that either state holds; 0 where only one does."""
    scores = dict.fromkeys((*true, *read), 0.0)
    for column in read.keys() & true.keys():
        fuzzy = column not in closed
        scores[column] = max(
            (matched(value, true[column], fuzzy=fuzzy) for value in read[column]), default=0.0
        )
    return scores


@dataclass(slots=True)
class StateTally:
    """Sums over turns: values `read` and `true`, how right they are together, and acts."""

    turns: int = 0
    joint: float = 0.0
    right_turns: int = 0
    right: float = 0.0
    read: int = 0
    true: int = 0
    acts_right: int = 0
    acts_read: int = 0
    acts_true: int = 0

    def add_state(self, read: State, true: State, closed: Collection[str]) -> None:
        """Count the state after one turn."""
        scores = column_scores(read, true, closed)
        product = 1.0
        for score in scores.values():
            product *= score
        self.turns += 1
        self.joint += product
        self.right_turns += all(score >= ALIKE for score in scores.values())
        self.right += sum(scores.values())
        self.read += len(read)
        self.true += len(true)

    def add_acts(self, read: Collection[str], true: Collection[str]) -> None:
        """Count the acts of one turn."""
        self.acts_right += len(set(read) & set(true))
        self.acts_read += len(set(read))
        self.acts_true += len(set(true))

    @property
    def joint_goal_accuracy(self) -> float | None:
        """The share of turns whose whole state is right, in percent."""
        return _percent(self.joint, self.turns)

    @property
    def turns_right(self) -> float | None:
        """The same with every value right or wrong and nothing between, in percent."""
        return _percent(self.right_turns, self.turns)

    @property
    def slot_precision(self) -> float | None:
        """How right the values are that were read, in percent."""
        return _percent(self.right, self.read)

    @property
    def slot_recall(self) -> float | None:
        """How much of the true values was read, in percent."""
        return _percent(self.right, self.true)

    @property
    def act_f1(self) -> float | None:
        """The F1 of acts over all turns, in percent."""
        return _percent(2 * self.acts_right, self.acts_read + self.acts_true)


def _percent(part: float, whole: int) -> float | None:
    return 100.0 * part / whole if whole else None
