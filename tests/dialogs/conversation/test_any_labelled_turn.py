"""Whatever is heard in a turn, nothing is raised and the conversation stays whole."""

from __future__ import annotations

from random import Random

import pytest

from concede.bench.understanding.turn_records import SPOKEN, read_turns
from concede.dialogs import Session
from concede.dialogs.conversation import session as sessions
from concede.dialogs.conversation.offline_turns import OfflineTurns
from labelled_turns import Labelled
from model_turns import PAINTS, ROOMS, TRIPS

pytest.importorskip("pyarrow")

TURNS = list(read_turns(SPOKEN))


@pytest.mark.parametrize("seed", range(12))
def test_turns_about_other_things_raise_nothing(monkeypatch, seed):
    dice = Random(seed)
    session = Session(dice.choice([ROOMS, TRIPS, PAINTS]), weighter="lexical")
    for turn in dice.sample(TURNS, 40):
        reader = OfflineTurns(Labelled(turn))  # type: ignore[arg-type]
        monkeypatch.setattr(sessions, "shipped_reader", lambda reader=reader: reader)
        response = session.respond(turn.text)
        assert response.text.strip()
        assert "could not do that" not in response.text
        held = {item.row_id for item in session.basket}
        assert held >= set(session.numbers)
        assert session.proposal is None or session.place < max(
            1, len(session.proposal.answer.items)
        )
    while session.can_undo:
        assert session.undo()
