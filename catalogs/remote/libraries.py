"""Ibis and Arrow, which have no types of their own; imported with the first remote catalog."""

from __future__ import annotations

from importlib import import_module
from typing import Any

ibis: Any = import_module("ibis")
pa: Any = import_module("pyarrow")
