"""`concede catalog`: what a catalog's columns hold, and what people call them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import rich_click as click

from ....catalogs.errors import QueryError, UnreadableFile
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


@catalog_commands.command("init")
@catalog_argument
@panel_options("Catalog")("--table", "NAME", "The table of a .duckdb file.")
@panel_options("Output")("--out", "FILE|-", "The configuration.", default="-")
def catalog_init(source: str | None, table: str | None, out: str) -> int:
    """Write a first configuration of a catalog, as TOML, for a person to correct.

    Give it to other commands as --config. What the data shows stands in it as it would be
    guessed; a file that is there already is left alone.
    """
    if source is None:
        raise QueryError("no catalog", hint="name the file: concede catalog init shop.csv")
    from ....catalogs.configuration.first_draft import draft_of

    with spinning(f"reading {source}"):
        draft = draft_of(source, table, _named_from(out, source))
    if out == STANDARD_INPUT:
        click.echo(draft, nl=False)
        return 0
    try:
        with Path(out).open("x", encoding="utf-8") as file:
            file.write(draft)
    except OSError as error:
        hint = "move it away first" if isinstance(error, FileExistsError) else ""
        raise UnreadableFile(out, error.strerror or str(error), hint=hint) from None
    return 0


def _named_from(out: str, source: str) -> str:
    """Return a source as a configuration in a file names it: from the folder of that file."""
    if source.startswith("sample:") or out == STANDARD_INPUT or os.path.isabs(source):
        return source
    return os.path.relpath(source, Path(out).parent)


def _options(source: str | None, given: dict[str, Any]) -> CatalogOptions:
    if source and given["catalog"]:
        raise click.UsageError("the catalog is named twice; name it once")
    named: dict[str, Any] = given | {"catalog": source or given["catalog"]}
    return CatalogOptions(**named)
