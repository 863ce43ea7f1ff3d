"""How much was asked, beside what the origin's own checkers looked at (`read`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...dialogs.decisions.keys import SIZE, KeyTable, Slot
from .dialogue import Dialogue, slot_of
from .published_data import Pair
from .records import Label


def question_counts(
    dialogues: Sequence[Dialogue], labels: Mapping[Pair, Label], keys: KeyTable
) -> dict[str, float | None]:
    """Return means a conversation, over those whose pairs all have labels; None without any.

    `lower_bound_facts`: distinct facts (member and feature) that the origin's checkers read
    for the household's programs; `lower_bound_keys`: their features, each once, as a question
    about everyone fetches them. `asked_facts`: distinct facts asked for; `asked_covered`: how
    many percent of the lower bound were asked for; `asked_beyond`: how many percent of the
    asked facts are not in it. Names and relations are always known and left out of all.
    """
    rows = [row for one in dialogues if (row := _row(one, labels, keys)) is not None]
    if not rows:
        return dict.fromkeys(NAMES)
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    facts, own_keys, asked, both, beyond, turns = means
    return {
        "lower_bound_facts": facts,
        "lower_bound_keys": own_keys,
        "asked_facts": asked,
        "asked_covered": 100 * both / facts if facts else None,
        "asked_beyond": 100 * beyond / asked if asked else None,
        "questions_a_lower_bound_key": turns / own_keys if own_keys else None,
    }


NAMES = (
    "lower_bound_facts",
    "lower_bound_keys",
    "asked_facts",
    "asked_covered",
    "asked_beyond",
    "questions_a_lower_bound_key",
)


def _row(
    one: Dialogue, labels: Mapping[Pair, Label], keys: KeyTable
) -> tuple[int, int, int, int, int, int] | None:
    told = [labels.get((one.household, program)) for program in one.decisions]
    if not told or any(label is None for label in told):
        return None
    read = {_normal(slot_of(name), keys) for label in told if label for name in label.read}
    asked = {_normal(slot, keys) for turn in one.turns for slot in turn.slots}
    read, asked = _told_apart(read), _told_apart(asked)
    own_keys = {slot.key for slot in read}
    both = len(read & asked)
    return len(read), len(own_keys), len(asked), both, len(asked - read), len(one.turns)


def _normal(slot: Slot, keys: KeyTable) -> Slot:
    """Return a fact as the key table has it: of the household, or of a member."""
    return keys.key(slot.key).slot(slot.member or 0) if slot.key in keys else slot


def _told_apart(slots: set[Slot]) -> set[Slot]:
    return {slot for slot in slots if slot != SIZE and slot.key not in ("name", "relation")}
