"""A dialogue and its ends, what counts as told, and a person on either side."""

from collections.abc import Iterable

import pytest

from clarq_data import ScriptedSeeker, kite, turns
from concede.catalogs.errors import AgentError, QueryError
from concede.dialogs.information_seeking.dialogue import MAX_TURNS, converse, is_goodbye
from concede.dialogs.information_seeking.first_in_order import FirstInOrder
from concede.dialogs.information_seeking.http_agents import HTTPProvider
from concede.dialogs.information_seeking.person import PersonProvider, PersonSeeker
from concede.dialogs.information_seeking.providers import provider_named
from concede.dialogs.information_seeking.task import ProviderReply, SeekerTask
from concede.dialogs.information_seeking.telling import (
    check_reply,
    holds,
    newly_told,
    releasable,
    told_before,
)

START = turns("Hi?", "How?", "Take the kite to the beach.", "Which?")


def test_a_dialogue_ends_with_goodbye():
    seeker = ScriptedSeeker(("How do I fly it?", "Which?", "Good bye, then."))
    heard: list[object] = []
    said = converse(seeker, FirstInOrder(), kite(), said=lambda turn, reply: heard.append(reply))
    assert [turn.text for turn in said] == [
        "What can I do for you?",
        "How do I fly it?",
        "Take the kite to the beach.",
        "Which?",
        "The blue kite is the light one.",
        "Good bye, then.",
    ]
    assert heard[4] == ProviderReply("The blue kite is the light one.", ("1",), 2)
    assert heard[1::2] == [None] * 3


def test_a_dialogue_ends_after_24_messages_and_a_seeker_sees_no_tree():
    seen: list[SeekerTask] = []

    class Endless:
        def say(self, task: SeekerTask, turns: object) -> str:
            seen.append(task)
            return "What else?"

    said = converse(Endless(), FirstInOrder(), kite())
    assert (len(said), said[-1].speaker) == (MAX_TURNS, "seeker") == (24, "seeker")
    assert {type(task) for task in seen} == {SeekerTask}


@pytest.mark.parametrize(
    ("text", "ends"),
    [("GOODBYE!", True), ("谢谢，再见。", True), ("good-bye", True), ("Good buy?", False)],
)
def test_what_is_a_goodbye(text: str, ends: bool):
    assert is_goodbye(text) == ends


def test_what_was_told_and_what_may_be():
    assert holds("Jax: well, LONG  beach\nhas wind, I think", "Long Beach has wind.")
    assert not holds("Long Beach has no wind", "Long Beach has wind.")
    assert told_before(kite(), START) == ("0",)
    assert [node.node for node in releasable(kite(), ("0",))] == ["1", "2"]
    assert [node.node for node in releasable(kite(), ("0", "1", "2"))] == ["1.1"]
    # The greeting tells nothing.
    assert told_before(kite(), turns("Long Beach has wind.", "How?")) == ()


def test_a_repeated_fact_is_not_released_again():
    said = (*START, *turns("Long Beach has wind.", "Which beach?"))
    text = "As I said: Long Beach has wind."
    assert newly_told(kite(), said, text) == ()
    assert check_reply(kite(), said, ProviderReply(text)).text == text
    with pytest.raises(AgentError):
        check_reply(kite(), START, ProviderReply(text))
    with pytest.raises(AgentError):
        check_reply(kite(), START, ProviderReply("No idea.", ("2",)))


def lines(*said: str):
    rest = iter(said)

    def read() -> str:
        line = next(rest, None)
        if line is None:
            raise EOFError
        return line

    return read


def test_a_person_who_seeks():
    shown: list[str] = []
    seeker = PersonSeeker(shown.append, lines("How?", "", "Which?"))
    said = converse(seeker, FirstInOrder(), kite())
    assert [turn.text for turn in said[1::2]] == ["How?", "Which?", "Goodbye!"]
    assert "Find out how to fly a kite." in shown[0]
    assert not any("shed" in text for text in shown)


def test_a_person_who_provides_may_give_numbers_or_words():
    shown: list[str] = []
    provider = PersonProvider(shown.append, lines("1.1", "1, 2 | have fun", "yes", ""))
    said = START
    replies: list[ProviderReply] = []
    for _ in range(3):
        replies.append(provider.reply(kite(), said))
        said = (*said, *turns(replies[-1].text, "And?"))
    first, second, third = replies
    assert first.released == ("1", "2")
    assert first.text == "The blue kite is the light one. Long Beach has wind. have fun"
    assert "1.1 may be told once its parent was told" in shown
    assert (second.text, second.released) == ("yes", ())
    assert third.text == "I have nothing to say to that."
    assert any("1.1: It hangs in the shed." in text for text in shown[-4:])
    with pytest.raises(AgentError, match="the input ended"):
        provider.reply(kite(), said)


def test_a_person_first_says_what_everybody_says_first():
    provider = PersonProvider(lambda _: None, lines())
    assert provider.reply(kite(), ()).text == "What can I do for you?"
    assert provider.reply(kite(), turns("Hi?", "How?")).text == "Take the kite to the beach."


def names(providers: Iterable[object]) -> list[str]:
    return [type(provider).__name__ for provider in providers]


def test_providers_by_name():
    assert names([provider_named("first"), provider_named("http://127.0.0.1:9/")]) == [
        FirstInOrder.__name__,
        HTTPProvider.__name__,
    ]
    with pytest.raises(QueryError, match="no provider 'nobody'"):
        provider_named("nobody")
    with pytest.raises(QueryError, match="without a model"):
        provider_named("model")
