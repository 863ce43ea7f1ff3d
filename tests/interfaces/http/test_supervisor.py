"""The parent of workers starts another for each that has ended, and waits for nobody."""

from multiprocessing import Pipe
from types import SimpleNamespace

import pytest
from uvicorn import Config

from concede.interfaces.http.workers import supervisor
from concede.interfaces.http.workers.shared_folder import SharedFolder
from concede.interfaces.http.workers.supervisor import Supervisor

FAILED_TO_START = 3


class Worker:
    """A worker that answers when it is told to; both ends of its pipe are open, as uvicorn's."""

    def __init__(self, config=None, sockets=None):
        self.parent_conn, self.child_conn = Pipe()
        self.process, self.exitcode, self.alive = self, None, True

    def is_alive(self):
        return self.alive

    def answer(self):
        self.child_conn.recv()
        self.child_conn.send(True)

    def kill(self):
        self.alive = False

    def start(self):
        pass

    def join(self):
        pass


@pytest.fixture
def parent(tmp_path, monkeypatch):
    monkeypatch.setattr(supervisor, "Process", Worker)
    monkeypatch.setattr("signal.signal", lambda *handled: None)
    config = Config("none:none", timeout_worker_healthcheck=300)
    parent = Supervisor(config, [], SharedFolder(tmp_path))
    parent.processes = [Worker(), Worker()]
    return parent


def test_one_that_is_killed_before_it_answers_is_replaced_at_once(parent):
    """Its pipe tells nobody that it has ended: the parent waited for 300 seconds."""
    parent.keep_subprocess_alive()
    first, second = parent.processes
    first.alive = False
    parent.keep_subprocess_alive()
    assert parent.processes[0] is not first
    assert parent.processes[1] is second


def test_one_that_answers_late_holds_nobody_up(parent):
    slow, other = parent.processes
    for _ in range(3):
        parent.keep_subprocess_alive()
        other.answer()
        parent.keep_subprocess_alive()
    slow.answer()
    parent.keep_subprocess_alive()
    assert parent.processes == [slow, other]


def test_one_that_never_answers_is_hung(parent, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(supervisor, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    hung, other = parent.processes
    parent.keep_subprocess_alive()
    other.answer()
    clock[0] += 299
    parent.keep_subprocess_alive()
    assert parent.processes == [hung, other]
    clock[0] += 2
    parent.keep_subprocess_alive()
    assert not hung.alive
    assert parent.processes[1] is other


def test_one_that_cannot_start_ends_the_service(parent):
    parent.processes[0].alive, parent.processes[0].exitcode = False, FAILED_TO_START
    parent.keep_subprocess_alive()
    assert parent.should_exit.is_set()
