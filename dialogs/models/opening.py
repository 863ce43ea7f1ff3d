"""Models by what a command line says: a name, a script, a cassette or a folder.

To add a kind of model, write a class with `name` and `complete` (see `chat_model.py`) and one
line in `SCHEMES` below: its prefix and how a file or name after it becomes a model.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ...catalogs.errors import ModelError
from .budget import BudgetedModel, TokenBudget
from .cassette import CassetteModel
from .chat_model import ChatModel
from .local_model import LocalModel
from .openai_model import OpenAIModel
from .scripted import ScriptedModel
from .settings import ModelSettings
from .wrappers import (
    ConcurrencyLimit,
    MeteredModel,
    RateLimit,
    RetryingModel,
    TokenBucket,
    UsageLedger,
)


def open_model(
    spec: str | None = None,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    timeout_s: float | None = None,
    total_s: float | None = None,
    ledger: UsageLedger | None = None,
    record: str | Path | None = None,
    budget: TokenBudget | None = None,
) -> MeteredModel:
    """Return a model: `fake:FILE`, `cassette:FILE`, `hf:DIR`, or a name at an endpoint.

    What is not given is read from the environment (`settings.VARIABLES`), the model's name
    too. `record`: a cassette that a model's replies are added to, and that replies first
    where it holds one already. `budget`: what it may take; a cassette's replies take nothing.
    Calls are entered into `ledger`, or into the returned model's
    own. Raises `ModelError` and `UnreadableFile`; nothing is asked yet.
    """
    spec = spec or os.environ.get("CONCEDE_MODEL") or None
    scheme, colon, rest = (spec or "").partition(":")
    if colon and scheme in SCHEMES:
        if not rest:
            raise ModelError(f"{scheme}: names no file", hint=f"write {scheme}:FILE")
        if scheme == "cassette":
            return MeteredModel(SCHEMES[scheme](rest), ledger)
        return _recorded(_within(SCHEMES[scheme](rest), budget), record, ledger)
    settings = ModelSettings.of(
        model=spec, base_url=base_url, api_key=api_key, timeout_s=timeout_s, total_s=total_s
    )
    return _recorded(endpoint_model(settings, budget), record, ledger)


def _recorded(
    model: ChatModel, record: str | Path | None, ledger: UsageLedger | None
) -> MeteredModel:
    return MeteredModel(CassetteModel(record, "replay", model) if record else model, ledger)


def _within(model: ChatModel, budget: TokenBudget | None) -> ChatModel:
    return model if budget is None else BudgetedModel(model, budget)


def endpoint_model(settings: ModelSettings, budget: TokenBudget | None = None) -> ChatModel:
    """Return an endpoint's model with its limits and, outside them, its retries.

    So a request that waits to be tried again takes no place from another, and each attempt
    counts towards the budget.
    """
    model = _within(ConcurrencyLimit(OpenAIModel(settings), settings.concurrency), budget)
    if settings.requests_per_s is not None:
        model = RateLimit(model, TokenBucket(settings.requests_per_s))
    return RetryingModel(model, attempts=settings.attempts, total_s=settings.total_s)


SCHEMES: dict[str, Callable[[str], ChatModel]] = {
    "fake": ScriptedModel.from_file,
    "cassette": lambda path: CassetteModel(path, "strict"),
    "hf": LocalModel,
}
"""Prefixes before a colon. Other colons are part of a model's name (`qwen3:8b`)."""
