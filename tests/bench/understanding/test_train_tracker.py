"""The tracker is trained on conversations with labels, and learns what they show."""

import pytest

from concede.bench.understanding import train_tracker
from concede.bench.understanding.conversations import read_conversations
from concede.dialogs.conversation import tracker as tracking
from conversation_folder import conversation, write_folder


@pytest.mark.slow
def test_what_is_shown_is_learned(tmp_path, monkeypatch):
    folder = write_folder(tmp_path, *(conversation(name=f"1_{n}") for n in range(30)))
    weights = tmp_path / "tracker.npz"
    train_tracker.train(folder, weights)
    monkeypatch.setattr(tracking, "WEIGHTS", weights)
    record = read_conversations(folder, limit=2).record()
    assert record["joint_goal_accuracy"] == 100
    assert record["act_f1"] == 100


@pytest.mark.slow
def test_services_left_out_are_not_trained_on(tmp_path, monkeypatch):
    read = []
    monkeypatch.setattr(
        train_tracker, "fit_tracker", lambda talks, ready, counted: read.extend(talks) or {}
    )
    folder = write_folder(tmp_path, conversation(name="a"), conversation(name="b"))
    train_tracker.train(folder, tmp_path / "tracker.npz", left_out=["Tables_1"])
    assert read == []
