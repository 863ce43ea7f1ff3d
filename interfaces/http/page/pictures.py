"""Pictures of items, from the column that somebody named for them; loaded late, and from the web.

An address has to be `https:`, `http:`, or a path on this very server: nothing else is a picture,
and no script or data can be one. A page with pictures may load them from anywhere, others not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ....rendering.html import Html, tag

LONGEST_ADDRESS = 2_000
_PLAIN = re.compile(r"(https?://|/(?![/\\]))[^\s\\\x00-\x1f\x7f]*", re.IGNORECASE)
WIDTH, HEIGHT = 320, 240
"""Pixels of the space that is kept for a picture, so that nothing moves once it is there."""


def safe_address(value: object) -> str | None:
    """Return the address of something on the web or on this server; None for anything else."""
    if not isinstance(value, str) or len(value) > LONGEST_ADDRESS:
        return None
    address = value.strip()
    if not _PLAIN.fullmatch(address):
        return None
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    # Nobody's name and password goes anywhere.
    return address if (parts.hostname or not parts.scheme) and "@" not in parts.netloc else None


def picture(row: Mapping[str, Any], column: str | None, named: str) -> Html | None:
    """Return the picture of an item; None where it has none. `named` is read in its place."""
    address = safe_address(row.get(column)) if column else None
    if address is None:
        return None
    return tag(
        "img",
        src=address,
        alt=named,
        loading="lazy",
        decoding="async",
        referrerpolicy="no-referrer",
        width=WIDTH,
        height=HEIGHT,
        class_="picture",
    )
