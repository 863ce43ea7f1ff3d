"""The page's own style, script and icon: the only files it ever loads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

ICON_TEXT = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<rect width="32" height="32" rx="8" fill="#1b5e57"/>'
    '<path d="M7 11h18M7 21h8" stroke="#fff" stroke-width="3.2" stroke-linecap="round"/>'
    '<path d="M19 21h6" stroke="#f2b84b" stroke-width="3.2" stroke-linecap="round"/></svg>'
)


@dataclass(frozen=True)
class Asset:
    """A file that ships with the package; `source` is its name there, or None for the icon."""

    name: str
    media_type: str
    source: str | None

    @cached_property
    def content(self) -> bytes:
        """The bytes of the file."""
        if self.source is None:
            return ICON_TEXT.encode()
        return Path(__file__).with_name(self.source).read_bytes()

    @cached_property
    def version(self) -> str:
        """A name for exactly these bytes, so that a browser may keep them for ever."""
        return sha256(self.content).hexdigest()[:12]


STYLE = Asset("style.css", "text/css; charset=utf-8", "page.css")
SCRIPT = Asset("page.js", "text/javascript; charset=utf-8", "router.js")
ICON = Asset("icon.svg", "image/svg+xml", None)
ASSETS = {asset.name: asset for asset in (STYLE, SCRIPT, ICON)}
