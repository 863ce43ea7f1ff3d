"""Runs of the benchmark: all combinations over all instances, each conversation written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...catalogs.catalog import Catalog
from ...dialogs.models.chat_model import ChatModel
from ...dialogs.models.ledger import MeteredModel, UsageLedger
from ...dialogs.models.opening import open_model
from ...dialogs.session import Saved
from ...dialogs.weighters.registry import get_weighter
from ..progress import Counted, uncounted
from ..runs.run_file import RunWriter
from .combinations import NONE, Asked, Combination
from .conversation import Parts, converse
from .gold import Gold
from .holding import Planned, hold_all
from .outcome import Outcome


@dataclass(frozen=True)
class Settings:
    """Where the transcripts go, how many conversations are held at once, and the models' wire.

    `record` is a cassette that replies are added to, and that replies first (`open_model`).
    """

    out: str
    jobs: int = 1
    base_url: str | None = None
    record: str | None = None


@dataclass(frozen=True)
class Held:
    """What a run did: all outcomes, how many conversations were new, and how many failed.

    `skipped` counts the instances without a persona.
    """

    outcomes: Sequence[Outcome]
    new: int
    failed: int
    skipped: int


def run(
    catalog: Catalog,
    golds: Sequence[Gold],
    asked: Asked,
    settings: Settings,
    counted: Counted = uncounted,
) -> Held:
    """Hold the conversations that the run's file does not hold yet.

    The same call goes on where a run was stopped. Raises `QueryError` for what cannot be
    combined or a file of another run, `UnreadableFile` for a file that is no run.
    """
    spoken = [one for one in golds if one.persona is not None]
    combinations = asked.combinations()
    models = {
        name: open_model(name, base_url=settings.base_url, record=settings.record)
        for name in asked.models
    }
    plans = [_planned(catalog, models, one, gold) for one in combinations for gold in spoken]
    header = {"benchmark": "aware-us", "catalog": catalog.name, "rows": catalog.row_count}
    with RunWriter(settings.out, header) as writer:
        there = {one.header["episode"] for one in writer.found}
        outcomes = hold_all(plans, writer, jobs=settings.jobs, counted=counted)
    failed = sum(one.failure is not None for one in outcomes)
    new = sum(one.key not in there for one in plans)
    return Held(outcomes, new, failed, len(golds) - len(spoken))


def _planned(
    catalog: Catalog, models: Mapping[str, ChatModel], combination: Combination, gold: Gold
) -> Planned:
    key = combination.key(gold)
    model = models.get(combination.model)

    def hold(save: Saved) -> Outcome:
        ledger = UsageLedger()
        metered = None if model is None else MeteredModel(model, ledger)
        parts = _parts(catalog, combination, metered)
        try:
            outcome = converse(parts, gold, seed=combination.seed, episode=key, save=save)
        finally:
            if metered is not None:
                save("usage", roles=ledger.record())
        return outcome if metered is None else replace(outcome, tokens=_tokens(ledger))

    labels = combination.labels(gold)
    return Planned(key, gold, labels, hold, {"seed": combination.seed})


def _parts(catalog: Catalog, combination: Combination, model: ChatModel | None) -> Parts:
    # A baseline weighs nothing; the conversation before it needs some weighter all the same.
    weighter = "uniform" if combination.weighter == NONE else combination.weighter
    policy = "fewest" if combination.policy == NONE else combination.policy
    return Parts(catalog, get_weighter(weighter), policy, model, combination.method)


def _tokens(ledger: UsageLedger) -> int:
    roles = ledger.record().values()
    return sum(one["prompt_tokens"] + one["completion_tokens"] for one in roles)
