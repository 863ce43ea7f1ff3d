"""The command line's trainings: `concede train` and its commands."""

from __future__ import annotations

import rich_click as click

from ...command_group import CommandGroup

BUILT_IN = {
    "data": (".data", "data_commands"),
    "check": (".check", "check"),
    "sft": (".sft", "sft"),
    "dpo": (".dpo", "dpo"),
    "iterate": (".iterate", "iterate"),
    "evaluate": (".evaluate", "evaluate"),
    "understanding": (".understanding", "understanding"),
}


@click.group("train", cls=CommandGroup, package=__package__, built_in=BUILT_IN)
def train_commands() -> None:
    """Build data, and train a language model of your own, or the weights that ship."""
