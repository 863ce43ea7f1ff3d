"""A small folder of MapSatisfyBench data, made up, and how to spoil a field of it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

TASKS = [
    {
        "id": "t-1",
        "query": "coffee near the mall",
        "implicit_intent": [
            {"text": "quiet", "type": "soft", "confidence": 1.2, "evidence": "画像证据：likes it"},
            {"text": "open", "type": "hard", "confidence": 0.8, "evidence": "会话/上下文证据：now"},
        ],
        "max_clarifications": 3,
        "expected_tools": ["search_poi", "get_navigation"],
    },
    {
        "id": "t-2",
        "query": "how far is the station",
        "implicit_intent": [],
        "max_clarifications": 1,
        "expected_tools": ["get_navigation"],
    },
]


def run(task: str, model: str, **changes: Any) -> dict[str, Any]:
    """Return a run whose stored figures follow from its details, but for the changes."""
    with_factors = task == "t-1"
    rubrics = [
        {"type": "soft", "weight": 1.2, "credit": 0.75},
        {"type": "hard", "weight": 0.8, "credit": 1.0},
    ]
    iisr, eff = (0.85 if with_factors else 1.0), (0.6 if with_factors else 0.5)
    return {
        "id": task,
        "model": model,
        "n_assistant_turns": 2,
        "tools_called": ["search_user_profile", "search_poi"],
        "metrics": {
            "ECR": 0.5, "IISR": iisr, "AR": iisr / 2, "TS": 0.3333, "IFS": 1.0, "Eff": eff,
            "SES": round(iisr / 2 * eff, 4), "CEI": 1.0, "total_tokens": 1000,
        },
        "details": {
            "ECR": {"numerator": 1, "denominator": 2},
            "IFS": {"numerator": 3, "denominator": 3},
            "IISR": {"rubrics": rubrics if with_factors else []},
            "TS": {
                "gold_tools": ["search_poi", "get_navigation"], "correct_tools": ["search_poi"],
                "incorrect_tools": ["get_navigation"], "extra_tools": ["get_rgeo"],
                "missed_tools": [],
            },
        },
        **changes,
    }  # fmt: skip


RUNS = [run("t-1", "one"), run("t-2", "one"), run("t-1", "two", n_assistant_turns=5)]


def changed(record: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return a copy of a record with another value at a place such as `details.ECR.numerator`."""
    found = copy.deepcopy(record)
    *way, last = path.split(".")
    inner: Any = found
    for step in way:
        inner = inner[int(step) if step.isdigit() else step]
    inner[last] = value
    return found


def write_data(
    folder: Path, tasks: Iterable[Any] = tuple(TASKS), runs: Iterable[Any] = tuple(RUNS)
) -> Path:
    """Write a folder of data; return it."""
    folder.mkdir(exist_ok=True)
    for name, records in (("tasks", tasks), ("model_metrics", runs)):
        lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return folder
