"""`concede bench clarify`: whether unclear spots are noticed and clear requests left alone."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from ...options import panel_options, tables_or_json
from ...output import write_json, write_tables

_data = panel_options("Data")


@click.command("clarify")
@_data(
    "--data",
    "DIR",
    "Requests with their unclear spots marked: requests.jsonl and catalogs/; those that were "
    "written with the rules without it.",
)
@tables_or_json("Tables for people, or one JSON object.")
def clarify(data: str | None, form: str) -> int:
    """Measure what is asked about: marked spots that are noticed, clear requests questioned."""
    from .....bench.clarify.spot_scores import DEVELOPMENT, score_spots

    scores = score_spots(Path(data) if data is not None else DEVELOPMENT)
    if form == "json":
        write_json(scores.record())
    else:
        from .....bench.clarify.clarify_tables import spot_tables

        write_tables(spot_tables(scores))
    return 0
