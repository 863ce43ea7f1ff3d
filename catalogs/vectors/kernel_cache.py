"""Which compiled kernels lie on disk, and the process that compiles them beside this one.

Once all kernels are compiled a stamp says so: a file whose name holds a digest of what they depend
on (source, Numba, Python, processor) and that lists the files Numba wrote. Looking for it takes
some milliseconds and imports nothing; Numba's own check needs Numba, and tells of one kernel.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = __name__.partition(".")[0]

KERNEL_MODULES = (
    "catalogs.vectors.bitmap_kernels",
    "catalogs.vectors.scan_kernels",
    "catalogs.vectors.text_kernels",
    "solvers.kernels",
    "solvers.conflict_kernels",
    "solvers.half_kernels",
    "solvers.maximal_kernels",
    "solvers.table_kernels",
    "engine.ranking.kernels",
    "engine.ranking.distance_kernels",
    "engine.ranking.front_kernels",
    "engine.ranking.score_kernels",
    "engine.ranking.near_kernels",
)
"""The modules of the kernels that questions need, by name within the package."""

RANKER_MODULE = "engine.ranking.near_ranking"
"""The ranker that calls most of them: loaded with them, so that no question waits for it."""

BATCH_MODULES = ("solvers.enumeration.kernels",)
"""Those that only the generation of benchmarks needs."""

INLINED_MODULES = (
    "catalogs.vectors.numba_kernel",
    "catalogs.vectors.packed_kernels",
    "engine.ranking.blocks",
    "engine.ranking.distance_kernels",
    "engine.ranking.score_kernels",
)
"""Modules whose functions are compiled into the kernels of others."""

COMPILER = f"{PACKAGE}.catalogs.vectors.kernel_compiler"
"""The module that a process which compiles runs."""

COMPILE_SECONDS = 600
"""How long a process in the background may compile, and how long it takes until another tries."""


def is_complete() -> bool:
    """Return whether every kernel is compiled, for this code, Numba, Python and processor."""
    return any(_lists_files(folder / f"{_stem()}.json") for folder in _folders())


def is_kept_where_looked_first() -> bool:
    """Return whether every kernel lies in the folder that Numba looks in first."""
    return _lists_files(_folders()[0] / f"{_stem()}.json")


def _lists_files(stamp: Path) -> bool:
    try:
        listed = json.loads(stamp.read_text())
    except (OSError, ValueError):
        return False
    return all(os.path.exists(name) for name in listed)


def mark_complete(files: Iterable[str]) -> Path | None:
    """Write down that every kernel is compiled, into these files; return where, None for nowhere.

    A kernel that Numba found no folder for has no file.
    """
    folder = cache_folder()
    if folder is None:
        return None
    stamp, new = folder / f"{_stem()}.json", folder / f"{_stem()}.{os.getpid()}"
    new.write_text(json.dumps(sorted(files)))
    new.replace(stamp)
    return stamp


def forget() -> None:
    """Take back that every kernel is compiled."""
    for folder in _folders():
        (folder / f"{_stem()}.json").unlink(missing_ok=True)


def cache_folder() -> Path | None:
    """Return the first folder that can be written, as Numba looks for one; None without."""
    for folder in _folders():
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return None


def _folders() -> list[Path]:
    """The folder named by NUMBA_CACHE_DIR; or that beside this file, then the user's."""
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        return [Path(named)]
    return [Path(__file__).parent / "__pycache__", _user_folder()]


def _user_folder() -> Path:
    home = Path(os.path.expanduser("~"))
    if sys.platform == "darwin":
        return home / "Library/Caches" / PACKAGE
    named = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME")
    return Path(named or home / ".cache") / PACKAGE


def _stem() -> str:
    return f"{PACKAGE}-kernels-{digest(os.environ.get('NUMBA_CACHE_DIR', ''))}"


@lru_cache(maxsize=4)
def digest(folder: str) -> str:
    """Return what the compiled kernels depend on, as 16 hexadecimal digits."""
    from importlib.metadata import version

    numba_settings = {key: value for key, value in os.environ.items() if key.startswith("NUMBA_")}
    parts = [
        str(ROOT), folder, sys.version, version("numba"), version("llvmlite"),
        platform.machine(), _processor(), repr(sorted(numba_settings.items())),
    ]  # fmt: skip
    parts += [_source(KERNEL_MODULES), _source(BATCH_MODULES), inlined_digest()]
    return sha256("\n".join(parts).encode()).hexdigest()[:16]


@lru_cache(maxsize=1)
def inlined_digest() -> str:
    """Return a digest of the functions that are compiled into the kernels of other modules."""
    return _source(INLINED_MODULES)


def _source(modules: Iterable[str]) -> str:
    hashed = sha256()
    for name in modules:
        hashed.update(ROOT.joinpath(*name.split(".")).with_suffix(".py").read_bytes())
    return hashed.hexdigest()


def _processor() -> str:
    """Return the processor's name and instruction sets, as far as the system tells.

    Nothing where Numba is told to compile for any (`NUMBA_CPU_NAME=generic`): what an image holds
    is complete on whichever machine it runs.
    """
    if os.environ.get("NUMBA_CPU_NAME", "").casefold() == "generic":
        return ""
    try:
        with open("/proc/cpuinfo") as listed:
            first = listed.read(8_192).partition("\n\n")[0]
    except OSError:
        return platform.processor()
    kept = ("model name", "flags", "Features", "CPU implementer", "CPU part")
    return "\n".join(line for line in first.splitlines() if line.startswith(kept))


class CompileLock:
    """The right to compile: one process at a time has it; the system takes it back at its end."""

    def __init__(self, folder: Path) -> None:
        self.file = os.open(
            folder / f"{_stem()}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644
        )

    def take(self, *, wait: bool) -> bool:
        """Take the lock; return False if another process has it and this one is not to wait."""
        try:
            import fcntl
        except ImportError:
            # Windows: two may compile, which costs time alone.
            return True
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        return True

    def tried_lately(self) -> bool:
        """Return whether a process began so lately that one more would come to no other end."""
        begun = os.fstat(self.file)
        return begun.st_size > 0 and time.time() - begun.st_mtime < COMPILE_SECONDS

    def mark_tried(self, process: int) -> None:
        """Write down that a process begins now, by its number."""
        os.truncate(self.file, 0)
        os.write(self.file, f"{process}\n".encode())

    def close(self) -> None:
        """Give the lock back, unless a process that was started has it too."""
        os.close(self.file)


def is_compiling() -> bool:
    """Return whether a process compiles kernels now."""
    folder = cache_folder()
    try:
        lock = None if folder is None else CompileLock(folder)
    except OSError:
        return False
    if lock is None:
        return False
    try:
        return not lock.take(wait=False)
    finally:
        lock.close()


def start_compiler(*, beside: bool = True) -> subprocess.Popen[bytes] | None:
    """Compile all kernels in a process of its own, and return that; None where one is not needed.

    It has no terminal, reads and writes nothing but the cache, and ends after `COMPILE_SECONDS`
    at the latest; `beside` others it runs when nobody else wants the processor. It inherits the
    lock, so that no second one starts. None if everything is compiled, if another process
    compiles or did so lately, and where no folder can be written.
    """
    folder = cache_folder()
    if folder is None or not can_start():
        return None
    try:
        lock = CompileLock(folder)
    except OSError:
        return None
    try:
        if not lock.take(wait=False) or is_complete() or lock.tried_lately():
            return None
        process = _started(lock.file, beside)
        lock.mark_tried(process.pid)
        return process
    except OSError:
        return None
    finally:
        lock.close()


def can_start() -> bool:
    """Return whether this interpreter can be started once more."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def _started(lock: int, beside: bool) -> subprocess.Popen[bytes]:
    path = os.pathsep.join([str(ROOT.parent), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-P", "-m", COMPILER, *(["--beside"] if beside else [])],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": path.rstrip(os.pathsep)},
        start_new_session=True,
        pass_fds=(lock,) if os.name == "posix" else (),
    )
