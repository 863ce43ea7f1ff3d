"""Functions of Spark that Ibis has no operation for."""

from __future__ import annotations

from .libraries import ibis
from .library_types import Value


def _unix_micros(moment: Value) -> Value:
    """Return the whole microseconds since 1970 of a moment."""


unix_micros = ibis.udf.scalar.builtin(
    _unix_micros, name="unix_micros", signature=(("timestamp",), "int64")
)
