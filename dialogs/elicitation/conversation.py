"""An elicitation from the request to the last answer: ask, hear, take down, ask again once."""

from __future__ import annotations

from dataclasses import dataclass

from ...catalogs.errors import QueryError
from ..transcripts.transcript import Message, Transcript
from .agents import Asked, Planner, Stenographer, Traveller
from .profile import Profile
from .questions import question_text
from .schema import Schema

GREETING = "Hello! What can I plan for you?"


@dataclass(frozen=True)
class Elicitation:
    """All that was said and taken down.

    `profiles`: what was known after the request and after each round; one more than `asked`.
    `stopped_by`: `planner` when nothing more was worth asking, `rounds` when they were over.
    """

    said: Transcript
    asked: tuple[Asked, ...]
    profiles: tuple[Profile, ...]
    stopped_by: str

    @property
    def profile(self) -> Profile:
        """What is known in the end."""
        return self.profiles[-1]

    @property
    def rounds(self) -> int:
        """Questions with their answers (4.1); a question asked again is a round of its own."""
        return len(self.asked)


def elicit(
    schema: Schema,
    planner: Planner,
    stenographer: Stenographer,
    traveller: Traveller,
    rounds: int,
) -> Elicitation:
    """Return the conversation of at most `rounds` questions.

    An answer that says nothing about its entry is asked about once more. Raises `QueryError`
    for fewer than no rounds.
    """
    if rounds < 0:
        raise QueryError(f"{rounds} rounds", hint="give 0 or more")
    messages = [Message("assistant", GREETING), Message("user", traveller.request())]
    taken = stenographer.read(schema, Profile(), None, Transcript(tuple(messages)))
    asked: list[Asked] = []
    profiles, stopped_by = [taken.profile], "rounds"
    while len(asked) < rounds:
        said = Transcript(tuple(messages))
        if taken.vague and asked and not asked[-1].again:
            entry = schema.find(asked[-1].entry)
            question = Asked(entry.name, question_text(entry, again=True), again=True)
        else:
            found = planner.next(schema, taken.profile, tuple(asked), said)
            if found is None:
                stopped_by = "planner"
                break
            question = found
        asked.append(question)
        messages.append(Message("assistant", question.text, question.entry))
        messages.append(Message("user", traveller.answer(question)))
        taken = stenographer.read(schema, taken.profile, question, Transcript(tuple(messages)))
        profiles.append(taken.profile)
    return Elicitation(Transcript(tuple(messages)), tuple(asked), tuple(profiles), stopped_by)
