"""`concede train data`: rows to train a language model on, from gold, catalogs and dialogues."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import rich_click as click

from ...options import any_argument, catalog_options, panel_options, seed_option, tables_or_json
from ...output import complain, counted, spinning, write_json, write_tables
from ...query_options import CatalogOptions, open_catalog

if TYPE_CHECKING:
    from .....bench.fine_tuning.rows import TrainingData
    from .....catalogs.catalog import Catalog

MOST = 200_000

_data, _output = panel_options("Data"), panel_options("Output")
_out = _output(
    "--out", "DIR", "The folder to write; one of training data is replaced.", required=True
)
_FORMAT = tables_or_json("A table for people, or the manifest as JSON.")


@click.group("data")
def data_commands() -> None:
    """Build training data: sft and dpo rows, train and test, and a manifest."""


@data_commands.command("aware-us")
@_data("--data", "DIR", "The published AWARE-US data: instances.jsonl.", "folder", required=True)
@catalog_options
@_data("--seed", "N", "Draws the slots and the questions.", type=click.IntRange(min=0), default=11)
@_out
@_FORMAT
def aware_us(folder: str, seed: int, out: str, form: str, **given: Any) -> int:
    """Rows from the published instances, by their published split."""
    from .....bench.fine_tuning.aware_us_rows import aware_us_data
    from .....bench.fine_tuning.folder import check_target

    check_target(out)
    return _write(out, aware_us_data(folder, _catalog(**given), seed, counted), form)


@data_commands.command("generated")
@catalog_options
@_data("--setting", "mus:K|unique:K", "As in concede bench generate.", required=True)
@_data("--count", "N", "How many instances.", type=click.IntRange(2, MOST), required=True)
@seed_option("Draws instances, personas and questions.")
@_out
@_FORMAT
def generated(setting: str, count: int, seed: int, out: str, form: str, **given: Any) -> int:
    """Rows from any catalog: made queries without a match, and personas behind them."""
    from .....bench.fine_tuning.folder import check_target
    from .....bench.fine_tuning.generated_rows import generated_data

    check_target(out)
    return _write(out, generated_data(_catalog(**given), setting, count, seed, counted), form)


@data_commands.command("apec")
@_data("--count", "N", "How many travellers.", type=click.IntRange(2, MOST), required=True)
@_data("--alpha", "SHARE", "Of accuracy in the reward.", type=float, default=0.1)
@seed_option("Draws travellers, their ways of talking, and dialogues.")
@_out
@_FORMAT
def apec(count: int, alpha: float, seed: int, out: str, form: str) -> int:
    """Rows of three roles, and pairs of dialogues by reward, with made travellers."""
    from .....bench.fine_tuning.apec_rows import apec_data
    from .....bench.fine_tuning.folder import check_target

    check_target(out)
    return _write(out, apec_data(count, seed, alpha, counted), form)


@data_commands.command("episodes")
@any_argument("files", nargs=-1, required=True, metavar="FILE…")
@_out
@_FORMAT
def episodes(files: Sequence[str], out: str, form: str) -> int:
    """Rows from saved chats, elicitations and benchmark runs."""
    from .....bench.fine_tuning.episode_rows import episode_data
    from .....bench.fine_tuning.folder import check_target

    check_target(out)
    with spinning("reading conversations"):
        data = episode_data(files)
    return _write(out, data, form)


def _catalog(
    catalog: str | None, table: str | None, as_text: Sequence[str], **places: Any
) -> Catalog:
    with spinning(f"reading {catalog}"):
        return open_catalog(CatalogOptions(catalog, table, as_text, "json", **places))


def _write(out: str, data: TrainingData, form: str) -> int:
    from .....bench.fine_tuning.folder import write_data

    manifest = write_data(out, data)
    complain(f"wrote {out}")
    if form == "json":
        write_json(manifest)
    else:
        from .....rendering.terminal_table import Grid

        counts = manifest["counts"]
        rows = [
            (stage, *(f"{counts[stage][split]:,}" for split in counts[stage])) for stage in counts
        ]
        write_tables(Grid("Rows", ("stage", "train", "test"), rows, frozenset(("train", "test"))))
    return 0
