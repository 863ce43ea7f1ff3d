"""How well sentences in many styles are read, over catalogs that no rule was written for."""

import pytest

from concede.catalogs.catalog import Catalog
from extraction_corpus import INLINE, PUBLISHED
from extraction_corpus_first import FIRST
from extraction_corpus_fourth import FOURTH
from extraction_corpus_second import SECOND
from extraction_corpus_third import THIRD
from extraction_trials import run_trials

BATCHES = {"first": FIRST, "second": SECOND, "third": THIRD, "fourth": FOURTH}
SENTENCES_RIGHT = {"first": 0.95, "second": 0.9, "third": 0.9, "fourth": 0.85}


@pytest.mark.parametrize("batch", BATCHES)
def test_sentences_over_inline_catalogs(catalog, batch):
    cases = [case for case in BATCHES[batch] if case[0] in INLINE]
    trials = run_trials(cases, catalog)
    print(f"{batch}: {trials}")
    assert trials.perfect >= SENTENCES_RIGHT[batch] * trials.sentences, str(trials)
    assert trials.precision >= 0.9
    assert trials.recall >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("batch", BATCHES)
def test_sentences_over_published_catalogs(shared_data, batch):
    opened = {name: Catalog.open(str(shared_data / path)) for name, path in PUBLISHED.items()}
    cases = [case for case in BATCHES[batch] if case[0] in PUBLISHED]
    trials = run_trials(cases, opened.__getitem__)
    print(f"{batch}: {trials}")
    assert trials.precision >= 0.85, str(trials)
    assert trials.recall >= 0.85
