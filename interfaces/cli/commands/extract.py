"""`concede extract`: a text into constraints on a catalog's columns, and what is best of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import rich_click as click

from ..completion import complete_column
from ..options import catalog_options, dictionary_option, format_option, panel_options, text_option
from ..output import spinning, write_json, write_tables
from ..query_options import CatalogOptions, open_catalog, text_or_stdin
from ..reader_options import chosen_reader, day_of, reader_options, today_option

if TYPE_CHECKING:
    from ....dialogs.extraction.extracted import Extraction

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
    "Only what is said about these columns.",
    "only",
    multiple=True,
    shell_complete=complete_column,
)
@today_option
@reader_options
@format_option
def extract(
    text: str, slot: str | None, only: Sequence[str], today: datetime | None, **given: Any
) -> int:
    """Find what a text asks for, in the catalog's own columns and values.

    Constraints, columns wished low or high, vague wishes, and what was not understood. A model is
    asked only where one is named, or with --assist.
    """
    reader = chosen_reader(given)
    told = [field.name for field in fields(CatalogOptions) if field.name in given]
    options = CatalogOptions(**{name: given[name] for name in told})
    message = text_or_stdin(text)
    with spinning(f"reading {options.catalog}"):
        catalog = open_catalog(options)
        extraction = reader.extract(message, catalog, slot=slot, today=day_of(today))
    extraction = _limited(extraction, [catalog.schema.find(name).name for name in only])
    _write(extraction, catalog.name, options.form)
    return 0


def _write(extraction: Extraction, catalog: str, form: str) -> None:
    from ....dialogs.extraction.to_query import answer_record

    if form == "table":
        from ..extraction_tables import extraction_tables

        write_tables(extraction_tables(extraction, catalog))
    elif form == "json":
        write_json(answer_record(extraction))
    else:
        for part in (*extraction.constraints, *extraction.objectives, *extraction.leanings):
            write_json(part.record(), indent=None)


def _limited(extraction: Extraction, columns: Sequence[str]) -> Extraction:
    """Return what is about some columns; words nothing accounts for are about none."""
    if not columns:
        return extraction
    return replace(
        extraction,
        constraints=tuple(c for c in extraction.constraints if c.constraint.column in columns),
        objectives=tuple(aim for aim in extraction.objectives if aim.column in columns),
        leanings=tuple(leaning for leaning in extraction.leanings if leaning.column in columns),
        unresolved=tuple(part for part in extraction.unresolved if part.column in columns),
        waived=tuple(column for column in extraction.waived if column in columns),
    )
