"""CPU seconds of other processes on this machine, as Linux counts them, children included."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def seconds_below(pid: int) -> float:
    """Return what a process, all below it, and their children that ended have used so far."""
    return sum(_seconds(each) for each in _below(pid))


def _below(pid: int) -> Iterable[int]:
    children: dict[int, list[int]] = {}
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            fields = _fields(int(place.name))
            if fields:
                children.setdefault(int(fields[1]), []).append(int(place.name))
    waiting = [pid]
    while waiting:
        yield (each := waiting.pop())
        waiting += children.get(each, [])


def _fields(pid: int) -> list[str]:
    """Return what `/proc/PID/stat` says behind the process's name; nothing once it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return []


def _seconds(pid: int) -> float:
    fields = _fields(pid)
    return sum(map(int, fields[11:15])) / TICKS if fields else 0.0
