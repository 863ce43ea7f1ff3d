"""Answer checks: every count, set and row of an answer, worked out again from the replica.

Cost: the counts of all subsets of a question's wishes, once a question and version.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...solvers.masks import mask_of, positions_of
from .questions import Question
from .replica import Replica
from .synthetic_items import KEY

Counts = NDArray[np.int64]


def answer_errors(answer: dict[str, Any], question: Question, replica: Replica) -> list[str]:
    """Return what is wrong with an answer to a question, against the replica's version.

    Checked: status, conflicts, drop-one counts, every repair
    that drops wishes (count, cost, minimality, witness), the count, and every item and near
    miss (all its values, what it meets and misses). Shifted bounds are checked by witness.
    """
    judge = AnswerCheck(question, replica)
    return [*judge.sets(answer), *judge.chosen(answer), *judge.rows(answer)]


class AnswerCheck:
    """One question at one version."""

    def __init__(self, question: Question, replica: Replica) -> None:
        self.question = question
        self.replica = replica
        self.counts: Counts = replica.counts(question)
        self.full = len(self.counts) - 1
        self.width = len(question.wishes)

    def sets(self, answer: dict[str, Any]) -> Iterator[str]:
        """Conflicts and drop-one counts."""
        if not answer["complete"]:
            yield f"not complete: stopped by {answer['stopped_by']}"
        expected = _conflicts(self.counts)
        if [mask_of(conflict) for conflict in answer["conflicts"]] != expected:
            yield f"conflicts {answer['conflicts']}, not {expected}"
        dropped = [int(self.counts[self.full & ~(1 << bit)]) for bit in range(self.width)]
        if answer["drop_one_counts"] != dropped:
            yield f"drop-one counts {answer['drop_one_counts']}, not {dropped}"

    def chosen(self, answer: dict[str, Any]) -> Iterator[str]:
        """The status, what gives way, and how much is left then."""
        met = int(self.counts[self.full])
        status = _status(self.counts)
        if answer["status"] != status:
            yield f"status {answer['status']}, not {status}"
            return
        repairs = answer["repairs"]
        count = met if met or not repairs else repairs[0]["count"]
        if answer["count"] != count:
            yield f"count {answer['count']}, not {count}"
        if met:
            return
        for repair in repairs:
            yield from self.repair(repair)
        if repairs and not math.isclose(repairs[0]["cost"], least := self.least_cost()):
            yield f"cost {repairs[0]['cost']}, and {least} would do"

    def least_cost(self) -> float:
        """What the cheapest repair costs."""
        sets = np.flatnonzero(self.counts)
        return min(self.cost(self.full & ~int(kept)) for kept in sets)

    def cost(self, dropped: int) -> float:
        """What dropping these wishes costs."""
        return math.fsum(w for bit, w in enumerate(self.question.weights) if dropped >> bit & 1)

    def repair(self, repair: dict[str, Any]) -> Iterator[str]:
        """One repair that drops wishes."""
        dropped = mask_of(repair["dropped"])
        kept = self.full & ~dropped
        if repair["count"] != self.counts[kept]:
            yield f"repair {repair['dropped']}: {repair['count']}, not {self.counts[kept]}"
        if not math.isclose(repair["cost"], self.cost(dropped)):
            yield f"repair {repair['dropped']} costs {self.cost(dropped)}"
        less = any(self.counts[kept | 1 << bit] for bit in repair["dropped"])
        if repair["minimal"] and less:
            yield f"repair {repair['dropped']} is not minimal"
        yield from self.row(repair["witness"], kept)

    def rows(self, answer: dict[str, Any]) -> Iterator[str]:
        """Items, near misses, and the witnesses of shifted bounds."""
        relaxed = mask_of(answer["repairs"][0]["dropped"]) if answer["repairs"] else 0
        is_near = answer["rank"] == "near"
        order = [(item["violation"] if is_near else 0, -item["score"]) for item in answer["items"]]
        if order != sorted(order):
            yield f"items out of order: {order}"
        if len(order) != min(answer["count"], 5):
            yield f"{len(order)} items of {answer['count']}"
        for item in answer["items"]:
            yield from self.row(item["row"], self.full & ~relaxed)
            yield from self.meets(item)
        for shift in answer["shifts"]:
            moved = mask_of(change["position"] for change in shift["changes"])
            yield from self.row(shift["witness"], self.full & ~moved)
        for near in answer["near_misses"]:
            missed = mask_of(violation["position"] for violation in near["violates"])
            yield from self.row(near["row"], self.full & ~missed, exactly=True)

    def meets(self, item: dict[str, Any]) -> Iterator[str]:
        """What an item says that it meets and misses."""
        word = self.word(item["row"])
        if word is None or (mask_of(item["meets"]), mask_of(item["misses"])) != (
            word,
            self.full & ~word,
        ):
            yield f"item {item['row'].get(KEY)} meets {item['meets']}, and not {word}"

    def word(self, row: dict[str, Any]) -> int | None:
        """The wishes that a row's item meets; None if there is none in the base."""
        item = row.get(KEY, -1)
        known = self.replica.row(item) is not None
        return self.replica.word(self.question, item) if known else None

    def row(self, row: dict[str, Any], kept: int, *, exactly: bool = False) -> Iterator[str]:
        """A row: each of its values, and whether it meets what it stands for."""
        expected = self.replica.row(row.get(KEY, -1))
        if row != expected:
            yield f"row {row} is {expected}"
            return
        word = self.word(row)
        if word is None or word & kept != kept or (exactly and word != kept):
            yield f"row {row[KEY]} meets {word}, and {kept} is needed"


def _status(counts: Counts) -> str:
    if counts[-1]:
        return "SAT_no_relaxation"
    return "SAT_after_relaxation" if counts[0] else "UNSAT_even_after_relaxation"


def _conflicts(counts: Counts) -> list[int]:
    """Return the minimal sets without rows, smallest first, then by position."""
    width = len(counts).bit_length() - 1
    conflicts = [
        mask
        for mask in range(1, len(counts))
        if not counts[mask]
        and all(counts[mask & ~(1 << bit)] for bit in range(width) if mask >> bit & 1)
    ]
    return sorted(conflicts, key=lambda mask: (mask.bit_count(), sorted(positions_of(mask))))
