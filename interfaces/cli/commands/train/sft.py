"""`concede train sft`: supervised fine-tuning of a language model."""

from __future__ import annotations

from typing import Any

import rich_click as click

from ...options import panel_options, tables_or_json
from ...output import complain, stepping
from .shown import dry_run_option, show_report, steps_option

_data, _model, _output = map(panel_options, ("Data", "Model", "Output"))


@click.command("sft")
@_data("--data", "DIR", "A folder of training data.", "folder", required=True)
@_model("--preset", "NAME", "tiny, qwen3-8b or llama3.1-8b-apec.", default="tiny")
@_model("--model", "FOLDER|NAME", "Start from this model, not the preset's.")
@_model("--seed", "N", "Draws weights and orders; by default the preset's.", type=click.INT)
@steps_option
@_output("--out", "DIR", "The folder of the model.")
@dry_run_option
@tables_or_json("For people, or one JSON object.")
def sft(folder: str, out: str | None, dry_run: bool, form: str, **given: Any) -> int:
    """Train on what the assistant says, and measure on rows that were held out.

    A run that was stopped goes on where it was when it is started again.
    """
    from .....bench.fine_tuning.folder import read_data
    from .....bench.fine_tuning.recipe import recipe_named
    from .shown import checked_out, show_dry_run

    data = read_data(folder)
    recipe = recipe_named(given.pop("preset"), **given)
    if dry_run:
        return show_dry_run(recipe, "sft", data, form)
    place = checked_out(out)
    from .....bench.fine_tuning.sft import train_sft

    with stepping("training") as advance:
        report = train_sft(data, recipe, place, advance)
    complain(f"wrote {place}")
    return show_report(report, form)
