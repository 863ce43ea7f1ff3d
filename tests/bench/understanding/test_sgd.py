"""SGD and ClarQ turns as labelled sentences, on small files of their format in our own words."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from concede.bench.understanding.clarq import clarq_sentences
from concede.bench.understanding.labelled import NOWHERE, LabelledSentence
from concede.bench.understanding.sgd import located, service_catalogs, sgd_sentences
from concede.catalogs.errors import UnreadableFile
from sgd_files import write_corpus


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_corpus(tmp_path)


@pytest.fixture
def sentences(folder: Path) -> list[LabelledSentence]:
    return list(sgd_sentences(folder, service_catalogs(folder)))


def test_informed_slots_are_constraints_with_the_catalogs_values(
    sentences: list[LabelledSentence],
) -> None:
    first = sentences[0]
    found = {wish.column: (wish.value, first.text[slice(*wish.span)]) for wish in first.constraints}
    assert found == {
        "number_of_beds": (2, "two"),
        "area": ("Fremont", "fremont"),
        "pets_allowed": (True, "pets"),
    }
    assert first.acts == ("inform",)
    assert (first.catalog, first.source, first.before) == ("sgd_Homes_9", "sgd", "")


def test_a_slot_with_another_value_than_before_is_a_correction(
    sentences: list[LabelledSentence],
) -> None:
    second = sentences[1]
    assert (second.before, second.asked) == ("When do you want to see it?", "visit_date")
    assert second.acts == ("inform", "correct")
    values = {wish.column: wish.value for wish in second.constraints}
    assert values == {"visit_date": "2019-03-04", "area": "San Jose"}
    assert second.today == "2019-03-01"


def test_dontcare_waives_and_a_question_wishes_nothing(sentences: list[LabelledSentence]) -> None:
    third, fourth = sentences[2:]
    assert third.asked == ""
    assert [(w.column, third.text[slice(*w.span)]) for w in third.waived] == [("rent", "rent")]
    assert third.constraints == ()
    assert fourth.constraints == ()
    assert fourth.acts == ("ask_detail", "thank")
    assert fourth.phenomena == ("nothing",)


def test_values_are_located_as_words_and_not_inside_others() -> None:
    assert located("for 12 or 2 people", "party_size", "2") == (10, 11)
    assert located("five of us", "party_size", "5") == (0, 4)
    assert located("with wifi", "has_wifi", "True") == (5, 9)
    assert located("nothing of it", "price_range", "moderate") is None
    assert NOWHERE == (0, 0)


def test_seekers_of_clarq_wish_nothing(tmp_path: Path) -> None:
    record = {
        "lang": "en",
        "turns": [
            {"speaker": "provider", "text": "Jo: How may I help?"},
            {"speaker": "seeker", "text": "Jo, where do I find the 3 blue stones?"},
            {"speaker": "provider", "text": "Jo: In the cave."},
            {"speaker": "seeker", "text": "Me: Thank you, goodbye."},
        ],
    }
    with gzip.open(tmp_path / "dialogues.jsonl.gz", "wt") as file:
        file.write(json.dumps(record) + "\n")
    first, second = clarq_sentences(tmp_path, ["bikes"])
    assert (first.before, first.catalog) == ("How may I help?", "bikes")
    assert (second.text, second.before) == ("Thank you, goodbye.", "In the cave.")
    assert (first.acts, second.acts) == (("ask_other",), ("thank", "end"))
    assert first.phenomena == ("nothing",)


def test_a_folder_without_the_corpus_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"dialogues\.jsonl\.gz"):
        list(sgd_sentences(tmp_path, {}))
