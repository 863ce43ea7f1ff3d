"""Seed dialogues: written by a model in one call or held offline, parsed, and checked.

Source: APEC-Travel, 3.3 and A.3. A dialogue is refused where a question is about two entries,
where the traveller tells what nobody asked for, or where the closing JSON has a wrong value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

from ...catalogs.errors import BadReply, QueryError
from ...dialogs.elicitation.agents import Asked, Stenographer
from ...dialogs.elicitation.asked_entry import entry_asked
from ...dialogs.elicitation.conversation import Elicitation
from ...dialogs.elicitation.model_roles import entry_lines
from ...dialogs.elicitation.profile import Profile
from ...dialogs.elicitation.schema import Schema, Value
from ...dialogs.models.chat_model import ChatModel, Request
from ...dialogs.models.prompt import load_prompt
from ...dialogs.models.structured import first_json
from ...dialogs.transcripts.transcript import Message, Transcript
from ..progress import Counted, uncounted
from .judge import OfflineJudge
from .travellers import TravellerRecord

UNKNOWN = "UNKNOWN"

THINKING = (
    'Before each question the agent thinks one sentence nobody hears, in a line "Agent [Think]:".'
)

_LINE = re.compile(
    r"^\s*(?:\*\*)?(?P<who>(?:travel )?agent|travell?er)(?P<think>\s*\[think\])?(?:\*\*)?\s*:\s*"
    r"(?P<text>.*)$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class SeedDialogue:
    """A dialogue to learn from. `thoughts`: by the message before which they were thought;
    `closing`: the values at its end, without those that are unknown."""

    said: Transcript
    thoughts: Mapping[int, str]
    closing: Mapping[str, Value]

    def record(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {
            "messages": self.said.records(),
            "thoughts": {str(place): text for place, text in self.thoughts.items()},
            "profile": dict(self.closing),
        }


def of_elicitation(held: Elicitation) -> SeedDialogue:
    """Return a dialogue held offline, with the planner's thoughts."""
    questions = [n for n, message in enumerate(held.said) if message.slot]
    thoughts = {
        place: question.thought
        for place, question in zip(questions, held.asked, strict=True)
        if question.thought
    }
    return SeedDialogue(held.said, thoughts, {n: k.value for n, k in held.profile.items()})


def written_by_model(
    model: ChatModel,
    traveller: TravellerRecord,
    schema: Schema,
    *,
    rounds: int,
    style: str,
    think: bool = False,
) -> SeedDialogue:
    """Return a dialogue that a model writes whole, in one call.

    Raises `BadReply` where there is no dialogue or no JSON at its end, and any `ModelError`.
    """
    text = load_prompt("write_seed_dialogue").render(
        entries=entry_lines(schema.entries),
        critical=", ".join(traveller.critical),
        profile="\n".join(f"- {name}: {value}" for name, value in traveller.profile.items()),
        style=style,
        rounds=rounds,
        thinking=THINKING if think else "",
    )
    return parse_dialogue(model.complete(Request.of(text, role="writer")).text, schema)


def parse_dialogue(text: str, schema: Schema) -> SeedDialogue:
    """Return the turns, thoughts and closing JSON of a written dialogue.

    Raises `BadReply` where a part is missing or the JSON has an unknown entry or value.
    """
    messages: list[Message] = []
    thoughts: dict[int, str] = {}
    at_json = text.rfind("\n{")
    for line in text[: at_json if at_json >= 0 else None].splitlines():
        found = _LINE.match(line)
        if found and found["think"]:
            thoughts[len(messages)] = found["text"].strip()
        elif found:
            agent = "agent" in found["who"].casefold()
            messages.append(Message("assistant" if agent else "user", found["text"].strip()))
        elif messages and line.strip():
            last = messages[-1]
            messages[-1] = Message(last.role, f"{last.content} {line.strip()}")
    if len({message.role for message in messages}) < 2:
        raise BadReply("the text holds no dialogue of an agent and a traveller")
    closing = cast("dict[str, object]", first_json(text[max(0, at_json) :]))
    told = {name: value for name, value in closing.items() if value != UNKNOWN}
    try:
        return SeedDialogue(Transcript(tuple(messages)), thoughts, schema.profile_of(told))
    except QueryError as error:
        raise BadReply(f"the closing JSON: {error}") from error


def faults(
    seed: SeedDialogue, traveller: TravellerRecord, schema: Schema, stenographer: Stenographer
) -> list[str]:
    """Return why a dialogue is refused; nothing for one to learn from."""
    found = [
        f"{name} is {value}, not {traveller.profile.get(name)}"
        for name, value in seed.closing.items()
        if value != traveller.profile.get(name)
    ]
    messages = list(seed.said)
    for before, message in pairwise(messages):
        if before.role == "assistant" and message.role == "user":
            found += _turn_faults(before.content, message, schema, stenographer)
    return found


def _turn_faults(
    question: str, answer: Message, schema: Schema, stenographer: Stenographer
) -> list[str]:
    entries = _entries_asked(question, schema)
    if len(entries) > 1:
        return [f"one question asks about {' and '.join(entries)}"]
    if not entries:
        return []
    asked = Asked(entries[0], question)
    said = Transcript((Message("assistant", question), answer))
    # Read once as an answer and once as if nothing had been asked: what more it then tells.
    unasked = stenographer.read(schema, Profile(), None, Transcript((answer,))).profile
    told = stenographer.read(schema, Profile(), asked, said).profile
    more = [name for name in unasked if name != entries[0] and name not in told]
    return [f"asked about {entries[0]}, the traveller tells {name}" for name in more]


_PIECES = re.compile(
    r"(?<=\?)\s+|,?\s+(?:and|or|plus|also)\s+(?=(?:which|what|how|where|when|who|do|does|will|would"
    r"|are|is|should|any|your|tell me)\b)|,\s+(?=(?:which|what|how|where|when|do|will|are)\b)",
    re.IGNORECASE,
)


def _entries_asked(question: str, schema: Schema) -> list[str]:
    pieces = [piece.rstrip(" .,") for piece in _PIECES.split(question)] if "?" in question else []
    # The mark at the end is that of all that was asked before it.
    asked = [piece if piece.endswith("?") else f"{piece}?" for piece in pieces if piece]
    entries = [entry_asked(schema, piece) for piece in asked or [question]]
    return list(dict.fromkeys(entry.name for entry in entries if entry is not None))


@dataclass(frozen=True)
class SeedRun:
    """What a writer made: dialogues to learn from, why others were refused, and judge's totals.

    `refused`: by traveller, its faults. `totals`: of all that could be parsed, in their order.
    """

    accepted: Mapping[str, SeedDialogue]
    refused: Mapping[str, Sequence[str]]
    totals: Sequence[float]

    def record(self) -> dict[str, Any]:
        """Return counts and the mean total as a JSON object."""
        return {
            "accepted": len(self.accepted),
            "refused": len(self.refused),
            "faults": {name: list(found) for name, found in self.refused.items()},
            "total": sum(self.totals) / len(self.totals) if self.totals else None,
        }


def write_seeds(
    travellers: Sequence[TravellerRecord],
    write: Callable[[TravellerRecord], SeedDialogue],
    judge: OfflineJudge,
    progress: Counted = uncounted,
) -> SeedRun:
    """Return what `write` makes for each traveller, checked and judged.

    What cannot be parsed is refused; any other `ModelError` of a model is raised.
    """
    accepted: dict[str, SeedDialogue] = {}
    refused: dict[str, Sequence[str]] = {}
    totals: list[float] = []
    for traveller in progress(travellers, "writing dialogues"):
        try:
            seed = write(traveller)
        except BadReply as error:
            refused[traveller.id] = [str(error)]
            continue
        totals.append(judge.score(seed.said).total)
        if found := faults(seed, traveller, judge.schema, judge.stenographer):
            refused[traveller.id] = found
        else:
            accepted[traveller.id] = seed
    return SeedRun(accepted, refused, totals)
