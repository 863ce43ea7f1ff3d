"""The head of a page that is one file: its style and script stand in it, and nothing is loaded."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files

from ..rendering.html import Html, tag


def single_page_head(title: str, style: str, script: str | None = None) -> Iterator[Html]:
    """Yield the head of a page with a style, and a policy that allows it and the script alone."""
    scripts = "" if script is None else f"script-src 'sha256-{_digest(script)}'; "
    policy = (
        f"default-src 'none'; style-src 'sha256-{_digest(style)}'; "
        f"{scripts}base-uri 'none'; form-action 'none'"
    )
    yield tag("meta", charset="utf-8")
    yield tag("meta", http_equiv="Content-Security-Policy", content=policy)
    yield tag("meta", name="viewport", content="width=device-width, initial-scale=1")
    yield tag("meta", name="color-scheme", content="light dark")
    yield tag("title", title)
    # Our own file, which holds no markup.
    yield tag("style", Html(style))


@cache
def package_text(package: str, name: str) -> str:
    """Return a text file that a package ships."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()
