"""Figures of runs for keeping: what they are of and how they were made, without the data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..json_lines import read_records
from ..runs.result_file import result_record, write_result
from .rows import Row


def keep_result(
    path: str | Path,
    rows: Sequence[Row],
    *,
    name: str,
    runs: Iterable[str | Path],
    command: str | None,
    date: str,
) -> None:
    """Write the rows that were scored of these runs as a result.

    What the headers of several runs say differently is left out. Raises `UnreadableFile`.
    """
    headers = [_header(one) for one in runs]
    about: dict[str, Any] = {"benchmark": _agreed(headers, "benchmark")}
    about |= {"command": command, "date": date}
    about |= {"mode": _agreed(headers, "mode"), "catalog": _agreed(headers, "catalog")}
    about["catalog_rows"] = _agreed(headers, "rows")
    known = {key: one for key, one in about.items() if one is not None}
    write_result(path, result_record(name, known, [row.record() for row in rows]))


def _header(path: str | Path) -> Mapping[str, Any]:
    found: Mapping[str, Any] = next(read_records(path, dict[str, Any]))
    return found


def _agreed(headers: Sequence[Mapping[str, Any]], key: str) -> Any:
    told = [one.get(key) for one in headers]
    return told[0] if all(one == told[0] for one in told) else None
