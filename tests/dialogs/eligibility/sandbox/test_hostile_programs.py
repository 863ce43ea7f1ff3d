"""Hostile programs, each against the allow-list with our evaluator, monty, and the fallback."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from concede.catalogs.errors import SandboxError
from concede.dialogs.eligibility.decisions.evaluation import evaluate, run
from concede.dialogs.eligibility.decisions.program import Program
from concede.dialogs.eligibility.keys import SIZE, Key, KeyTable, Slot
from concede.dialogs.eligibility.sandbox.allow_list import check_source
from concede.dialogs.eligibility.sandbox.running import open_sandbox, run_checked
from concede.dialogs.eligibility.sandbox.sandbox import Limits, Sandbox
from hostile_programs import ALL, BOMBS, CHANGES, REACHES, READS, TOKEN, VARIABLE

KEYS = KeyTable.of([Key("age", "int", high=100)])
SHORT = Limits(seconds=0.5, memory_bytes=32_000_000)
HOUSEHOLD: dict[str, Any] = {
    "#members": [{"#person": 0, "#household": [], "age": 30}],
    "#member_keys": ["age"],
    "#size": 1,
    "#least": 1,
}


class Host:
    """What a program must not touch."""

    def __init__(self, folder: Path, port: int) -> None:
        self.secret, self.made = folder / "secret.txt", folder / "made"
        self.secret.write_text(TOKEN, encoding="utf-8")
        self.port = port

    def program(self, name: str) -> str:
        source = ALL[name]
        if name in BOMBS:
            return source
        return source.format(secret=self.secret, made=self.made, port=self.port)

    def check(self, *outputs: object) -> None:
        assert not self.made.exists()
        assert self.secret.read_text(encoding="utf-8") == TOKEN
        assert all(TOKEN not in repr(output) for output in outputs)


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.setenv(VARIABLE, TOKEN)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield Host(tmp_path, listener.getsockname()[1])
        with pytest.raises(BlockingIOError):
            listener.accept()


@pytest.fixture(scope="module")
def monty() -> Iterator[Sandbox]:
    pytest.importorskip("pydantic_monty")
    with open_sandbox("monty", SHORT) as sandbox:
        yield sandbox


@contextmanager
def outputs_of_run() -> Iterator[list[object]]:
    """Collect what a run returns or raises."""
    outputs: list[object] = []
    try:
        yield outputs
    except SandboxError as error:
        outputs.append(str(error))


def test_there_are_enough_of_them() -> None:
    assert len(ALL) >= 40


@pytest.mark.parametrize("name", [*READS, *CHANGES])
def test_reading_and_changing_are_refused_before_anything_runs(name: str, host: Host) -> None:
    with pytest.raises(SandboxError, match="line"):
        check_source(host.program(name))


@pytest.mark.parametrize("name", ALL)
def test_our_evaluator_refuses_or_ends_with_nothing(name: str, host: Host) -> None:
    with outputs_of_run() as outputs:
        program = Program("hostile", host.program(name))
        facts = {SIZE: 1, Slot(0, "age"): 30}
        outputs += [run(program, facts, KEYS), evaluate(program, facts, KEYS)]
        outputs += [run(program, {}, KEYS), evaluate(program, {}, KEYS)]
    host.check(*outputs)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_monty_alone_lets_nothing_out(name: str, host: Host, monty: Sandbox) -> None:
    """Without the allow-list: the second wall holds by itself."""
    with outputs_of_run() as outputs:
        source = f"{host.program(name)}\neligible(hh)\n"
        outputs.append(monty.value(source, {"hh": {0: {"age": 30}}}))
    host.check(*outputs)
    assert monty.value("1 + 1", {}) == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_what_the_list_passes_ends_in_the_sandboxes(name: str, host: Host, monty: Sandbox) -> None:
    with outputs_of_run() as outputs:
        checked = check_source(host.program(name))
        with open_sandbox("subprocess", SHORT) as process:
            outputs += [run_checked(process, checked, HOUSEHOLD)]
        outputs += [run_checked(monty, checked, HOUSEHOLD)]
    host.check(*outputs)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*READS, *REACHES, *BOMBS])
def test_a_process_with_limits_alone_reads_nothing_and_ends(name: str, host: Host) -> None:
    """Without the allow-list, which is what keeps the rest away from CPython."""
    with outputs_of_run() as outputs, open_sandbox("subprocess", SHORT) as process:
        source = f"{host.program(name)}\neligible(hh)\n"
        outputs.append(process.value(source, {"hh": {"age": 30}}))
    host.check(*outputs)


def test_an_escaped_program_finds_no_files_environment_or_network(host: Host) -> None:
    """The known way out of restricted builtins, taken on purpose: the process holds nothing."""
    escape = (
        "[c for c in ().__class__.__base__.__subclasses__()"
        " if c.__name__ == 'BuiltinImporter'][0].load_module('posix')"
    )
    with open_sandbox("subprocess", SHORT) as process:
        names = process.value(f"p = {escape}\n[n.decode() for n in p.environ]", {})
        assert VARIABLE not in names
        with pytest.raises(SandboxError, match="Too many open files"):
            process.value(f"p = {escape}\np.open('{host.secret}', 0)", {})
        with pytest.raises(SandboxError, match="Too many open files"):
            process.value(f"p = {escape}\nstr(p.pipe())", {})
    host.check()
