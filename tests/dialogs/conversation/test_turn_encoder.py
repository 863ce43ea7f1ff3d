"""What the encoder of turns that ships hears, on turns that it has not learned from."""

from __future__ import annotations

import numpy as np

from concede.bench.understanding.turn_records import ACT_NAMES, FRESH, ROLES, read_turns
from concede.dialogs.conversation.parts import cut
from concede.dialogs.conversation.turn_encoder import NOTHING, shipped
from concede.dialogs.language.encoder import LONGEST


def test_what_sentences_do_is_heard_in_most_fresh_turns():
    encoder, right, count = shipped(), 0, 0
    for turn in list(read_turns(FRESH))[:120]:
        heard = encoder.hear(turn.text, turn.before, [span for span, _ in turn.sentences])
        for acts, (_, gold) in zip(heard.acts, turn.sentences, strict=True):
            count += 1
            right += {name for name, chance in acts.items() if chance >= 0.5} == gold
    assert right / count > 0.5


def test_names_and_shapes():
    encoder = shipped()
    assert set(encoder.act_names) == set(ACT_NAMES)
    assert list(encoder.role_names) == [NOTHING, *ROLES]
    text = "I'll take the second one, but does it have a balcony?"
    heard = encoder.hear(text, "What fits: 1. Ash; 2. Birch.", cut(text))
    assert len(heard.acts) == len(cut(text))
    assert heard.chances.shape == (len(heard.pieces), len(heard.roles))
    assert np.allclose(heard.chances.sum(axis=1), 1, atol=1e-4)
    assert all(text[a:b].strip() for a, b in heard.pieces)
    chances = heard.role_of((text.index("second"), text.index("second") + 6))
    assert set(chances) == {NOTHING, *ROLES}


def test_a_long_turn_is_heard_in_parts_and_nothing_of_one_that_never_ends():
    encoder = shipped()
    text = "Do you have one with a garden? " * 40
    heard = encoder.hear(text, "", [*cut(text[:600]), (600, len(text))])
    assert len(heard.pieces) > LONGEST
    assert encoder.hear("", "", [(0, 0)]).acts == [{}]
    flood = "a" * 200_000
    assert len(encoder.hear(flood, "", [(0, len(flood))]).acts) == 1
