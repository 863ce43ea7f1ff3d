"""Who reads the texts that the service is given: nobody but its own reader, or a model as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...catalogs.errors import ModelError
from ...engine.runtime.json_logging import LOG

if TYPE_CHECKING:
    from ...dialogs.extraction.extracted import Extractor
    from .settings import ServeSettings


def open_reader(settings: ServeSettings) -> Extractor:
    """Return what reads texts, as the settings say; nothing is asked yet.

    A model has as long for a text as a question may take. Raises `ModelError` for a model that is
    wanted and not named.
    """
    if not settings.reads_with_model:
        from ...dialogs.extraction.offline import OfflineExtractor

        return OfflineExtractor()
    from ...dialogs.extraction.llm import LLMExtractor
    from ...dialogs.models.opening import open_model

    seconds = settings.limits.deadline
    model = open_model(
        settings.model, base_url=settings.base_url, timeout_s=seconds, total_s=seconds
    )
    if not settings.assist:
        return LLMExtractor(model)
    from ...dialogs.extraction.assisted import AssistedExtractor

    return AssistedExtractor(LLMExtractor(model), on_failure=_log_failure)


def _log_failure(error: ModelError) -> None:
    LOG.warning("a text was read without the model", extra={"reason": str(error)})
