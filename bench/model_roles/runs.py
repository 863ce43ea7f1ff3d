"""Runs on a model: an estimate before, episodes one by one, figures of those that were finished.

Replies go into a cassette as they come. The same call replays them, which costs nothing, and goes
on where it stopped; what a cassette holds counts towards the cap. A cap that leaves no room ends
the run, and what was finished until then is scored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...catalogs.errors import ModelError, ModelRefused, TokensSpent
from ...dialogs.models.budget import TokenBudget, prompt_about, tokens_about
from ...dialogs.models.cassette import recorded_tokens
from ...dialogs.models.chat_model import ChatModel, Reply, Request, Tokens
from ...dialogs.models.opening import open_model
from ..progress import Counted, uncounted
from ..text_files import naming
from .benchmark import ModelBenchmark, ModelFigure

SAMPLE = 2
"""Episodes that an estimate holds with a stand-in."""

TYPICAL_REPLY = 60
"""Tokens of a model's reply at least, in an estimate: a stand-in is terse."""

CASSETTE = ".cassette.jsonl"
"""How the name of a file of replies ends."""

GIVEN_UP = 3
"""Episodes that a model may break off at the start before the run ends."""


@dataclass(frozen=True)
class Estimate:
    """About what a run costs: calls of the model, tokens of prompts and of replies."""

    benchmark: str
    episodes: int
    calls: int
    prompt_tokens: int
    completion_tokens: int

    @property
    def tokens(self) -> int:
        """Both kinds of tokens."""
        return self.prompt_tokens + self.completion_tokens

    def record(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {**asdict(self), "tokens": self.tokens}


class _StandIn:
    """A stand-in as a model that counts; `name` appears in no transcript that is kept."""

    name = "stand-in"

    def __init__(self, reply: Callable[[Request], str]) -> None:
        self._reply = reply
        self.calls = 0
        self.taken = Tokens()

    def complete(self, request: Request) -> Reply:
        text = self._reply(request)
        self.calls += 1
        completion = max(TYPICAL_REPLY, tokens_about(text))
        self.taken = Tokens(
            self.taken.prompt + prompt_about(request), self.taken.completion + completion
        )
        return Reply(text, model=self.name)


def estimate(benchmark: ModelBenchmark) -> Estimate:
    """Return about what a run costs, from a few episodes with the benchmark's stand-in.

    Four bytes are taken for a token. A model that talks more, or asks longer, costs more.
    """
    model, episodes = _StandIn(benchmark.stand_in), list(benchmark.episodes.values())
    sample = episodes[:SAMPLE]
    for episode in sample:
        try:
            benchmark.hold(model, episode)
        except ModelError:
            # The stand-in made too little sense; what it was asked until then counts.
            continue
    share = len(episodes) / len(sample) if sample else 0
    taken = (model.calls, model.taken.prompt, model.taken.completion)
    return Estimate(benchmark.name, len(episodes), *(round(share * each) for each in taken))


@dataclass(frozen=True)
class ModelRun:
    """What came of a benchmark: how many episodes were held, of how many, and their figures.

    `broken_off`: episodes that the model broke off, which no figure counts. `stopped`: why the
    run ended before its end, empty where it did not.
    """

    benchmark: str
    document: str
    table: str
    roles: str
    held: int
    of: int
    broken_off: int
    figures: Sequence[ModelFigure]
    stopped: str
    comparable: bool
    reason: str
    command: str

    @property
    def remark(self) -> str:
        """How much was held, and what else has to be known of the figures."""
        broken = f", {self.broken_off} broken off by the model" if self.broken_off else ""
        held = f"{self.held} of {self.of} held{broken}" if self.held < self.of else ""
        return "; ".join(part for part in (held, self.reason) if part)


def run_benchmark(
    benchmark: ModelBenchmark, model: ChatModel, counted: Counted = uncounted
) -> ModelRun:
    """Hold the episodes until they or the tokens end, and score those that were finished.

    Raises `ModelError` where the model refuses or breaks off each of the first episodes.
    """
    held: list[Any] = []
    broken, stopped = 0, ""
    for episode in counted(list(benchmark.episodes.values()), benchmark.name):
        try:
            held.append(benchmark.hold(model, episode))
        except TokensSpent as error:
            stopped = str(error)
            break
        except ModelError as error:
            broken += 1
            refused = isinstance(error, ModelRefused) or broken == GIVEN_UP
            if refused and not held:
                raise
    return ModelRun(
        benchmark.name,
        benchmark.document,
        benchmark.table,
        benchmark.roles,
        len(held),
        len(benchmark.episodes),
        broken,
        tuple(benchmark.figures(held)) if held else (),
        stopped,
        benchmark.comparable,
        benchmark.reason,
        benchmark.command,
    )


@dataclass(frozen=True)
class ModelSettings:
    """Which model, where its replies are kept, and how many tokens it may take in all."""

    model: str
    folder: Path
    base_url: str | None = None
    max_tokens_total: int | None = None


def run_all(
    benchmarks: Iterable[ModelBenchmark], settings: ModelSettings, counted: Counted = uncounted
) -> list[ModelRun]:
    """Run benchmarks one after the other on one model, under one cap.

    After one that the cap ended, the others are run as far as their cassettes reach. Raises what
    `run_benchmark` and `open_model` raise.
    """
    with naming(settings.folder):
        settings.folder.mkdir(parents=True, exist_ok=True)
    budget = budget_of(settings)
    return [
        run_benchmark(benchmark, opened(benchmark.name, settings, budget), counted)
        for benchmark in benchmarks
    ]


def budget_of(settings: ModelSettings) -> TokenBudget | None:
    """Return the cap, less what all cassettes of the folder took; None without a cap."""
    if settings.max_tokens_total is None:
        return None
    spent = sum(recorded_tokens(path) for path in sorted(settings.folder.glob(f"*{CASSETTE}")))
    return TokenBudget(settings.max_tokens_total, spent)


def opened(name: str, settings: ModelSettings, budget: TokenBudget | None) -> ChatModel:
    """Return the model with the cassette of a benchmark; `cassette:FOLDER` only replays its own."""
    scheme, _, folder = settings.model.partition(":")
    if scheme == "cassette":
        path = Path(folder)
        return open_model(f"cassette:{path / file_of(name) if path.is_dir() else path}")
    record = settings.folder / file_of(name)
    return open_model(settings.model, base_url=settings.base_url, record=record, budget=budget)


def file_of(name: str) -> str:
    """Return the name of the file that keeps a benchmark's replies."""
    return f"{name}{CASSETTE}"
