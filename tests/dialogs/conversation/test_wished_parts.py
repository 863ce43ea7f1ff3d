"""Which parts of what is found in a turn are wished for, by what the encoder heard of them."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.conversation.turn_encoder import shipped as shipped_encoder
from concede.dialogs.conversation.wished_parts import (
    LEAST_CHANCE,
    FoundPart,
    WishedParts,
    features,
    load,
    shipped,
)

ENCODER = shipped_encoder()


def told(names, most=None, chance=0.9):
    """Chances of which one is great, the others share the rest."""
    rest = (1 - chance) / (len(names) - 1) if most else 1 / len(names)
    return {name: chance if name == most else rest for name in names}


def odds(role, act, part=None):
    roles, acts = told(ENCODER.role_names, role), told(ENCODER.act_names, act)
    return shipped().log_odds(part or FoundPart("constraint", 0.8), roles, acts)


def test_what_is_named_as_a_wish_is_wished_and_what_is_asked_about_is_not():
    assert odds("wish", "inform") > 0 > odds("ask", "ask value")
    assert odds("wish", "inform") > odds("about", "affirm select")
    assert odds("tell", "inform") > odds("tell", "ask value")


def test_what_the_extractor_is_surer_of_is_likelier_wished():
    unsure = FoundPart("constraint", 0.2)
    assert odds("wish", "inform") > odds("wish", "inform", unsure)


def test_an_items_name_is_no_wish_where_one_is_taken():
    name = FoundPart("constraint", 0.8, names_items=True, about_items=True)
    assert odds("wish", "affirm select") > odds("wish", "affirm select", name)


def test_features_are_named_once_and_a_weight_counts_what_it_is_of():
    part = FoundPart("leaning", 0.5, names_items=True)
    found = features(part, {"wish": 0.25, "nothing": 0.75}, {"inform": 0.5})
    assert dict(found) == {
        "always": 1.0,
        "sure": 0.0,
        "leaning": 1.0,
        "names items": 1.0,
        "names an item asked about or taken": 0.0,
        "role wish": 0.25,
        "role nothing": 0.75,
        "likely wished": pytest.approx(log(1 / 3)),
        "surely wished": 0.125,
        "a reason where wishes are stated": 0.375,
        "act inform": 0.5,
    }
    assert len(dict(found)) == len(found)
    model = WishedParts({"always": -1.0, "role wish": 8.0, "of another model": 5.0})
    assert model.log_odds(part, {"wish": 0.25}, {}) == 1.0
    assert model.is_wished(part, {"wish": 0.125}, {})
    assert not model.is_wished(part, {"wish": 0.0625}, {})


@given(st.floats(0, 1), st.floats(0, 1))
def test_any_chances_have_odds(score, chance):
    part = FoundPart("objective", score)
    most = log(1 / LEAST_CHANCE)
    for _, value in features(part, {"wish": chance}, {}):
        assert -most <= value <= most


def test_what_was_written_is_read(tmp_path):
    file = tmp_path / "w.npz"
    np.savez(file, names="always,act inform", weights=np.float32([1, -2]))
    assert load(file) == WishedParts({"always": 1.0, "act inform": -2.0})
