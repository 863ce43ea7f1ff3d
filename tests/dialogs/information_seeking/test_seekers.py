"""Plain seekers, the oracle, the model's seeker, and their names."""

import pytest

from clarq_data import kite, turns
from concede.catalogs.errors import BadReply, QueryError
from concede.dialogs.information_seeking.dialogue import converse, is_goodbye
from concede.dialogs.information_seeking.first_in_order import FirstInOrder
from concede.dialogs.information_seeking.registry import SEEKERS, seeker_named
from concede.dialogs.models.chat_model import Reply, Request
from concede.dialogs.models.scripted import ScriptedModel

START = turns("Hi?", "How?", "Take the kite to the beach.")


@pytest.mark.parametrize("name", ["silent", "vague", "confirm", "dump", "oracle", "offline"])
def test_every_seeker_begins_with_the_goal_and_ends(name: str):
    task = kite()
    seeker = seeker_named(name, tasks=[task])
    said = converse(seeker, FirstInOrder(), task)
    assert task.goal in said[1].text
    assert is_goodbye(said[-1].text)
    assert len(said) < 24


def test_silent_asks_nothing_and_confirm_sums_up():
    assert is_goodbye(seeker_named("silent").say(kite(), START))
    summed = seeker_named("confirm").say(kite(), START)
    assert summed == 'So I understand: "Take the kite to the beach." Is that right?'


def test_dump_lists_everything():
    task = kite()
    listed = seeker_named("dump").say(task, START)
    for option in (*task.items, *task.skills, *task.scenes):
        assert option in listed


def test_the_oracle_asks_in_the_order_of_the_tree_and_gets_all():
    task = kite()
    said = converse(seeker_named("oracle", tasks=[task]), FirstInOrder(), task)
    told = " ".join(turn.text for turn in said if turn.speaker == "provider")
    assert all(node.text in told for node in task.responses)


def test_the_oracle_knows_only_its_tasks():
    with pytest.raises(QueryError, match="does not know task"):
        seeker_named("oracle", tasks=[]).say(kite(), START)
    with pytest.raises(QueryError, match="without tasks"):
        seeker_named("oracle")


def test_an_unknown_name_is_answered_with_the_names():
    with pytest.raises(QueryError) as raised:
        seeker_named("oracel")
    assert all(name in str(raised.value) for name in SEEKERS)


@pytest.mark.parametrize("name", ["chat", "comp"])
def test_the_model_sees_the_background_and_never_the_tree(name: str):
    seen: list[Request] = []

    def answer(request: Request) -> str:
        seen.append(request)
        return "You: Which kite?"

    task = kite()
    model = ScriptedModel(answer)
    assert seeker_named(name, model=model).say(task, START) == "Which kite?"
    messages = seen[0].messages
    text = "\n".join(message.content for message in messages)
    assert task.background in text
    assert "Take the kite to the beach." in text
    hidden = [part for node in task.responses[1:] for part in (node.text, node.purpose) if part]
    assert not any(part in text for part in hidden)
    roles = [message.role for message in messages]
    assert roles == (["system", "user", "assistant", "user"] if name == "chat" else ["user"])


def test_a_model_that_says_nothing_is_an_error():
    with pytest.raises(BadReply):
        seeker_named("chat", model=ScriptedModel([Reply("")])).say(kite(), START)
    with pytest.raises(QueryError, match="without a model"):
        seeker_named("comp")
