"""Benchmark instances of AWARE-US's settings, made from any catalog.

`generate` returns records of the published shape; `write_records` puts them into a file.
"""

from __future__ import annotations

from .generate import generate
from .output import write_records
from .settings import Setting, setting_named

__all__ = ["Setting", "generate", "setting_named", "write_records"]
