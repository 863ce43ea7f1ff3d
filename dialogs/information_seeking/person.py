"""A person at a terminal as seeker or as provider; how lines are shown and read is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...catalogs.errors import AgentError
from .first_in_order import GREETINGS
from .task import ROOT, ClarificationTask, ProviderReply, SeekerTask, SpokenTurn
from .telling import newly_told, releasable, told_before

Show = Callable[[str], None]
Read = Callable[[], str]
"""Returns a line; raises `EOFError` where there will be none."""

GOODBYES = {"en": "Goodbye!", "zh": "再见！"}
NO_ANSWER = {"en": "I have nothing to say to that.", "zh": "这个我没有什么可说的。"}

SEEKER_HELP = "Ask until nothing is unclear, then say goodbye (再见)."
PROVIDER_HELP = (
    "Answer with the numbers of the facts that were asked for (1 1.1), with your own words, or "
    "with both: 2 | of course. An empty line says nothing of use."
)


@dataclass(frozen=True)
class PersonSeeker:
    """Shows the background and what the provider says, and reads what the person asks."""

    show: Show
    read: Read

    def say(self, task: SeekerTask, turns: Sequence[SpokenTurn]) -> str:
        """See `Seeker.say`; the end of the input is a goodbye."""
        if len(turns) == 1:
            self.show(f"\n{task.background}\n\n{SEEKER_HELP}\n")
        self.show(f"provider: {turns[-1].text}")
        try:
            while not (line := self.read().strip()):
                self.show(SEEKER_HELP)
        except EOFError:
            return GOODBYES[task.lang]
        return line


@dataclass(frozen=True)
class PersonProvider:
    """Shows which facts may be told now, and reads which ones the person tells.

    A number of a fact becomes its text. A fact that is due later is refused.
    """

    show: Show
    read: Read

    def reply(self, task: ClarificationTask, turns: Sequence[SpokenTurn]) -> ProviderReply:
        """See `Provider.reply`; raises `AgentError` where the input ends."""
        if not turns:
            return ProviderReply(GREETINGS[task.lang])
        told = told_before(task, turns)
        if ROOT not in told:
            self.show(f"\n{task.role}: {task.goal}\n{PROVIDER_HELP}\n")
            self.show(f"seeker: {turns[-1].text}\nYou answer: {task.responses[0].text}")
            return ProviderReply(task.responses[0].text, (), 1)
        self.show(f"seeker: {turns[-1].text}")
        try:
            text = self._answer(task, told)
        except EOFError:
            hint = "with --out the same command goes on later"
            raise AgentError("the input ended amid a dialogue", hint=hint) from None
        return ProviderReply(text, newly_told(task, turns, text))

    def _answer(self, task: ClarificationTask, told: Sequence[str]) -> str:
        due = [node.node for node in releasable(task, told)]
        for node in task.responses:
            if node.node in due or node.node in told:
                self.show(f"  {node.node}{' (told)' if node.node in told else ''}: {node.text}")
        texts = {node.node: node.text for node in task.responses}
        while True:
            numbers, words = _parts(self.read(), texts)
            early = [node for node in numbers if node not in due and node not in told]
            if not early:
                said = " ".join([*(texts[node] for node in numbers), words]).strip()
                return said or NO_ANSWER[task.lang]
            self.show(f"{early[0]} may be told once its parent was told")


def _parts(line: str, texts: dict[str, str]) -> tuple[list[str], str]:
    """Return the numbers of facts in a line, and the words beside them."""
    numbers, _, words = line.partition("|")
    named = numbers.replace(",", " ").split()
    if named and all(name in texts for name in named):
        return named, words.strip()
    return [], line.strip()
