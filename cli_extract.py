"""`concede extract`: what a text asks of a catalog, as constraints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import rich_click as click

from .cli_completion import complete_column
from .cli_options import any_option as _option
from .cli_options import catalog_options, format_option, text_option
from .cli_output import spinning, write_json, write_tables
from .cli_query import CatalogOptions, open_catalog, said

if TYPE_CHECKING:
    from rich.console import Group

    from .catalogs.catalog import Catalog
    from .dialogs.extraction import Extracted, Extraction, Unresolved


@click.command("extract")
@catalog_options
@text_option
@_option(
    "--slot",
    metavar="COLUMN",
    panel="Text",
    shell_complete=complete_column,
    help="The column that the text answers a question about.",
)
@_option(
    "--column",
    "only",
    metavar="COLUMN",
    multiple=True,
    panel="Text",
    shell_complete=complete_column,
    help="Only constraints on these columns.",
)
@format_option
def extract(text: str, slot: str | None, only: Sequence[str], **given: Any) -> int:
    """Find the constraints that a text states, in the catalog's own columns and values."""
    from .dialogs.extraction import OfflineExtractor

    options = CatalogOptions(**given)
    heard = said(text)
    with spinning(f"reading {options.catalog}"):
        catalog = open_catalog(options)
        found = OfflineExtractor().extract(heard, catalog, slot=slot)
    found = _limited(found, [catalog.schema.find(name).name for name in only])
    if options.form == "table":
        write_tables(_tables(found, catalog))
    elif options.form == "json":
        write_json(found.record())
    else:
        for one in found.constraints:
            write_json(one.record(), indent=None)
    return 0


def _limited(found: Extraction, columns: Sequence[str]) -> Extraction:
    from .dialogs.extraction import Extraction

    if not columns:
        return found
    return Extraction(
        tuple(one for one in found.constraints if one.constraint.column in columns),
        tuple(one for one in found.unresolved if one.column in columns),
        tuple(one for one in found.waived if one in columns),
    )


def _tables(found: Extraction, catalog: Catalog) -> Group:
    from rich.console import Group, RenderableType
    from rich.text import Text

    from .engine.grid import harmless

    parts: list[RenderableType] = [_constraints(found.constraints, catalog)]
    parts += [Text(harmless(one.question)) for one in found.constraints if one.question]
    if found.unresolved:
        parts += [Text(), _unresolved(found.unresolved)]
    if found.waived:
        parts.append(Text(harmless(f"No wish about {', '.join(found.waived)}.")))
    return Group(*parts)


def _constraints(found: Sequence[Extracted], catalog: Catalog) -> Any:
    from rich.text import Text

    from .engine.grid import Grid, cut, harmless

    if not found:
        return Text(harmless(f"No constraint on {catalog.name} in this text."))
    headers = ("column", "op", "value", "score", "said as", "or else")
    rows = [
        (
            cut(one.constraint.column or ""),
            one.constraint.op,
            cut(_value(one)),
            f"{one.score:.2f}",
            cut(one.evidence.text),
            cut(", ".join(f"{value} ({score:.2f})" for value, score in one.alternatives[:3]), 80),
        )
        for one in found
    ]
    plural = "" if len(found) == 1 else "s"
    title = f"{len(found)} constraint{plural}"
    return Grid(title, headers, rows, frozenset(("score",)))


def _value(one: Extracted) -> str:
    from .catalogs.constraint import spoken

    value, column = one.constraint.value, one.constraint.column or ""
    if not isinstance(value, tuple):
        return spoken(value, column)
    between = " to " if one.constraint.op == "between" else ", "
    return between.join(spoken(part, column) for part in value)


def _unresolved(found: Sequence[Unresolved]) -> Any:
    from .engine.grid import Grid, cut

    rows = [
        (
            cut(one.evidence.text),
            one.reason,
            cut(", ".join(f"{value} ({score:.2f})" for value, score in one.nearest[:3]), 80),
        )
        for one in found
    ]
    return Grid("Not understood", ("said", "why", "nearest"), rows)
