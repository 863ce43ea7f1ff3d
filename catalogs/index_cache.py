"""What a writable catalog knows of its columns, kept beside its file: a hint, never the truth.

The file ends with a checksum of itself, and each column comes with a hash of the values it was
made from. What does not fit is not used, and is found anew from the rows.

    magic · length of the header, 8 bytes · header, JSON · arrays, one after another · checksum
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import duckdb
import numpy as np
from numpy.typing import NDArray

from .buckets import BUCKETS, Buckets
from .column_copies import MAX_TEXTS, Copy, NumberCopy, TextCopy
from .predicate import quoted

if TYPE_CHECKING:
    from .snapshot import Snapshot

MAGIC = b"concede index 1\n"
DIGEST = 32
MAX_HEADER = 2**30

Fitness = Literal["fresh", "partly stale", "stale", "damaged", "missing"]
Header = dict[str, Any]


class Unusable(ValueError):
    """A cache that cannot be what it says."""


def save(snapshot: Snapshot, path: Path) -> None:
    """Write what a version knows of its columns; the file is replaced at once or not at all."""
    hashes = column_hashes(snapshot)
    numbers = snapshot.slice(()).ids.astype(np.intp)
    columns: list[Header] = []
    arrays: list[NDArray[Any]] = []
    copies, ends = snapshot.copies.held()
    for name, copy in copies.items():
        described = _described(copy, numbers, arrays)
        if described is not None:
            kind = snapshot.schema.find(name).sql_type
            known = {"name": name, "type": kind, "hash": hashes[name], "ends": ends.get(name)}
            columns.append(known | described)
    header = {"duckdb": duckdb.__version__, "rows": len(numbers), "columns": columns}
    _write(path, json.dumps(header).encode(), arrays)


def _described(copy: Copy, numbers: NDArray[np.intp], arrays: list[NDArray[Any]]) -> Header | None:
    """Return a copy as a JSON object, its arrays put aside; None for one that is not kept."""
    if isinstance(copy, NumberCopy):
        arrays.append(copy.values[numbers])
        edges: list[float] | None = None
        if copy.has_buckets:
            arrays.append(copy.buckets.octets[numbers])
            edges = [one for one in copy.buckets.edges.tolist() if np.isfinite(one)]
        return {"exact": copy.exact, "edges": edges}
    if isinstance(copy, TextCopy):
        arrays.append(copy.codes[numbers])
        return {"texts": list(copy.values)}
    return None


def _write(path: Path, header: bytes, arrays: list[NDArray[Any]]) -> None:
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    checksum = blake2b(digest_size=DIGEST)
    try:
        with beside.open("wb") as opened:
            pieces = [MAGIC, len(header).to_bytes(8, "little"), header]
            for piece in (*pieces, *(array.tobytes() for array in arrays)):
                checksum.update(piece)
                opened.write(piece)
            opened.write(checksum.digest())
            opened.flush()
            os.fsync(opened.fileno())
        beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink()


def take(snapshot: Snapshot, path: Path) -> Fitness:
    """Give a version what the cache knows and is still true; return how well it fitted."""
    try:
        content = path.read_bytes()
    except OSError:
        return "missing"
    try:
        header, arrays = _read(content)
        copies = dict(_copies(header, arrays))
    except (Unusable, ValueError, KeyError, TypeError, RecursionError):
        return "damaged"
    if header["duckdb"] != duckdb.__version__ or header["rows"] != snapshot.universe:
        return "stale"
    hashes = column_hashes(snapshot)
    types = {column.name: column.sql_type for column in snapshot.schema.columns}
    fitting = 0
    for known in cast("list[Header]", header["columns"]):
        name = known["name"]
        if types.get(name) == known["type"] and hashes[name] == known["hash"]:
            fitting += 1
            snapshot.copies.take(name, copies[name])
            if known["ends"] is not None:
                snapshot.copies.take_ends(name, (known["ends"][0], known["ends"][1]))
    return "fresh" if fitting == len(types) else "partly stale" if fitting else "stale"


def column_hashes(snapshot: Snapshot) -> dict[str, str]:
    """Return a hash of each column's values and of the rows they stand in."""
    listed = ", ".join(
        f"coalesce(bit_xor(hash({snapshot.table.row_id}, {quoted(name)})), 0)"
        for name in snapshot.columns
    )
    found = snapshot.cursor().execute(f"SELECT {listed} FROM {snapshot.rows_clause}").fetchall()
    return {name: str(one) for name, one in zip(snapshot.columns, found[0], strict=True)}


def _read(content: bytes) -> tuple[Header, memoryview]:
    """Return the header and the arrays behind it; raise `Unusable`."""
    body, checksum = content[:-DIGEST], content[-DIGEST:]
    if not body.startswith(MAGIC) or blake2b(body, digest_size=DIGEST).digest() != checksum:
        raise Unusable("the checksum is another")
    start = len(MAGIC) + 8
    length = int.from_bytes(body[len(MAGIC) : start], "little")
    if not 0 < length <= min(MAX_HEADER, len(body) - start):
        raise Unusable("no header")
    header: Any = json.loads(body[start : start + length])
    if not isinstance(header, dict):
        raise Unusable("no header")
    return cast("Header", header), memoryview(body)[start + length :]


def _copies(header: Header, arrays: memoryview) -> Iterator[tuple[str, Copy]]:
    rows, at = int(header["rows"]), 0

    def taken(dtype: type[np.generic]) -> NDArray[Any]:
        nonlocal at
        size = rows * np.dtype(dtype).itemsize
        if not 0 <= size <= len(arrays) - at:
            raise Unusable("too short")
        # Copied, since kernels read by address and the file's arrays begin anywhere.
        found = np.frombuffer(arrays[at : at + size], dtype=dtype).copy()
        found.flags.writeable = False
        at += size
        return found

    for known in cast("list[Mapping[str, Any]]", header["columns"]):
        if "texts" in known:
            yield str(known["name"]), _texts(known["texts"], taken(np.uint16))
            continue
        copy = NumberCopy(taken(np.float64), bool(known["exact"]))
        if known["edges"] is not None:
            edges = [float(one) for one in known["edges"]]
            edges += [np.inf] * (BUCKETS - len(edges))
            copy.__dict__["buckets"] = Buckets(np.array(edges), taken(np.uint8))
        yield str(known["name"]), copy


def _texts(texts: list[Any], codes: NDArray[np.uint16]) -> TextCopy:
    known = codes[codes != MAX_TEXTS]
    if len(texts) > MAX_TEXTS or (len(known) and int(known.max()) >= len(texts)):
        raise Unusable("a code without a text")
    return TextCopy(codes, texts)
