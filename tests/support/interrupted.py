"""A program in a process of its own, sent SIGINT once DuckDB runs its statement.

It prints a line before each statement begins, so that nobody has to guess how long that takes.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

TOO_LONG = 60
"""Seconds after which a program that was interrupted is killed: it did not hear."""

ANNOUNCING = """
import os, signal, sys
import duckdb

class Connection:
    '''Announces every statement that matters before it runs.'''

    def __init__(self, connection):
        self._connection = connection

    def execute(self, sql, *values):
        # Reading no row, to see what type it has, takes no time.
        if {marker!r} in str(sql) and not str(sql).endswith("LIMIT 0"):
            os.write({descriptor}, b"x")
        result = self._connection.execute(sql, *values)
        return self if result is self._connection else result

    def cursor(self):
        return Connection(self._connection.cursor())

    def __getattr__(self, name):
        return getattr(self._connection, name)

connect = duckdb.connect
duckdb.connect = lambda *args, **options: Connection(connect(*args, **options))
signal.signal(signal.SIGINT, signal.default_int_handler)
"""

PAUSE = 0.2
"""Seconds from the announcement of a statement to the signal: DuckDB is well inside it."""


def interrupted(program: str, marker: str, folder: Path, *arguments: str) -> tuple[int, str]:
    """Run a program; send SIGINT while the first statement with `marker` runs.

    Return its exit code and what it wrote to standard error.
    """
    reading, writing = os.pipe()
    source = ANNOUNCING.format(marker=marker, descriptor=writing) + program
    with subprocess.Popen(
        [sys.executable, "-c", source, *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        pass_fds=[writing],
    ) as process:
        os.close(writing)
        signaller = threading.Thread(target=_signal, args=(process, reading), daemon=True)
        signaller.start()
        try:
            _, errors = process.communicate(timeout=TOO_LONG)
        finally:
            process.kill()
            # Ends the thread where no statement was announced: the program holds the other end.
            signaller.join()
            os.close(reading)
    return process.returncode, errors


def _signal(process: "subprocess.Popen[str]", reading: int) -> None:
    if os.read(reading, 1):
        threading.Event().wait(PAUSE)
        process.send_signal(signal.SIGINT)


def command(arguments: Sequence[str]) -> str:
    """Return a program that runs the command line."""
    return f"from concede.interfaces.cli.main import main; main({list(arguments)!r})"
