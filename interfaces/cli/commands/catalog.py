"""`concede catalog`: what a catalog's columns hold, and what people call them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import rich_click as click

from ....catalogs.errors import UnreadableFile
from ..options import (
    catalog_argument,
    catalog_options,
    chosen_model,
    dictionary_option,
    format_option,
    model_options,
    panel_options,
)
from ..output import spinning, write_json, write_tables
from ..query_options import STANDARD_INPUT, CatalogOptions
from ..query_run import read_catalog


@click.group("catalog")
def catalog_commands() -> None:
    """Look at a catalog."""


@catalog_commands.command("info")
@catalog_argument
@catalog_options
@dictionary_option
@format_option
def catalog_info(source: str | None, **given: Any) -> int:
    """Show what a catalog's columns hold."""
    options = _options(source, given)
    catalog = read_catalog(options)
    profiles = catalog.profiles()
    if options.form == "table":
        from ....rendering.answer_tables import profile_table

        write_tables(profile_table(catalog.name, catalog.row_count, profiles))
        return 0
    record = {
        "name": catalog.name,
        "rows": catalog.row_count,
        "version": catalog.version,
        "cost_column": catalog.cost_column,
        "columns": [profile.record() for profile in profiles],
    }
    write_json(record, indent=2 if options.form == "json" else None)
    return 0


@catalog_commands.command("describe")
@catalog_argument
@catalog_options
@model_options("The model that writes what people call columns and values; also fake:FILE.")
@panel_options("Output")("--out", "FILE|-", "The dictionary.", default="-")
def catalog_describe(source: str | None, out: str, **given: Any) -> int:
    """Write a dictionary of what people call a catalog's columns and values.

    Without a model it holds what headers and cells say, to be filled in by hand. Give it to other
    commands as --dictionary.
    """
    from ....dialogs.extraction.column_dictionary import described_by, dictionary_of_headers

    model = chosen_model({name: given.pop(name) for name in ("offline", "model", "base_url")})
    catalog = read_catalog(_options(source, given | {"form": "json"}))
    if model is None:
        words = dictionary_of_headers(catalog)
    else:
        with spinning(f"describing {len(catalog.columns)} columns"):
            words = described_by(catalog, model)
    record = {name: entry.model_dump(mode="json") for name, entry in words.items()}
    if out == STANDARD_INPUT:
        write_json(record)
        return 0
    try:
        Path(out).write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", "utf-8")
    except OSError as error:
        raise UnreadableFile(out, error.strerror or str(error)) from None
    return 0


def _options(source: str | None, given: dict[str, Any]) -> CatalogOptions:
    if source and given["catalog"]:
        raise click.UsageError("the catalog is named twice; name it once")
    return CatalogOptions(**(given | {"catalog": source or given["catalog"]}))
