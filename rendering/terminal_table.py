"""A titled table that a terminal of any width can show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.box import ASCII_DOUBLE_HEAD, SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

GAP = 2
"""Blank cells between two columns."""

LONGEST_CELL = 60
"""A longer text is cut: a description would push everything else off the screen."""

# An escape sequence in somebody's data must not reach the terminal; nor may text be reversed.
_VISIBLE = {
    **{code: chr(0x2400 + code) for code in range(32)},
    **dict.fromkeys((*range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)), "�"),
    **dict.fromkeys(map(ord, "\t\n\r"), " "),
}

Cell = str | Text


def harmless(text: str) -> str:
    """Return text on one line, its control characters made visible."""
    return text.translate(_VISIBLE)


def cut(text: str, length: int = LONGEST_CELL) -> str:
    """Return text as one harmless line of at most `length` characters."""
    line = harmless(text)
    return line if len(line) <= length else f"{line[: length - 1]}…"


@dataclass(frozen=True)
class Grid:
    """Rows under headers, below a title; where the words do not fit side by side, a list.

    `right` names the headers of what is aligned right: numbers.
    """

    title: str
    headers: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    right: frozenset[str] = frozenset()

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        """Yield the title, then the table or the list, then a blank line."""
        yield Text(self.title, "bold")
        if self.least_width() <= options.max_width:
            yield self._table(ascii_only=options.ascii_only)
        else:
            yield from self._list()
        yield Text()

    def least_width(self) -> int:
        """Return the cells the table needs without breaking a word."""
        columns = zip(self.headers, *self.rows, strict=True)
        return sum(max(map(_longest_word, column)) + GAP for column in columns) - GAP

    def _table(self, *, ascii_only: bool) -> Table:
        box = ASCII_DOUBLE_HEAD if ascii_only else SIMPLE_HEAD
        table = Table(box=box, show_edge=False, padding=(0, 1, 0, 0), header_style="dim")
        for header in self.headers:
            side = "right" if header in self.right else "left"
            table.add_column(header, justify=side, overflow="fold", vertical="top")
        for row in self.rows:
            table.add_row(*map(_text, row))
        return table

    def _list(self) -> Iterator[RenderableType]:
        for row in self.rows:
            first, *rest = [pair for pair in zip(self.headers, row, strict=True) if str(pair[1])]
            yield Text.assemble(_lead(first[0]), _text(first[1]))
            for header, cell in rest:
                yield Padding(Text.assemble(_lead(header), _text(cell)), (0, 0, 0, GAP))


def _lead(header: str) -> Text:
    return Text(f"{header} " if header else "", "dim")


def _text(cell: Cell) -> Text:
    return cell if isinstance(cell, Text) else Text(cell)


def _longest_word(cell: Cell) -> int:
    return max(map(cell_len, str(cell).split()), default=0)
