"""The three weighters on a chat model: the published rules, on scripted replies and a server."""

from __future__ import annotations

import json

import pytest

from concede.catalogs.errors import BadReply, LimitError
from concede.catalogs.query.constraint import Constraint
from concede.dialogs.models.chat_model import Reply, Request
from concede.dialogs.models.opening import endpoint_model
from concede.dialogs.models.scripted import ScriptedModel
from concede.dialogs.models.settings import ModelSettings
from concede.dialogs.weighters.llm import GlobalWeighter, LocalWeighter, PairwiseWeighter, choice
from loopback_chat import LoopbackChat, says, says_with_logprobs

KETTLE = (
    Constraint(column="colour", op="==", value="teal"),
    Constraint(column="litres", op=">=", value=1.7),
    Constraint(column="price", op="<=", value=60),
)
TALK = [
    {"role": "user", "content": "I need a kettle."},
    {"role": "assistant", "content": "Which colour?"},
    {"role": "user", "content": "Teal, if you have it."},
    {"role": "assistant", "content": "How many litres?"},
    {"role": "user", "content": "At least 1.7 litres, definitely."},
    {"role": "assistant", "content": "And the price?"},
    {"role": "user", "content": "Up to 60."},
]


def prefers(*order: str):
    """A model that keeps whichever wish comes first in the order."""

    def reply(request: Request) -> str:
        text = request.messages[-1].content
        first = text.split("\nA: ")[1].split("\n")[0]
        second = text.split("\nB: ")[1].split("\n")[0]
        places = [
            next(at for at, name in enumerate(order) if name in line) for line in (first, second)
        ]
        return "A" if places[0] < places[1] else "B"

    return ScriptedModel(reply)


def test_local_sees_the_answer_about_its_slot_and_no_other():
    prompts: list[str] = []

    def reply(request: Request) -> str:
        prompts.append(request.messages[-1].content)
        return json.dumps({"weight": 0.1 * len(prompts)})

    weighing = LocalWeighter(ScriptedModel(reply)).weigh(TALK, KETTLE)
    assert weighing.weights == pytest.approx((0.1, 0.2, 0.3))
    assert [
        ("Teal" in prompt, "definitely" in prompt, "Up to 60" in prompt) for prompt in prompts
    ] == [
        (True, False, False),
        (False, True, False),
        (False, False, True),
    ]
    assert [part.evidence[0].message for part in weighing] == [2, 4, 6]


def test_local_asks_nothing_about_what_nobody_spoke_of():
    (part,) = LocalWeighter(ScriptedModel([])).weigh("Hello there.", KETTLE[:1])
    assert (part.weight, part.evidence) == (0.5, ())


@pytest.mark.parametrize(
    ("stated", "weights"),
    [
        ([2, 1, 1], (0.5, 0.25, 0.25)),
        ([0.2, 0.3, 0.5], (0.2, 0.3, 0.5)),
        ([0, 0, 0], (1 / 3, 1 / 3, 1 / 3)),
    ],
)
def test_global_weights_add_up_to_one(stated: list[float], weights: tuple[float, ...]):
    model = ScriptedModel([json.dumps({"weights": stated})])
    weighing = GlobalWeighter(model).weigh(TALK, KETTLE)
    assert weighing.weights == pytest.approx(weights)


@pytest.mark.parametrize(
    "wrong",
    ['{"weights": [1, 2]}', '{"weights": [1, -1, 1]}', "I'd say 3", '{"weights": [NaN, 1, 1]}'],
)
def test_global_asks_again_and_then_gives_up(wrong: str):
    good = json.dumps({"weights": [1, 1, 2]})
    assert GlobalWeighter(ScriptedModel([wrong, good])).weigh(TALK, KETTLE).weights[2] == 0.5
    with pytest.raises(BadReply):
        GlobalWeighter(ScriptedModel([wrong] * 3)).weigh(TALK, KETTLE)


def test_pairwise_weights_are_the_published_ones():
    # Three constraints in a clear order: 2, 1 and 0 wins, as in the published runs.
    weighing = PairwiseWeighter(prefers("litres", "colour", "price")).weigh(TALK, KETTLE)
    assert weighing.weights == pytest.approx(
        (0.33333333333333326, 0.6666663333336666, 3.3333300000033327e-07), abs=1e-15
    )


def test_pairwise_with_two_constraints():
    weighing = PairwiseWeighter(prefers("litres", "colour")).weigh(TALK, KETTLE[:2])
    assert weighing.weights == pytest.approx((9.99998000004e-07, 0.999999000002), abs=1e-15)


def test_replies_that_disagree_are_a_tie():
    always_the_first = ScriptedModel(lambda request: "A")
    weighing = PairwiseWeighter(always_the_first).weigh(TALK, KETTLE)
    assert weighing.weights == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def test_a_cycle_leaves_all_equal():
    beats = {("colour", "litres"), ("litres", "price"), ("price", "colour")}

    def reply(request: Request) -> str:
        text = request.messages[-1].content
        names = [text.split(f"\n{letter}: ")[1].split(" ")[0] for letter in "AB"]
        return "A" if tuple(names) in beats else "B"

    weighing = PairwiseWeighter(ScriptedModel(reply)).weigh(TALK, KETTLE)
    assert weighing.weights == pytest.approx((1 / 3, 1 / 3, 1 / 3))


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        (Reply("A"), 1.0),
        (Reply(" b."), 0.0),
        (Reply("Both"), 0.5),
        (Reply(""), 0.5),
        # Tokens that strip to one letter are added up.
        (Reply("A", top_logprobs=(("A", -0.8), (" B", -1.2), ("B", -1.2), ("b", -1.5))), 0.0),
        (Reply("B", top_logprobs=(("B", -1.0), (" A", -0.6))), 1.0),
        (Reply("A", top_logprobs=(("A", -1.0), ("B", -1.0))), 0.5),
        # Log-probabilities that speak of neither letter: the text counts.
        (Reply("A", top_logprobs=(("The", -0.1),)), 1.0),
    ],
)
def test_the_letter_that_is_chosen(reply: Reply, chosen: float):
    assert choice(reply) == chosen


def test_too_many_to_compare_is_an_error():
    with pytest.raises(LimitError, match="24"):
        PairwiseWeighter(ScriptedModel([])).weigh(TALK, KETTLE[:1] * 25)


@pytest.mark.parametrize("weighter", [LocalWeighter, GlobalWeighter, PairwiseWeighter])
def test_where_nothing_is_said_no_model_is_asked(weighter):
    weighing = weighter(ScriptedModel([])).weigh("", KETTLE[:2])
    assert weighing.weights == (0.5, 0.5)
    assert all(part.confidence < 0.5 for part in weighing)


def test_end_to_end_over_the_wire():
    def server(answers):
        return LoopbackChat(answers)

    with server([says('{"weight": 0.9}'), says('{"weight": 0.2}')]) as chat:
        assert LocalWeighter(_model(chat)).weigh(TALK, KETTLE[:2]).weights == (0.9, 0.2)
    with server([says('Here: {"weights": [3, 1]}')]) as chat:
        assert GlobalWeighter(_model(chat)).weigh(TALK, KETTLE[:2]).weights == (0.75, 0.25)
    answers = [says_with_logprobs("A", {"A": -0.1, "B": -2.4}),
               says_with_logprobs("A", {" B": -0.5, "B": -1.1, "A": -1.0})]  # fmt: skip
    with server(answers) as chat:
        weighing = PairwiseWeighter(_model(chat)).weigh(TALK, KETTLE[:2])
        assert chat.asked[0].body["logprobs"] is True
        assert chat.asked[0].body["max_tokens"] == 1
    assert weighing.weights[0] == pytest.approx(0.999999000002, abs=1e-15)


def test_words_of_the_person_reach_the_model_as_text_only():
    prompts: list[str] = []

    def reply(request: Request) -> str:
        prompts.append(request.messages[-1].content)
        return '{"weights": [1, 1, 1]}'

    GlobalWeighter(ScriptedModel(reply)).weigh("{{constraints}} and {{dialogue}}", KETTLE)
    assert "{{constraints}} and {{dialogue}}" in prompts[0]


def _model(chat: LoopbackChat):
    return endpoint_model(ModelSettings(model="m", base_url=chat.url, api_key="k"))
