"""What a joke, a remark or a question names is no wish; what is asked for in few words is one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from concede.bench.understanding.request_records import WRITTEN
from concede.catalogs.catalog import Catalog
from concede.dialogs import Session
from concede.dialogs.extraction import wished
from concede.dialogs.extraction.decoding import judge
from concede.dialogs.extraction.network import fitted
from concede.dialogs.extraction.offline import extract
from concede.dialogs.extraction.reading import Reading
from concede.dialogs.extraction.value_index import index_of


@pytest.fixture(scope="module")
def catalogs() -> Iterator[dict[str, Catalog]]:
    with ExitStack() as stack:
        names = ("cooking_oils", "used_cars")
        paths = {name: WRITTEN / "catalogs" / f"{name}.csv" for name in names}
        yield {name: stack.enter_context(Catalog.open(path)) for name, path in paths.items()}


REMARKS = (
    ("cooking_oils", "haha spray can, like graffiti"),
    ("cooking_oils", "my cat is called Olive oil"),
    ("used_cars", "my dog is called Honda"),
    ("used_cars", "do people really buy diesel ones"),
)


@pytest.mark.parametrize(("name", "text"), REMARKS)
def test_a_remark_that_names_a_value_is_no_wish(
    catalogs: dict[str, Catalog], name: str, text: str
) -> None:
    found = extract(text, catalogs[name])
    assert not found.constraints
    assert not found.objectives
    assert found.not_understood


@pytest.mark.parametrize(("name", "text"), REMARKS)
def test_what_a_remark_names_is_said(catalogs: dict[str, Catalog], name: str, text: str) -> None:
    found = extract(text, catalogs[name])
    assert found.named
    assert found.chance == 0.0


WISHES = (
    ("cooking_oils", "spray can"),
    ("used_cars", "toyota under 15000"),
    ("used_cars", "haha fine, a diesel then"),
    ("used_cars", "Honda"),
)


@pytest.mark.parametrize(("name", "text"), WISHES)
def test_a_wish_in_few_words_stays(catalogs: dict[str, Catalog], name: str, text: str) -> None:
    found = extract(text, catalogs[name])
    assert found.constraints
    assert not found.named


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which make would you like?", "Honda"),
        ("Which year should it be from?", "2018"),
        ("What transmission?", "manual"),
    ],
)
def test_a_bare_answer_is_a_wish(catalogs: dict[str, Catalog], question: str, answer: str) -> None:
    exchange = [
        {"role": "assistant", "content": question},
        {"role": "user", "content": answer},
    ]
    assert extract(exchange, catalogs["used_cars"]).constraints


def test_a_session_answers_about_what_is_named_and_goes_on(catalogs: dict[str, Catalog]) -> None:
    session = Session(catalogs["used_cars"])
    heard = session.hear("my dog is called Honda")
    assert not heard.constraints
    assert heard.reply
    assert not session.query.constraints
    assert not session.query.base
    assert session.hear("a Honda please").constraints


MAKE, PRICE = "Which make would you like?", "What would you pay at most?"


def answered(question: str, text: str, catalog: Catalog) -> list[object]:
    exchange = [
        {"role": "assistant", "content": question},
        {"role": "user", "content": text},
    ]
    return [found.constraint.value for found in extract(exchange, catalog).constraints]


@pytest.mark.parametrize(
    ("question", "remark"),
    [
        (MAKE, "Honda... my gran's hamster was called Honda"),
        (MAKE, "who owns Honda these days?"),
        (MAKE, "my neighbour washes his Honda every Sunday"),
        (MAKE, "SELECT * FROM cars WHERE make='Honda'"),
        (PRICE, "my phone number ends in 15000"),
        (PRICE, "x = 15000; print(x)"),
    ],
)
def test_a_remark_is_no_answer_also_where_it_names_what_was_asked_for(
    catalogs: dict[str, Catalog], question: str, remark: str
) -> None:
    assert answered(question, remark, catalogs["used_cars"]) == []


@pytest.mark.parametrize(
    ("question", "answer", "value"),
    [
        (MAKE, "Honda I guess", "Honda"),
        (MAKE, "a Honda, my ex had one and it never died", "Honda"),
        (PRICE, "15000, tops", 15_000),
        (PRICE, "15000 I think", 15_000),
    ],
)
def test_an_answer_in_a_few_words_more_stays(
    catalogs: dict[str, Catalog], question: str, answer: str, value: object
) -> None:
    assert answered(question, answer, catalogs["used_cars"]) == [value]


@pytest.mark.parametrize(
    ("said", "wished_for"), [("yes please", [True]), ("who won the match last night?", [])]
)
def test_what_is_said_without_naming_anything_is_decided_about_too(
    said: str, wished_for: list[bool]
) -> None:
    question = "Do you want an automatic one: yes, no, or is it all the same?"
    with Catalog.open(pa.table({"automatic": [True, False] * 9, "price": range(18)})) as cars:
        assert answered(question, said, cars) == wished_for


def test_a_long_turn_is_read_at_both_ends(catalogs: dict[str, Catalog]) -> None:
    index = index_of(catalogs["used_cars"])
    long = Reading("Honda " + "well " * wished.MAX_WORDS + "never mind", 0, index, {})
    judged = judge(long, fitted())
    short = Reading("Honda " + "well " * 200 + "never mind", 0, index, {})
    places = wished.buckets(long, judged)
    assert wished.decides(long, judged)
    assert np.array_equal(places, wished.buckets(short, judge(short, fitted())))
    other = Reading("Honda " + "well " * 200 + "never again", 0, index, {})
    assert not np.array_equal(places, wished.buckets(other, judge(other, fitted())))


def test_the_threshold_alone_decides(catalogs: dict[str, Catalog]) -> None:
    reading = Reading("a red Honda, not diesel", 0, index_of(catalogs["used_cars"]), {})
    judged = judge(reading, fitted())
    places = wished.buckets(reading, judged)
    words, numbers = np.zeros(wished.BUCKETS, np.int8), wished.numbers(reading, judged)
    words[places] = 1
    table, edge = np.zeros_like(numbers), len(places) ** 0.5
    assert judged[0].wished is not None
    unheard = np.zeros(2, np.float32)
    heard = np.array([1 - judged[0].wished, 1.0], np.float32)
    always = wished.WishedModel(words, 1.0, table, unheard, 0.0, edge - 1e-6)
    never = wished.WishedModel(words, 1.0, table, unheard, 0.0, edge + 1e-6)
    heard_too = wished.WishedModel(words, 1.0, table, heard, 0.0, edge + 1 - 1e-6)
    assert heard_too.nearness(reading, judged) >= 0
    assert always.nearness(reading, judged) >= 0
    assert never.nearness(reading, judged) < 0


def test_weights_are_read_as_they_lie(tmp_path: Path) -> None:
    model = wished.fitted()
    assert model.words.shape == (wished.BUCKETS,)
    scalars = np.array([model.scale, model.bias, model.threshold])
    path = tmp_path / "wished.npz"
    np.savez(path, words=model.words, numbers=model.numbers, heard=model.heard, scalars=scalars)
    again = wished.load(path)
    assert again.threshold == model.threshold
    assert np.array_equal(again.numbers, model.numbers)
