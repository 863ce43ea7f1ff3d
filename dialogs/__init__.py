"""Who wants what, how much: chat models, roles, weighters, simulators.

Names are loaded when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .transcript import Message, Span, Transcript
    from .weighing import Weighed, Weighing
    from .weighters.registry import get_weighter, weighter_names
    from .weighters.weighter import Weighter

_HOMES = {
    "Message": "transcript",
    "Span": "transcript",
    "Transcript": "transcript",
    "Weighed": "weighing",
    "Weighing": "weighing",
    "Weighter": "weighters.weighter",
    "get_weighter": "weighters.registry",
    "weighter_names": "weighters.registry",
}

__all__ = [
    "Message",
    "Span",
    "Transcript",
    "Weighed",
    "Weighing",
    "Weighter",
    "get_weighter",
    "weighter_names",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
