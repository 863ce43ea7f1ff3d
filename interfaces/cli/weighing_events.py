"""`concede weigh` from files: probes by the weighter `evidence`, factors by `behaviour`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...catalogs.errors import ConcedeError, QueryError, UnreadableFile
from .output import complain, spinning, write_json, write_tables
from .query_options import CatalogOptions, open_catalog

if TYPE_CHECKING:
    from ...dialogs.weighters.evidence.behaviour import Behaviour
    from ...dialogs.weighters.evidence.events import Probe

DIGITS = 6


@dataclass(frozen=True)
class WeighingFiles:
    """The files that a weighter reads instead of a text, and the column that names items."""

    key: str | None
    events: str | None
    probes: str | None
    factors: str | None

    def check(self, weighter: str) -> None:
        """Raise `QueryError` for files that the weighter does not read, or that it lacks."""
        wanted = {"evidence": ("key", "events", "probes"), "behaviour": ("factors",)}
        own = wanted.get(weighter, ())
        for name, value in vars(self).items():
            if value is not None and name not in own:
                raise QueryError(f"--{name} with --weighter {weighter}", hint="leave it out")
            if value is None and name in own:
                problem = f"--weighter {weighter} without --{name}"
                raise QueryError(problem, hint=f"give --{' --'.join(own)}")


def weigh_probes(files: WeighingFiles, options: CatalogOptions) -> None:
    """Write what each probe's constraints weigh for its person, and what would be clicked."""
    from ...dialogs.weighters.evidence.behaviour import Behaviour
    from ...dialogs.weighters.evidence.events import Probe, read_lines

    events, probes = str(files.events), str(files.probes)
    with spinning(f"reading {events}"):
        asked = list(read_lines(Path(probes), Probe))
        behaviour = Behaviour.read(open_catalog(options), str(files.key), events)
    records: list[dict[str, Any]] = []
    for line, probe in asked:
        try:
            records.append(probe_record(behaviour, probe))
        except QueryError as error:
            raise UnreadableFile(probes, f"line {line}: {error}") from None
    _write(records, options.form)
    skipped = behaviour.skipped.items
    if skipped:
        items = "item" if skipped == 1 else "items"
        complain(f"{skipped} {items} shown not in the catalog: skipped")


def probe_record(behaviour: Behaviour, probe: Probe) -> dict[str, Any]:
    """Return weights, confidence, events, and chances of what is shown."""
    from ...dialogs.weighters.evidence.weighter import EvidenceWeighter

    chances = behaviour.chances(probe)
    weighing = EvidenceWeighter(behaviour, probe.user).weigh("", probe.constraints)
    return {
        "id": probe.id,
        "weights": [round(part.weight, DIGITS) for part in weighing],
        "confidence": [round(part.confidence, DIGITS) for part in weighing],
        "because": [list(part.because) for part in weighing],
        "choice": [round(chance, DIGITS) for chance in chances],
    }


def weigh_factors(files: WeighingFiles, form: str) -> None:
    """Write the published weight of each factor of a file."""
    from ...dialogs.transcripts.text_file import parsed, read_bytes
    from ...dialogs.weighters.factors import factor_of

    path = Path(str(files.factors))
    records: list[dict[str, Any]] = []
    for line, text in enumerate(read_bytes(path).split(b"\n"), 1):
        if not text.strip():
            continue
        record = parsed(path, text, line, strict=True)
        try:
            factor = factor_of(record)
        except ConcedeError as error:
            raise UnreadableFile(str(path), f"line {line}: {error}") from None
        records.append({"id": factor.id, "weight": round(factor.weight, DIGITS)})
    _write(records, form)


def _write(records: list[dict[str, Any]], form: str) -> None:
    if form == "json":
        write_json(records)
    elif form == "ndjson":
        for record in records:
            write_json(record, indent=None)
    else:
        write_tables(_table(records))


def _table(records: list[dict[str, Any]]) -> Any:
    from rich.text import Text

    from ...rendering.terminal_table import Grid, cut

    if not records:
        return Text("Nothing to weigh in this file.")
    rows = [[cut(_cell(value)) for value in record.values()] for record in records]
    return Grid("Weights", tuple(records[0]), rows, frozenset())


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        return ", ".join(map(_cell, value)) or "–"  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] anything of JSON
    return str(value)


def of_options(given: Mapping[str, Any]) -> WeighingFiles:
    """Return the files that the options name."""
    return WeighingFiles(given["key"], given["events"], given["probes"], given["factors"])
