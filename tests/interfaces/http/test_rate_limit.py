"""Rates that several processes count together, in a file."""

import subprocess
import sys
from contextlib import ExitStack, contextmanager

from concede.interfaces.http.rate_limit import RateLimit, SharedBucket


def test_two_that_name_a_file_count_together(tmp_path):
    now = [100.0]
    first, second = (
        RateLimit(3, 60, lambda: now[0], SharedBucket(tmp_path / "rate")) for _ in range(2)
    )
    assert [first.wait(), second.wait(), first.wait()] == [0, 0, 0]
    assert second.wait() == first.wait() == 20
    now[0] += 20
    assert second.wait() == 0
    assert first.wait() == 20


def test_a_clock_that_began_anew_leaves_nobody_waiting_for_the_old_one(tmp_path):
    before = RateLimit(2, 10, lambda: 1e6, SharedBucket(tmp_path / "rate"))
    assert before.wait(2) == 0
    after = RateLimit(2, 10, lambda: 5.0, SharedBucket(tmp_path / "rate"))
    assert after.wait() == 5


TAKE = """
import sys
from concede.interfaces.http.rate_limit import RateLimit, SharedBucket
limit = RateLimit(40, 1e9, bucket=SharedBucket(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
print(sum(limit.wait() == 0 for _ in range(200)))
"""

HOLD = """
import signal, sys
from concede.interfaces.http.rate_limit import SharedBucket
with SharedBucket(sys.argv[1]).held():
    print("ready", flush=True)
    signal.pause()
"""


@contextmanager
def running(program, path):
    """A Python process that runs ``program`` with ``path``, once it has said it is ready."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def test_processes_at_once_take_no_more_than_there_is(tmp_path):
    with ExitStack() as stack:
        processes = [stack.enter_context(running(TAKE, tmp_path / "rate")) for _ in range(3)]
        for process in processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        taken = [int(process.stdout.readline()) for process in processes]
    assert sum(taken) == 40


def test_a_process_killed_with_the_lock_holds_nobody_up(tmp_path):
    with running(HOLD, tmp_path / "rate") as process:
        process.kill()
        process.wait()
        assert RateLimit(1, 1, bucket=SharedBucket(tmp_path / "rate")).wait() == 0
