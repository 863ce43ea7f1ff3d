"""AWARE-US: recorded runs recomputed, replayed, reread; personas offline; generated instances."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ....catalogs.catalog import Catalog
from ...aware_us import modes
from ...aware_us.gold import setting_of
from ...aware_us.rows import Row
from ...generation.generate import generate
from ..stage import Context, Found, Input, Stage

FOLDER, CARS = "aware_us", "cooperunion_cars/data.csv"
STAYS = "travelplanner/accommodations.csv.gz"
WEIGHTERS = ("learned", "lexical", "ensemble", "uniform")
GENERATED = ("S2", "S3")
COUNTS = {True: 40, False: 400}
"""Generated instances a setting, quick or not."""

LEFT_OUT = ("failures", "slots", "printed", "differs")
"""Keys of a row that tell instances, or are printed elsewhere."""

RUNS = (
    Input(f"{FOLDER}/instances.jsonl", 122),
    Input(f"{FOLDER}/agent_runs.jsonl.gz", 1_564),
)
CATALOG = Input(CARS, 11_915)
COMMAND = "concede bench aware-us --data DIR/aware_us"
WITH_CARS = f"{COMMAND} --catalog DIR/{CARS}"


def _options(context: Context, **more: Any) -> modes.Options:
    return modes.Options(data=str(context.folder(FOLDER)), **more)


def _kept(rows: Sequence[Row]) -> Found:
    records = [row.record() for row in rows]
    return {
        "rows": [
            {name: value for name, value in record.items() if name not in LEFT_OUT}
            for record in records
        ]
    }


def published(context: Context) -> Found:
    """Recompute Tables 2 to 5, and count the instances of Table 1."""
    options = _options(context)
    sizes: dict[str, list[int]] = {}
    for gold in options.golds():
        sizes.setdefault(setting_of(gold)["setting"], []).append(len(gold.constraints))
    instances = {
        setting: {"instances": len(asked), "constraints": sorted(set(asked))}
        for setting, asked in sorted(sizes.items())
    }
    return {**_kept(modes.published_rows(options)), "instances": instances}


def replay(context: Context) -> Found:
    """Put the recorded constraints and weights to our engine."""
    return _kept(modes.replay_rows(_cars(context), _options(context)))


def reread(context: Context) -> Found:
    """Read the recorded dialogues with our parts."""
    return _kept(modes.reread_rows(_cars(context), _options(context)))


def offline(weighter: str, context: Context) -> Found:
    """Hold conversations with the personas, without a model."""
    return _kept(modes.offline_rows(_cars(context), _options(context, weighter=weighter)))


def generated(context: Context) -> Found:
    """Make instances from a catalog of stays, and hold conversations about them."""
    stays, found = Catalog.open(context.data / STAYS), list[dict[str, Any]]()
    with TemporaryDirectory() as folder:
        for setting in GENERATED:
            path = Path(folder) / f"{setting}.json"
            path.write_text(json.dumps(generate(stays, setting, COUNTS[context.quick], 0)))
            for weighter in ("learned", "uniform"):
                options = modes.Options(instances=str(path), weighter=weighter)
                rows = _kept(modes.offline_rows(stays, options))["rows"]
                found += [{**row, "generated": setting, "weighter": weighter} for row in rows]
    return {"rows": found}


def _cars(context: Context) -> Catalog:
    return Catalog.open(context.data / CARS)


STAGES = (
    Stage("aware-us-published", published, RUNS, f"{COMMAND} --published"),
    Stage("aware-us-replay", replay, (*RUNS, CATALOG), f"{WITH_CARS} --replay"),
    Stage("aware-us-reread", reread, (*RUNS, CATALOG), f"{WITH_CARS} --reread"),
    *(
        Stage(
            f"aware-us-offline-{name}",
            partial(offline, name),
            (RUNS[0], CATALOG),
            f"{WITH_CARS} --offline --weighter {name}",
        )
        for name in WEIGHTERS
    ),
    Stage(
        "aware-us-generated",
        generated,
        (Input(STAYS, 5_047),),
        f"concede bench generate --catalog DIR/{STAYS} --setting S2 --count 400 --out FILE.json && "
        f"concede bench aware-us --instances FILE.json --catalog DIR/{STAYS} --offline",
        smaller=True,
    ),
)
