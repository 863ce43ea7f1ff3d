"""`concede train understanding`: what reads people's words, trained from data by one command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from .....catalogs.errors import QueryError
from ...options import NOT_NEGATIVE, POSITIVE, panel_options, seed_option, tables_or_json
from ...output import complain, counted, write_json, write_tables

if TYPE_CHECKING:
    from .....bench.understanding.labelled_set import Sources
    from .....bench.understanding.training import Trained

LIGHT = ("reader", "wished", "telling", "acts", "tracker", "wished_parts")
HEAVY = ("phrasing", "turns")
PARTS = (*LIGHT, *HEAVY)

_data, _output = panel_options("Data"), panel_options("Output")


@click.command("understanding")
@_data(
    "--data",
    "DIR",
    "The train split of the Schema-Guided Dialogue corpus: dialogues.jsonl.gz, catalogs/.",
    "sgd",
    required=True,
)
@_data("--clarq", "DIR", "ClarQ-LLM: dialogues.jsonl.gz; turns in which nothing is a wish.")
@_data("--aware-us", "DIR", "AWARE-US: instances.jsonl; personas of its training split.")
@_data("--base", "DIR", "all-MiniLM-L6-v2, as which the part `phrasing` begins, if not installed.")
@_data(
    "--further",
    None,
    "`phrasing` begins with the weights that ship and learns what people wrote, `turns` with its "
    "own and learns what they typed to the assistant.",
    is_flag=True,
)
@_data("--made", "N", "How many sentences are made.", type=NOT_NEGATIVE, default=24_000)
@_data("--catalogs", "N", "Over how many invented catalogs.", type=POSITIVE, default=300)
@_data(
    "--written",
    "N",
    "At most so many of each set of requests that people wrote.",
    "most_written",
    type=POSITIVE,
    default=20_000,
)
@_data(
    "--part",
    None,
    "Train this part alone; any number of times. All but `phrasing` and `turns`, which need "
    "PyTorch.",
    "parts",
    type=click.Choice(PARTS),
    multiple=True,
)
@_output("--out", "DIR", "Write the weights there, not where the readers load them from.")
@_output(
    "--curve",
    "DIR",
    "Train no weights to keep: write how the reader's figures grow with the sentences, what "
    "each part is worth and how well its scores are calibrated, as curve.json and plots.",
)
@seed_option("Draws the sentences, their order and the first weights.")
@tables_or_json("A table for people, or one JSON value.")
def understanding(
    parts: tuple[str, ...], out: str | None, curve: str | None, form: str, **given: Any
) -> int:
    """Train what reads wishes, dialogue acts and the state of a conversation.

    An hour on one core; `phrasing` takes minutes on a GPU and hours without, `turns` half an hour
    on two cores. The same data and seed give the same bytes, but on a GPU. Beside each file of
    weights stands a manifest with what it was trained on and the attribution that asks for.
    """
    _check_installed(not set(HEAVY).isdisjoint(parts))
    sources = _sources(**given)
    if curve is not None:
        return _measure(sources, Path(curve), form)
    from .....bench.understanding.training import train_understanding

    trained = train_understanding(
        sources, None if out is None else Path(out), parts or LIGHT, counted
    )
    if form == "json":
        write_json([part.record() for part in trained])
    else:
        write_tables(_table(trained))
    return 0


def _check_installed(encoder: bool) -> None:
    from importlib.util import find_spec

    extra, needed = "fit", ("scipy", "sklearn")
    if encoder:
        extra, needed = "encoder", (*needed, "torch", "safetensors")
    if missing := [name for name in needed if find_spec(name) is None]:
        hint = f"pip install 'concede[{extra}]'"
        raise QueryError(f"{', '.join(missing)} not installed", hint=hint)


def _sources(
    sgd: str, clarq: str | None, aware_us: str | None, base: str | None, **given: Any
) -> Sources:
    from .....bench.understanding.labelled_set import Sources

    folders = {"sgd": sgd, "clarq": clarq, "aware_us": aware_us, "base": base}
    for option, folder in folders.items():
        if folder is not None and not Path(folder).is_dir():
            name = "--data" if option == "sgd" else f"--{option.replace('_', '-')}"
            raise QueryError(f"{name}: {folder} is no folder", hint="name the folder of the data")
    paths = {name: None if folder is None else Path(folder) for name, folder in folders.items()}
    return Sources(**paths, **given)


def _measure(sources: Sources, folder: Path, form: str) -> int:
    from .....bench.understanding.curve_plots import check_folder, curve_tables, write_curves
    from .....bench.understanding.curves import measure

    check_folder(folder)
    measured = measure(sources, counted)
    write_curves(measured, folder)
    complain(f"wrote {folder}")
    if form == "json":
        write_json(measured.record())
    else:
        for table in curve_tables(measured):
            write_tables(table)
    return 0


def _table(trained: list[Trained]) -> Any:
    from .....rendering.terminal_table import Grid

    rows = [(part.part, f"{part.size:,}", str(part.path)) for part in trained]
    return Grid("Trained", ("part", "bytes", "file"), rows, frozenset(("bytes",)))
