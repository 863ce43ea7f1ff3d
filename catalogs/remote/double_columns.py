"""Columns of a result as the doubles that a catalog in memory holds of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .exact_doubles import doubles_of
from .libraries import pa

if TYPE_CHECKING:
    from numpy.typing import NDArray

MICROSECONDS = 1e6


def double_column(values: Any, sql_type: str) -> NDArray[np.float64]:
    """Return an Arrow column as doubles, NaN for NULL, dates in seconds since 1970."""
    if sql_type.startswith("DECIMAL") or sql_type.endswith("HUGEINT"):
        listed = doubles_of(values.to_pylist(), sql_type)
        return np.array([np.nan if each is None else each for each in listed], dtype=np.float64)
    if sql_type.startswith(("DATE", "TIMESTAMP")):
        moments = values.cast(pa.timestamp("us")).cast(pa.int64())
        return _numbers(moments) / MICROSECONDS
    if sql_type == "FLOAT":
        # An aggregate of singles may come as doubles, of fewer digits than the single has.
        values = values.cast(pa.float32(), safe=False)
    return _numbers(values)


def _numbers(values: Any) -> NDArray[np.float64]:
    doubles = values.cast(pa.float64(), safe=False)
    return np.array(doubles.to_numpy(zero_copy_only=False), dtype=np.float64)
