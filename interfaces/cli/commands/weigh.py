"""`concede weigh`: a text into constraints on a catalog, each with a weight from 0 to 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rich_click as click

from ..completion import complete_weighter
from ..options import catalog_options, dictionary_option, format_option, panel_options, text_option
from ..output import spinning, write_json, write_tables
from ..query_options import CatalogOptions, open_catalog, text_or_stdin

if TYPE_CHECKING:
    from ....dialogs.weighters.weighter import Weighed, Weighing

BAR = 20
"""Blocks of the bar of a weight of 1."""


@click.command("weigh")
@catalog_options
@dictionary_option
@text_option
@panel_options("Text")(
    "--weighter",
    "NAME",
    "What weighs: learned, lexical, ensemble, …; local, global, pairwise ask a model.",
    default="learned",
    shell_complete=complete_weighter,
)
@format_option
def weigh(text: str, weighter: str, **given: Any) -> int:
    """Find the constraints that a text states, and how much each one matters."""
    from ....dialogs.extraction.offline import OfflineExtractor
    from ....dialogs.weighters.weighter import get_weighter

    options = CatalogOptions(**given)
    message = text_or_stdin(text)
    judge = get_weighter(weighter)
    with spinning(f"reading {options.catalog}"):
        extraction = OfflineExtractor().extract(message, open_catalog(options))
        weighing = judge.weigh(
            message, [extracted.constraint for extracted in extraction.constraints]
        )
    if options.form == "table":
        write_tables(_table(weighing))
    elif options.form == "json":
        rows = [_record(weighed) for weighed in weighing]
        write_json({"weighter": weighing.weighter, "constraints": rows})
    else:
        for weighed in weighing:
            write_json(_record(weighed), indent=None)
    return 0


def _record(weighed: Weighed) -> dict[str, Any]:
    record = weighed.constraint.model_dump(mode="json", include={"column", "op", "value"})
    return record | {
        "weight": round(weighed.weight, 4),
        "confidence": round(weighed.confidence, 4),
        "evidence": [span.record() for span in weighed.evidence],
    }


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
