"""Write log: one file of records, appended to by one process and read by others while it grows.

A record is its length, its CRC-32 and its bytes, so that one that was cut off, by the end of the
process that wrote it, is told from a whole one: it is not there. Costs one system call a record.
"""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

HEAD = struct.Struct("<II")
"""Length and CRC-32 of what follows."""


def whole_records(path: Path, offset: int = 0) -> tuple[list[bytes], int]:
    """Return the whole records from an offset on, and where the next one will begin."""
    with path.open("rb") as file:
        file.seek(offset)
        text = file.read()
    records: list[bytes] = []
    place = 0
    while place + HEAD.size <= len(text):
        length, checksum = HEAD.unpack_from(text, place)
        record = text[place + HEAD.size : place + HEAD.size + length]
        if len(record) < length or zlib.crc32(record) != checksum:
            break
        records.append(record)
        place += HEAD.size + length
    return records, offset + place


class WriteLog:
    """The end of a log that this process alone appends to; what was cut off there is cut away."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        _, self.size = whole_records(path)
        os.ftruncate(self._file, self.size)

    def append(self, record: bytes) -> None:
        """Add a record; raises `OSError`, and then the log is as it was."""
        text = HEAD.pack(len(record), zlib.crc32(record)) + record
        try:
            written = 0
            while written < len(text):
                written += os.pwrite(self._file, text[written:], self.size + written)
        except OSError:
            os.ftruncate(self._file, self.size)
            raise
        self.size += len(text)

    def close(self) -> None:
        """Give the file back; twice is no harm."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
