"""Weighters: how much each constraint matters, read from what a person said."""

from .weighter import DEFAULT_WEIGHTER, Weighter, get_weighter, weighter_names

__all__ = ["DEFAULT_WEIGHTER", "Weighter", "get_weighter", "weighter_names"]
