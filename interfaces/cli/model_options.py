"""Which chat model a command asks: the one named, the environment's, or none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...catalogs.errors import QueryError

if TYPE_CHECKING:
    from ...dialogs.models.chat_model import ChatModel


def chosen_model(given: Mapping[str, Any]) -> ChatModel | None:
    """Return the model that `offline`, `model` and `base_url` name; None to do without.

    Without a name it is the environment's (`CONCEDE_MODEL`). Raises `QueryError` for options
    that do not go together, and what `open_model` raises.
    """
    if given["offline"]:
        if given["model"] or given["base_url"]:
            raise QueryError("--offline and --model given", hint="give one of them")
        return None
    if not given["model"] and not os.environ.get("CONCEDE_MODEL"):
        if given["base_url"]:
            raise QueryError("--base-url without --model", hint="name the model")
        return None
    from ...dialogs.models.opening import open_model

    return open_model(given["model"], base_url=given["base_url"])
