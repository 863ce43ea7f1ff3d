"""Weighters: how much each constraint matters, read from what a person said."""

from .registry import DEFAULT_WEIGHTER, get_weighter, weighter_names
from .weighter import Weighter

__all__ = ["DEFAULT_WEIGHTER", "Weighter", "get_weighter", "weighter_names"]
