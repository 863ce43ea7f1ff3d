"""Training data of APEC-Travel's three roles, and pairs of dialogues by reward.

Source: APEC-Travel, Table 8 (what each role learns from), 3.4 (two dialogues a traveller, the
better by reward) and A.8 (a thought before a question). The agent learns whole dialogues; the
traveller and the stenographer learn their replies to the prompts that they get when they play.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...catalogs.errors import QueryError
from ...dialogs.elicitation.conversation import Elicitation
from ...dialogs.elicitation.model_roles import LONGEST, NAMES, entry_lines
from ...dialogs.elicitation.planners import CriticalPlanner
from ...dialogs.elicitation.schema import Schema, travel_schema
from ...dialogs.elicitation.thoughts import with_thought
from ...dialogs.elicitation.traveller import SimulatedTraveller
from ...dialogs.models.prompt import load_prompt
from ...dialogs.transcripts.transcript import Transcript
from ..apec.preference_pairs import better_and_worse
from ..apec.roles import drawn_travellers, roles_of
from ..apec.run import Dialogue, hold
from ..apec.scores import reward
from ..apec.travellers import TravellerRecord
from ..progress import Counted, uncounted
from .dialogue_rows import dialogue_prompt
from .rows import (
    Row,
    Split,
    TrainingData,
    assistant_says,
    fingerprint,
    json_text,
    splits,
    user_says,
)

ROUNDS = 12
"""Questions of a dialogue at most."""

LEAST = 2
"""Travellers: one to train on, one to test on."""

PROMPTS = ("ask_traveller", "answer_as_traveller", "take_down_profile")


def apec_data(count: int, seed: int, alpha: float, progress: Counted = uncounted) -> TrainingData:
    """Return the rows of `count` made travellers: dialogues, replies, and pairs by reward.

    Raises `QueryError` for fewer than two travellers, or an alpha outside 0 to 1.
    """
    if count < LEAST or not 0 <= alpha <= 1:
        problem = f"{count} travellers and alpha {alpha:g}"
        raise QueryError(problem, hint="give at least 2, and an alpha from 0 to 1")
    schema = travel_schema()
    roles = roles_of(schema, None, seed)
    travellers = drawn_travellers(count, "coherent", seed, schema)
    data = TrainingData(
        "apec",
        seed,
        settings={"count": count, "alpha": alpha, "rounds": ROUNDS},
        prompts=[load_prompt(name).record() for name in PROMPTS],
    )
    split_of = splits(map(traveller_fingerprint, travellers), seed)
    for traveller in progress(travellers, "holding dialogues"):
        split = split_of[traveller_fingerprint(traveller)]
        held = hold(roles, CriticalPlanner(), traveller, ROUNDS)
        data.add("sft", role_rows(schema, held, split, seed))
        pair = better_and_worse(roles, traveller, ROUNDS, seed, alpha)
        if pair:
            data.add("dpo", [pair_row(*pair, split, alpha)])
    return data.without_repeats()


def traveller_fingerprint(traveller: TravellerRecord) -> str:
    """Return the fingerprint of a traveller, by what it wants."""
    return fingerprint(json_text(sorted(traveller.profile.items())))


def role_rows(schema: Schema, held: Dialogue, split: Split, seed: int) -> Iterator[Row]:
    """Yield the rows of the three roles from one dialogue."""
    traveller, said = held.traveller, list(held.elicitation.said)
    meta = _meta(traveller, split)
    yield {
        "prompt": dialogue_prompt(_request(held.elicitation)),
        "completion": dialogue_turns(held.elicitation),
        "meta": meta | {"role": "agent"},
    }
    style = SimulatedTraveller(
        traveller.profile, seed=f"{seed} {traveller.id}", schema=schema
    ).style
    answer, notes = load_prompt("answer_as_traveller"), load_prompt("take_down_profile")
    for round_, question in enumerate(held.elicitation.asked):
        place = 2 + 2 * round_
        entry = schema.find(question.entry)
        text = answer.render(
            style=style,
            entry=entry.label,
            value=traveller.profile.get(entry.name, "nothing in particular"),
            question=question.text,
        )
        reply = said[place + 1].content
        about = meta | {"round": round_ + 1}
        yield {
            "prompt": user_says(text),
            "completion": assistant_says(reply),
            "meta": about | {"role": "traveller"},
        }
        recent = Transcript(tuple(said[place : place + 2]))
        text = notes.render(
            entries=entry_lines([entry]), dialogue=recent.lines(NAMES, most=2, longest=LONGEST)
        )
        yield {
            "prompt": user_says(text),
            "completion": assistant_says(json_text({"notes": _noted(held, round_, place + 1)})),
            "meta": about | {"role": "stenographer"},
        }


def _noted(held: Dialogue, round_: int, message: int) -> list[dict[str, Any]]:
    """Return what was taken down of the answer of one round."""
    asked = held.elicitation.asked[round_].entry
    known = held.elicitation.profiles[round_ + 1].get(asked)
    if known is None or known.evidence.message != message:
        return []
    return [{"entry": known.entry, "value": known.value, "quote": known.evidence.text}]


def _request(held: Elicitation) -> str:
    return list(held.said)[1].content


def dialogue_turns(held: Elicitation) -> list[dict[str, str]]:
    """Return the agent's questions, each with its thought, and the answers but the last.

    Nothing is trained on an answer, so one that no question follows is left out.
    """
    turns: list[dict[str, str]] = []
    for round_, question in enumerate(held.asked):
        place = 2 + 2 * round_
        turns += assistant_says(with_thought(question.thought, question.text))
        turns += user_says(list(held.said)[place + 1].content)
    return turns[:-1]


def pair_row(chosen: Dialogue, rejected: Dialogue, split: Split, alpha: float) -> Row:
    """Return a pair of dialogues with what their rewards are made of."""
    both = {"chosen": chosen, "rejected": rejected}
    rewards = {f"reward_{name}": reward(held.scores, alpha) for name, held in both.items()}
    parts = {
        f"scores_{name}": {"r_c": held.scores.r_c, "r_a": held.scores.r_a}
        for name, held in both.items()
    }
    profiles = {
        f"profile_{name}": {entry: known.value for entry, known in held.elicitation.profile.items()}
        for name, held in both.items()
    }
    truth = {
        "profile": dict(chosen.traveller.profile),
        "critical": list(chosen.traveller.critical),
    }
    return {
        "prompt": dialogue_prompt(_request(chosen.elicitation)),
        "chosen": dialogue_turns(chosen.elicitation),
        "rejected": dialogue_turns(rejected.elicitation),
        "meta": _meta(chosen.traveller, split)
        | {"role": "agent", "alpha": alpha}
        | rewards
        | parts
        | profiles
        | truth,
    }


def _meta(traveller: TravellerRecord, split: Split) -> dict[str, Any]:
    return {
        "split": split,
        "instance": traveller.id,
        "traveller": traveller.id,
        "fingerprint": traveller_fingerprint(traveller),
    }
