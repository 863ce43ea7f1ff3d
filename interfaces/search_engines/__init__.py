"""Queries of search engines: their filters repaired over a catalog, and written back."""

from .elasticsearch import relax_elasticsearch
from .relaxing import Relaxed, Unsupported
from .typesense import relax_typesense

__all__ = ["Relaxed", "Unsupported", "relax_elasticsearch", "relax_typesense"]
