"""A clock whose seconds are the looks at it, so that a test ends a budget after so many."""

from __future__ import annotations

from itertools import count
from typing import Any

from concede.solvers.limits import Budget


def ends_after(looks: int, **options: Any) -> Budget:
    """Return a budget that has expired once its clock was looked at so many times."""
    ticks = count()
    return Budget(looks, clock=lambda: float(next(ticks)), **options)
