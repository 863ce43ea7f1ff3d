"""What the encoder hears in the clauses about a wish, and how it is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from concede.catalogs.query.constraint import Constraint
from concede.dialogs import get_weighter
from concede.dialogs.language.encoder import shipped
from concede.dialogs.transcripts.transcript import Transcript
from concede.dialogs.weighters.attribution import read_transcript
from concede.dialogs.weighters.features import SIZE
from concede.dialogs.weighters.heard import Heard, said
from concede.dialogs.weighters.learned import Model, learned
from concede.dialogs.weighters.training.fit import save

DESK = (
    Constraint(column="width_cm", op="<=", value=140),
    Constraint(column="wood", op="==", value="ash"),
)


def test_the_clauses_about_a_wish_are_one_text():
    told = Transcript.of("It must be ash. At most 140 cm wide, though I could stretch it.")
    reading = read_transcript(told, DESK)
    assert said(reading, 0) == "At most 140 cm wide , though I could stretch it."
    assert said(reading, 1) == "It must be ash."


UNIT = np.zeros(shipped().places.shape[1] + 1, np.float32)
UNIT[3], UNIT[-1] = 2, 0.5


def test_the_unit_weighs_the_mean_state():
    reading = read_transcript(Transcript.of("The doors are ash. At most 140 cm wide."), DESK)
    heard = Heard(shipped(), UNIT)
    assert heard(reading, 1) == pytest.approx(2 * shipped().mean("The doors are ash.")[3] + 0.5)
    model = Model(np.zeros(SIZE, np.float32), 1.0, np.zeros(8, np.float32), heard)
    assert model.scores(reading)[1] == heard(reading, 1)


def test_where_cues_say_it_less_is_made_of_what_is_heard():
    reading = read_transcript(Transcript.of("It must be ash."), DESK)
    alone = 2 * shipped().mean("It must be ash.")[3] + 0.5
    assert 0 < Heard(shipped(), UNIT)(reading, 1) / alone < 0.6


def test_the_unit_is_kept_with_the_weights(tmp_path: Path):
    save(learned(), tmp_path / "model.npz")
    again = learned(tmp_path / "model.npz")
    assert learned().heard is not None
    assert again.heard is not None
    assert np.array_equal(again.heard.unit, learned().heard.unit)
    bare = Model(learned().weights, 1.0, learned().confidence)
    save(bare, tmp_path / "bare.npz")
    assert learned(tmp_path / "bare.npz").heard is None


@pytest.mark.parametrize("text", ["ash " * 25_000, "\x00ash\x1b" * 20_000, "140, " * 20_000, ""])
def test_any_text_is_weighed(text: str):
    weights = get_weighter("learned").weigh(text, DESK).weights
    assert all(0 <= weight <= 1 for weight in weights)
