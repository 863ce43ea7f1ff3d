"""What decides about spots: fitted, judged on catalogs left out, with a bound on what is asked."""

from random import Random

import numpy as np
import pytest

from concede.bench.clarify.examples import Example
from concede.bench.clarify.fit_spots import FOLDERS
from concede.bench.clarify.fitting import MARKED, Table, fit, fitted
from concede.bench.clarify.leave_out import apart, half
from concede.bench.clarify.marked import marked_examples
from concede.bench.understanding.labelled import LabelledSentence
from concede.bench.understanding.labelled_set import LabelledSet
from concede.dialogs.clarification.decision import fitted_spots
from concede.dialogs.clarification.spots import KINDS, Spot


def drawn(seed=0, texts=120):
    """Spots that are unclear where their feature says so, but for some noise."""
    random = Random(seed)
    for text in range(texts):
        for kind in KINDS:
            unclear = random.random() < 0.4
            features = {"told": unclear + random.gauss(0, 0.4), "noise": random.gauss(0, 1)}
            source = MARKED if text % 2 else "written"
            yield Example(
                Spot(kind, 0, 0, features), unclear, f"c{text % 5}", text, source, unclear
            )


def test_coefficients_make_the_slope_nothing():
    table = Table.of([example for example in drawn() if example.spot.kind == "number"])
    counts = np.where(table.marked, 3.0, 1.0)
    known = fit(table.rows, table.unclear, counts)
    chance = 1 / (1 + np.exp(-table.rows @ known))
    slope = table.rows.T @ (counts * (chance - table.unclear)) + np.r_[0, known[1:]]
    assert np.abs(slope).max() < 1e-6


def test_a_catalog_is_judged_by_what_is_fitted_without_it():
    examples = [example for example in drawn() if example.spot.kind == "vague"]
    turned = [
        Example(e.spot, e.unclear != (e.catalog == "c1"), e.catalog, e.text, e.source)
        for e in examples
        if e.source == MARKED or e.catalog != "c1"
    ]
    kept = [e for e in examples if e.source == MARKED or e.catalog != "c1"]
    one, other = Table.of(kept).gains(3.0), Table.of(turned).gains(3.0)
    own = [e.catalog == "c1" for e in kept if e.source == MARKED]
    assert np.array_equal(one[own], other[own])
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3])
def test_the_bound_keeps_the_share_of_clear_texts_questioned(share):
    found = fitted(list(drawn(texts=400)), share)
    questioned, clear = found.questioned
    assert questioned <= share * clear
    assert set(found.coefficients) == set(KINDS)
    assert {name for known in found.coefficients.values() for name in known} == {
        "",
        "told",
        "noise",
    }


def test_no_examples_of_a_kind_are_refused():
    with pytest.raises(ValueError, match="unlinked"):
        fitted([e for e in drawn() if e.spot.kind != "unlinked"], 0.1)


def test_what_ships_knows_every_feature_of_a_spot():
    model = fitted_spots()
    examples = list(marked_examples(FOLDERS[:1], model.idle, 0))
    assert {example.unclear for example in examples} == {True, False}
    for example in examples:
        names = {"", *example.spot.features}
        assert names == set(model.coefficients[example.spot.kind])


def test_each_reader_leaves_out_the_half_that_it_judges():
    names = [f"written_{name}" for name in ("boats", "films", "teas", "vans")] + ["made_3"]
    everything = LabelledSet([LabelledSentence(name, "") for name in names], {}, None)
    for at in (0, 1):
        kept = {sentence.catalog for sentence in apart(everything, at).sentences}
        left = {n for n in names[:4] if half(n.removeprefix("written_")) == at}
        assert kept == set(names) - left
