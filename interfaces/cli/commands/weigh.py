"""`concede weigh`: a text into constraints on a catalog, each with a weight from 0 to 1.

With the weighters `evidence` and `behaviour` files of what people did are weighed instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Any

import rich_click as click

from ....catalogs.errors import QueryError
from ..completion import complete_weighter
from ..options import catalog_options, dictionary_option, format_option, panel_options
from ..output import spinning, write_json, write_tables
from ..query_options import CatalogOptions, open_catalog, text_or_stdin
from ..reader_options import chosen_reader, day_of, reader_options, today_option
from ..weighing_events import of_options, weigh_factors, weigh_probes

if TYPE_CHECKING:
    from ....dialogs.extraction.extracted import Extraction
    from ....dialogs.weighters.weighter import Weighed, Weighing

_behaviour = panel_options("Behaviour")

BAR = 20
"""Blocks of the bar of a weight of 1."""


@click.command("weigh")
@catalog_options
@dictionary_option
@panel_options("Text")(
    "--text", "TEXT|-", "What somebody says they want; - reads it from standard input."
)
@panel_options("Text")(
    "--weighter",
    "NAME",
    "What weighs: learned, lexical, ensemble, …; local, global, pairwise ask a model.",
    default="learned",
    shell_complete=complete_weighter,
)
@_behaviour("--key", "COLUMN", "Evidence: the column that events name items by.")
@_behaviour("--events", "FILE", "Evidence: what people were shown and did, JSON lines.")
@_behaviour("--probes", "FILE", "Evidence: whose constraints to weigh, JSON lines.")
@_behaviour("--factors", "FILE", "Behaviour: counts, profile and need of factors, JSON lines.")
@today_option
@reader_options
@format_option
def weigh(text: str | None, weighter: str, today: datetime | None, **given: Any) -> int:
    """Find the constraints that a text states, and how much each one matters."""
    files = of_options(given)
    files.check(weighter)
    told = [field.name for field in fields(CatalogOptions) if field.name in given]
    options = CatalogOptions(**{name: given[name] for name in told})
    if weighter in ("evidence", "behaviour"):
        if text is not None:
            raise QueryError(f"--text with --weighter {weighter}", hint="leave it out")
        if weighter == "evidence":
            weigh_probes(files, options)
        else:
            weigh_factors(files, options.form)
        return 0
    if text is None:
        raise QueryError("no text", hint="give --text TEXT, or - for standard input")
    _weigh_text(text, weighter, today, options, given)
    return 0


def _weigh_text(
    text: str,
    weighter: str,
    today: datetime | None,
    options: CatalogOptions,
    given: Mapping[str, Any],
) -> None:
    from ....dialogs.weighters.weighter import get_weighter

    reader = chosen_reader(given)
    message = text_or_stdin(text)
    judge = get_weighter(weighter)
    with spinning(f"reading {options.catalog}"):
        extraction = reader.extract(message, open_catalog(options), today=day_of(today))
        weighing = judge.weigh(
            message, [extracted.constraint for extracted in extraction.constraints]
        )
    _write(weighing, extraction, options.form)


def _write(weighing: Weighing, extraction: Extraction, form: str) -> None:
    if form == "table":
        write_tables(_tables(weighing, extraction))
    elif form == "json":
        record = extraction.record() | {"constraints": [_record(weighed) for weighed in weighing]}
        write_json({"weighter": weighing.weighter} | record)
    else:
        for weighed in weighing:
            write_json(_record(weighed), indent=None)


def _record(weighed: Weighed) -> dict[str, Any]:
    record = weighed.constraint.model_dump(mode="json", include={"column", "op", "value"})
    return record | {
        "weight": round(weighed.weight, 4),
        "confidence": round(weighed.confidence, 4),
        "evidence": [span.record() for span in weighed.evidence],
    }


def _tables(weighing: Weighing, extraction: Extraction) -> Any:
    """Return the weights; below them what is said and has none."""
    from rich.console import Group

    from ..extraction_tables import with_tables

    return Group(*with_tables([_table(weighing)], extraction))


def _table(weighing: Weighing) -> Any:
    from rich.text import Text

    from ....catalogs.query.constraint import words
    from ....rendering.terminal_table import Grid, cut

    if not len(weighing):
        return Text("No constraint to weigh in this text.")
    rows = [
        (
            cut(words(weighed.constraint)),
            "█" * round(weighed.weight * BAR),
            f"{weighed.weight:.2f}",
            f"{weighed.confidence:.2f}",
            cut(" … ".join(span.text for span in weighed.evidence), 80),
        )
        for weighed in weighing
    ]
    headers = ("constraint", "", "weight", "confidence", "because of")
    title = f"Weighed by {weighing.weighter}"
    return Grid(title, headers, rows, frozenset(("weight", "confidence")))
