"""`concede bench generate`: benchmark instances from a catalog, written to a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import rich_click as click

from ...options import catalog_options, panel_options
from ...output import complain, counted, spinning, write_json
from ...query_options import CatalogOptions, column_list, open_catalog

STANDARD_OUTPUT = "-"

_instances, _search = panel_options("Instances"), panel_options("Search")
_output = panel_options("Output")


@click.command("generate")
@catalog_options
@_instances(
    "--setting",
    "S1|S2|S3|mus:K|unique:K",
    "S1 = unique:4: one certain constraint must give way. S2 = mus:4, S3 = mus:2: any may.",
    required=True,
)
@_instances("--count", "N", "How many.", type=int, required=True)
@_instances("--seed", "N", None, type=int, default=0)
@_instances(
    "--base-columns",
    "COLUMN,COLUMN",
    "What base slices fix; default: by profile, slices of 35 to 350 rows.",
)
@_instances(
    "--columns",
    "COLUMN,COLUMN",
    'What is asked about, each with an operator if you like: "price <=,city".',
)
@_instances("--fewest-rows", "N", "The smallest base slice.", "fewest", type=int, default=35)
@_instances("--most-rows", "N", "The largest base slice.", "most", type=int, default=350)
@_search(
    "--max-tightness",
    "N",
    "Only instances whose drop-one counts sum to so many rows at most.",
    type=int,
)
@_search("--every-value", None, "Bounds at every value of a slice.", is_flag=True)
@_search("--first-hit", None, "First hits of random searches.", is_flag=True)
@_output(
    "--split",
    "SHARE",
    "Mark that share train and the rest test, no base slice in both.",
    type=float,
)
@_output("--out", "FILE|-", "The JSON file to write; - for standard output.", required=True)
def generate(
    catalog: str | None, table: str | None, as_text: Sequence[str], out: str, **given: Any
) -> int:
    """Make infeasible queries with weights, the gold repair and item, and a persona each.

    The same options give the same bytes. `concede repair --instances FILE` reads the file.
    """
    from .....bench.generation.output import check_place, write_records

    if out != STANDARD_OUTPUT:
        check_place(out)
    placed = {name: given.pop(name) for name in ("location", "hours", "travel_times")}
    options = CatalogOptions(catalog, table, as_text, "json", **placed)
    with spinning(f"reading {options.catalog}"):
        opened = open_catalog(options)
    records = _generated(opened, **given)
    if out == STANDARD_OUTPUT:
        write_json(records)
    else:
        write_records(out, records)
        complain(f"wrote {out}")
    if len(records) < given["count"]:
        wider = "--most-rows" if given["every_value"] else "--every-value or --most-rows"
        count = f"found {len(records):,} of the {given['count']:,} instances asked for"
        complain(f"{count}; {wider} may give more")
    return 0


def _generated(
    catalog: Any,
    setting: str,
    count: int,
    seed: int,
    base_columns: str | None,
    columns: str | None,
    every_value: bool,
    **given: Any,
) -> list[dict[str, Any]]:
    from .....bench.generation import generate as generated
    from .....bench.generation.slices import EVERY_VALUE

    return generated(
        catalog,
        setting,
        count,
        seed,
        base_columns=None if base_columns is None else column_list(base_columns),
        columns=None if columns is None else column_list(columns),
        strictness=EVERY_VALUE if every_value else None,
        progress=counted,
        **given,
    )
