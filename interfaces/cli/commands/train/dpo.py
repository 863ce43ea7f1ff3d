"""`concede train dpo`: direct preference optimization of a trained language model."""

from __future__ import annotations

from typing import Any

import rich_click as click

from ...options import panel_options, tables_or_json
from ...output import complain, stepping
from .shown import dry_run_option, show_report, steps_option

_data, _model, _output = map(panel_options, ("Data", "Model", "Output"))


@click.command("dpo")
@_data("--data", "DIR", "A folder of training data.", "folder", required=True)
@_model("--from", "DIR", "The model to start from, as sft or dpo wrote it.", "start", required=True)
@_model("--reference", "DIR", "The reference model; by default the one of --from.")
@_model("--preset", "NAME", "How to train; by default as that model was trained.")
@_model("--seed", "N", "Draws orders; by default that model's.", type=click.INT)
@steps_option
@_output("--out", "DIR", "The folder of the model.")
@dry_run_option
@tables_or_json("For people, or one JSON object.")
def dpo(folder: str, start: str, out: str | None, dry_run: bool, form: str, **given: Any) -> int:
    """Train towards what was chosen and away from what was rejected.

    A run that was stopped goes on where it was when it is started again.
    """
    from .....bench.fine_tuning.folder import read_data
    from .....bench.fine_tuning.recipe import recipe_named
    from .....bench.fine_tuning.run_folder import read_trained_on
    from .shown import checked_out, show_dry_run

    data, reference = read_data(folder), given.pop("reference")
    before = read_trained_on(start).recipe
    seed = before.seed if given["seed"] is None else given["seed"]
    recipe = recipe_named(
        given["preset"] or before.preset, model=before.model, steps=given["steps"], seed=seed
    )
    if dry_run:
        return show_dry_run(recipe, "dpo", data, form)
    place = checked_out(out)
    from .....bench.fine_tuning.dpo import train_dpo

    with stepping("training") as advance:
        report = train_dpo(data, start, recipe, place, advance, reference=reference)
    complain(f"wrote {place}")
    return show_report(report, form)
