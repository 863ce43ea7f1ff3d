"""The command line's benchmarks: `concede bench` and its commands.

To add a benchmark, write a click command in one file (docs/templates/benchmark.py is one). Then

- built in: put the file beside this one, and add one line to `BUILT_IN` below;
- in another package: name the command as an entry point in the group `concede.benchmarks`.
"""

from __future__ import annotations

import rich_click as click

from ...command_group import CommandGroup

ENTRY_POINTS = "concede.benchmarks"

BUILT_IN = {
    "apec": (".apec", "apec"),
    "apec-judge": (".apec", "apec_judge"),
    "apec-seeds": (".apec", "apec_seeds"),
    "aware-us": (".aware_us", "aware_us"),
    "benyfits": (".benyfits", "benyfits"),
    "benyfits-build": (".benyfits", "benyfits_build"),
    "benyfits-features": (".benyfits_features", "benyfits_features"),
    "clarify": (".clarify", "clarify"),
    "clarq": (".clarq", "clarq"),
    "compare": (".run", "compare"),
    "generate": (".generate", "generate"),
    "mapsat": (".mapsat", "mapsat"),
    "mapsat-build": (".mapsat_tasks", "mapsat_build"),
    "report": (".report", "report"),
    "reproduce": (".reproduce", "reproduce"),
    "run": (".run", "run_command"),
    "score": (".run", "score"),
    "serve": (".serve", "serve"),
    "throughput": (".throughput", "throughput"),
    "understand": (".understand", "understand"),
}


@click.group("bench", cls=CommandGroup, package=__package__, built_in=BUILT_IN, offers=ENTRY_POINTS)
def bench_commands() -> None:
    """Measure how well, and how fast, beside others."""
