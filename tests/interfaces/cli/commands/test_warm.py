"""A first use without a wait: NumPy answers, kernels are compiled beside; `concede warm`."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ROWS = 70_000
ASKED = ["--where", "price < 2 AND rating >= 4.9 AND stock AND brand = 'b3'", "--format", "json"]

UNWRITABLE = """
import os, tempfile
def refuse(*given, **named): raise PermissionError("read only")
tempfile.TemporaryFile = refuse
"""

LOADED = """
import json
from concede.catalogs.vectors.kernel_use import KERNELS, kernels_are_used
assert kernels_are_used(70_000)
from concede.solvers.enumeration import kernels
from concede.catalogs.vectors.numba_kernel import DECLARED
for kernel in DECLARED:
    kernel.prepare()
print(json.dumps([
    [len(one.dispatcher.signatures), sum(one.dispatcher.stats.cache_misses.values())]
    for one in DECLARED
]))
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory) -> Path:
    """A catalog of more rows than NumPy reads once the kernels are there."""
    dice = np.random.default_rng(3)
    columns = {
        "price": dice.integers(100, 90_000, ROWS) / 100,
        "rating": dice.integers(0, 50, ROWS) / 10,
        "stock": dice.random(ROWS) < 0.5,
        "brand": [f"b{number}" for number in dice.integers(0, 12, ROWS)],
    }
    path = tmp_path_factory.mktemp("shop") / "shop.parquet"
    pq.write_table(pa.table(columns), path)
    return path


def run(cache: Path, *command: str, kernels: str = "auto") -> subprocess.CompletedProcess[str]:
    """Run Python with an empty cache of kernels of its own; ends once its pipes are closed."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache), "CONCEDE_KERNELS": kernels}
    return subprocess.run(
        [sys.executable, *command],
        env=environment, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip


def repair(cache: Path, shop: Path, kernels: str = "auto") -> subprocess.CompletedProcess[str]:
    arguments = ["-m", "concede", "repair", "--catalog", str(shop), *ASKED]
    return run(cache, *arguments, kernels=kernels)


def end_compiler(cache: Path) -> int:
    """End the process that a command left behind; return its number."""
    (lock,) = cache.glob("*.lock")
    process = int(lock.read_text())
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
    return process


@pytest.mark.slow
def test_nobody_waits_and_warm_leaves_nothing_to_compile(tmp_path, shop):
    cache = tmp_path / "cache"
    first = repair(cache, shop)
    assert first.returncode == 0
    assert first.stderr.count("\n") == 1
    assert "compiled in the background" in first.stderr
    # Its pipes are closed, while the compiler still is at work: in a session without a terminal.
    second = repair(cache, shop)
    assert (second.stdout, second.stderr) == (first.stdout, "")
    if Path("/proc").is_dir():
        check_detached(cache)
    end_compiler(cache)
    # Ended too early: it is not tried again at once.
    assert repair(cache, shop).stderr == ""

    warm = run(cache, "-m", "concede", "warm", "--format", "json")
    assert warm.returncode == 0, warm.stderr
    told = json.loads(warm.stdout)
    assert 0 < told["compiled"] <= told["kernels"]
    assert told["folder"] == str(cache)
    again = json.loads(run(cache, "-m", "concede", "warm", "--format", "json").stdout)
    assert (again["compiled"], again["kernels"]) == (0, told["kernels"])

    loaded = json.loads(run(cache, "-c", LOADED, kernels="wait").stdout)
    assert loaded == [[1, 0]] * told["kernels"]
    # As in an image that is read only.
    read_only = json.loads(run(cache, "-c", UNWRITABLE + LOADED, kernels="wait").stdout)
    assert read_only == loaded
    by_kernels = repair(cache, shop, kernels="wait")
    assert (by_kernels.stdout, by_kernels.stderr) == (first.stdout, "")


def check_detached(cache: Path) -> None:
    """Check what the process that compiles has of the command that started it: nothing."""
    (lock,) = cache.glob("*.lock")
    process = Path("/proc", lock.read_text().strip())
    streams = {os.readlink(process / "fd" / str(number)) for number in range(3)}
    assert streams == {os.devnull}
    session, terminal = process.joinpath("stat").read_text().rpartition(")")[2].split()[3:5]
    assert (session, terminal) == (process.name, "0")


def test_where_nothing_can_be_written_warm_names_the_way_out(tmp_path):
    (tmp_path / "file").write_text("")
    done = run(tmp_path / "file" / "cache", "-m", "concede", "warm")
    assert done.returncode == 3
    assert "set NUMBA_CACHE_DIR" in done.stderr


def test_where_nothing_can_be_written_numpy_answers_and_says_so(tmp_path, shop):
    (tmp_path / "file").write_text("")
    done = repair(tmp_path / "file" / "cache", shop)
    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert "set NUMBA_CACHE_DIR" in done.stderr


def test_compiling_can_be_switched_off(tmp_path, shop):
    done = repair(tmp_path / "cache", shop, kernels="off")
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "cache").exists()
