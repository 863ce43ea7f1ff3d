"""A run's file: what is written is read, and nothing but the last line is ever lost."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.bench.runs.run_file import RunWriter, read_run
from concede.catalogs.errors import ConcedeError, QueryError, UnreadableFile

HEADER = {"benchmark": "flats", "rows": 5}


def hold(writer, key, *said, end="finished"):
    save = writer.episode(key, number=len(said))
    for text in said:
        save("message", role="user", content=text)
    if end:
        save("end", reason=end)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.jsonl"


def test_episodes_come_back_as_they_were_held(path):
    with RunWriter(path, HEADER) as writer:
        hold(writer, "one", "Hello", "half a pair: \ud800, and  a line\n")
        hold(writer, "two")
        hold(writer, "three", "And then", end=None)
    run = read_run(path)
    assert {key: run.header[key] for key in HEADER} == HEADER
    assert [episode.header["episode"] for episode in run.episodes] == ["one", "two"]
    assert [entry.content for entry in run.episodes[0].transcript] == [
        "Hello",
        "half a pair: \ud800, and  a line\n",
    ]
    assert [episode.termination for episode in run.episodes] == ["finished", "finished"]
    assert run.cut_off == ("three",)


def test_a_run_goes_on_and_an_episode_held_again_counts_once(path):
    with RunWriter(path, HEADER) as writer:
        hold(writer, "one", "first", end=None)
    with RunWriter(path, HEADER) as writer:
        assert not writer.finished
        hold(writer, "one", "second")
    with RunWriter(path, HEADER) as writer:
        assert [result.transcript.messages[0].content for result in writer.finished] == ["second"]
    assert path.read_bytes().count(b'"kind":"run"') == 1


def test_another_run_does_not_go_on_in_the_file(path):
    RunWriter(path, HEADER).close()
    with pytest.raises(QueryError, match=r"rows is 6, and was 5 .*another file"):
        RunWriter(path, {**HEADER, "rows": 6})


@pytest.mark.parametrize("text", ["Make,Model\n", '{"concede_cassette": 1}\n', "no end"])
def test_a_file_of_another_kind_is_left_alone(path, text):
    path.write_text(text)
    with pytest.raises(UnreadableFile, match="no run"):
        RunWriter(path, HEADER)
    assert path.read_text() == text


def test_two_processes_do_not_write_one_run(path):
    with RunWriter(path, HEADER), pytest.raises(UnreadableFile, match="somebody else"):
        RunWriter(path, HEADER)


@given(st.data())
def test_cut_anywhere_it_opens_again_and_whole_episodes_are_there(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("runs") / "run.jsonl"
    with RunWriter(path, HEADER) as writer:
        for key in "abc":
            hold(writer, key, f"I am {key}")
    whole = path.read_bytes()
    size = data.draw(st.integers(0, len(whole)))
    path.write_bytes(whole[:size])
    ended = whole[:size].count(b'"kind":"end"')
    lines = whole[:size].rsplit(b"\n", 1)
    if len(lines) == 2 and b'"kind":"end"' in lines[1]:
        ended -= 1
    if 0 < size < len(b'{"kind":"run",'):
        with pytest.raises(UnreadableFile):
            RunWriter(path, HEADER)
        return
    with RunWriter(path, HEADER) as writer:
        assert [result.header["episode"] for result in writer.finished] == list("abc"[:ended])
        hold(writer, "d", "afterwards")
    assert [episode.header["episode"] for episode in read_run(path).episodes][-1] == "d"


KILLED = """
import sys, threading
from concede.bench.runs.run_file import RunWriter
writer = RunWriter(sys.argv[1], {})
def hold(name):
    for number in range(100_000):
        save = writer.episode(f"{name}-{number}")
        save("message", role="user", content="x" * 500)
        save("end", reason="finished")
        print(f"{name}-{number}", flush=True)
for name in "ab":
    threading.Thread(target=hold, args=(name,), daemon=True).start()
threading.Event().wait(60)
"""


def test_a_killed_process_loses_no_episode_that_it_told_of(path):
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True
    ) as child:
        told = [child.stdout.readline().strip() for _ in range(200)]
        os.kill(child.pid, signal.SIGKILL)
        told += child.stdout.read().split("\n")[:-1]
    with RunWriter(path, {}) as writer:
        held = {result.header["episode"] for result in writer.finished}
    # Two threads share standard output, so two names may have run into one line.
    assert len(told) >= 200
    assert {event for event in told if event.count("-") == 1} <= held


def test_threads_write_side_by_side(path):
    with RunWriter(path, HEADER) as writer:
        threads = [
            threading.Thread(target=hold, args=(writer, f"{at}", "a" * at)) for at in range(40)
        ]
        for thread in threads:
            thread.start()
        for other_thread in threads:
            other_thread.join(timeout=30)
    assert len(read_run(path).episodes) == 40


RUN = {"kind": "run", "version": 1}
HEAD = {"kind": "header", "episode": "a", "version": 1}


@pytest.mark.parametrize(
    ("events", "why"),
    [
        ([], "no run"),
        ([HEAD], "no run"),
        ([{**RUN, "version": 2}], "run version 2"),
        ([RUN, 7], "line 2: 7 is no event"),
        ([RUN, {"kind": ["end"]}], "line 2: .* is no event"),
        ([RUN, {"kind": "end", "episode": "a", "reason": "x"}], "'a' has no header"),
        ([RUN, {**HEAD, "version": 9}], "episode version 9"),
        ([RUN, {**HEAD, "episode": 3}], "an event of no episode"),
        ([RUN, HEAD, {"kind": "end", "episode": "a"}], "line 3: end event with reason None"),
        ([RUN, HEAD, {"kind": "message", "episode": "a", "role": 1}], "message event with role 1"),
    ],
)
def test_files_that_are_no_run(path, events, why):
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    with pytest.raises(UnreadableFile, match=why):
        read_run(path)


@pytest.mark.parametrize("text", ["{" * 10_000 + "\n", "\udcff\n", '{"kind": NaN}\n'])
def test_bytes_that_are_no_json(path, text):
    path.write_bytes(json.dumps(RUN).encode() + b"\n" + text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ConcedeError, match="line 2"):
        read_run(path)
