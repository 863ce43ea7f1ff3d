"""The libraries of the extra `train`, imported when something is trained and never before."""

from __future__ import annotations

import os
import warnings
from importlib import import_module
from typing import Any

from ...catalogs.errors import CatalogError

QUIET = {
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TRL_EXPERIMENTAL_SILENCE": "1",
    "TQDM_DISABLE": "1",
}


def library(name: str) -> Any:
    """Return a module of the extra `train`, untyped: none of them is needed to check types.

    Raises `CatalogError` where it is not installed.
    """
    for variable, value in QUIET.items():
        os.environ.setdefault(variable, value)
    try:
        return import_module(name)
    except ImportError as error:
        missing = error.name or name
        raise CatalogError(
            f"{missing} not installed", hint="pip install 'concede[train]'"
        ) from None


def quiet() -> None:
    """Silence what the libraries log and warn of besides errors."""
    warnings.simplefilter("ignore")
    library("transformers").logging.set_verbosity_error()
    library("datasets").disable_progress_bars()
