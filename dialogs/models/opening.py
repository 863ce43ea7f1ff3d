"""Models by what a command line says: a name, a script or a cassette.

To add a kind of model, write a class with `name` and `complete` (see `chat_model.py`) and one
line in `SCHEMES` below: its prefix and how a file or name after it becomes a model.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...catalogs.errors import ModelError
from .chat_model import ChatModel
from .ledger import MeteredModel, UsageLedger
from .settings import ModelSettings


def open_model(
    spec: str | None = None,
    *,
    ledger: UsageLedger | None = None,
    record: str | Path | None = None,
    **settings: Any,
) -> MeteredModel:
    """Return a model: `fake:FILE`, `cassette:FILE`, or a name at an endpoint.

    Without a `spec` the name is CONCEDE_MODEL. `settings` are those of `ModelSettings`, from
    the environment where None. `record`: a cassette that a model's replies are added to, and
    that replies first where it holds one already. Calls are entered into `ledger`, or into
    the returned model's own. Raises `ModelError` and `UnreadableFile`; nothing is asked yet.
    """
    scheme, colon, rest = (spec or "").partition(":")
    if colon and scheme in SCHEMES:
        if not rest:
            raise ModelError(f"{scheme}: names no file", way_out=f"write {scheme}:FILE")
        return MeteredModel(SCHEMES[scheme](rest), ledger)
    model = _endpoint(ModelSettings.of(model=spec or None, **settings))
    return MeteredModel(_recording(model, record) if record else model, ledger)


def _endpoint(settings: ModelSettings) -> ChatModel:
    """Return an endpoint's model: retried outside its limits, so that waiting takes no place."""
    from .limits import ConcurrencyLimit, RateLimit, TokenBucket
    from .openai_model import OpenAIModel
    from .retrying import RetryingModel

    model: ChatModel = ConcurrencyLimit(OpenAIModel(settings), settings.concurrency)
    if settings.requests_per_s is not None:
        model = RateLimit(model, TokenBucket(settings.requests_per_s))
    return RetryingModel(model, attempts=settings.attempts, total_s=settings.total_s)


def _recording(model: ChatModel, path: str | Path) -> ChatModel:
    from .cassette import CassetteModel

    return CassetteModel(path, "replay", model)


def _scripted(path: str) -> ChatModel:
    from .scripted import ScriptedModel

    return ScriptedModel.from_file(path)


def _recorded(path: str) -> ChatModel:
    from .cassette import CassetteModel

    return CassetteModel(path, "strict")


SCHEMES: dict[str, Callable[[str], ChatModel]] = {"fake": _scripted, "cassette": _recorded}
"""Prefixes before a colon. Other colons are part of a model's name (`qwen3:8b`)."""
