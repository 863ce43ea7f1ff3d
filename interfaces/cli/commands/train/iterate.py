"""`concede train iterate`: iterative DPO, with pairs that the newest model makes itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from .....catalogs.errors import QueryError, excerpt
from ...options import POSITIVE, panel_options, seed_option, tables_or_json
from ...output import complain, counted, write_json, write_tables
from .shown import steps_option

_model, _rounds, _output = map(panel_options, ("Model", "Iterations", "Output"))


@click.command("iterate")
@_model("--from", "DIR", "The SFT model to start from.", "start", required=True)
@steps_option
@_rounds("--iterations", "N", "How many.", type=POSITIVE, default=3)
@_rounds("--count", "N", "New travellers in each.", type=click.IntRange(2, 100_000), default=100)
@_rounds(
    "--reference",
    None,
    "The SFT model in each, or the model that it starts from (Table 4).",
    type=click.Choice(("fixed", "recursive")),
    default="fixed",
)
@_rounds("--mix", "N+N", "Iterations whose pairs the last one learns from, as 2+3.")
@_rounds(
    "--agent",
    None,
    "Who holds the dialogues: the newest model, or the offline planner.",
    type=click.Choice(("model", "planner")),
    default="model",
)
@_rounds(
    "--alpha",
    "SHARE",
    "Of accuracy in the reward; several make a sweep (Figure 6).",
    "alphas",
    type=float,
    multiple=True,
    default=(0.1,),
)
@seed_option("Draws travellers and dialogues.")
@_output("--out", "DIR", "The folder of the iterations.", required=True)
@tables_or_json("Tables for people, or one JSON list of iterations.")
def iterate(start: str, out: str, form: str, **given: Any) -> int:
    """Let the newest model talk to made travellers, pair its dialogues by reward, and train it.

    Each step is kept when it is done; started again, it goes on from there.
    """
    from .....bench.fine_tuning.iterative_dpo import Plan, sweep, train_iteratively
    from .....bench.fine_tuning.recipe import recipe_named
    from .....bench.fine_tuning.run_folder import read_trained_on

    before = read_trained_on(start).recipe
    recipe = recipe_named(before.preset, model=before.model, steps=given["steps"], seed=before.seed)
    alphas, mix = sweep(given["alphas"]), _mix(given["mix"])
    records: list[dict[str, Any]] = []
    for alpha in alphas:
        place = Path(out) if len(alphas) == 1 else Path(f"{out}-alpha-{alpha:g}")
        plan = Plan(
            Path(start),
            given["iterations"],
            given["count"],
            given["reference"],
            given["agent"],
            alpha,
            given["seed"],
            mix,
        )
        done = train_iteratively(plan, recipe, place, counted)
        records += [{"alpha": alpha, **record} for record in done]
        complain(f"wrote {place}")
    if form == "json":
        write_json(records)
    else:
        _show(records)
    return 0


def _mix(text: str | None) -> tuple[int, ...]:
    parts = text.split("+") if text else []
    if not all(part.strip().isdecimal() for part in parts):
        raise QueryError(f"--mix {excerpt(text)}", hint="write iterations, as 2+3")
    return tuple(int(part) for part in parts)


def _show(records: list[dict[str, Any]]) -> None:
    from .....rendering.terminal_table import Grid

    names = ("overall", "critical", "efficiency", "r_a", "reward")
    rows = [
        (
            f"{record['alpha']:g}",
            str(record["iteration"]),
            str(record["pairs"]),
            *(f"{record['figures'].get(name, 0):.3f}" for name in names),
        )
        for record in records
    ]
    headers = ("alpha", "iteration", "pairs", *(name.replace("_", " ") for name in names))
    write_tables(Grid("Iterations", headers, rows, frozenset(headers)))
