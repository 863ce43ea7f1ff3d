"""Providers by name: ours, one on a model, one at a URL, and a floor to compare with."""

from __future__ import annotations

from ...catalogs.errors import QueryError, excerpt
from ..models.chat_model import ChatModel
from .choosing import Mode
from .first_in_order import FirstInOrder
from .http_agents import Endpoint, HTTPProvider, is_url
from .task import Provider

NAMES = ("offline", "model", "first")


def provider_named(name: str, mode: Mode = "single", model: ChatModel | None = None) -> Provider:
    """Return a provider: `offline`, `model` (asks one), `first` (in order), or a URL's.

    Raises `QueryError` for a name that there is not, and for `model` without one.
    """
    if is_url(name):
        return HTTPProvider(Endpoint(name))
    if name == "first":
        return FirstInOrder()
    if name == "offline":
        from .offline_provider import OfflineProvider

        return OfflineProvider(mode)
    if name == "model":
        if model is None:
            raise QueryError("provider model without a model", hint="give --model NAME")
        from .model_provider import ModelProvider

        return ModelProvider(model, mode)
    raise QueryError(
        f"no provider {excerpt(name)}", hint=f"there are {', '.join(NAMES)}, person, a URL"
    )
