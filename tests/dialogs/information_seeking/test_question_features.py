"""The question that a node answers beside the questions that are put."""

import pytest

from concede.dialogs.information_seeking.features import NAMES, Moment, node_features
from concede.dialogs.information_seeking.question_features import NAMES as QUESTION_NAMES
from concede.dialogs.information_seeking.task import ClarificationTask, ResponseNode
from concede.dialogs.information_seeking.task_view import task_view
from concede.dialogs.information_seeking.utterances import utterance

RESPONSES = {
    "en": (
        ResponseNode("0", None, "Cut a tree. Tie the logs with rope."),
        ResponseNode(
            "1",
            "0",
            "The rope is sold at the harbour.",
            "This response addresses the question of where to buy rope, specifying the harbour.",
        ),
        ResponseNode(
            "2",
            "0",
            "The red rope is strong.",
            "This response addresses the question of which rope to use, specifying the red one.",
        ),
    ),
    "zh": (
        ResponseNode("0", None, "你要砍树。再用绳子把木头绑起来。"),
        ResponseNode(
            "1", "0", "绳子在港口卖。", "注：只有在对方注意到不知道去哪里买绳子才使用这个回复。"
        ),
        ResponseNode(
            "2", "0", "红绳子最结实。", "注：只有在对方注意到不知道用哪种绳子才使用这个回复。"
        ),
    ),
}


def features(lang: str, text: str) -> list[dict[str, float]]:
    """Return the columns of the two open nodes, by name."""
    view = task_view(
        ClarificationTask("x", lang, "", "", (), (), (), "", RESPONSES[lang]), rarity={}
    )
    moment = Moment(frozenset({"0"}), frozenset(), None, ("1", "2"))
    rows = node_features(view, utterance(text, lang), moment).tolist()
    return [dict(zip(NAMES, row, strict=True)) for row in rows]


@pytest.mark.parametrize(
    ("lang", "where", "which"),
    [
        ("en", "Where can I buy the rope?", "Which rope should I use?"),
        ("zh", "我去哪里买绳子？", "我要用哪种绳子？"),
    ],
)
def test_the_focus_of_a_question_tells_nodes_of_one_object_apart(lang: str, where: str, which: str):
    place, choice = features(lang, where)
    assert place["focus over open"] > 0 > choice["focus over open"]
    place, choice = features(lang, which)
    assert choice["focus over open"] > 0 > place["focus over open"]


def test_what_is_only_stated_counts_apart():
    asked, summed = (
        features("en", "I buy rope at the harbour. Which rope is strong?"),
        features("en", "Which rope is strong?"),
    )
    assert asked[0]["stated"] > asked[1]["stated"] > 0
    assert summed[0]["stated"] == summed[1]["stated"] == 0


def test_the_question_of_a_node_without_purpose_is_its_text():
    bare = tuple(ResponseNode(n.node, n.parent, n.text) for n in RESPONSES["en"])
    view = task_view(ClarificationTask("x", "en", "", "", (), (), (), "", bare), rarity={})
    moment = Moment(frozenset({"0", "1"}), frozenset({"1"}), None, ("2",))
    rows = node_features(view, utterance("Is the red rope strong?", "en"), moment)
    assert rows.shape == (1, len(NAMES))
    assert rows[0, NAMES.index("core")] > 0.5


def test_names_are_distinct():
    assert len(set(NAMES)) == len(NAMES)
    assert set(QUESTION_NAMES) <= set(NAMES)


def test_a_question_alike_to_that_of_another_node_is_known_as_such():
    responses = (
        *RESPONSES["en"],
        ResponseNode("3", "0", "It is night.", "This response addresses the question of when."),
    )
    view = task_view(ClarificationTask("x", "en", "", "", (), (), (), "", responses), rarity={})
    said = utterance("Which rope should I use?", "en")

    def alike(told: set[str], candidates: tuple[str, ...]) -> list[list[float]]:
        moment = Moment(frozenset({"0", *told}), frozenset(), None, candidates)
        rows = node_features(view, said, moment)
        return rows[:, [NAMES.index("alike open"), NAMES.index("alike told")]].tolist()

    where, which, when = alike(set(), ("1", "2", "3"))
    assert where[0] == which[0] > when[0]
    assert where[1] == which[1] == when[1] == 0
    which, when = alike({"1"}, ("2", "3"))
    assert which[1] > when[1]
    assert which[0] == when[0] < where[0]
