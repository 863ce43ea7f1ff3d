"""`concede extract`: a text into constraints on a catalog's columns, without a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import rich_click as click

from ..completion import complete_column
from ..options import catalog_options, dictionary_option, format_option, panel_options, text_option
from ..output import spinning, write_json, write_tables
from ..query_options import CatalogOptions, open_catalog, text_or_stdin

if TYPE_CHECKING:
    from rich.console import Group

    from ....catalogs.catalog import Catalog
    from ....dialogs.extraction.extracted import Extracted, Extraction, Unresolved

_text = panel_options("Text")


@click.command("extract")
@catalog_options
@dictionary_option
@text_option
@_text(
    "--slot",
    "COLUMN",
    "The column that the text answers a question about.",
    shell_complete=complete_column,
)
@_text(
    "--column",
    "COLUMN",
    "Only constraints on these columns.",
    "only",
    multiple=True,
    shell_complete=complete_column,
)
@format_option
def extract(text: str, slot: str | None, only: Sequence[str], **given: Any) -> int:
    """Find the constraints that a text states, in the catalog's own columns and values."""
    from ....dialogs.extraction.offline import OfflineExtractor

    options = CatalogOptions(**given)
    message = text_or_stdin(text)
    with spinning(f"reading {options.catalog}"):
        catalog = open_catalog(options)
        extraction = OfflineExtractor().extract(message, catalog, slot=slot)
    extraction = _limited(extraction, [catalog.schema.find(name).name for name in only])
    if options.form == "table":
        write_tables(_tables(extraction, catalog))
    elif options.form == "json":
        write_json(extraction.record())
    else:
        for extracted in extraction.constraints:
            write_json(extracted.record(), indent=None)
    return 0


def _limited(extraction: Extraction, columns: Sequence[str]) -> Extraction:
    from ....dialogs.extraction.extracted import Extraction

    if not columns:
        return extraction
    return Extraction(
        tuple(
            extracted
            for extracted in extraction.constraints
            if extracted.constraint.column in columns
        ),
        tuple(statement for statement in extraction.unresolved if statement.column in columns),
        tuple(column for column in extraction.waived if column in columns),
    )


def _tables(extraction: Extraction, catalog: Catalog) -> Group:
    from rich.console import Group, RenderableType
    from rich.text import Text

    from ....rendering.terminal_table import harmless

    parts: list[RenderableType] = [_constraints(extraction.constraints, catalog)]
    parts += [
        Text(harmless(extracted.question))
        for extracted in extraction.constraints
        if extracted.question
    ]
    if extraction.unresolved:
        parts += [Text(), _unresolved(extraction.unresolved)]
    if extraction.waived:
        parts.append(Text(harmless(f"No wish about {', '.join(extraction.waived)}.")))
    return Group(*parts)


def _constraints(constraints: Sequence[Extracted], catalog: Catalog) -> Any:
    from rich.text import Text

    from ....rendering.terminal_table import Grid, cut, harmless

    if not constraints:
        return Text(harmless(f"No constraint on {catalog.name} in this text."))
    headers = ("column", "op", "value", "score", "said as", "or else")
    rows = [
        (
            cut(extracted.constraint.column or ""),
            extracted.constraint.op,
            cut(_value(extracted)),
            f"{extracted.score:.2f}",
            cut(extracted.evidence.text),
            cut(
                ", ".join(f"{value} ({score:.2f})" for value, score in extracted.alternatives[:3]),
                80,
            ),
        )
        for extracted in constraints
    ]
    plural = "" if len(constraints) == 1 else "s"
    title = f"{len(constraints)} constraint{plural}"
    return Grid(title, headers, rows, frozenset(("score",)))


def _value(extracted: Extracted) -> str:
    from ....catalogs.query.constraint import spoken

    value, column = extracted.constraint.value, extracted.constraint.column or ""
    if not isinstance(value, tuple):
        return spoken(value, column)
    between = " to " if extracted.constraint.op == "between" else ", "
    return between.join(spoken(part, column) for part in value)


def _unresolved(unresolved: Sequence[Unresolved]) -> Any:
    from ....rendering.terminal_table import Grid, cut

    rows = [
        (
            cut(statement.evidence.text),
            statement.reason,
            cut(", ".join(f"{value} ({score:.2f})" for value, score in statement.nearest[:3]), 80),
        )
        for statement in unresolved
    ]
    return Grid("Not understood", ("said", "why", "nearest"), rows)
