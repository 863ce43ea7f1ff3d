"""Transcripts, chat models, extraction, weighters, conversations and decisions by rules.

Each public name is imported from its module when it is first used, so that importing the
package costs little.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .clarification.clarify import clarify
    from .clarification.unknowns import Clarification, Unknown
    from .conversation.session import Proposal, Session, interview
    from .extraction.extracted import Extracted, Extraction
    from .extraction.offline import OfflineExtractor, extract
    from .transcripts.episode import Episode, read_episode
    from .transcripts.transcript import Message, Span, Transcript
    from .weighters.weighter import Weighed, Weighing, Weighter, get_weighter, weighter_names

_MODULES = {
    "clarification.clarify": "clarify",
    "clarification.unknowns": "Clarification Unknown",
    "conversation.session": "Proposal Session interview",
    "extraction.extracted": "Extracted Extraction",
    "extraction.offline": "OfflineExtractor extract",
    "transcripts.episode": "Episode read_episode",
    "transcripts.transcript": "Message Span Transcript",
    "weighters.weighter": "Weighed Weighing Weighter get_weighter weighter_names",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = [
    "Clarification",
    "Episode",
    "Extracted",
    "Extraction",
    "Message",
    "OfflineExtractor",
    "Proposal",
    "Session",
    "Span",
    "Transcript",
    "Unknown",
    "Weighed",
    "Weighing",
    "Weighter",
    "clarify",
    "extract",
    "get_weighter",
    "interview",
    "read_episode",
    "weighter_names",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
