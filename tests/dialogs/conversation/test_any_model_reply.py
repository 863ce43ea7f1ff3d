"""Whatever a model's reply says of a turn, nothing is raised and the conversation stays whole."""

from __future__ import annotations

import json
from random import Random
from typing import get_args

import pytest

from concede import Catalog
from concede.dialogs import Session
from concede.dialogs.conversation.model_turns import Doing
from concede.dialogs.extraction.llm import LLMExtractor
from concede.dialogs.models.scripted import ScriptedModel

pa = pytest.importorskip("pyarrow")

SAID = (
    "North please", "at most 700", "never mind", "yes", "no", "a balcony and 17:00", "cheaper",
    "bye", "number 2", "what about Ash?", "bath or oven", "2031-03-01 or later", "start over", "?",
)  # fmt: skip
COLUMNS = ('ro"om', "district", "rent (EUR)", "extra (EUR)", "viewing", "balcony", "tags", "x", "")
VALUES = (
    700, -1, 0, 10**30, 1.5, 1e308, True, False, "North", "Ash", "bath", "17:00", "24:30",
    "2031-13-45", "", "%", "'", '"', "x" * 300, None,
)  # fmt: skip
ITEMS = (1, 2, 3, 0, -1, 10**20, "Ash", "%", "_", '"', "\\", "", "Dale (x)", "\x00", "\ud800", "9")
OPS = [*"== != < <= > >= between in contains sql ilike near".split(), "contains any", "is null"]


def catalog(rows: int) -> Catalog:
    dice = Random(rows)
    names = ["Ash % Loft", "Bi_rch", 'Ced"ar', "Dale (x)", "x" * 300]
    table = {
        'ro"om': [dice.choice(names) + str(at) for at in range(rows)],
        "district": [dice.choice(["North", "South", None]) for _ in range(rows)],
        "rent (EUR)": [dice.choice([None, 500, 620, 450 + at]) for at in range(rows)],
        "extra (EUR)": [dice.choice([None, 50.5, 70.0]) for _ in range(rows)],
        "viewing": [dice.choice(["17:00", "18:30", "09:00", None]) for _ in range(rows)],
        "balcony": [dice.choice([True, False, None]) for _ in range(rows)],
        "tags": [dice.choice([["bath", "desk"], ["oven"], []]) for _ in range(rows)],
    }
    kinds = [pa.string(), pa.string(), pa.int64(), pa.float64(), pa.string(), pa.bool_()]
    schema = pa.schema(list(zip(table, [*kinds, pa.list_(pa.string())], strict=True)))
    return Catalog.open(pa.table(table, schema=schema))


def total(dice: Random) -> list[dict[str, object]]:
    times = dice.choice([1, 2, 1e6])
    item = {} if dice.random() < 0.5 else {"item": dice.choice(ITEMS)}
    return [
        {"column": dice.choice(COLUMNS), "times": times, **item} for _ in range(dice.randrange(3))
    ]


def claim(dice: Random) -> dict[str, object]:
    several = [dice.choice(VALUES[:-1]) for _ in range(dice.randrange(3))]
    return {
        "column": dice.choice(COLUMNS),
        "op": dice.choice(OPS),
        "value": dice.choice([dice.choice(VALUES), several]),
        "quote": dice.choice(["o", "e", "1", "North", "never said", ""]),
        "hard": dice.random() < 0.3,
        "also": dice.random() < 0.3,
        "total": total(dice) if dice.random() < 0.3 else [],
    }


def reply(dice: Random) -> dict[str, object]:
    """Return a reply of the model's form that says anything."""

    def several(make, most):
        return [make() for _ in range(dice.randrange(most + 1))]

    def aim():
        way = dice.choice(["min", "max"])
        return {"column": dice.choice(COLUMNS), "direction": way, "quote": dice.choice("oe1")}

    def move():
        return {
            "act": dice.choice(get_args(Doing)),
            "items": several(lambda: dice.choice(ITEMS), 3),
            "columns": several(lambda: dice.choice(COLUMNS), 2),
            "values": several(lambda: dice.choice(VALUES[:-1]), 2),
            "direction": dice.choice(["min", "max", None]),
            "total": total(dice) if dice.random() < 0.3 else [],
            "where": several(lambda: claim(dice), 2) if dice.random() < 0.4 else [],
        }

    return {
        "constraints": several(lambda: claim(dice), 2),
        "objectives": several(aim, 1),
        "leanings": several(aim, 1),
        "moves": several(move, 4),
    }


@pytest.mark.parametrize("rows", [0, 1, 12])
@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_raised_and_all_is_in_step(rows, seed):
    dice = Random(100 * rows + seed)
    model = ScriptedModel(lambda request: json.dumps(reply(dice)))
    with catalog(rows) as rooms:
        session = Session(rooms, weighter="lexical", extractor=LLMExtractor(model), top=3)
        for _ in range(8):
            response = session.respond(dice.choice(SAID), propose=dice.random() < 0.2)
            assert response.text
            assert (session.accepted is None) or session.taken is not None
            assert (session.ended == "accepted") <= (session.accepted is not None)
            assert all(at < len(session.preferences.soft) for at in session.doubtful)
            if session.proposal is not None and session.proposal.is_offer:
                assert 0 <= session.place < len(session.proposal.answer.items)
        while session.undo():
            pass
        assert not session.preferences.known
