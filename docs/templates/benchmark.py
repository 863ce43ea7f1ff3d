"""A benchmark of your own: copy, rename, and offer it as an entry point.

    [project.entry-points."concede.benchmarks"]
    blame = "my_package.benchmark:blame"

`concede bench blame` then runs it. A built-in one is a file in `interfaces/cli/commands/bench/` and
a line in `group.py` beside it.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator

import click

# `concede` loads its parts when they are used, so that help costs nothing; do so, too.
import concede

KINDS = ("numeric", "categorical")


# Its name is that of the entry point.
@click.command()
@click.option("--catalog", "source", default="sample:cars", show_default=True, metavar="FILE")
@click.option("--queries", type=click.IntRange(min=1), default=100, show_default=True, metavar="N")
@click.option("--seed", type=int, default=0, show_default=True, help="Draws the queries.")
@click.option("--format", "form", type=click.Choice(("table", "json")), default="table")
def blame(source: str, queries: int, seed: int, form: str) -> int:
    """Count how often the cheapest repair drops each column."""
    catalog = concede.Catalog.open(source)
    asked, dropped, repaired = Counter[str](), Counter[str](), 0
    engine = concede.RepairEngine(catalog)
    for query in drawn_queries(catalog, queries, random.Random(seed)):
        answer = engine.repair(query, top=1)
        if answer.status != "SAT_after_relaxation":
            # Something matches already, or nothing helps.
            continue
        repaired += 1
        asked.update(constraint.column for constraint in query.constraints)
        dropped.update(query.constraints[j].column for j in answer.repairs[0].dropped)
    rows = [(column, dropped[column], asked[column]) for column in sorted(asked)]
    if form == "json":
        columns = {column: {"dropped": given_up, "asked": of} for column, given_up, of in rows}
        print(json.dumps({"queries": queries, "repaired": repaired, "columns": columns}))
        return 0
    for column, given_up, of in rows:
        print(f"{column:<24} dropped {given_up:>4} of {of:>4}")
    return 0


def drawn_queries(
    catalog: concede.Catalog, count: int, draw: random.Random
) -> Iterator[concede.Query]:
    """Yield queries of three constraints each, with weights: the same for the same seed."""
    profiles = [profile for profile in catalog.profiles() if profile.kind in KINDS]
    for _ in range(count):
        chosen = draw.sample(profiles, min(3, len(profiles)))
        constraints = []
        for profile in chosen:
            weight = round(draw.uniform(0.1, 0.9), 2)
            if profile.kind == "numeric":
                op = "<=" if profile.desirable == "low" else ">="
                value = draw.uniform(float(profile.minimum), float(profile.maximum))
            else:
                op, value = "==", draw.choice(profile.values)
            constraints.append(
                concede.Constraint(column=profile.name, op=op, value=value, weight=weight)
            )
        yield concede.Query(constraints=tuple(constraints))
