"""A person as the agent: reads the programs, asks, and says who is eligible (ProADA, section 4).

Every question is on disk, with its answer, before the next one is read: a session that is
stopped goes on at the next question. What was said is never said again, so nobody's memory of
an earlier try helps. How lines are shown and read is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from ...catalogs.errors import QueryError, excerpt
from ...dialogs.eligibility.roles import Decision, Parsed, Question, most_questions
from ...dialogs.models.chat_model import MAX_QUESTION
from ...dialogs.transcripts.episode import Episode, read_episode
from ..text_files import naming
from .components import Components
from .dialogue import Dialogue, dialogue_of
from .episode_runner import header_of, run_conversation
from .records import Household

Show = Callable[[str], None]
Read = Callable[[str], str]
"""Returns a line after a prompt; raises `EOFError` where there will be none."""

STUDY_PAIRS = 39
"""Pairs of a household and a program that one author decided; which ones is not published."""

HELP = (
    "One question a line. `programs` shows the requirements again, `done` when you can decide, "
    "`stop` to go on another time."
)
WORDS = {"y": True, "yes": True, "n": False, "no": False}


class Stopped(Exception):
    """The person went away."""


def study_households(
    households: Sequence[Household], pairs: int, seed: int = 0
) -> tuple[Household, ...]:
    """Return households drawn in the order of a seed, with so many pairs in all.

    They are whole but for the last, which keeps its first programs. Raises `QueryError` where
    there are fewer pairs.
    """
    drawn = list(households)
    Random(seed).shuffle(drawn)
    chosen: list[Household] = []
    left = pairs
    while drawn and left:
        household = drawn.pop()
        targets = household.targets[:left]
        chosen.append(_asking_for(household, targets))
        left -= len(targets)
    if left:
        raise QueryError(f"{pairs} pairs", hint=f"the households have {pairs - left}")
    return tuple(chosen)


def _asking_for(household: Household, programs: tuple[str, ...]) -> Household:
    """Return a household with other programs; made anew, since a copy keeps what was cached."""
    fields: dict[str, Any] = {name: getattr(household, name) for name in Household.model_fields}
    return Household.model_validate({**fields, "target_programs": programs})


@dataclass
class PersonDecider:
    """Somebody at a terminal who knows the requirements and nothing of the household."""

    requirements: Mapping[str, str]
    show: Show
    read: Read
    asked: int = 0

    @property
    def turns(self) -> int:
        """How many questions were asked."""
        return self.asked

    def introduce(self) -> None:
        """Show the programs to decide, with what they require."""
        for at, (name, text) in enumerate(self.requirements.items(), 1):
            self.show(f"\n{at}. {name}\n{text}")
        self.show(f"\n{HELP}")

    def next_question(self) -> Question | None:
        """Return the question that is typed; None for `done`, and when enough was asked."""
        most = most_questions(tuple(self.requirements))
        while self.asked < most:
            line = self._line(f"question {self.asked + 1} of {most}")
            if line.casefold() == "done":
                return None
            if line.casefold() == "programs":
                self.introduce()
            elif line:
                self.asked += 1
                return Question(line[:MAX_QUESTION])
        self.show(f"That was question {most}: no more.")
        return None

    def observe(self, text: str) -> Parsed:
        """Show what the household says."""
        self.show(f"person: {text}")
        return Parsed()

    def decisions(self) -> dict[str, Decision]:
        """Return what is typed for each program; asked again until it is yes or no."""
        return {name: Decision(name, self._eligible(name)) for name in self.requirements}

    def _eligible(self, name: str) -> bool:
        while True:
            line = self._line(f"{name}: eligible (yes or no)").casefold()
            if line in WORDS:
                return WORDS[line]
            self.show("Write yes or no.")

    def _line(self, prompt: str) -> str:
        try:
            line = " ".join(self.read(prompt).split())
        except EOFError:
            raise Stopped from None
        if line.casefold() == "stop":
            raise Stopped
        return line


def hold_session(
    components: Components,
    households: Sequence[Household],
    folder: Path,
    show: Show,
    read: Read,
) -> tuple[list[Dialogue], bool]:
    """Hold the conversations that the folder does not have whole, until the person stops.

    Returns all that are whole, and whether none is left. Raises `QueryError` where an episode
    of the folder is of another session, `UnreadableFile` where it cannot be read or written.
    """
    with naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
    whole: list[Dialogue] = []
    for at, household in enumerate(households, 1):
        episode = _begun(folder, household, components.setting)
        if episode is not None and episode.termination is not None:
            whole.append(dialogue_of(episode))
            continue
        count = len(household.targets)
        show(f"\nHousehold {at} of {len(households)}: {count} program{'s' * (count > 1)}")
        try:
            whole.append(_held(components, household, folder, episode, show, read))
        except Stopped:
            return whole, False
    return whole, True


def _held(
    components: Components,
    household: Household,
    folder: Path,
    episode: Episode | None,
    show: Show,
    read: Read,
) -> Dialogue:
    programs = components.data.programs
    requirements = {name: programs[name].requirements_text for name in household.targets}
    turns = [] if episode is None else list(episode.of_kind("turn"))
    decider = PersonDecider(requirements, show, read, len(turns))
    decider.introduce()
    for turn in turns:
        show(f"you: {turn['question']}\nperson: {turn['answer']}")
    user = components.user(household)
    return run_conversation(household, decider, user, components.setting, folder, turns)


def _begun(folder: Path, household: Household, setting: Mapping[str, Any]) -> Episode | None:
    """Return the episode of a household that a folder holds; None where there is none."""
    path = folder / f"{household.household}.jsonl"
    if not path.exists():
        return None
    episode = read_episode(path)
    for name, value in header_of(household, setting).items():
        if episode.header.get(name) != value:
            was = excerpt(episode.header.get(name))
            raise QueryError(
                f"{name} is {excerpt(value)}, and was {was} when {path.name} was begun",
                hint="give --transcripts another folder",
            )
    return episode
