"""The data folder looked over before anything runs: what is missing, and what was cut short.

Every file is read once: an archive must unfold to its end, JSON must parse, and a file of records
may not hold fewer than were published. Cost: a second for the published data.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from ...catalogs.errors import UnreadableFile
from .stage import Input, Stage

BLOCK = 1 << 20
HINT = "fetch it again, or leave its benchmarks out with --only"


def check_inputs(data: Path, stages: Iterable[Stage]) -> None:
    """Raise `UnreadableFile` for the first file that is missing, or was cut short."""
    if not data.is_dir():
        raise UnreadableFile(str(data), "no such folder", hint="name the folder of the data")
    for each in {needed.path: needed for stage in stages for needed in stage.inputs}.values():
        check_input(data, each)


def is_there(data: Path, stage: Stage) -> bool:
    """Return whether the folders that a stage reads from are there at all."""
    return all((data / each.path).parent.is_dir() for each in stage.inputs)


def check_input(data: Path, each: Input) -> None:
    """Raise `UnreadableFile` for a file that is missing or damaged."""
    path = data / each.path
    try:
        if path.suffix == ".json":
            json.loads(path.read_bytes())
            return
        lines, last = 0, b"\n"
        for block in _blocks(path):
            lines, last = lines + block.count(b"\n"), block[-1:]
    except ValueError:
        raise UnreadableFile(str(path), "it ends too early, or is no JSON", hint=HINT) from None
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadableFile(str(path), reason, hint=HINT) from None
    records = lines + (last != b"\n")
    if records < each.records:
        reason = f"it holds {records:,} of {each.records:,} records or more"
        raise UnreadableFile(str(path), reason, hint=HINT)


def _blocks(path: Path) -> Iterator[bytes]:
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        while block := file.read(BLOCK):
            yield block
