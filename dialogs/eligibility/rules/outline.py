"""Read a text line by line into sections, one a program: sentences, lists, tables of limits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..keys import Key
from .conditions import Condition, income_key

MAX_SECTIONS, MAX_NODES, LONGEST = 500, 400, 600
"""Programs of a text; sentences and list items of one; characters of one that are kept."""

_HEADING = re.compile(r"(#{1,6})\s+(.{1,300}?)\s*#*$")
_BOLD_LINE = re.compile(r"(?:\*\*|__)([^*_]{1,200})(?:\*\*|__):?$")
_UNDERLINE = re.compile(r"(={3,}|-{3,})$")
_ITEM = re.compile(r"([-*+•◦▪–]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)])\s+(\S.*)$")
_LINK = re.compile(r"!?\[([^\]]{0,300})\]\([^)]{0,2000}\)")
_TAG = re.compile(r"<[^<>]{1,200}>")
_EMPHASIS = re.compile(r"(\*\*|__|\*(?=\S)|(?<=\S)\*|`|~~)")

GENERIC = re.compile(
    r"(?:(?:general|basic|program|programme|income|additional|other|the)\s+)*"
    r"(?:eligib\w*|requirements?|qualif\w*|criteria|who (?:can|may|is|should)\b.*|overview|rules|"
    r"conditions?|how to\b.*|what you\b.*|documents?\b.*|exclusions?|exceptions?|notes?|"
    r"income(?: limits?)?|limits?|introduction|about\b.*|apply\b.*|application\b.*|contact\b.*|"
    r"benefits?|description|details?|age|residency|household)(?:\s+\w+)?[:?]?",
    re.IGNORECASE,
)
"""Headings that name a part of a program, not a program."""


@dataclass
class Node:
    """A sentence or list item, and the items below it."""

    text: str
    line: int
    below: list[Node] = field(default_factory=list["Node"])
    is_item: bool = False


@dataclass
class Section:
    """One program's text. `tables`: rows of cells."""

    title: str
    line: int
    level: int = 0
    nodes: list[Node] = field(default_factory=list[Node])
    tables: list[list[list[str]]] = field(default_factory=list[list[list[str]]])
    source: list[str] = field(default_factory=list[str])

    @property
    def text(self) -> str:
        """The text as it was written."""
        return "\n".join(self.source).strip()


def read_outline(text: str, title: str) -> list[Section]:
    """Return the sections of a text that hold anything; one without headings is called `title`."""
    reader = _Reader(title, has_headings="\n#" in "\n" + text)
    lines = text.replace("\r\n", "\n").replace("\t", "    ").split("\n")
    for number, line in enumerate(lines, 1):
        following = lines[number].strip() if number < len(lines) else ""
        reader.take(line[: 4 * LONGEST], number, following)
    sections = [
        section
        for section, after in zip(reader.sections, [*reader.sections[1:], None], strict=True)
        if (section.nodes or section.tables) and not _introduces(section, after)
    ]
    return sections[:MAX_SECTIONS]


def _introduces(section: Section, after: Section | None) -> bool:
    """Return whether a section is what stands above others: a title, and words about them."""
    has_items = any(node.is_item or node.below for node in section.nodes)
    return after is not None and after.level > section.level and not has_items


class _Reader:
    def __init__(self, title: str, *, has_headings: bool) -> None:
        self.sections = [Section(title, 1)]
        self.has_headings = has_headings
        self.stack: list[tuple[int, Node]] = []
        self.paragraph: Node | None = None
        self.in_table = False
        self.after_blank = True

    def take(self, line: str, number: int, following: str) -> None:
        """Take in one line."""
        stripped = line.strip()
        section = self.sections[-1]
        if self._is_underline(stripped):
            return
        heading = self._heading(stripped, following)
        if heading is not None:
            self._open(plain_text(heading[1]), number, heading[0])
            return
        section.source.append(line)
        if not stripped or set(stripped) <= set("-=*_|: "):
            self.after_blank = not stripped or self.after_blank
            self.in_table = self.in_table and bool(stripped)
            return
        if stripped.count("|") >= 1 and self._row(stripped, section):
            return
        self.in_table = False
        indent = len(line) - len(line.lstrip())
        item = _ITEM.match(stripped)
        if item:
            self._item(plain_text(item[2]), indent, number, section)
        else:
            self._words(plain_text(stripped), indent, number, section)
        self.after_blank = False

    def _is_underline(self, stripped: str) -> bool:
        return bool(_UNDERLINE.match(stripped)) and not self.after_blank and not self.in_table

    def _heading(self, stripped: str, following: str) -> tuple[int, str] | None:
        """Return the level and the words of a heading."""
        if match := _HEADING.match(stripped):
            return len(match[1]), match[2]
        if _UNDERLINE.match(following) and stripped and not _ITEM.match(stripped):
            level = 1 if following.startswith("=") else 2
            return (level, stripped) if self.after_blank and "|" not in stripped else None
        if not self.has_headings and self.after_blank and (match := _BOLD_LINE.match(stripped)):
            return 2, match[1]
        return None

    def _open(self, title: str, number: int, level: int) -> None:
        self.stack, self.paragraph, self.in_table, self.after_blank = [], None, False, True
        if GENERIC.fullmatch(title) and len(self.sections) > 1:
            self.sections[-1].source.append(title)
        elif len(self.sections) <= MAX_SECTIONS:
            self.sections.append(Section(title, number, level))

    def _row(self, stripped: str, section: Section) -> bool:
        cells = [plain_text(cell) for cell in stripped.strip("|").split("|")]
        cells = [cell for cell in cells if cell]
        if len(cells) < 2 and not self.in_table:
            return False
        if not self.in_table:
            section.tables.append([])
        self.in_table = True
        if len(section.tables[-1]) < MAX_NODES:
            section.tables[-1].append(cells)
        return True

    def _item(self, text: str, indent: int, number: int, section: Section) -> None:
        node = Node(text[:LONGEST], number, is_item=True)
        while self.stack and self.stack[-1][0] >= indent:
            self.stack.pop()
        if self.stack:
            self.stack[-1][1].below.append(node)
        elif self.paragraph is not None:
            self.paragraph.below.append(node)
        else:
            section.nodes.append(node)
        self.stack.append((indent, node))

    def _words(self, text: str, indent: int, number: int, section: Section) -> None:
        if self.stack and (indent > self.stack[-1][0] or not self.after_blank):
            _extend(self.stack[-1][1], text)
        elif self.paragraph is not None and not self.after_blank and not self.stack:
            _extend(self.paragraph, text)
        elif len(section.nodes) < MAX_NODES:
            self.stack = []
            self.paragraph = Node(text[:LONGEST], number)
            section.nodes.append(self.paragraph)


def _extend(node: Node, text: str) -> None:
    # Words after a list belong to what stands last in it.
    target = node
    target.text = f"{target.text} {text}"[: 4 * LONGEST]


def plain_text(text: str) -> str:
    """Return text without links, tags and emphasis, on one line."""
    text = _LINK.sub(r"\1", text)
    text = _EMPHASIS.sub("", _TAG.sub(" ", text)).replace("\\", "")
    text = text.replace("’", "'").replace("&nbsp;", " ").replace("&amp;", "&")
    text = text.replace("≥", " at least ").replace("≤", " at most ")
    return " ".join(text.split())


def leaves(nodes: list[Node]) -> Iterator[Node]:
    """Yield nodes and all that is below them."""
    for node in nodes:
        yield node
        yield from leaves(node.below)


_SIZE_CELL = re.compile(
    r"^(?:household of |family of )?(\d{1,2})(?: (?:people|persons?|members?))?$", re.I
)
_AMOUNT = re.compile(r"^[$€£]?\s*(\d[\d,]*(?:\.\d+)?)$")
_MORE = re.compile(r"\b(?:each|every|additional|extra|add)\b", re.IGNORECASE)


@dataclass(frozen=True)
class LimitTable(Condition):
    """Income up to a limit by household size; `each` is added for every further person."""

    limits: tuple[tuple[int, float], ...] = ()
    each: float = 0.0
    factor: float = 1.0


def income_limits(section: Section) -> LimitTable | None:
    """Return the income limits that a section's tables state, yearly where there is a choice."""
    for rows in section.tables:
        table = _limits(rows)
        if table:
            limits, each, factor = table
            key: Key = income_key(True)
            text = "your household's income is at or below the limit for its size"
            return LimitTable(key, "", text, True, tuple(limits.items()), each, factor)
    return None


def _limits(rows: list[list[str]]) -> tuple[dict[int, float], float, float] | None:
    column, factor = _column(rows)
    limits: dict[int, float] = {}
    each = 0.0
    for row in rows:
        amount = _amount(row[min(column, len(row) - 1)])
        size = _SIZE_CELL.match(row[0].strip())
        if amount is None:
            continue
        if size and 1 <= int(size[1]) <= 20:
            limits[int(size[1])] = amount
        elif _MORE.search(row[0]):
            each = amount
    sizes = sorted(limits)
    in_a_row = sizes == list(range(sizes[0], sizes[0] + len(sizes))) if sizes else False
    return (limits, each, factor) if len(limits) >= 2 and in_a_row else None


def _column(rows: list[list[str]]) -> tuple[int, float]:
    """Return which column holds the limits, and what makes them yearly."""
    monthly: int | None = None
    for row in rows[:3]:
        for column, cell in enumerate(row):
            if re.search(r"\b(?:year|annual)", cell, re.IGNORECASE):
                return column, 1
            if monthly is None and re.search(r"\bmonth", cell, re.IGNORECASE):
                monthly = column
    return (1, 1) if monthly is None else (monthly, 12)


def _amount(cell: str) -> float | None:
    match = _AMOUNT.match(cell.strip())
    return float(match[1].replace(",", "")) if match else None
