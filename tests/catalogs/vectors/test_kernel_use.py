"""When kernels are loaded, when compiled, and by whom; what says that they are."""

import ast
import json
import threading
from pathlib import Path

import pytest

from concede.catalogs.vectors import kernel_cache, kernel_use
from concede.catalogs.vectors.kernel_use import (
    Kernels,
    kernels_are_used,
    kernels_need_no_compiler,
    prepare_kernels,
    want_kernels,
)

MANY = 70_000


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch) -> Kernels:
    """Kernels of a process that has asked nothing, whose messages are kept."""
    fresh = Kernels()
    monkeypatch.setattr(kernel_use, "KERNELS", fresh)
    monkeypatch.setenv("CONCEDE_KERNELS", "auto")
    monkeypatch.setattr(kernel_use, "LOOK_SECONDS", 0.001)
    return fresh


class Machine:
    """Stands for what lies on disk, and the processes that compile."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, complete: bool = False) -> None:
        self.complete = complete
        self.started = 0
        self.told: list[str] = []
        self.loaded = threading.Event()
        monkeypatch.setattr(kernel_cache, "is_complete", lambda: self.complete)
        monkeypatch.setattr(kernel_cache, "start_compiler", self.start)
        monkeypatch.setattr(kernel_cache, "cache_folder", lambda: Path("cache"))

    def start(self, *, beside: bool = True) -> object:
        self.started += 1
        return object()

    def watch(self, kernels: Kernels, monkeypatch: pytest.MonkeyPatch) -> None:
        def load() -> None:
            kernels.are_loaded = True
            self.loaded.set()

        monkeypatch.setattr(kernels, "load", load)
        kernels.tell = self.told.append


def test_the_first_question_has_kernels_compiled_and_is_answered_by_numpy(kernels, monkeypatch):
    machine = Machine(monkeypatch)
    machine.watch(kernels, monkeypatch)
    want_kernels(MANY)
    assert not kernels_are_used(MANY)
    assert (machine.started, len(machine.told)) == (1, 1)
    assert "concede warm" in machine.told[0]


def test_a_process_that_asks_once_loads_nothing(kernels, monkeypatch):
    machine = Machine(monkeypatch, complete=True)
    machine.watch(kernels, monkeypatch)
    want_kernels(MANY)
    assert (machine.started, machine.told, machine.loaded.is_set()) == (0, [], False)


def test_from_the_second_question_on_kernels_are_loaded_beside(kernels, monkeypatch):
    machine = Machine(monkeypatch, complete=True)
    machine.watch(kernels, monkeypatch)
    want_kernels(MANY)
    want_kernels(MANY)
    assert machine.loaded.wait(60)
    assert kernels_are_used(MANY)
    assert not kernels_are_used(100)


def test_kernels_are_loaded_once_they_are_compiled(kernels, monkeypatch):
    machine = Machine(monkeypatch)
    machine.watch(kernels, monkeypatch)
    for _ in range(3):
        want_kernels(MANY)
    assert not machine.loaded.is_set()
    assert machine.started == 1
    machine.complete = True
    assert machine.loaded.wait(60)


def test_preparing_waits_for_the_kernels(kernels, monkeypatch):
    machine = Machine(monkeypatch)
    machine.watch(kernels, monkeypatch)
    prepare_kernels(100)
    assert not machine.loaded.is_set()
    assert kernels_need_no_compiler(100)
    assert not kernels_need_no_compiler(MANY)
    prepare_kernels(MANY)
    assert kernels_are_used(MANY)
    assert kernels_need_no_compiler(MANY)


def test_small_catalogs_want_nothing(kernels, monkeypatch):
    machine = Machine(monkeypatch)
    machine.watch(kernels, monkeypatch)
    for _ in range(3):
        want_kernels(kernel_use.KERNEL_ROWS)
    assert machine.started == 0


def test_off_is_off_and_wait_waits(kernels, monkeypatch):
    machine = Machine(monkeypatch)
    machine.watch(kernels, monkeypatch)
    monkeypatch.setenv("CONCEDE_KERNELS", "off")
    want_kernels(MANY)
    want_kernels(MANY)
    assert not kernels_are_used(MANY)
    assert machine.started == 0
    monkeypatch.setenv("CONCEDE_KERNELS", "wait")
    assert kernels_are_used(MANY)


def test_the_thread_ends_with_the_process(kernels, monkeypatch):
    machine = Machine(monkeypatch)
    machine.watch(kernels, monkeypatch)
    want_kernels(MANY)
    want_kernels(MANY)
    kernels._end()
    assert not machine.loaded.is_set()


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder that kernels are kept in."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", ["generic", None])
def test_what_is_compiled_for_any_processor_is_complete_on_every_one(monkeypatch, name):
    """An image is built on one machine and runs on others, and may not be writable there."""
    monkeypatch.delenv("NUMBA_CPU_NAME", raising=False)
    if name:
        monkeypatch.setenv("NUMBA_CPU_NAME", name)
    here = kernel_cache._processor()
    monkeypatch.setattr("builtins.open", _unreadable)
    monkeypatch.setattr(kernel_cache.platform, "processor", lambda: "another")
    assert (kernel_cache._processor() == here) == (name == "generic")


def _unreadable(*given: object, **named: object) -> None:
    raise OSError


def test_a_stamp_says_that_all_is_compiled_as_long_as_the_files_are_there(cache):
    file = cache / "kernel.nbi"
    file.write_text("")
    assert not kernel_cache.is_complete()
    stamp = kernel_cache.mark_complete([str(file)])
    assert stamp is not None
    assert json.loads(stamp.read_text()) == [str(file)]
    assert kernel_cache.is_complete()
    file.unlink()
    assert not kernel_cache.is_complete()


@pytest.mark.parametrize("part", ["inlined_digest", "_processor"])
def test_a_stamp_is_for_one_code_and_one_processor(cache, monkeypatch, part):
    kernel_cache.digest.cache_clear()
    kernel_cache.mark_complete([])
    assert kernel_cache.is_complete()
    monkeypatch.setattr(kernel_cache, part, lambda: "another")
    kernel_cache.digest.cache_clear()
    assert not kernel_cache.is_complete()
    monkeypatch.undo()
    kernel_cache.digest.cache_clear()


def test_one_process_compiles_at_a_time_and_none_soon_after_it_failed(cache, monkeypatch):
    started: list[int] = []

    class Process:
        pid = 7

    monkeypatch.setattr(
        kernel_cache, "_started", lambda lock, beside: started.append(lock) or Process()
    )
    held = kernel_cache.CompileLock(cache)
    assert held.take(wait=False)
    assert kernel_cache.is_compiling()
    assert kernel_cache.start_compiler() is None
    held.close()
    assert not kernel_cache.is_compiling()
    assert kernel_cache.start_compiler() is not None
    assert kernel_cache.start_compiler() is None
    monkeypatch.setattr(kernel_cache, "COMPILE_SECONDS", -1)
    assert kernel_cache.start_compiler() is not None
    kernel_cache.mark_complete([])
    assert kernel_cache.start_compiler() is None
    assert len(started) == 2


def test_every_module_of_kernels_is_listed():
    """A kernel that no list names would be compiled while somebody waits."""
    root, kernels, inlined = kernel_cache.ROOT, set[str](), set[str]()
    imported: dict[str, set[str]] = {}
    for folder in ("catalogs", "solvers", "engine"):
        for path in (root / folder).rglob("*.py"):
            name = ".".join(path.relative_to(root).with_suffix("").parts)
            tree = ast.parse(path.read_text(encoding="utf-8"))
            imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
            names = {alias.name for node in imports for alias in node.names}
            imported[name] = {(node.module or "").rpartition(".")[2] for node in imports}
            if "kernel" in names:
                kernels.add(name)
            elif {"njit", "intrinsic"} & names:
                inlined.add(name)
    assert kernels == {*kernel_cache.KERNEL_MODULES, *kernel_cache.BATCH_MODULES}
    # Some kernels are made of functions of another module of kernels.
    used = {last for name in kernels for last in imported[name]}
    inlined |= {name for name in kernels if name.rpartition(".")[2] in used - {"kernels"}}
    assert inlined == set(kernel_cache.INLINED_MODULES)
