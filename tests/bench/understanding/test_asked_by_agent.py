"""Answers learned from stand behind what our own agent asks, as they do in a session."""

from __future__ import annotations

import pyarrow as pa
import pytest

from concede.bench.understanding.labelled import (
    NOWHERE,
    LabelledConstraint,
    LabelledSentence,
    Source,
)
from concede.bench.understanding.labelled_set import asked_by_agent
from concede.catalogs.catalog import Catalog
from concede.dialogs.conversation.agents import OfflineAgent

WALKS = LabelledConstraint("walk", "<=", 20, NOWHERE, False)
FEES = LabelledConstraint("fee", "<=", 30, NOWHERE, False)


@pytest.fixture(scope="module")
def gyms() -> Catalog:
    return Catalog.open(pa.table({"walk": range(3, 23), "fee": [*range(20, 30)] * 2}))


def said(
    text: str,
    *wishes: LabelledConstraint,
    before: str = "",
    asked: str = "",
    source: Source = "known",
) -> LabelledSentence:
    return LabelledSentence("gyms", text, before, asked, constraints=wishes, source=source)


def test_an_answer_without_its_question_answers_the_agent(gyms: Catalog) -> None:
    sentence = said("twenty or less", WALKS, asked="walk")
    asked = asked_by_agent([sentence, sentence], {"gyms": gyms})
    assert {answer.before for answer in asked} == {OfflineAgent(gyms).question("walk")}


@pytest.mark.parametrize(
    "sentence",
    [
        said("twenty or less", WALKS, before="How far?", asked="walk", source="made"),
        said("twenty minutes or less", WALKS, before="How far may it be?"),
    ],
)
def test_half_of_the_answers_answer_the_agent(gyms: Catalog, sentence: LabelledSentence) -> None:
    asked = asked_by_agent([sentence] * 4, {"gyms": gyms})
    question = OfflineAgent(gyms).question("walk")
    assert [answer.before for answer in asked] == [sentence.before, question] * 2


@pytest.mark.parametrize(
    "sentence",
    [
        said("yes", WALKS, before="Twenty minutes at most?"),
        said("20 minutes and 30 pounds", WALKS, FEES, before="How far, and for how much?"),
        said("a gym within twenty minutes", WALKS),
        said("yes please do that", WALKS, before="Within 20?", source="sgd"),
    ],
    ids=["too short to say what it means", "two columns", "no answer", "not people's own"],
)
def test_what_needs_its_own_question_keeps_it(gyms: Catalog, sentence: LabelledSentence) -> None:
    assert asked_by_agent([sentence] * 2, {"gyms": gyms}) == [sentence] * 2
