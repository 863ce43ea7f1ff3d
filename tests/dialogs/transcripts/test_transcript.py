"""Transcripts are read from texts, messages and records, and nothing else."""

import pytest

from concede.catalogs.errors import QueryError
from concede.dialogs.transcripts.transcript import MAX_CHARACTERS, Message, Transcript


def test_a_text_is_one_message_of_the_user() -> None:
    assert Transcript.of("a flat").messages == (Message("user", "a flat"),)


def test_records_and_messages_give_the_same_transcript() -> None:
    said = [Message("assistant", "What rent?"), Message("user", "900 at most")]
    read = Transcript.of([message.record() for message in said])
    assert read == Transcript.of(said)
    assert Transcript.of(read) is read
    assert read.records() == [message.record() for message in said]
    assert read.by("user") == ((1, said[1]),)


@pytest.mark.parametrize(
    "bad", [3, None, {"role": "user"}, {"role": "root", "content": "x"}, {"role": [], "content": 3}]
)
def test_what_is_no_message_is_named(bad: object) -> None:
    with pytest.raises(QueryError, match="is no message"):
        Transcript.of([bad])  # pyright: ignore[reportArgumentType]


def test_an_endless_transcript_is_refused() -> None:
    with pytest.raises(QueryError, match="characters"):
        Transcript.of("a" * (MAX_CHARACTERS + 1))
