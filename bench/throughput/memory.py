"""How much memory this process holds, and has held at most."""

from __future__ import annotations

import re
import resource
import sys
from pathlib import Path

STATUS = Path("/proc/self/status")


def resident_bytes() -> int:
    """Return the bytes held now; on systems that do not tell, the most held so far."""
    return _status("VmRSS") or peak_bytes()


def peak_bytes() -> int:
    """Return the most bytes this process has held."""
    # Linux starts ru_maxrss at the parent's where a process was forked, VmHWM at its own.
    measured = _status("VmHWM")
    if measured is not None:
        return measured
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _status(name: str) -> int | None:
    try:
        found = re.search(rf"{name}:\s*(\d+) kB", STATUS.read_text(encoding="ascii"))
    except OSError:
        return None
    return int(found[1]) * 1024 if found else None
