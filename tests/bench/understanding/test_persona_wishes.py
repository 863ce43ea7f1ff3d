"""Conversations with personas, read without the reader: true wishes, questions, answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from concede.bench.understanding.persona_wishes import score_weighing, weighed_talks
from concede.bench.understanding.personas import Persona

PERSONA = {
    "catalog": "tents",
    "opening": "A tent for two.",
    "base": [{"column": "sleeps", "op": "==", "value": 2}],
    "constraints": [
        {"column": "price", "op": "<=", "value": 100, "weight": 0.9},
        {"column": "porch", "op": "==", "value": "yes", "weight": 0.1},
    ],
    "answers": {"price": "100 at most, I have no more.", "porch": "A porch would be nice."},
    "gives_up": "porch",
}


@pytest.fixture
def catalogs(tmp_path: Path) -> Path:
    rows = ["sleeps,price,porch", "2,90,no", "2,180,yes", "3,120,yes", "4,70,no"]
    (tmp_path / "tents.csv").write_text("\n".join(rows), encoding="utf-8")
    return tmp_path


def test_a_talk_holds_all_that_a_persona_says_once(catalogs: Path):
    for talk in weighed_talks([Persona.model_validate(PERSONA)] * 5, catalogs):
        said = " ".join(message.content for message in talk.transcript if message.role == "user")
        assert said.count("would be nice") == said.count("no more") == 1
        assert talk.constraints[talk.gives_up].column == "porch"
        assert talk.importances[talk.gives_up] == 0.1


def test_the_same_seed_gives_the_same_talks(catalogs: Path):
    personas = [Persona.model_validate(PERSONA)] * 5
    assert list(weighed_talks(personas, catalogs)) == list(weighed_talks(personas, catalogs))


def test_a_tie_is_not_right(catalogs: Path):
    talks = list(weighed_talks([Persona.model_validate(PERSONA)], catalogs, orders=4))
    told = {"price": 0.9, "porch": 0.1}
    right = score_weighing(lambda _, wishes: [told[w.column or ""] for w in wishes], talks)
    tied = score_weighing(lambda _, wishes: [0.5 for _ in wishes], talks)
    assert (right.lowest.share, right.pairs.share) == (1.0, 1.0)
    assert (tied.lowest.share, tied.pairs.share) == (0.0, 0.0)
