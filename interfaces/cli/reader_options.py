"""Options of who reads a text: without a model, with its help where unsure, or always with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import rich_click as click

from ...catalogs.errors import QueryError
from .options import Command, chosen_model, panel_options
from .output import complain

if TYPE_CHECKING:
    from ...catalogs.errors import ModelError
    from ...dialogs.extraction.extracted import Extractor
    from ...dialogs.models.chat_model import ChatModel

_models = panel_options("Models")

assist_option = _models(
    "--assist",
    None,
    "Ask the model only where the reading without it is unsure.",
    is_flag=True,
)

today_option = panel_options("Text")(
    "--today",
    "YYYY-MM-DD",
    "The day that “next Friday” counts from; today by default.",
    type=click.DateTime(["%Y-%m-%d"]),
)


def day_of(given: datetime | None) -> date | None:
    """Return the day that `--today` names."""
    return None if given is None else given.date()


def reader_options(command: Command) -> Command:
    """Add the options that `chosen_reader` reads; without any of them no model is asked."""
    named: Callable[[Command], Command] = _models(
        "--model", "NAME", "A model that reads the text; also fake:FILE."
    )
    url = _models("--base-url", "URL", "Its OpenAI-compatible endpoint.")
    return assist_option(named(url(command)))


def chosen_reader(given: Mapping[str, Any]) -> Extractor:
    """Return what reads texts, as `assist`, `model` and `base_url` say.

    A model set in the environment is asked with `assist` alone. Raises `QueryError` for options
    that do not go together, and what `open_model` raises.
    """
    if not (given["assist"] or given["model"] or given["base_url"]):
        from ...dialogs.extraction.offline import OfflineExtractor

        return OfflineExtractor()
    model = chosen_model({**given, "offline": False})
    if given["assist"] or model is None:
        return assisted_by(model)
    from ...dialogs.extraction.llm import LLMExtractor

    return LLMExtractor(model)


def assisted_by(model: ChatModel | None) -> Extractor:
    """Return what reads without the model and asks it where unsure; raise `QueryError` for None."""
    if model is None:
        hint = "name one with --model, or set CONCEDE_MODEL"
        raise QueryError("--assist without a model", hint=hint)
    from ...dialogs.extraction.assisted import AssistedExtractor
    from ...dialogs.extraction.llm import LLMExtractor

    return AssistedExtractor(LLMExtractor(model), on_failure=_say_unassisted)


def _say_unassisted(error: ModelError) -> None:
    """Say that a text was read without the model's help, and why."""
    complain(f"read without the model: {error}")
