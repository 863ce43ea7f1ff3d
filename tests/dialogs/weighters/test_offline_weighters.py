"""The weighters that need no model: what they say of short texts, and how they combine."""

from __future__ import annotations

from itertools import pairwise

import pytest

from concede.catalogs.errors import BadConstraint, QueryError
from concede.catalogs.query.constraint import Constraint
from concede.dialogs import Weighed, get_weighter
from concede.dialogs.weighters.given import OracleWeighter, ScriptedWeighter, UniformWeighter
from concede.dialogs.weighters.learned import FILE, EnsembleWeighter, combined, learned

DESK = (
    Constraint(column="width_cm", op="<=", value=140),
    Constraint(column="wood", op="==", value="ash"),
)
GRADES = (
    "Ash is an absolute must, non-negotiable.",
    "I strongly prefer ash.",
    "I'd like ash, though I could compromise a little.",
    "I mentioned ash, but I'm very flexible there.",
)


@pytest.mark.parametrize("name", ["learned", "lexical", "ensemble"])
def test_firmer_words_weigh_more(name: str):
    weights = [get_weighter(name).weigh(text, DESK).weights[1] for text in GRADES]
    assert all(firm > loose for firm, loose in pairwise(weights))


@pytest.mark.parametrize("name", ["learned", "lexical", "ensemble"])
@pytest.mark.parametrize(
    ("text", "wide"),
    [
        ("Ash. At most 140 cm wide. I'd sooner give up the wood than the width.", True),
        ("At most 140 cm wide, ash. The wood is more important than the width.", False),
    ],
)
def test_comparisons_are_honoured(name: str, text: str, wide: bool):
    width, wood = get_weighter(name).weigh(text, DESK).weights
    assert (width > wood) is wide


@pytest.mark.parametrize("name", ["learned", "lexical", "ensemble"])
def test_the_evidence_is_the_clause_that_says_so(name: str):
    width, wood = get_weighter(name).weigh("It must be ash. 140 cm, but that's optional.", DESK)
    assert [span.text for span in wood.evidence] == ["It must be ash."]
    assert [span.text for span in width.evidence] == ["but that's optional."]


def test_plain_words_leave_one_less_sure_than_clear_ones():
    clear, vague = (
        get_weighter("learned").weigh(text, DESK[1:])[0].confidence
        for text in ("I don't care about the wood at all, ash or not.", "Ash.")
    )
    assert clear > vague


def test_the_trained_file_is_small_and_holds_no_objects():
    assert FILE.stat().st_size < 1_000_000
    assert learned().weights.dtype.name == "float32"


def test_uniform_oracle_and_scripted_weights():
    carried = [DESK[0].model_copy(update={"weight": 0.9}), DESK[1]]
    assert UniformWeighter().weigh("", carried).weights == (0.5, 0.5)
    assert OracleWeighter().weigh("", carried).weights == (0.9, 0.5)
    assert ScriptedWeighter([0.1, 0.2]).weigh("", DESK).weights == (0.1, 0.2)
    assert ScriptedWeighter({"wood": 0.7}).weigh("", DESK).weights == (0.5, 0.7)


def test_scripted_weights_that_cannot_be_are_errors():
    with pytest.raises(BadConstraint):
        ScriptedWeighter([1.5])
    with pytest.raises(QueryError, match="3 scripted weights for 2"):
        ScriptedWeighter([0.1, 0.2, 0.3]).weigh("", DESK)


def test_the_ensemble_hears_whoever_is_surer():
    sure, unsure = Weighed(DESK[0], 0.9, 0.9), Weighed(DESK[0], 0.1, 0.1)
    assert combined([sure, unsure]).weight > 0.8
    assert combined([sure, unsure]).confidence < combined([sure, sure]).confidence
    assert combined([sure]).weight == pytest.approx(0.9)


def test_an_ensemble_takes_other_members_but_no_ensemble():
    members = [ScriptedWeighter([0.9, 0.1]), ScriptedWeighter([0.9, 0.1])]
    assert EnsembleWeighter(members).weigh("", DESK).weights == pytest.approx((0.9, 0.1))
    with pytest.raises(QueryError):
        EnsembleWeighter([EnsembleWeighter()])
