"""A person at the terminal: lines shown on standard error, and lines read from standard input."""

from __future__ import annotations

import sys

from ...catalogs.errors import one_line

LONGEST_LINE = 100_000


def say(text: str) -> None:
    """Write lines to standard error: what an agent says commands no terminal."""
    for line in text.split("\n"):
        print(one_line(line), file=sys.stderr, flush=True)


def hear(prompt: str = "") -> str:
    """Return a line of standard input; raise `EOFError` at its end.

    The prompt is shown to a person only, not to a script.
    """
    if sys.stdin.isatty():
        print(f"{prompt}> ", end="", file=sys.stderr, flush=True)
    if not (line := sys.stdin.readline(LONGEST_LINE)):
        raise EOFError
    return line.rstrip("\n")
