"""Each conversation is judged by a model and an encoder that saw none of its catalog."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from concede.bench.understanding import train_weigher
from concede.bench.understanding.persona_wishes import WeighedTalk
from concede.bench.understanding.shoppers import shopper_talks, written_shoppers
from concede.bench.understanding.train_weigher import FOLDS, cross_validated
from concede.dialogs.language.encoder import shipped
from concede.dialogs.weighters.features import SIZE
from concede.dialogs.weighters.heard import Heard
from concede.dialogs.weighters.learned import Model


def _first_of_each(things: int) -> Iterator[WeighedTalk]:
    known: set[str] = set()
    for talk in shopper_talks(written_shoppers()):
        if talk.catalog not in known and len(known) < things:
            known.add(talk.catalog)
            yield talk


def test_no_talk_is_judged_by_a_model_that_saw_its_catalog(monkeypatch: pytest.MonkeyPatch):
    talks = list(_first_of_each(12))
    seen: list[set[str]] = []

    def fitted(told: Sequence[WeighedTalk], *_: Path) -> tuple[Model, Heard]:
        seen.append({talk.catalog for talk in told})
        unit = np.zeros(shipped().places.shape[1] + 1, np.float32)
        model = Model(np.zeros(SIZE, np.float32), 1.0, np.zeros(8, np.float32))
        return model, Heard(shipped(), unit)

    monkeypatch.setattr(train_weigher, "fitted", fitted)
    figures = cross_validated(talks, 5, Path())
    assert set(figures) == {
        f"{name}{how}" for name in ("personas", "shoppers") for how in ("", ", no encoder")
    }
    assert len(seen) == FOLDS
    catalogs = {talk.catalog for talk in talks}
    left_out = [catalogs - told for told in seen]
    assert all(left_out)
    assert sorted(name for part in left_out for name in part) == sorted(catalogs)
