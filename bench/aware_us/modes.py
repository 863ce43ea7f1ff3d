"""The four ways to run the benchmark: as published, replayed, read again, or offline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...catalogs.catalog import Catalog
from ...catalogs.errors import QueryError
from ...dialogs.weighters.registry import get_weighter
from .conversation import Parts, offline, reread
from .gold import Gold
from .missing_label import labelled
from .outcome import Outcome, labels_of, recorded_outcome
from .published_data import Recorded, read_golds, read_instance_file, read_runs
from .replay import Replay
from .rows import Groups, Row

DEFAULT_WEIGHTER = "learned"
DEFAULT_POLICY = "fewest"
"""The policy that needs no weights where only one constraint can give way, as in S1."""

Counted = Callable[[Sequence[Any], str], Iterable[Any]]


def uncounted(things: Sequence[Any], doing: str) -> Iterable[Any]:
    """Return the things as they are: no progress is shown."""
    return things


@dataclass(frozen=True)
class Options:
    """What is run on, with which parts of ours; `seed` draws the bootstrap samples.

    Either `data`, the folder of the published data, or `instances`, a file of its shape.
    """

    data: str | None = None
    instances: str | None = None
    split: str = "all"
    weighter: str = DEFAULT_WEIGHTER
    policy: str = DEFAULT_POLICY
    seed: int = 0

    def read(self, catalog: Catalog) -> Catalog:
        """Return the catalog as the instances mean it: the published ones label what is missing."""
        return catalog if self.data is None else labelled(catalog)

    def golds(self) -> list[Gold]:
        """Return the instances; raises `QueryError` where neither or both sources are given."""
        if (self.data is None) == (self.instances is None):
            raise QueryError("one source is needed", way_out="give --data or --instances")
        if self.instances is not None:
            return read_instance_file(self.instances)
        return read_golds(str(self.data), self.split)

    def recorded(self) -> list[Recorded]:
        """Return the recorded runs; raises `QueryError` without the published data."""
        if self.data is None:
            raise QueryError("recorded runs need the published data", way_out="give --data DIR")
        return list(read_runs(self.data, self.golds()))


def published_rows(options: Options, counted: Counted = uncounted) -> list[Row]:
    """Return the metrics of the published runs; beside the printed figures for all instances.

    Tables 2 to 5 are over both splits, so that part of the data compares with nothing printed.
    """
    groups = Groups()
    for one in counted(options.recorded(), "scoring"):
        groups.add(recorded_outcome(one))
    return groups.rows(seed=options.seed, printed=options.split == "all")


def replay_rows(catalog: Catalog, options: Options, counted: Counted = uncounted) -> list[Row]:
    """Return the metrics of the recorded constraints and weights under our engine."""
    replay, groups = Replay(options.read(catalog), options.policy), Groups()
    for one in counted(options.recorded(), "repairing"):
        groups.add(_named(one.gold, lambda one=one: replay.outcome(one)))
    return groups.rows(seed=options.seed, failing=True)


def reread_rows(catalog: Catalog, options: Options, counted: Counted = uncounted) -> list[Row]:
    """Return the metrics of the recorded dialogues under all our parts.

    Dialogues that are withheld are skipped and counted.
    """
    parts, groups = _parts(catalog, options), Groups()
    for one in counted(options.recorded(), "reading"):
        if one.run.dialogue is None:
            groups.skip(labels_of(one))
        else:
            groups.add(_named(one.gold, lambda one=one: reread(parts, one)))
    return groups.rows(seed=options.seed, failing=True)


def offline_rows(catalog: Catalog, options: Options, counted: Counted = uncounted) -> list[Row]:
    """Return the metrics of conversations with the personas, all parts ours.

    Personas that are withheld are skipped and counted.
    """
    parts, groups = _parts(catalog, options), Groups()
    for one in counted(options.golds(), "talking"):
        if one.persona is None:
            groups.skip({"setting": one.setting} if one.setting else {})
        else:
            groups.add(_named(one, lambda one=one: offline(parts, one)))
    return groups.rows(seed=options.seed, failing=True)


def _parts(catalog: Catalog, options: Options) -> Parts:
    return Parts(options.read(catalog), get_weighter(options.weighter), options.policy)


def _named(gold: Gold, ending: Callable[[], Outcome]) -> Outcome:
    """Return an outcome; a complaint about its instance names it."""
    try:
        return ending()
    except QueryError as error:
        problem = f"instance {gold.id}: {error.problem}"
        raise QueryError(problem, way_out=error.way_out) from None
