"""A result on disk: the figures of a run, and nothing of what was asked or said in it.

    {"kind": "result", "version": 1, "name": …, "benchmark": …, "command": …, "date": …,
     "mode": …, "catalog": …, "catalog_rows": …, "rows": [{"setting": …, "n": …, "relax_match": …}]}

A bare list of rows, as `bench score --format json` prints it, is read as well.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ...catalogs.errors import QueryError, UnreadableFile, excerpt
from ...dialogs.transcripts.text_file import TOO_DEEP, strict_json
from ..bootstrap import Interval
from ..text_files import naming, write_text

RESULT = "result"
VERSION = 1
MAX_BYTES = 32_000_000
MAX_ROWS = 10_000
LARGEST = 1e15

ABOUT = ("benchmark", "mode", "command", "date", "catalog")
"""Texts that describe a result; each may be missing."""

WITHHELD = ("failures", "printed", "differs")
"""Keys of a row that are no figures of the run: they name instances, or stand in a paper."""

Figure = float | None


@dataclass(frozen=True)
class Figures:
    """One row: `labels` say of what, `values` hold fractions, means, or None where undefined."""

    labels: Mapping[str, str]
    n: int
    values: Mapping[str, Figure]
    intervals: Mapping[str, Interval] = field(default_factory=dict[str, Interval])
    pass_hats: Mapping[int, float] = field(default_factory=dict[int, float])


@dataclass(frozen=True)
class Result:
    """The figures of a run and where they come from; `about` holds what of `ABOUT` is known."""

    name: str
    about: Mapping[str, str]
    catalog_rows: int | None
    rows: Sequence[Figures]


def result_record(
    name: str, about: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the JSON object of a result, without what would tell the data itself."""
    kept = [{key: row[key] for key in row if key not in WITHHELD} for row in rows]
    return {"kind": RESULT, "version": VERSION, "name": name, **about, "rows": kept}


def write_result(path: str | Path, record: Mapping[str, Any]) -> None:
    """Write a result, a row a line, so that a change of one row shows as one line.

    Raises `UnreadableFile` where it cannot be written.
    """
    head = json.dumps({**record, "rows": []}, indent=1, ensure_ascii=True)
    rows = ",\n".join(f"  {json.dumps(row, ensure_ascii=True)}" for row in record["rows"])
    text = f"{head.removesuffix('[]' + chr(10) + '}')}[\n{rows}\n ]\n}}\n"
    write_text(path, text)


def read_result(path: str | Path) -> Result | None:
    """Return a result from its file; None for JSON of another kind.

    Raises `UnreadableFile` for what is no JSON, of another version, or damaged.
    """
    value = _json(Path(path))
    if isinstance(value, list):
        rows = cast("list[object]", value)
        if not rows or not all(isinstance(row, Mapping) and "n" in row for row in rows):
            return None
        value = {"name": Path(path).stem, "kind": RESULT, "version": VERSION, "rows": rows}
    if not isinstance(value, Mapping) or cast("Any", value).get("kind") != RESULT:
        return None
    record = cast("Mapping[str, Any]", value)
    if record.get("version") != VERSION:
        reason = f"result version {excerpt(record.get('version'))}"
        raise UnreadableFile(str(path), reason, hint=f"this release reads {VERSION}")
    try:
        return _result(record)
    except QueryError as error:
        raise UnreadableFile(str(path), error.problem, hint=error.hint) from None


def _json(path: Path) -> object:
    try:
        with naming(path), path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise UnreadableFile(str(path), f"more than {MAX_BYTES:,} bytes")
        return strict_json(data)
    except RecursionError:
        raise UnreadableFile(str(path), TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise UnreadableFile(str(path), f"line {error.lineno}: not JSON: {error.msg}") from None
    except ValueError as error:
        raise UnreadableFile(str(path), f"not JSON: {error}") from None


def _result(record: Mapping[str, Any]) -> Result:
    name, rows = record.get("name"), record.get("rows")
    if not isinstance(name, str) or not name:
        raise QueryError(f"name {excerpt(name)}", hint="name the result")
    if not isinstance(rows, list) or len(cast("list[Any]", rows)) > MAX_ROWS:
        raise QueryError("no rows", hint=f"give a list of at most {MAX_ROWS:,}")
    about = {key: record[key] for key in ABOUT if isinstance(record.get(key), str)}
    count = record.get("catalog_rows")
    figures = [_numbered(at, row) for at, row in enumerate(cast("list[object]", rows))]
    return Result(name, about, count if isinstance(count, int) else None, figures)


def _numbered(at: int, row: object) -> Figures:
    try:
        if not isinstance(row, Mapping):
            raise QueryError(f"{excerpt(row)} is no object")
        return figures_of(cast("Mapping[str, Any]", row))
    except QueryError as error:
        raise QueryError(f"row {at}: {error.problem}", hint=error.hint) from None


def figures_of(row: Mapping[str, Any]) -> Figures:
    """Return a row's figures: texts are labels, numbers metrics. Raises `QueryError`."""
    n = row.get("n")
    if not isinstance(n, int) or isinstance(n, bool) or n < 0:
        raise QueryError(f"n {excerpt(n)} is no count")
    flat = {key: value for key, value in row.items() if key not in ("n", "skipped")}
    values = {
        key: _number(key, value) for key, value in flat.items() if value is None or _counts(value)
    }
    labels = {key: value for key, value in flat.items() if isinstance(value, str)}
    spans = {
        key: _interval(key, value) for key, value in _object(row, "intervals").items() if value
    }
    repeated = _object(row, "pass_hat")
    hats = {_power(key): _number(f"pass^{key}", value) for key, value in repeated.items()}
    known = {k: chance for k, chance in sorted(hats.items()) if chance is not None}
    return Figures(labels, n, values, spans, known)


def _counts(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(name: str, value: object) -> Figure:
    if value is None:
        return None
    # A longer whole number is no float.
    if isinstance(value, int | float) and _counts(value) and abs(value) < LARGEST:
        return float(value)
    raise QueryError(f"{name} {excerpt(value)} is no number")


def _interval(name: str, value: object) -> Interval:
    ends = cast("list[object]", value) if isinstance(value, list) else []
    low, high = (_number(name, end) for end in ends) if len(ends) == 2 else (None, None)
    if low is None or high is None or low > high:
        raise QueryError(
            f"interval of {name} {excerpt(cast('object', value))}", hint="give [low, high]"
        )
    return low, high


def _power(key: str) -> int:
    if not (key.isascii() and key.isdigit() and len(key) < 4):
        raise QueryError(f"pass_hat of {excerpt(key)}", hint="give {k: chance}")
    return int(key)


def _object(row: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = row.get(key)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise QueryError(f"{key} {excerpt(value)} is no object")
    return cast("Mapping[str, Any]", value)
