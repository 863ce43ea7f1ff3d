"""The modes of `bench aware-us`: published figures, replayed, reread, or held offline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...catalogs.catalog import Catalog
from ...catalogs.errors import QueryError
from ...dialogs.conversation.session import Saved
from ...dialogs.weighters.weighter import get_weighter
from ..progress import Counted, uncounted
from ..runs.run_file import RunWriter
from .conversation import SESSION, Components, converse
from .episode_runner import PlannedEpisode, run_episodes
from .gold import Gold, setting_of
from .outcome import Outcome, labels_of, recorded_outcome
from .published_data import RecordedRun, labelled, read_golds, read_instance_file, read_runs
from .replay import Replay, reread
from .rows import Groups, Row
from .transcripts import save_dialogue

DEFAULT_WEIGHTER = "learned"
DEFAULT_POLICY = "fewest"
"""The policy that needs no weights where only one constraint can give way, as in S1."""


@dataclass(frozen=True)
class Options:
    """What is run on, with which parts of ours; `seed` draws the bootstrap samples.

    Either `data`, the folder of the published data, or `instances`, a file of its shape.
    `out` is a file that the transcripts are added to.
    """

    data: str | None = None
    instances: str | None = None
    split: str = "all"
    weighter: str = DEFAULT_WEIGHTER
    policy: str = DEFAULT_POLICY
    seed: int = 0
    out: str | None = None

    def read(self, catalog: Catalog) -> Catalog:
        """Return the catalog as the instances mean it: the published ones label what is missing."""
        return catalog if self.data is None else labelled(catalog)

    def golds(self) -> list[Gold]:
        """Return the instances; raises `QueryError` where neither or both sources are given."""
        if (self.data is None) == (self.instances is None):
            raise QueryError("one source is needed", hint="give --data or --instances")
        if self.instances is not None:
            return read_instance_file(self.instances)
        return read_golds(str(self.data), self.split)

    def recorded(self) -> list[RecordedRun]:
        """Return the recorded runs; raises `QueryError` without the published data."""
        if self.data is None:
            raise QueryError("recorded runs need the published data", hint="give --data DIR")
        return list(read_runs(self.data, self.golds()))


def published_rows(options: Options, counted: Counted = uncounted) -> list[Row]:
    """Return the metrics of the published runs; beside the printed figures for all instances.

    Tables 2 to 5 are over both splits, so that part of the data compares with nothing printed.
    """
    plans = _recorded_plans(options, recorded_outcome)
    groups = _groups(plans, options, {"mode": "published"}, counted, "scoring")
    return groups.rows(seed=options.seed, published=options.split == "all")


def replay_rows(catalog: Catalog, options: Options, counted: Counted = uncounted) -> list[Row]:
    """Return the metrics of the recorded constraints and weights under our engine."""
    replay = Replay(options.read(catalog), options.policy)
    plans = _recorded_plans(options, replay.outcome, policy=options.policy)
    groups = _groups(plans, options, _header("replay", catalog), counted, "repairing")
    return groups.rows(seed=options.seed, failing=True)


def reread_rows(catalog: Catalog, options: Options, counted: Counted = uncounted) -> list[Row]:
    """Return the metrics of the recorded dialogues under all our parts.

    Dialogues that are withheld are skipped and counted.
    """
    components = _components(catalog, options)
    details = {"weighter": options.weighter, "policy": options.policy}
    recorded = options.recorded()
    plans = [
        _planned(recording, partial(reread, components), details)
        for recording in recorded
        if recording.run.dialogue is not None
    ]
    groups = _groups(plans, options, _header("reread", catalog), counted, "reading")
    for recording in recorded:
        if recording.run.dialogue is None:
            groups.skip(labels_of(recording))
    return groups.rows(seed=options.seed, failing=True)


def offline_rows(catalog: Catalog, options: Options, counted: Counted = uncounted) -> list[Row]:
    """Return the metrics of conversations with the personas, all parts ours.

    Personas that are withheld are skipped and counted.
    """
    components = _components(catalog, options)
    details = {"method": SESSION, "weighter": options.weighter, "policy": options.policy}
    golds = options.golds()

    def hold(gold: Gold, save: Saved) -> Outcome:
        return converse(components, gold, save=save)

    plans = [
        PlannedEpisode(gold.id, gold, setting_of(gold), partial(hold, gold), details)
        for gold in golds
        if gold.persona is not None
    ]
    groups = _groups(plans, options, _header("offline", catalog), counted, "talking")
    for gold in golds:
        if gold.persona is None:
            groups.skip(setting_of(gold))
    return groups.rows(seed=options.seed, failing=True)


def _components(catalog: Catalog, options: Options) -> Components:
    return Components(options.read(catalog), get_weighter(options.weighter), options.policy)


def _recorded_plans(
    options: Options, outcome: Callable[[RecordedRun], Outcome], **details: Any
) -> list[PlannedEpisode]:
    def hold(recording: RecordedRun, save: Saved) -> Outcome:
        save_dialogue(recording, save)
        return outcome(recording)

    return [_planned(recording, hold, details) for recording in options.recorded()]


def _planned(
    recording: RecordedRun,
    hold: Callable[[RecordedRun, Saved], Outcome],
    details: Mapping[str, Any],
) -> PlannedEpisode:
    run = recording.run
    key = f"{run.instance}/{run.set}/{run.model}/{run.method}/{run.run_id}"
    labels = labels_of(recording)
    return PlannedEpisode(key, recording.gold, labels, partial(hold, recording), details)


def _header(mode: str, catalog: Catalog) -> dict[str, Any]:
    return {"mode": mode, "catalog": catalog.name, "rows": catalog.row_count}


def _groups(
    plans: Sequence[PlannedEpisode],
    options: Options,
    header: Mapping[str, Any],
    counted: Counted,
    doing: str,
) -> Groups:
    """Hold the episodes, write them down where that is wanted, and gather them."""
    groups = Groups()
    with ExitStack() as stack:
        writer = None
        if options.out is not None:
            run = RunWriter(options.out, {"benchmark": "aware-us", **header})
            writer = stack.enter_context(run)
        for outcome in run_episodes(plans, writer, counted=counted, doing=doing):
            groups.add(outcome)
    return groups
