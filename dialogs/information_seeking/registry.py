"""Seekers by name."""

from __future__ import annotations

from collections.abc import Iterable

from ...catalogs.errors import QueryError, excerpt
from ..models.chat_model import ChatModel
from .model_seeker import ModelSeeker
from .offline_seeker import OfflineSeeker
from .oracle import OracleSeeker
from .seekers import ConfirmingSeeker, DumpingSeeker, SilentSeeker, VagueSeeker
from .task import ClarificationTask, Seeker

SEEKERS = ("silent", "vague", "confirm", "dump", "oracle", "offline", "chat", "comp")
"""Names of seekers; `chat` and `comp` ask a model, in its two modes."""


def seeker_named(
    name: str,
    *,
    tasks: Iterable[ClarificationTask] | None = None,
    model: ChatModel | None = None,
) -> Seeker:
    """Return the seeker of a name.

    Raises `QueryError` for a name that there is not, for `oracle` without `tasks`, and for
    `chat` and `comp` without a `model`.
    """
    plain: dict[str, Seeker] = {
        "silent": SilentSeeker(),
        "vague": VagueSeeker(),
        "confirm": ConfirmingSeeker(),
        "dump": DumpingSeeker(),
        "offline": OfflineSeeker(),
    }
    if name in plain:
        return plain[name]
    if name == "oracle":
        if tasks is None:
            raise QueryError("the oracle without tasks", hint="give it the tasks with their trees")
        return OracleSeeker(tasks)
    if name == "chat" or name == "comp":
        if model is None:
            raise QueryError(f"seeker {name} without a model", hint="give --model NAME")
        return ModelSeeker(model, name)
    raise QueryError(f"no seeker {excerpt(name)}", hint=f"seekers: {', '.join(SEEKERS)}")
