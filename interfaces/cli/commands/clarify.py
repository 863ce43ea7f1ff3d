"""`concede clarify`: what a request leaves open on a catalog, as questions with counted answers."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Any

import rich_click as click

from ..options import catalog_options, dictionary_option, format_option, text_option
from ..output import spinning, write_json, write_tables
from ..query_options import CatalogOptions, open_catalog, text_or_stdin
from ..reader_options import chosen_reader, day_of, reader_options, today_option

if TYPE_CHECKING:
    from ....dialogs.clarification.unknowns import Clarification


@click.command("clarify")
@catalog_options
@dictionary_option
@text_option
@today_option
@reader_options
@format_option
def clarify(text: str, today: datetime | None, **given: Any) -> int:
    """Find what is unclear in a text, and what to ask about it.

    Vague wishes, words with several meanings, alternatives, numbers without a column, and words
    that link to nothing: each with one question and answers that are constraints, with the exact
    number of rows. What changes the result most comes first. A clear text has no unknowns.
    """
    from ....dialogs.clarification.clarify import clarify as clarified

    reader = chosen_reader(given)
    options = CatalogOptions(**{field.name: given[field.name] for field in fields(CatalogOptions)})
    message = text_or_stdin(text)
    with spinning(f"reading {options.catalog}"):
        catalog = open_catalog(options)
        day = day_of(today)
        extraction = reader.extract(message, catalog, today=day)
        found = clarified(message, catalog, extraction=extraction, today=day)
    _write(found, options.form)
    return 0


def _write(found: Clarification, form: str) -> None:
    if form == "table":
        from ..clarification_tables import clarification_tables

        write_tables(clarification_tables(found))
    elif form == "json":
        write_json(found.record())
    else:
        for unknown in found.unknowns:
            write_json(unknown.record(), indent=None)
