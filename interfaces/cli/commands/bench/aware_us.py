"""`concede bench aware-us`: the published benchmark recomputed, replayed, reread or offline."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import rich_click as click

from .....catalogs.errors import QueryError
from ...completion import complete_file
from ...options import POLICIES, instance_options, panel_options, seed_option, tables_or_json
from ...output import complain, counted, spinning, write_json, write_tables
from ...query_options import CatalogOptions, open_catalog
from ..weigh import complete_weighter

if TYPE_CHECKING:
    from .....bench.aware_us.modes import Options
    from .....bench.aware_us.rows import Row
    from .....catalogs.catalog import Catalog

_data, _parts = panel_options("Data"), panel_options("Parts")


def _mode(name: str, help: str) -> Callable[[Any], Any]:
    return panel_options("Mode")(f"--{name}", None, help, "mode", flag_value=name)


@click.command("aware-us")
@_data(
    "--data",
    "DIR",
    "The folder of the published data: instances.jsonl, agent_runs.jsonl.gz.",
    shell_complete=complete_file,
)
@_data(
    "--instances",
    "FILE",
    "Instead, with --offline: any file of that shape with base and persona.",
    shell_complete=complete_file,
)
@instance_options
@_mode("published", "Recompute Tables 2 to 5 from the recorded runs.")
@_mode("replay", "Recorded constraints and weights; our engine relaxes and ranks.")
@_mode("reread", "Recorded dialogues; our extraction, weighter and engine.")
@_mode("offline", "Personas; our agent, role-player and all the rest, no model.")
@_parts(
    "--weighter",
    "NAME",
    "With --reread and --offline: what weighs.",
    default="learned",
    shell_complete=complete_weighter,
)
@_parts(
    "--policy",
    "NAME",
    f"How what gives way is chosen: {', '.join(POLICIES)}.",
    type=click.Choice(POLICIES),
    default="fewest",
)
@seed_option("Draws the samples of the 95 % intervals.")
@panel_options("Output")(
    "--out",
    "RUN.jsonl",
    "Add the transcripts to this file, for bench score, compare and report.",
    shell_complete=complete_file,
)
@tables_or_json("A table for people, or one JSON list of rows.")
def aware_us(mode: str | None, catalog: str | None, form: str, **given: Any) -> int:
    """Run AWARE-US: which constraint gives way, and which car is offered.

    Instances whose persona or dialogue is withheld are left out where it is needed, and
    counted.
    """
    if mode is None:
        hint = "give --published, --replay, --reread or --offline"
        raise QueryError("nothing to run", hint=hint)
    from .....bench.aware_us.modes import Options

    rows = _rows(mode, catalog, Options(**given))
    if form == "json":
        write_json([row.record() for row in rows])
        _say_skipped(rows)
    else:
        from .....bench.aware_us.tables import rows_tables

        write_tables(rows_tables(rows))
    return 0


def _rows(mode: str, source: str | None, options: Options) -> list[Row]:
    from .....bench.aware_us import modes

    if options.instances is not None and mode != "offline":
        raise QueryError(f"--instances with --{mode}", hint="give --data, or --offline")
    if mode == "published":
        return modes.published_rows(options, counted)
    with spinning("reading the catalog"):
        catalog = _catalog(source)
    run = {
        "replay": modes.replay_rows,
        "reread": modes.reread_rows,
        "offline": modes.offline_rows,
    }[mode]
    return run(catalog, options, counted)


def _catalog(source: str | None) -> Catalog:
    return open_catalog(CatalogOptions(source, None, (), "json"))


def _say_skipped(rows: list[Row]) -> None:
    """Say on standard error how many episodes were left out, so that JSON stays rows."""
    everything = [row.skipped for row in rows if row.labels["setting"] in ("all", "test25")]
    if sum(everything):
        complain(f"left out {sum(everything)}: their persona or dialogue is withheld")
