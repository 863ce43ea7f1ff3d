"""Beside the documents: how well words are understood, and how fast repairs are answered."""

from __future__ import annotations

from typing import Any

from ...throughput.report import Report
from ...throughput.run import run_throughput
from ...throughput.setting import Options
from ...understanding.conversations import read_conversations
from ...understanding.request_records import held_out
from ...understanding.requests import score_requests
from ..stage import Context, Found, Input, Stage

SGD = "sgd"
CONVERSATIONS = {True: 500, False: 4_000}
"""Conversations read, quick or not: the first of the file that are about one service."""


def conversations(context: Context) -> Found:
    """Read the states of conversations turn by turn."""
    limit = CONVERSATIONS[context.quick]
    record = read_conversations(context.folder(SGD), limit=limit).record()
    record.pop("ms_per_turn")
    return {"conversations": limit, **record}


def requests(context: Context) -> Found:
    """Read single requests that nobody looked at."""
    record = score_requests(held_out()).record()
    return {name: value for name, value in record.items() if name != "phenomena"}


def throughput(context: Context) -> Found:
    """Time answers beside other tools' in the quick form; every answer was compared first."""
    report = run_throughput(Options(quick=True))
    return {"times": _times(report)}


def _times(report: Report) -> list[dict[str, Any]]:
    return [
        {
            "section": section.title,
            "case": cell.label,
            "method": result.method,
            "median_ms": result.median_ms,
            "ratio": result.ratio,
        }
        for section in report.sections
        for cell in section.cells
        for result in cell.results
        if result.median_ms is not None
    ]


STAGES = (
    Stage(
        "understand-conversations",
        conversations,
        (Input(f"{SGD}/dialogues.jsonl.gz", 12_174), Input(f"{SGD}/schema.json")),
        f"concede bench understand --data DIR/{SGD} --limit {CONVERSATIONS[False]}",
        smaller=True,
        optional=True,
    ),
    Stage(
        "understand-requests",
        requests,
        (),
        "concede bench understand --requests bench/understanding/held_out/requests.jsonl",
    ),
    Stage("throughput", throughput, (), "concede bench throughput --quick", alone=True),
)
