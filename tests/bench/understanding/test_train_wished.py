"""The fit that tells wishes from remarks, on turns small enough to see through."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from concede.bench.understanding import wished_turns
from concede.bench.understanding.labelled_set import WRITTEN_PREFIX
from concede.bench.understanding.request_records import HELD_OUT, WRITTEN
from concede.bench.understanding.train_wished import fit, save
from concede.bench.understanding.turns_read import (
    COPIES,
    half_of,
    lighter,
    phrased_turns,
    read,
    teaches_encoder,
)
from concede.bench.understanding.wished_turns import Said, made_turns, remarks, with_remarked
from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.network import fitted
from concede.dialogs.extraction.phrasing import WHOLE
from concede.dialogs.extraction.wished import load

pytest.importorskip("sklearn")
FRESH = WRITTEN.parent / "fresh"
CARS = f"{WRITTEN_PREFIX}used_cars"


@pytest.fixture(scope="module")
def catalogs() -> Iterator[dict[str, Catalog]]:
    with ExitStack() as stack:
        path = WRITTEN / "catalogs" / "used_cars.csv"
        yield {CARS: stack.enter_context(Catalog.open(path))}


def test_catalogs_that_remarks_alone_speak_of_are_opened_too(
    catalogs: dict[str, Catalog], monkeypatch: pytest.MonkeyPatch
) -> None:
    sheds = f"{WRITTEN_PREFIX}garden_sheds"
    said = [Said(name, "a joke", meant=False, source="remarks") for name in (sheds, CARS)]
    monkeypatch.setattr(wished_turns, "remarks", lambda: said)
    found = with_remarked(catalogs)
    assert found.keys() == {CARS, sheds}
    assert found[CARS] is catalogs[CARS]
    assert list(read(said[:1], found, [fitted()])) == []
    found[sheds].close()


def test_a_fit_tells_what_it_was_told(catalogs: dict[str, Catalog], tmp_path: Path) -> None:
    makes = ("Honda", "Toyota", "Subaru", "Volkswagen")
    turns = [
        Said(CARS, text.format(make), meant, "written")
        for make in makes
        for text, meant in (("a {} please", True), ("my dog is called {}", False))
    ] * 5
    examples = list(read(turns, catalogs, [fitted()]))
    spread = [
        replace(one, said=replace(one.said, catalog=f"{CARS}{at}"))
        for at, one in enumerate(examples)
    ]
    model, figures = fit(spread)
    assert figures["written"]["still_taken"] == 0
    assert figures["written"]["lost"] <= 1
    save(tmp_path / "wished.npz", model)
    again = load(tmp_path / "wished.npz")
    assert np.array_equal(again.words, model.words)


def test_turns_of_some_catalogs_teach_the_encoder(catalogs: dict[str, Catalog]) -> None:
    turns = [
        Said(CARS, "my dog is called Honda", meant=False, source="remarks"),
        Said(CARS, "a Honda please", meant=True, source="written"),
    ]
    examples = list(read(turns, catalogs, [fitted()], {}))
    names = [f"{CARS}{number}" for number in range(60)]
    apart = [name for name in names if not teaches_encoder(name)]
    assert 10 < len(apart) < 30
    taught = next(name for name in names if teaches_encoder(name))
    for name, copies in ((taught, COPIES), (apart[0], 0)):
        moved = [replace(one, said=replace(one.said, catalog=name)) for one in examples]
        told = phrased_turns(moved, 0)
        assert [one.wishes for one in told].count(False) == copies
        assert [one.text[slice(*one.spans[0])] for one in told] == ["Honda"] * len(told)


def test_what_answers_without_words_is_heard_as_a_whole() -> None:
    asked = "Do you want an automatic one: yes, no, or is it all the same?"
    turns = [
        Said(CARS, "yes please, that would be good", True, "answers", asked, "automatic"),
        Said(CARS, "yes please, and nothing over 9000", True, "answers", asked, "automatic"),
    ]
    rows = pa.table({"automatic": [True, False] * 9, "price": range(1_000, 19_000, 1_000)})
    with Catalog.open(rows) as cars:
        alone, beside = read(turns, {CARS: cars}, [fitted()], {})
    assert alone.spans == [WHOLE]
    assert [turns[1].text[slice(*span)] for span in beside.spans] == ["9000"]


def test_a_lighter_network_takes_more(catalogs: dict[str, Catalog]) -> None:
    turns = [one for one in remarks() if one.catalog == f"{WRITTEN_PREFIX}tents"][:1]
    assert turns
    network = fitted()
    assert lighter(network, 0.0) is network
    assert lighter(network, 1.0).weights["option.end"] > network.weights["option.end"]


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold())) or text


def test_what_judges_is_not_learned_and_lies_on_other_catalogs() -> None:
    learned, judged = list(remarks()), list(remarks("judged"))
    assert not {one.catalog for one in learned} & {one.catalog for one in judged}
    names = {path.stem for path in (WRITTEN / "catalogs").glob("*.csv")}
    assert {one.catalog.removeprefix(WRITTEN_PREFIX) for one in learned + judged} <= names
    assert {one.meant for one in learned} == {one.meant for one in judged} == {True, False}
    others = (FRESH / "remarks.jsonl", FRESH / "hostile.jsonl", HELD_OUT / "hostile.jsonl")
    records = [json.loads(line) for file in others for line in file.read_text().splitlines()]
    texts = {_plain(each["text"]) for each in records} | {_plain(each.text) for each in judged}
    # Compared as numbers, so that a failure shows no text that nobody may read.
    assert len(texts & {_plain(each.text) for each in learned}) == 0


def test_made_turns_are_filled_and_the_same_for_a_seed(catalogs: dict[str, Catalog]) -> None:
    once = list(made_turns(catalogs, 3))
    assert once == list(made_turns(catalogs, 3))
    assert not [one for one in once if "{v}" in one.text or "{n}" in one.text]
    assert {one.meant for one in once} == {True, False}
    assert half_of(CARS) == half_of("used_cars")
