"""Runs of the benchmark: every combination of options over all instances, resumable by file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from ...catalogs.catalog import Catalog
from ...catalogs.errors import QueryError, excerpt
from ...dialogs.conversation.session import Saved
from ...dialogs.models.chat_model import ChatModel
from ...dialogs.models.opening import open_model
from ...dialogs.models.wrappers import MeteredModel, UsageLedger
from ...dialogs.weighters.llm import LLMWeighter
from ...dialogs.weighters.weighter import get_weighter
from ...engine.policies import get_policy
from ..progress import Counted, uncounted
from ..runs.run_file import RunWriter
from .conversation import FORMAL, SESSION, Components, converse
from .episode_runner import PlannedEpisode, run_episodes
from .gold import Gold, setting_of
from .outcome import Outcome

NONE = "none"
"""The label of what has no part in a combination: a baseline's weighter, an offline model."""

METHODS = (SESSION, *FORMAL)


@dataclass(frozen=True)
class Combination:
    """One way to hold every conversation; `model` is `none` where all parts are offline."""

    method: str
    weighter: str
    policy: str
    model: str
    seed: int

    def key(self, gold: Gold) -> str:
        """Return what names an episode within a run."""
        components = (gold.id, self.method, self.weighter, self.policy, self.model, str(self.seed))
        return "/".join(components)

    def labels(self, gold: Gold) -> dict[str, str]:
        """Return the labels of an episode; all seeds are one kind of it."""
        return {
            **setting_of(gold),
            "model": self.model,
            "method": self.method,
            "weighter": self.weighter,
            "policy": self.policy,
        }


@dataclass(frozen=True)
class RunMatrix:
    """Names of each kind, as a caller gives them; `models` is empty for offline parts."""

    methods: Sequence[str]
    weighters: Sequence[str]
    policies: Sequence[str]
    models: Sequence[str]
    seeds: Sequence[int]

    def combinations(self) -> list[Combination]:
        """Return every combination once; a baseline has neither weighter nor policy.

        Raises `QueryError` for a name that does not exist, and for a weighter that asks a
        model where none is given.
        """
        self._check()
        return list(dict.fromkeys(self._product()))

    def _product(self) -> Iterator[Combination]:
        models = self.models or (NONE,)
        for method, model, seed in product(self.methods, models, self.seeds):
            if method != SESSION:
                yield Combination(method, NONE, NONE, model, seed)
                continue
            for weighter, policy in product(self.weighters, self.policies):
                yield Combination(method, weighter, policy, model, seed)

    def _check(self) -> None:
        for method in self.methods:
            if method not in METHODS:
                known = ", ".join(METHODS)
                raise QueryError(f"no method {excerpt(method)}", hint=f"there are {known}")
        for policy in self.policies:
            get_policy(policy)
        for weighter in self.weighters:
            if isinstance(get_weighter(weighter), LLMWeighter) and not self.models:
                raise QueryError(f"weighter {weighter} asks a model", hint="give --model")


@dataclass(frozen=True)
class RunSettings:
    """Where the transcripts go, how many conversations are held at once, and the models' endpoint.

    `record` is a cassette that replies are added to, and that replies first (`open_model`).
    """

    out: str
    jobs: int = 1
    base_url: str | None = None
    record: str | None = None


@dataclass(frozen=True)
class RunResult:
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
    matrix: RunMatrix,
    settings: RunSettings,
    counted: Counted = uncounted,
) -> RunResult:
    """Hold the conversations that the run's file does not hold yet.

    The same call goes on where a run was stopped. Raises `QueryError` for what cannot be
    combined or a file of another run, `UnreadableFile` for a file that is no run.
    """
    spoken = [gold for gold in golds if gold.persona is not None]
    combinations = matrix.combinations()
    models = {
        name: open_model(name, base_url=settings.base_url, record=settings.record)
        for name in matrix.models
    }
    plans = [
        _planned(catalog, models, combination, gold)
        for combination in combinations
        for gold in spoken
    ]
    header = {"benchmark": "aware-us", "catalog": catalog.name, "rows": catalog.row_count}
    with RunWriter(settings.out, header) as writer:
        there = {episode.header["episode"] for episode in writer.finished}
        outcomes = run_episodes(plans, writer, jobs=settings.jobs, counted=counted)
    failed = sum(outcome.failure is not None for outcome in outcomes)
    new = sum(plan.key not in there for plan in plans)
    return RunResult(outcomes, new, failed, len(golds) - len(spoken))


def _planned(
    catalog: Catalog, models: Mapping[str, ChatModel], combination: Combination, gold: Gold
) -> PlannedEpisode:
    key = combination.key(gold)
    model = models.get(combination.model)

    def hold(save: Saved) -> Outcome:
        ledger = UsageLedger()
        metered = None if model is None else MeteredModel(model, ledger)
        components = _components(catalog, combination, metered)
        try:
            outcome = converse(components, gold, seed=combination.seed, episode=key, save=save)
        finally:
            if metered is not None:
                save("usage", roles=ledger.record())
        return outcome if metered is None else replace(outcome, tokens=_tokens(ledger))

    labels = combination.labels(gold)
    return PlannedEpisode(key, gold, labels, hold, {"seed": combination.seed})


def _components(catalog: Catalog, combination: Combination, model: ChatModel | None) -> Components:
    # A baseline weighs nothing; the conversation before it needs some weighter all the same.
    weighter = "uniform" if combination.weighter == NONE else combination.weighter
    policy = "fewest" if combination.policy == NONE else combination.policy
    return Components(catalog, get_weighter(weighter), policy, model, combination.method)


def _tokens(ledger: UsageLedger) -> int:
    roles = ledger.record().values()
    return sum(usage["prompt_tokens"] + usage["completion_tokens"] for usage in roles)
