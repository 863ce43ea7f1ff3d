"""Requests that say how much each wish matters: how they are weighed, and what then gives way.

`python -m concede.bench.understanding.importance [FOLDER]` scores a folder of `requests.jsonl` and
`catalogs/NAME.csv`, the held-out one unless told otherwise, and prints JSON. Each is weighed
with its gold wishes, then said to a conversation that proposes at once. What gives way there is
compared with all that could: fewest of what must be, then of what is only named, then of what is
said mildly. Some 20 ms a request and wish.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import permutations
from pathlib import Path
from typing import Any, Literal

from ...catalogs.catalog import Catalog
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...dialogs.conversation.session import Session
from ...dialogs.weighters.weighter import DEFAULT_WEIGHTER, Weighter, get_weighter
from ...engine.repair_engine import RepairEngine
from ..json_lines import read_records
from .request_records import HELD_OUT, Strict
from .wilson import Share, share

LEVELS = ("must", "plain", "soft")
"""What must be, what is only named, what is said mildly; from what matters most."""


class ImportantWish(Strict):
    """A wish and how it was said."""

    column: str
    op: str
    value: bool | int | float | str | list[str | int | float]
    level: Literal["must", "plain", "soft"]

    @property
    def constraint(self) -> Constraint:
        """The wish, which may give way."""
        value = tuple(self.value) if isinstance(self.value, list) else self.value
        return Constraint.model_validate({"column": self.column, "op": self.op, "value": value})

    def among(self, wishes: Sequence[Constraint]) -> Constraint | None:
        """Return the wish among those understood: of its column, and of its part of a list."""
        for wish in wishes:
            part = self.op != "contains" or str(self.value).lower() in str(wish.value).lower()
            if wish.column == self.column and part:
                return wish
        return None


class ImportanceRequest(Strict):
    """A text, and its wishes."""

    catalog: str
    text: str
    wishes: tuple[ImportantWish, ...]


@dataclass(frozen=True, slots=True)
class ImportanceScores:
    """`pairs`: of two wishes of other levels, given as gold, the one that matters more weighs more.

    `held`: wishes that a conversation understands. `least`: of the conversations where something
    gives way, those where no other choice gives up less; `spared`: where none that must be is
    given up needlessly.
    """

    requests: int
    pairs: Share
    held: Share
    least: Share
    spared: Share

    def record(self) -> dict[str, Any]:
        """Return the scores as a JSON object."""
        return asdict(self)


def read_importance(folder: Path) -> tuple[ImportanceRequest, ...]:
    """Return the requests of a folder. Raises `UnreadableFile` for what is none."""
    return tuple(read_records(folder / "requests.jsonl", ImportanceRequest.model_validate))


def score_importance(folder: Path, weighter: str = DEFAULT_WEIGHTER) -> ImportanceScores:
    """Return how the requests of a folder are weighed, and what gives way."""
    requests = read_importance(folder)
    judge = get_weighter(weighter)
    pairs = [right for request in requests for right in _ordered(request, judge)]
    held, given = list[bool](), list[tuple[Loss, Loss]]()
    for name in dict.fromkeys(request.catalog for request in requests):
        with Catalog.open(folder / "catalogs" / f"{name}.csv") as catalog:
            for request in requests:
                if request.catalog == name:
                    understood, losses = _said(catalog, request, weighter)
                    held += understood
                    given += [losses] if losses else []
    return ImportanceScores(
        len(requests),
        share(sum(pairs), len(pairs)),
        share(sum(held), len(held)),
        share(sum(mine <= least for mine, least in given), len(given)),
        share(sum(mine[0] <= least[0] for mine, least in given), len(given)),
    )


Loss = tuple[int, ...]
"""How many wishes of each level are given up."""


def _ordered(request: ImportanceRequest, judge: Weighter) -> Iterator[bool]:
    wishes = request.wishes
    weights = judge.weigh(request.text, [wish.constraint for wish in wishes]).weights
    for (more, heavy), (less, light) in permutations(zip(wishes, weights, strict=True), 2):
        if LEVELS.index(more.level) < LEVELS.index(less.level):
            yield heavy > light


def _said(
    catalog: Catalog, request: ImportanceRequest, weighter: str
) -> tuple[list[bool], tuple[Loss, Loss] | None]:
    """Return which wishes are understood, and what is given up beside the least that could be."""
    session = Session(catalog, weighter=weighter)
    session.hear(request.text)
    known = session.preferences.known
    understood = [wish.among(known) is not None for wish in request.wishes]
    if not known:
        return understood, None
    proposal = session.propose()
    relaxed = [proposal.query.constraints[at] for at in proposal.relaxed]
    if not relaxed:
        return understood, None
    levels = {wish: gold.level for gold in request.wishes if (wish := gold.among(known))}
    free = tuple(wish.model_copy(update={"hard": False}) for wish in known)
    repairs = RepairEngine(catalog).repair(Query(constraints=free), top=1).repairs
    least = min(_loss([known[at] for at in repair.dropped], levels) for repair in repairs)
    gone = [wish for wish in known if any(_same(wish, other) for other in relaxed)]
    return understood, (_loss(gone, levels), least)


def _same(one: Constraint, other: Constraint) -> bool:
    return (one.column, one.op, one.value) == (other.column, other.op, other.value)


def _loss(gone: Sequence[Constraint], levels: dict[Constraint, str]) -> Loss:
    """Return how many of each level are gone; what nobody asked for counts least."""
    given_up = [levels.get(wish, "") for wish in gone]
    return tuple(given_up.count(level) for level in LEVELS)


def main() -> None:
    """Score, and print the figures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HELD_OUT / "importance"
    print(json.dumps(score_importance(folder).record(), indent=2))


if __name__ == "__main__":
    main()
