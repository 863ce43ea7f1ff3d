"""Extraction: from what was said to constraints on a catalog, each with its evidence."""

from .extracted import Extracted, Extraction, Extractor, Unresolved
from .llm import LLMExtractor
from .offline import OfflineExtractor, extract

__all__ = [
    "Extracted",
    "Extraction",
    "Extractor",
    "LLMExtractor",
    "OfflineExtractor",
    "Unresolved",
    "extract",
]
