"""Running the command line in tests, in this process or in one of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROGRAM = "import sys; from concede.interfaces.cli.main import main; main(sys.argv[1:])"

CARS = """\
Make,Model,Year,MSRP,highway MPG,fuel,listed
Lexus,IS 250,2013,35065,30,premium,2024-01-05
Lexus,ES 300h,2015,41020,39,regular,2024-02-10
Lexus,GS 400,2000,3965,22,regular,2023-11-30
Lexus,LS 400,1999,4556,23,regular,2023-12-24
BMW,328i,2012,38500,34,premium,2024-03-01
BMW,i3,2016,42400,,electric,2024-03-02
BMW,X5,2017,56600,25,diesel,
Audi,A4,2016,37300,32,premium,2024-01-31
"""

QUERY = ("--catalog", "cars.csv", "--base", "Make = 'Lexus'")
ASKED = ("--where", 'MSRP <= 24515 AND Year >= 2016 AND "highway MPG" >= 33')
"""Infeasible over `CARS`, with `QUERY`: no Lexus is of 2016, and the thrifty one is dear."""


@dataclass(frozen=True)
class Outcome:
    """What a run of the command line left: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON, read as strictly as JSON is defined."""
        return json.loads(self.out, parse_constant=_refuse)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def in_own_process(
    *arguments: str,
    folder: Path,
    environment: Mapping[str, str] | None = None,
    typed: str | None = None,
) -> Outcome:
    """Run the command line as a program of its own; `typed`: its standard input."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        capture_output=True,
        input=typed,
        cwd=folder,
        env={**os.environ, **(environment or {})},
        encoding="utf-8",
        errors="surrogateescape",
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def listing(folder: Path) -> dict[str, tuple[int, int]]:
    """Return every file below a folder with its size and time of change."""
    return {
        str(path.relative_to(folder)): (path.stat().st_size, path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
    }
