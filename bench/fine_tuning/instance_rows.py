"""Rows from instances with gold: a slot a row for SFT, a wrong drop a pair for DPO.

Source: AWARE-US, section 4. SFT teaches to fill each slot asked about, and to say null where the
persona has no wish. DPO teaches what gives way: chosen is the gold relaxation with what follows
from it, rejected are other single drops, those that leave the query empty first.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...catalogs.catalog import Catalog
from ...catalogs.query.constraint import Constraint
from ...dialogs.conversation.simulators import phrase_of
from ...dialogs.models.prompt import load_prompt
from ...engine.repair_engine import RepairEngine
from ..aware_us.gold import IDENTITY, Gold, constraint_key
from ..generation.records import gold_item
from .rows import Row, Split, TrainingData, assistant_says, fingerprint, json_text, user_says

ABSENT = 2
"""Slots that an item has no wish about, asked about besides."""

MOST_REJECTED = 4
"""Pairs of one item."""

WITHHELD = "(not given)"
"""Stands for a persona that the data holds back."""

QUESTIONS = (
    "Do you have a wish about {slot}?",
    "What about {slot}?",
    "Is there anything you need as to {slot}?",
    "And {slot}: what would suit you?",
    "What should {slot} be?",
    "Tell me about {slot}; does it matter to you?",
)

SHOWN = 4
"""Columns of an item that tell it apart, where a catalog has no others."""


@dataclass(frozen=True)
class Source:
    """What rows are made from: `slots` are the columns that may be asked about."""

    engine: RepairEngine
    slots: Sequence[str]
    seed: int

    def dice(self, gold: Gold, what: str) -> random.Random:
        """Return dice of an item's own, which do not change when others are added."""
        return random.Random(f"{self.seed} {what} {fingerprint_of(gold)}")


def fingerprint_of(gold: Gold) -> str:
    """Return an instance's fingerprint, by base sentence and persona."""
    return fingerprint(gold.opening, gold.persona or f"withheld {gold.id}")


def source_of(golds: Iterable[Gold], catalog: Catalog, seed: int) -> Source:
    """Return what rows of these instances are made from; any slot of one may be asked of all."""
    slots = sorted({slot for gold in golds for slot in gold.slots})
    return Source(RepairEngine(catalog), slots, seed)


def add_instance(data: TrainingData, source: Source, gold: Gold, split: Split) -> None:
    """Add the rows and pairs of one instance."""
    data.add("sft", slot_rows(source, gold, split))
    data.add("dpo", preference_rows(source, gold, split))


def deduplicated(golds: Iterable[Gold]) -> list[Gold]:
    """Return the instances without those of the same base sentence and persona as another."""
    first: dict[str, Gold] = {}
    for gold in golds:
        first.setdefault(fingerprint_of(gold), gold)
    return list(first.values())


def prompts() -> list[dict[str, object]]:
    """Return the records of the prompts that rows are made with."""
    return [load_prompt("fill_slot").record(), load_prompt("give_way").record()]


def slot_rows(source: Source, gold: Gold, split: Split) -> Iterator[Row]:
    """Yield a row for each constraint, and `ABSENT` about slots without one."""
    dice = source.dice(gold, "slots")
    by_slot = {constraint.column: constraint for constraint in gold.constraints}
    others = [slot for slot in source.slots if slot not in by_slot]
    absent = sorted(dice.sample(others, min(ABSENT, len(others))), key=others.index)
    for slot in (*gold.slots, *absent):
        text = load_prompt("fill_slot").render(
            opening=gold.opening or "",
            persona=gold.persona or WITHHELD,
            question=dice.choice(QUESTIONS).format(slot=slot),
        )
        yield {
            "prompt": user_says(text),
            "completion": assistant_says(json_text(wish_record(by_slot.get(slot)))),
            "meta": _meta(gold, split, "slot") | {"slot": slot},
        }


def give_way_prompt(
    opening: str | None, persona: str | None, wishes: Sequence[Constraint]
) -> list[dict[str, str]]:
    """Return the prompt that asks which of some wishes gives way."""
    text = load_prompt("give_way").render(
        opening=opening or "",
        persona=persona or WITHHELD,
        wishes="\n".join(f"- {phrase_of(constraint)}" for constraint in wishes),
    )
    return user_says(text)


def wish_record(constraint: Constraint | None) -> dict[str, Any] | None:
    """Return a wish as it is written in a completion; None for no wish."""
    if constraint is None:
        return None
    kept = constraint.record()
    return {"column": kept["column"], "op": kept["op"], "value": kept["value"]}


def preference_rows(source: Source, gold: Gold, split: Split) -> Iterator[Row]:
    """Yield a pair for each single drop that is not gold's, infeasible ones first.

    Nothing is yielded where the gold relaxation is no single constraint of the query.
    """
    keys = [constraint_key(constraint) for constraint in gold.constraints]
    if gold.relaxed not in keys:
        return
    softest = keys.index(gold.relaxed)
    outcomes = _outcomes(source, gold)
    wrong = [place for place in range(len(keys)) if place != softest]
    dice = source.dice(gold, "pairs")
    dice.shuffle(wrong)
    wrong.sort(key=lambda place: outcomes[place]["rows"] > 0)
    prompt = give_way_prompt(gold.opening, gold.persona, gold.constraints)
    for place in wrong[:MOST_REJECTED]:
        yield {
            "prompt": prompt,
            "chosen": assistant_says(json_text(outcomes[softest])),
            "rejected": assistant_says(json_text(outcomes[place])),
            "meta": _meta(gold, split, "give_way") | {"infeasible": not outcomes[place]["rows"]},
        }


def _outcomes(source: Source, gold: Gold) -> list[dict[str, Any]]:
    """Return what comes of dropping each constraint: the rows left, and the first of them."""
    catalog = source.engine.catalog
    query = gold.query(catalog)
    counts = source.engine.diagnose(query).drop_one_counts
    outcomes: list[dict[str, Any]] = []
    for place, count in enumerate(counts):
        item = gold_item(catalog, query, place, count) if count else None
        outcomes.append(
            {
                "gives_way": wish_record(query.constraints[place]),
                "rows": count,
                "item": None if item is None else shown_item(item),
            }
        )
    return outcomes


def shown_item(item: dict[str, Any]) -> dict[str, Any]:
    """Return the columns that tell an item apart."""
    columns = IDENTITY if all(column in item for column in IDENTITY) else tuple(item)[:SHOWN]
    return {column: item[column] for column in columns}


def _meta(gold: Gold, split: Split, role: str) -> dict[str, Any]:
    return {
        "split": split,
        "instance": gold.id,
        "role": role,
        "setting": gold.setting,
        "fingerprint": fingerprint_of(gold),
        "withheld": gold.persona is None,
    }
