"""`concede clarify`: what a request leaves open on a catalog, as questions with counted answers."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Any

import rich_click as click

from ....catalogs.errors import QueryError
from ..options import catalog_options, dictionary_option, format_option, panel_options
from ..output import spinning, write_json, write_tables
from ..query_options import CatalogOptions, open_catalog, text_or_stdin
from ..reader_options import chosen_reader, day_of, reader_options, today_option

if TYPE_CHECKING:
    from ....dialogs.clarification.unknowns import Clarification

_text = panel_options("Text")


@click.command("clarify")
@catalog_options
@dictionary_option
@_text("--text", "TEXT|-", "What somebody says they want; - reads it from standard input.")
@_text(
    "--task",
    "FILE",
    "Instead: a task in free text as JSON (goal, items, skills, scenes, background), with turns.",
)
@today_option
@reader_options
@format_option
def clarify(text: str | None, task: str | None, today: datetime | None, **given: Any) -> int:
    """Find what is unclear in a text, and what to ask about it.

    Vague wishes, words with several meanings, alternatives, numbers without a column, and words
    that link to nothing: each with one question and answers that are constraints, with the exact
    number of rows. What changes the result most comes first. A clear text has no unknowns.
    """
    if (text is None) == (task is None):
        raise QueryError("one text to clarify", hint="give --text TEXT or --task FILE")
    if task is not None:
        return _of_task(task, given["form"])
    return _of_text(text or "", today, given)


def _of_text(text: str, today: datetime | None, given: dict[str, Any]) -> int:
    from ....dialogs.clarification.clarify import clarify as clarified

    reader = chosen_reader(given)
    told = [field.name for field in fields(CatalogOptions) if field.name in given]
    options = CatalogOptions(**{name: given[name] for name in told})
    message = text_or_stdin(text)
    with spinning(f"reading {options.catalog}"):
        catalog = open_catalog(options)
        day = day_of(today)
        extraction = reader.extract(message, catalog, today=day)
        found = clarified(message, catalog, extraction=extraction, today=day)
    _write(found, options.form)
    return 0


def _of_task(path: str, form: str) -> int:
    from ....dialogs.information_seeking.open_points import open_points
    from ..task_file import open_point_record, read_task

    points = [open_point_record(point) for point in open_points(*read_task(path))]
    if form == "json":
        write_json({"constraints": [], "unknowns": points, "not_understood": []})
    elif form == "table":
        from ..clarification_tables import open_point_table

        write_tables(open_point_table(points))
    else:
        for point in points:
            write_json(point, indent=None)
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
