"""Which episodes are shown whole: the wrong ones first, every kind in turn."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest

from ..aware_us.failures import failure
from ..aware_us.gold import Gold
from ..aware_us.rows import ALL
from .board import Kind, kind_of
from .sources import Held

DEFAULT_EPISODES = 200
MAX_EPISODES = 20_000


@dataclass(frozen=True)
class Task:
    """One instance with the episodes on it that are shown."""

    gold: Gold
    held: Sequence[Held]


@dataclass(frozen=True)
class Selection:
    """What is shown of all there is, by instance."""

    tasks: Sequence[Task]
    shown: int
    shown_wrong: int
    all: int
    all_wrong: int


def is_wrong(one: Held) -> bool:
    """Whether the gold relaxation, or the item, was missed."""
    return failure(one.outcome) is not None


def select(held: Sequence[Held], most: int = DEFAULT_EPISODES) -> Selection:
    """Return at most so many episodes: wrong ones first, every kind and setting in turn."""
    wrong = [one for one in held if is_wrong(one)]
    right = [one for one in held if not is_wrong(one)]
    chosen = list(islice(chain(_in_turn(wrong), _in_turn(right)), most))
    shown_wrong = min(len(wrong), most)
    return Selection(_tasks(chosen), len(chosen), shown_wrong, len(held), len(wrong))


def _in_turn(held: Iterable[Held]) -> Iterator[Held]:
    kinds: dict[Kind, list[Held]] = {}
    for one in held:
        kind = kind_of(one.source, one.outcome.labels)
        kinds.setdefault((*kind, one.outcome.labels.get("setting", ALL)), []).append(one)
    for group in zip_longest(*kinds.values()):
        yield from (one for one in group if one is not None)


def _tasks(held: Iterable[Held]) -> list[Task]:
    """Return the episodes by instance; records that differ are instances of their own."""
    found: dict[tuple[str, str], list[Held]] = {}
    for one in held:
        record = one.episode.header.get("instance")
        found.setdefault((one.outcome.gold.id, json.dumps(record, sort_keys=True)), []).append(one)
    return [Task(group[0].outcome.gold, _sorted(group)) for _, group in sorted(found.items())]


def _sorted(held: Iterable[Held]) -> list[Held]:
    return sorted(held, key=lambda one: (not is_wrong(one), *_name(one)))


def _name(one: Held) -> tuple[str, ...]:
    kind = kind_of(one.source, one.outcome.labels)
    return (*kind, str(one.episode.header.get("episode")))
