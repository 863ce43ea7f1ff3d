"""MapSatisfyBench: the published runs recomputed, and agents on tasks made from two catalogs."""

from __future__ import annotations

from functools import partial

from ....catalogs.catalog import Catalog
from ...mapsat.agents import NAMES, OfflineAgent
from ...mapsat.builder import Builder, build
from ...mapsat.items import Items
from ...mapsat.published import published as published_figures
from ...mapsat.runner import offline_roles, report, run
from ..stage import Context, Found, Input, Stage

FOLDER = "mapsatisfybench_demo"
RUNS = (Input(f"{FOLDER}/tasks.jsonl", 10), Input(f"{FOLDER}/model_metrics.jsonl", 20))
POIS = Input(f"{FOLDER}/pois.csv", 616)
CATALOGS = {"pois": (f"DIR/{FOLDER}/pois.csv", "poi"), "cars": ("sample:cars", "Model")}
TASKS = 150


def published(context: Context) -> Found:
    """Recompute the figures of the published runs."""
    found = published_figures(context.folder(FOLDER))
    differing = sum(bool(each["differs"]) for each in found["runs"])
    runs = {"runs": len(found["runs"]), "differing": differing}
    return {**runs, "models": found["models"], "compared": found["compared"]}


def built(catalog: str, seed: int, context: Context) -> Found:
    """Make tasks from a catalog, and run each agent on them."""
    source, key = CATALOGS[catalog]
    items = Items(Catalog.open(source.replace("DIR", str(context.data), 1)), key)
    tasks = build(Builder(items), TASKS, seed)
    agents = {}
    for name in NAMES:
        roles = offline_roles(OfflineAgent(name, items), items)
        record = report(name, run(roles, tasks), items, 0)
        agents[name] = {part: record[part] for part in ("n", "means", "deciding", "by_source")}
    implicit = sum(len(task.implicit) for task in tasks) / len(tasks)
    return {"tasks": len(tasks), "implicit": round(implicit, 4), "agents": agents}


def _built(catalog: str, seed: int, quick: bool) -> Stage:
    source, key = CATALOGS[catalog]
    options = f"--catalog {source} --key {key}"
    return Stage(
        f"mapsat-built-{catalog}-{seed}",
        partial(built, catalog, seed),
        (POIS,) if catalog == "pois" else (),
        f"concede bench mapsat-build {options} --count {TASKS} --seed {seed} --output TASKS.jsonl "
        f"&& concede bench mapsat --tasks TASKS.jsonl {options} --agent evidence --offline",
        quick=quick,
    )


STAGES = (
    Stage(
        "mapsat-published", published, RUNS, f"concede bench mapsat --data DIR/{FOLDER} --published"
    ),
    _built("pois", 1, True),
    _built("pois", 2, False),
    _built("cars", 1, True),
    _built("cars", 2, False),
)
