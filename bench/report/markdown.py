"""The leaderboard as Markdown, between the markers of a page or as a new page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...rendering.terminal_table import cut
from ..aware_us.rows import ALL
from ..text_files import around_markers, write_text
from .leaderboard import Line, lines_of, ranked, settings_of, settings_shown
from .sources import Source, Sources
from .wording import (
    NOTHING,
    Column,
    figure,
    interval_words,
    label,
    pass_hat_words,
    used_columns,
    used_labels,
)

BEGIN = "<!-- report: begin -->"
END = "<!-- report: end -->"
LONGEST = 60
SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~])")


def report_markdown(sources: Sources) -> str:
    """Return the leaderboard, a table a setting, and where its figures come from."""
    return "\n".join(_lines(sources)).strip() + "\n"


def write_markdown(path: Path, sources: Sources) -> None:
    """Put the leaderboard between the markers of a page, or write a page that is not there.

    Raises `QueryError` for a page without the markers, `UnreadableFile`.
    """
    before, after = check_page(path)
    write_text(path, f"{before}\n\n{report_markdown(sources)}\n{after}")


def check_page(path: Path) -> tuple[str, str]:
    """Return what stands before and after the figures; raise as `write_markdown` does."""
    if not path.exists():
        return f"# Leaderboard\n\n{BEGIN}", f"{END}\n"
    hint = f"put {BEGIN} and {END} there, or name a new file"
    before, after = around_markers(path, BEGIN, END, hint)
    return before + BEGIN, END + after


def _lines(sources: Sources) -> Iterator[str]:
    lines = lines_of(sources.files)
    for setting in settings_shown(settings_of(lines)):
        yield from ("", f"## {_cell('All settings' if setting == ALL else setting)}", "")
        yield from _table(ranked(lines, setting))
    yield from ("", "## Where the figures come from", "")
    for source in sources.files:
        yield f"- **{_cell(source.name)}**: {'; '.join(_about(source)) or 'not said'}"


def _table(lines: Sequence[Line]) -> Iterator[str]:
    columns = used_columns(lines)
    labels = used_labels(lines)
    hats = any(len(line.figures.pass_hats) > 1 for line in lines)
    heads = [
        "run",
        *labels,
        "n",
        *(column.heading for column in columns),
        *(["pass^k"] if hats else []),
    ]
    yield f"| {' | '.join(heads)} |"
    sides = ["---"] * (1 + len(labels)) + ["--:"] * (len(heads) - 1 - len(labels))
    yield f"|{'|'.join(sides)}|"
    for line in lines:
        texts = [line.where, *(label(line, name) or NOTHING for name in labels)]
        cells = [
            *map(_cell, texts),
            f"{line.figures.n:,}",
            *(_figure(line, each) for each in columns),
        ]
        yield f"| {' | '.join([*cells, *([pass_hat_words(line)] if hats else [])])} |"


def _figure(line: Line, column: Column) -> str:
    text = figure(column.name, line.value(column.name))
    ends = interval_words(line, column.name) if column.interval else ""
    return f"{text} ({ends})" if ends else text


def _about(source: Source) -> Iterator[str]:
    about = source.about
    if "command" in about:
        yield f"`{cut(about['command'], 300).replace('`', ' ')}`"
    yield from (_cell(about[key]) for key in ("benchmark", "mode", "date") if key in about)
    if source.catalog_rows is not None:
        yield f"{source.catalog_rows:,} rows in the catalog"


def _cell(text: str, longest: int = LONGEST) -> str:
    return SPECIAL.sub(r"\\\1", cut(text, longest))
