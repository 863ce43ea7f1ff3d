"""The tracker is trained on conversations with labels, and learns what they show."""

import numpy as np
import pytest

from concede.bench.understanding import train_tracker
from concede.bench.understanding.conversations import read_conversations
from concede.bench.understanding.labelled_set import Sources
from concede.bench.understanding.training import train_understanding
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


@pytest.mark.slow
def test_services_left_out_are_not_trained_on(tmp_path, monkeypatch):
    read = []

    def fit_tracker(talks, ready, counted):
        read.extend(talks)
        return np.zeros(2)

    monkeypatch.setattr(train_tracker, "fit_tracker", fit_tracker)
    folder = write_folder(tmp_path, conversation(name="a"), conversation(name="b"))
    train_tracker.train(folder, tmp_path / "tracker.npz", left_out=["Tables_1"])
    assert read == []


@pytest.mark.parametrize("beside", [(), ("reader",), ("reader", "acts")])
def test_it_is_fitted_on_what_the_readers_trained_beside_it_read(tmp_path, monkeypatch, beside):
    used = []

    def train(folder, output, *, weights, counted):
        used.append(weights)
        output.write_bytes(b"")

    monkeypatch.setattr(train_tracker, "train", train)
    for part in beside:
        (tmp_path / f"{part}.npz").write_bytes(b"")
    train_understanding(Sources(sgd=tmp_path), tmp_path, ("tracker",))
    both = (tmp_path / "reader.npz", tmp_path / "acts.npz")
    assert used == [both if len(beside) == 2 else None]
