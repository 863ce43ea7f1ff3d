"""Episodes are on disk as they happen, and read back whole or up to where a process died."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from concede.catalogs.errors import UnreadableFile
from concede.dialogs.transcripts.episode import EpisodeWriter, read_episode
from concede.dialogs.transcripts.transcript import Message


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "episode.jsonl"
    with EpisodeWriter(path, {"catalog": "flats"}) as episode:
        episode.write("message", role="user", content="eine Wohnung, ruhig\n\u2028bitte")
        episode.write("proposed", items=[{"rent": 3}])
        episode.write("message", role="assistant", content="Welche \ud800 Miete?")
        episode.write("end", reason="accepted")
    read = read_episode(path)
    assert read.header["catalog"] == "flats"
    assert read.transcript.messages == (
        Message("user", "eine Wohnung, ruhig\n\u2028bitte"),
        Message("assistant", "Welche \ud800 Miete?"),
    )
    assert [event["items"] for event in read.of_kind("proposed")] == [[{"rent": 3}]]
    assert read.termination == "accepted"


def test_nothing_is_lost_when_the_process_dies(tmp_path):
    path = tmp_path / "episode.jsonl"
    program = (
        "import os, sys\n"
        "from concede.dialogs.transcripts.episode import EpisodeWriter\n"
        "episode = EpisodeWriter(sys.argv[1], {})\n"
        "episode.write('message', role='user', content='hello')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    read = read_episode(path)
    assert [message.content for message in read.transcript] == ["hello"]
    assert read.termination is None


def test_a_line_cut_short_is_left_out_at_the_end_only(tmp_path):
    path = tmp_path / "episode.jsonl"
    with EpisodeWriter(path, {}) as episode:
        episode.write("message", role="user", content="hello")
    whole = path.read_text()
    path.write_text(whole + '{"kind": "mess')
    assert len(read_episode(path).events) == 1
    path.write_text('{"kind": "mess\n' + whole)
    with pytest.raises(UnreadableFile, match="line 1"):
        read_episode(path)


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"kind": "message"}', json.dumps({"kind": "header", "version": 99}), "[" * 100_000],
)
def test_files_that_are_no_episode(tmp_path, text):
    path = tmp_path / "other.jsonl"
    path.write_text(text)
    with pytest.raises(UnreadableFile, match=r"other\.jsonl"):
        read_episode(path)
    with pytest.raises(UnreadableFile):
        read_episode(tmp_path / "missing.jsonl")


def test_a_folder_cannot_be_written(tmp_path):
    with pytest.raises(UnreadableFile):
        EpisodeWriter(tmp_path, {})
