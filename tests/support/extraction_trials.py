"""Sentences put to an extractor, and how many of them it reads as their writer meant them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.dialogs.extraction.offline import extract

Case = tuple[str, str, str, list[tuple[str, str, object]]]


def comparable(constraint: Constraint) -> tuple[str | None, str, object]:
    """Return a constraint's parts; the order of a list does not matter."""
    return _comparable(constraint.column, constraint.op, constraint.value)


def _comparable(column: str | None, op: str, value: object) -> tuple[str | None, str, object]:
    many = frozenset(map(str, value)) if op in ("in", "not in") else value  # type: ignore[call-overload]
    return column, op, many


ENDS = {"<": "<=", ">": ">="}
"""Whether a bound itself is let in is not judged: “under 1500” is written both ways."""


def _judged(part: tuple[str | None, str, object]) -> tuple[str | None, str, object]:
    column, op, value = part
    return column, ENDS.get(op, op), value


@dataclass
class Trials:
    """Right, false and missed constraints, and the sentences read without any mistake."""

    right: int = 0
    false: int = 0
    missed: int = 0
    sentences: int = 0
    perfect: int = 0

    @property
    def precision(self) -> float:
        """Share of the extracted constraints that were meant."""
        return self.right / (self.right + self.false)

    @property
    def recall(self) -> float:
        """Share of the constraints meant that were extracted."""
        return self.right / (self.right + self.missed)

    def __str__(self) -> str:
        return (
            f"{self.perfect} of {self.sentences} sentences without a mistake; "
            f"precision {self.precision:.3f}, recall {self.recall:.3f}"
        )


def run_trials(cases: Iterable[Case], catalog: Callable[[str], Catalog]) -> Trials:
    """Extract from every sentence and compare."""
    trials = Trials()
    for name, question, text, meant in cases:
        said = [{"role": "user", "content": text}]
        if question:
            said.insert(0, {"role": "assistant", "content": question})
        constraints = {
            _judged(comparable(extracted.constraint))
            for extracted in extract(said, catalog(name)).constraints
        }
        expected = {_judged(_comparable(*meaning)) for meaning in meant}
        trials.right += len(constraints & expected)
        trials.false += len(constraints - expected)
        trials.missed += len(expected - constraints)
        trials.sentences += 1
        trials.perfect += constraints == expected
    return trials
