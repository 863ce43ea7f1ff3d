"""Kill -9 of any process of a service in the middle of writes: is all that was acknowledged there?

Writers raise the price of their own items one by one. After each kill, of the owner, a follower or
the parent of both, every price must be at least the one acknowledged, at the version told with it.
"""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .calls import PAUSE, answered, call
from .server import Server, serving

WRITERS = 2
ITEMS = 20
BACK_SECONDS = 400.0
"""How long processes may take to come back on a machine that has other things to do."""

CATALOG = "/v1/catalogs/shop/rows"


@dataclass
class Killed:
    """How often each kind of process was killed, and what was missing afterwards."""

    kills: dict[str, int] = field(default_factory=dict[str, int])
    acknowledged: int = 0
    lost: int = 0
    went_back: int = 0
    complaints: list[str] = field(default_factory=list[str])


def kill_and_look(folder: Path, file: Path, rounds: int, workers: int, seed: int = 5) -> Killed:
    """Kill so many processes of a service over a .duckdb file, one after another."""
    killed, dice = Killed(), random.Random(seed)
    known: dict[int, int] = {}
    version = 0
    while sum(killed.kills.values()) < rounds:
        with serving(folder, file, "sku", ("--workers", str(workers))) as server:
            version = max(version, _look(server, known, killed, version))
            victim = ""
            while victim != "parent" and sum(killed.kills.values()) < rounds:
                victim = dice.choice(("owner", "owner", "follower", "follower", "parent"))
                version = max(version, _round(server, known, killed, victim, dice))
                if victim != "parent":
                    version = max(version, _look(server, known, killed, version))
    return killed


def _round(
    server: Server, known: dict[int, int], killed: Killed, victim: str, dice: random.Random
) -> int:
    """Write, kill in the middle of it, and write on where somebody is left; return the version."""
    over = threading.Event()
    versions = [0]
    writers = [
        threading.Thread(target=_write, args=(server, n, known, killed, over, versions))
        for n in range(WRITERS)
    ]
    for writer in writers:
        writer.start()
    try:
        process = _process(server, victim)
        time.sleep(dice.uniform(0.05, 0.4))
        os.kill(process, signal.SIGKILL)
        killed.kills[victim] = killed.kills.get(victim, 0) + 1
        time.sleep(0.3)
    finally:
        over.set()
        for writer in writers:
            writer.join()
    if victim == "parent":
        _wait_for_the_end(server)
    return max(versions)


def _write(
    server: Server,
    place: int,
    known: dict[int, int],
    killed: Killed,
    over: threading.Event,
    versions: list[int],
) -> None:
    while not over.is_set():
        for sku in range(place * ITEMS, (place + 1) * ITEMS):
            price = known.get(sku, 0) + 1
            rows = {"rows": [{"sku": sku, "price": price}]}
            try:
                status, told = call(server, "POST", CATALOG, rows)
            except OSError:
                time.sleep(PAUSE)
            else:
                if status == 200:
                    known[sku] = price
                    killed.acknowledged += 1
                    versions.append(told["version"])
            if over.is_set():
                return


def _look(server: Server, known: dict[int, int], killed: Killed, version: int) -> int:
    """Compare the prices there are with those acknowledged; return the version looked at."""
    keys = "&".join(f"key={sku}" for sku in range(WRITERS * ITEMS))
    status, told = answered(server, "GET", f"{CATALOG}?{keys}&min_version={max(version, 1)}")
    if status != 200:
        killed.went_back += 1
        killed.complaints.append(str(told)[:200])
        return 0
    there = {each["row"]["sku"]: each["row"]["price"] for each in told["rows"]}
    for sku, price in known.items():
        # One that was not acknowledged may be there all the same.
        if there.get(sku, 0) < price:
            killed.lost += 1
            killed.complaints.append(f"{sku}: {there.get(sku)}, acknowledged {price}")
        known[sku] = max(price, there.get(sku, 0))
    return int(told["catalog_version"])


def _process(server: Server, kind: str) -> int:
    """Return the id of a process of a kind, once all of them answer."""
    if kind == "parent":
        return server.pid
    workers = _once(lambda: found if len(found := workers_of(server.pid)) > 1 else None)
    owner = _once(lambda: _owner(server.pid, workers))
    return owner if kind == "owner" else next(pid for pid in workers if pid != owner)


def workers_of(parent: int) -> list[int]:
    """Return the ids of the worker processes of a service."""
    listed = [path.read_text().split() for path in Path(f"/proc/{parent}/task").glob("*/children")]
    return [int(pid) for pids in listed for pid in pids if "spawn_main" in _command(int(pid))]


def _owner(parent: int, workers: list[int]) -> int | None:
    """Return the worker that holds the owner's socket."""
    for pid in workers:
        with suppress(OSError):
            held = {os.readlink(each) for each in Path(f"/proc/{pid}/fd").iterdir()}
            if any(name.endswith("/owner.lock") for name in held):
                return pid
    return None


def _command(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text()
    return ""


def _once(look: Callable[[], Any]) -> Any:
    """Return what a look finds, as soon as it finds something."""
    until = time.monotonic() + BACK_SECONDS
    while (found := look()) is None:
        if time.monotonic() > until:
            raise TimeoutError("the processes did not come back")
        time.sleep(0.02)
    return found


def _wait_for_the_end(server: Server) -> None:
    """Wait until a killed service's workers have ended: the next one opens the same file."""

    def is_over() -> bool | None:
        with suppress(OSError):
            call(server, "GET", "/healthz")
            return None
        return True

    _once(is_over)
