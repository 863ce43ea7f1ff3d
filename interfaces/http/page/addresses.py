"""Relative addresses of the pages, so that they may be mounted anywhere."""

from __future__ import annotations

from urllib.parse import urlencode


def chat_address(**parameters: str) -> str:
    """Return the relative address of a conversation, or of the beginning of one."""
    return f"chat?{urlencode(parameters)}"
