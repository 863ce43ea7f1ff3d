"""The provider on a model: the model chooses among what may be told, we put in the texts."""

import json

import pytest

from clarq_data import kite, turns
from concede.catalogs.errors import BadReply
from concede.dialogs.information_seeking.model_provider import ATTEMPTS, ModelProvider, reveals
from concede.dialogs.information_seeking.provider_replies import ENOUGH, SAID
from concede.dialogs.models.scripted import ScriptedModel

ASKED = turns("Hi?", "How?", "Take the kite to the beach.", "Which kite?")


def reply_of(*fields: dict[str, object], mode: str = "single"):
    model = ScriptedModel([json.dumps(each) for each in fields])
    return ModelProvider(model, "multi" if mode == "multi" else "single").reply(kite(), ASKED)


def test_greeting_and_first_answer_need_no_model():
    provider = ModelProvider(ScriptedModel([]))
    assert provider.reply(kite(), ()).released == ()
    assert provider.reply(kite(), ASKED[:2]).text == "Take the kite to the beach."


def test_the_text_of_the_chosen_nodes_is_ours():
    reply = reply_of({"type": 2, "nodes": ["1"], "words": "The green one!"})
    assert (reply.text, reply.released) == ("The blue kite is the light one.", ("1",))
    reply = reply_of({"type": 2, "nodes": ["2", "1"]}, mode="multi")
    assert reply.text == "The blue kite is the light one. Long Beach has wind."
    assert reply.released == ("1", "2")


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": 2, "nodes": ["1.1"]},
        {"type": 2, "nodes": ["9"]},
        {"type": 2, "nodes": ["1", "2"]},
        {"type": 2, "nodes": []},
        {"type": 4, "nodes": ["1"]},
        {"type": 5, "nodes": ["1"]},
    ],
)
def test_nodes_that_may_not_be_told_are_refused(wrong: dict[str, object]):
    right = {"type": 2, "nodes": ["2"]}
    assert reply_of(wrong, right).released == ("2",)
    with pytest.raises(BadReply, match="may not be told, 3 times"):
        reply_of(*[wrong] * ATTEMPTS)


def test_a_told_node_may_be_said_again():
    reply = reply_of({"type": 4, "nodes": ["0"]})
    assert (reply.text, reply.released, reply.kind) == ("Take the kite to the beach.", (), 4)


def test_the_models_words_are_taken_only_where_they_tell_nothing():
    assert reply_of({"type": 5, "words": "Let us stay with the kite."}).text == (
        "Let us stay with the kite."
    )
    told = {"type": 6, "words": "Well, the blue kite is the light one, you know."}
    assert reply_of(told).text == SAID[6]["en"]
    assert reply_of({"type": 3}).text == SAID[3]["en"]
    part = "I think the blue kite is the light thing."
    assert reveals(kite(), part)
    assert not reveals(kite(), "The kite is what we speak of.")


def test_when_nothing_is_left_it_says_so():
    said = (
        *ASKED,
        *turns(
            "The blue kite is the light one. It hangs in the shed. Long Beach has wind.", "More?"
        ),
    )
    model = ScriptedModel(['{"type": 3}'])
    assert ModelProvider(model).reply(kite(), said).text == ENOUGH["en"]
