"""HTML as a browser's parser would see it: elements with their attributes, and texts."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})


@dataclass
class Element:
    """One element: its name, its attributes, and the text inside of it."""

    name: str
    attributes: dict[str, str | None]
    parents: tuple[str, ...]
    text: str = ""


@dataclass
class Markup(HTMLParser):
    """A parsed document; raises `AssertionError` where elements are not closed in order."""

    source: str
    elements: list[Element] = field(default_factory=list)
    _open: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        HTMLParser.__init__(self, convert_charrefs=True)
        self.feed(self.source)
        self.close()
        assert not self._open, f"never closed: {[entry.name for entry in self._open]}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice: {names}"
        element = Element(tag, dict(attrs), tuple(element.name for element in self._open))
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        """Close the last element."""
        assert self._open, f"nothing open to end with {tag}"
        assert self._open[-1].name == tag, f"{self._open[-1].name} ends with {tag}"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        """Note a text for every element around it."""
        for element in self._open:
            element.text += data

    def all(self, name: str, /, **attributes: str) -> list[Element]:
        """Return the elements of a name that have these attributes; `class_` is `class`."""
        wanted = {key.rstrip("_"): value for key, value in attributes.items()}
        return [
            element
            for element in self.elements
            if element.name == name and wanted.items() <= element.attributes.items()
        ]

    def one(self, name: str, /, **attributes: str) -> Element:
        """Return the only such element."""
        (element,) = self.all(name, **attributes)
        return element
