"""Rows from a chat that ended in an accepted proposal; from any other nothing is learned.

A slot row for each wish that was still there at the end, one with null for each question that
was waved aside, and a pair for each proposal that was refused before the accepted one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

from ...catalogs.query.constraint import Constraint
from ...dialogs.models.prompt import load_prompt
from ...dialogs.transcripts.episode import Episode
from ..report.episode_events import ReadConstraint
from .instance_rows import WITHHELD, give_way_prompt, shown_item, wish_record
from .rows import Row, assistant_says, fingerprint, json_text, user_says


class _Event(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Act(_Event):
    act: str


class _Understood(_Event):
    constraints: list[ReadConstraint] = []
    acts: list[_Act] = []


class _Weight(_Event):
    constraint: ReadConstraint


class _Weighed(_Event):
    weights: list[_Weight] = []


Items = Annotated[list[dict[str, Any]], BeforeValidator(lambda items: items or [])]


class _Proposed(_Event):
    relaxed: list[ReadConstraint] = []
    items: Items = []


class _Accepted(_Event):
    item: dict[str, Any] | None = None


def chat_rows(episode: Episode, name: str) -> list[Row]:
    """Return the rows of a chat, without a split.

    Raises pydantic's `ValidationError` for an event of another shape.
    """
    said = [message.content for message in episode.transcript if message.role == "user"]
    accepted = [_Accepted.model_validate(event) for event in episode.of_kind("accepted")]
    if not said or not accepted:
        return []
    opening, persona = said[0], "\n".join(said[1:]) or WITHHELD
    meta = {"instance": name, "fingerprint": fingerprint(opening, " ".join(said[1:]))}
    fill = load_prompt("fill_slot")
    slots = [
        {
            "prompt": user_says(fill.render(opening=opening, persona=persona, question=question)),
            "completion": assistant_says(json_text(wish_record(wish))),
            "meta": meta | {"role": "slot", "slot": None if wish is None else wish.column},
        }
        for question, wish in _confirmed(episode)
    ]
    prompt = give_way_prompt(opening, persona, _last_wishes(episode))
    return [*slots, *_refused(episode, accepted[-1], prompt, meta)]


def _last_wishes(episode: Episode) -> list[Constraint]:
    """Return the wishes that were weighed last."""
    weighed = [_Weighed.model_validate(event) for event in episode.of_kind("weighed")]
    return [weight.constraint for weight in weighed[-1].weights] if weighed else []


def _confirmed(episode: Episode) -> Iterator[tuple[str, Constraint | None]]:
    """Yield each question that was answered, with the wish that was still there at the end."""
    kept = [wish_record(wish) for wish in _last_wishes(episode)]
    asked = ""
    for event in episode.events:
        if event["kind"] == "message" and event["role"] == "assistant":
            asked = str(event["content"])
        elif event["kind"] == "understood" and asked.rstrip().endswith("?"):
            understood = _Understood.model_validate(event)
            yield from (
                (asked, wish) for wish in understood.constraints if wish_record(wish) in kept
            )
            if not understood.constraints and {act.act for act in understood.acts} == {"dont_care"}:
                yield asked, None
            asked = ""


def _refused(
    episode: Episode,
    accepted: _Accepted,
    prompt: list[dict[str, str]],
    meta: Mapping[str, Any],
) -> Iterator[Row]:
    """Yield the accepted proposal against each that was refused before it."""
    offers = [_Proposed.model_validate(event) for event in episode.of_kind("proposed")]
    if not offers or not offers[-1].relaxed:
        return
    chosen = _outcome(offers[-1].relaxed, accepted.item)
    seen = {chosen}
    for offer in offers[:-1]:
        rejected = _outcome(offer.relaxed, offer.items[0] if offer.items else None)
        if offer.relaxed and rejected not in seen:
            seen.add(rejected)
            yield {
                "prompt": prompt,
                "chosen": assistant_says(chosen),
                "rejected": assistant_says(rejected),
                "meta": {**meta, "role": "give_way"},
            }


def _outcome(relaxed: Sequence[Constraint], item: dict[str, Any] | None) -> str:
    wishes = [wish_record(constraint) for constraint in relaxed]
    gives_way = wishes[0] if len(wishes) == 1 else wishes
    return json_text({"gives_way": gives_way, "item": None if item is None else shown_item(item)})
