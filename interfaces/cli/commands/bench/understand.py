"""`concede bench understand`: what people say, read and scored turn by turn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from .....catalogs.errors import QueryError
from ...options import POSITIVE, panel_options, tables_or_json
from ...output import complain, counted, write_json, write_tables

_data, _output = panel_options("Data"), panel_options("Output")


@click.command("understand")
@_data(
    "--data",
    "DIR",
    "Conversations in the format of Schema-Guided Dialogue: dialogues.jsonl.gz, schema.json, "
    "catalogs/.",
)
@_data(
    "--requests",
    "FILE",
    "Single requests with gold, JSON lines; their catalogs lie beside them in catalogs/.",
)
@_data(
    "--turns",
    "FILE",
    "Turns of conversations with what each of their sentences does, JSON lines.",
)
@_data("--limit", "N", "With --data: only the first N conversations.", type=POSITIVE)
@_output(
    "--predictions",
    "FILE",
    "With --data: write one JSON line a turn of a person: id, turn, state, acts.",
)
@tables_or_json("Tables for people, or one JSON object.")
def understand(
    data: str | None,
    requests: str | None,
    turns: str | None,
    limit: int | None,
    predictions: str | None,
    form: str,
) -> int:
    """Measure how well words are understood: states and acts of conversations, requests, turns.

    Only texts are read; labels are used to score. Conversations about several services are
    left out. Where labels are withheld the predictions are written and the figures are null.
    """
    if data is None and requests is None and turns is None:
        raise QueryError("nothing to read", hint="give --data, --requests or --turns")
    if data is None and (predictions or limit):
        raise QueryError("--predictions and --limit are about conversations", hint="give --data")
    record: dict[str, Any] = {}
    tables: list[Any] = []
    if data is not None:
        record |= _conversations(Path(data), limit, predictions, tables)
    if requests is not None:
        record |= _requests(requests, tables)
    if turns is not None:
        record |= _turns(Path(turns), tables)
    if form == "json":
        write_json(record)
    else:
        for table in tables:
            write_tables(table)
    return 0


def _conversations(
    folder: Path, limit: int | None, predictions: str | None, tables: list[Any]
) -> dict[str, Any]:
    from .....bench.understanding.conversations import read_conversations
    from .....bench.understanding.understanding_tables import conversation_tables

    report = read_conversations(folder, limit=limit, counted=counted)
    if predictions:
        report.write_predictions(Path(predictions))
        complain(f"wrote {predictions}")
    tables.append(conversation_tables(report))
    return report.record()


def _requests(file: str, tables: list[Any]) -> dict[str, Any]:
    from .....bench.understanding.request_records import read_requests
    from .....bench.understanding.requests import score_requests
    from .....bench.understanding.understanding_tables import request_tables

    scores = score_requests(read_requests(file))
    tables.append(request_tables(scores))
    return {"requests": scores.record()}


def _turns(file: Path, tables: list[Any]) -> dict[str, Any]:
    from .....bench.understanding.turn_records import read_turns
    from .....bench.understanding.turn_scores import score_turns
    from .....bench.understanding.understanding_tables import turn_tables

    scores = score_turns(read_turns(file))
    tables.append(turn_tables(scores))
    return {"acts": scores.record()}
