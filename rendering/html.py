"""HTML that is escaped by construction, for every face: text becomes markup only through `tag`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from html import escape

VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})

UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
"""What HTML forbids in text, and what would make a response that is no UTF-8."""

Attribute = str | int | bool | None


class Html(str):
    """Text that is markup already; only this module makes it, from escaped parts."""

    __slots__ = ()


Child = Html | str | int | None | Iterable["Child"]


# Most texts hold nothing special, and one search tells.
_SPECIAL = re.compile(f"[&<>\"']|{UNPRINTABLE.pattern}")


def text(value: object) -> Html:
    """Return a value as escaped text, what does not print replaced by U+FFFD."""
    plain = str(value)
    if _SPECIAL.search(plain) is None:
        return Html(plain)
    return Html(escape(UNPRINTABLE.sub("\ufffd", plain), quote=True))


def join(*children: Child) -> Html:
    """Return children one after another: markup as it is, text escaped, None as nothing."""
    pieces: list[str] = []
    _add(pieces, children)
    return Html("".join(pieces))


def _add(pieces: list[str], children: Iterable[Child]) -> None:
    for child in children:
        if type(child) is Html:
            pieces.append(child)
        elif isinstance(child, str | int):
            pieces.append(text(child))
        elif child is not None:
            _add(pieces, child)


def tag(name: str, /, *children: Child, **attributes: Attribute) -> Html:
    """Return an element; `class_` is `class`, `aria_live` is `aria-live`.

    An attribute that is True stands alone, one that is None or False is left out. Names of
    elements and attributes are never a visitor's: they are written in this package.
    """
    opening = f"<{name}{''.join(_attributes(attributes))}>"
    return Html(opening if name in VOID else f"{opening}{join(*children)}</{name}>")


def _attributes(attributes: dict[str, Attribute]) -> Iterable[str]:
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        written = _written(name)
        yield f" {written}" if value is True else f' {written}="{text(value)}"'


@cache
def _written(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def document(head: Child, body: Child) -> Html:
    """Return a whole page in English."""
    return join(Html("<!DOCTYPE html>\n"), tag("html", tag("head", head), body, lang="en"))
