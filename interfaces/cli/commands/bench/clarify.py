"""`concede bench clarify`: whether unclear spots are noticed and clear requests left alone."""

from __future__ import annotations

import tempfile
from pathlib import Path

import rich_click as click

from .....catalogs.errors import QueryError
from ...options import POSITIVE, panel_options, seed_option, tables_or_json
from ...output import write_json, write_tables

_data = panel_options("Data")


@click.command("clarify")
@_data(
    "--data",
    "DIR",
    "Requests with their unclear spots marked: requests.jsonl and catalogs/; those that were "
    "written with the rules without it.",
)
@_data(
    "--blurred",
    "N",
    "Instead: N generated queries said with a wish blurred, with questions and without.",
    type=POSITIVE,
)
@seed_option("Draws the queries.")
@tables_or_json("Tables for people, or one JSON object.")
def clarify(data: str | None, blurred: int | None, seed: int, form: str) -> int:
    """Measure what is asked about: marked spots that are noticed, clear requests questioned.

    With --blurred a person who knows the query answers: how many end with the right constraints.
    """
    if blurred is not None:
        if data is not None:
            raise QueryError("--data and --blurred are two measurements", hint="give one")
        return _blurred(blurred, seed, form)
    from .....bench.clarify.spot_scores import DEVELOPMENT, score_spots

    scores = score_spots(Path(data) if data is not None else DEVELOPMENT)
    if form == "json":
        write_json(scores.record())
    else:
        from .....bench.clarify.clarify_tables import spot_tables

        write_tables(spot_tables(scores))
    return 0


def _blurred(count: int, seed: int, form: str) -> int:
    from .....bench.clarify.blurred import run_blurred

    with tempfile.TemporaryDirectory() as folder:
        runs = run_blurred(count, seed, Path(folder))
    if form == "json":
        write_json({"seed": seed, "runs": [run.record() for run in runs]})
    else:
        from .....bench.clarify.clarify_tables import blurred_table

        write_tables(blurred_table(runs))
    return 0
