"""A drawing as part of a page: escaped anew, without styles, metadata or addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element, fromstring

from ...engine.markup import Child, Html, tag

ELEMENTS = frozenset({"svg", "g", "defs", "path", "use", "text", "clipPath", "rect"})
KEPT = frozenset(
    {"d", "x", "y", "width", "height", "transform", "viewBox", "clip-path", "id"}
)  # fmt: skip
HREF = "{http://www.w3.org/1999/xlink}href"
FONT_SIZE = re.compile(r"[\d.]+px")
LOCAL = re.compile(r"url\(#([\w-]+)\)|#([\w-]+)")


def inline(drawing: bytes, key: str, title: str, colours: Mapping[str, str]) -> Html:
    """Return an SVG of matplotlib's as an element of a page.

    `key` tells its ids from those of other drawings; `colours` are put in for those drawn.
    """
    root = fromstring(drawing)
    box = root.get("viewBox", "0 0 1 1")
    body = [_element(one, key, colours) for one in root]
    attributes = {"viewBox": box, "role": "img", "aria-label": title, "class": "plot"}
    return tag("svg", *body, **attributes)


def _element(one: Element, key: str, colours: Mapping[str, str]) -> Child:
    name = one.tag.rpartition("}")[2]
    if name not in ELEMENTS:
        return None
    attributes = dict(_attributes(one, key, colours))
    children = [_element(child, key, colours) for child in one]
    return tag(name, one.text if name == "text" else None, *children, **attributes)


def _attributes(one: Element, key: str, colours: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in one.attrib.items():
        if name == "style":
            yield from _presented(value, colours)
        elif name == "id":
            # Nothing refers to a group.
            if not one.tag.endswith("}g"):
                yield name, f"{key}-{value}"
        elif name == HREF:
            yield "href", _own(value, key)
        elif name in KEPT:
            yield name, _own(value, key) if name == "clip-path" else value


def _own(value: str, key: str) -> str:
    """Return a reference to the drawing's own id; anything else refers to nothing."""
    found = LOCAL.fullmatch(value)
    if found is None:
        return "#"
    return f"url(#{key}-{found[1]})" if found[1] else f"#{key}-{found[2]}"


def _presented(style: str, colours: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the declarations of a style as attributes, which a strict page allows."""
    for declaration in style.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name == "font":
            # The page's own font: the drawing's may not be there.
            size = FONT_SIZE.search(value)
            yield "font-size", size[0] if size else "12px"
        elif name == "font-size" or (name and not name.startswith("font")):
            yield name, colours.get(value, value)
