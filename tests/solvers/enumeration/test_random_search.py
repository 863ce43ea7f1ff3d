"""The random first hit of the published generators: one of all hits, the seed says which."""

from __future__ import annotations

import numpy as np
import pytest

from concede.bench.throughput.rivals.python_int_search import good_triples, integers
from concede.catalogs.errors import QueryError
from concede.solvers.enumeration.candidates import Candidates, Hits
from concede.solvers.enumeration.random_search import feasible_triples, first_hit
from concede.solvers.enumeration.search import SIZES, search

PUBLISHED = ["MUS-2", "MUS-4", "unique-repair"]


def some(seed, count=14, rows=20, columns=6, share=0.3):
    random = np.random.default_rng(seed)
    about = random.integers(0, columns, count)
    return Candidates.of_truth(random.random((count, rows)) < share, about.tolist())


def first_fourth(bits, columns, triple, sought):
    """The lowest fourth that completes a feasible triple, as the paper's loop finds it."""
    i, j, k = triple
    for fourth, held in enumerate(bits):
        if columns[fourth] in (columns[i], columns[j], columns[k]):
            continue
        without = [bits[j] & bits[k] & held, bits[i] & bits[k] & held, bits[i] & bits[j] & held]
        if bits[i] & bits[j] & bits[k] & held:
            continue
        if all(without) if sought == "MUS-4" else not any(without):
            return fourth
    return None


@pytest.mark.parametrize("sought", PUBLISHED)
def test_a_first_hit_is_one_of_all_hits(sought):
    found = 0
    for seed in range(60):
        candidates = some(seed, count=4 + seed % 12)
        every = Hits.joined(search(candidates, sought), SIZES[sought])
        counts = {
            frozenset(zip(m, c, strict=True))
            for m, c in zip(every.members.tolist(), every.drop_counts.tolist(), strict=True)
        }
        hit = first_hit(candidates, sought, seed=seed)
        assert (hit is None) == (not counts)
        if hit is not None:
            found += 1
            members, drops = hit.members[0].tolist(), hit.drop_counts[0].tolist()
            assert frozenset(zip(members, drops, strict=True)) in counts
    assert 0 < found < 60


@pytest.mark.parametrize("sought", ["MUS-4", "unique-repair"])
def test_quads_are_found_as_the_published_loop_finds_them(sought):
    for seed in range(20):
        candidates = some(seed)
        bits, columns = integers(candidates), candidates.columns.tolist()
        good = [triple for *triple, _ in good_triples(bits, columns)]
        assert feasible_triples(candidates).tolist() == good
        shuffled = [good[i] for i in np.random.default_rng(7).permutation(len(good))]
        tried = ([*t, first_fourth(bits, columns, t, sought)] for t in shuffled)
        expected = next((entry for entry in tried if entry[3] is not None), None)
        hit = first_hit(candidates, sought, seed=7)
        assert (hit.members[0].tolist() if hit else None) == expected


@pytest.mark.parametrize("sought", PUBLISHED)
def test_the_seed_decides(sought):
    candidates = some(3, count=40, rows=30, columns=12, share=0.2)
    hits = [first_hit(candidates, sought, seed=seed) for seed in (1, 1, 2, 3)]
    first, again, *others = [hit.members.tolist() for hit in hits if hit]
    assert first == again
    assert any(first != other for other in others)


def test_attempts_bound_the_triples_looked_at():
    # Only the triple of the first three candidates is completed, by the fourth.
    truth = np.zeros((20, 40), dtype=bool)
    truth[:4, :4] = ~np.eye(4, dtype=bool)
    truth[4:, 5:] = True
    candidates = Candidates.of_truth(truth, range(20))
    assert first_hit(candidates, "MUS-4", seed=0) is not None
    assert first_hit(candidates, "MUS-4", seed=0, attempts=1) is None


def test_pairs_are_found_by_search_where_chance_fails():
    truth = np.ones((200, 3), dtype=bool)
    truth[198] = [True, False, False]
    truth[199] = [False, False, True]
    hit = first_hit(Candidates.of_truth(truth, range(200)), "MUS-2", seed=0, attempts=1)
    assert hit is not None
    assert hit.members.tolist() == [[198, 199]]
    assert hit.drop_counts.tolist() == [[1, 1]]


@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("sought", PUBLISHED)
def test_too_few_candidates_have_no_hit(sought, count):
    truth = np.ones((count, 4), dtype=bool)
    assert first_hit(Candidates.of_truth(truth, range(count)), sought, seed=0) is None


@pytest.mark.parametrize(
    "arguments", [{"sought": "MUS-3"}, {"sought": "MUS-4", "attempts": 0}], ids=["3", "attempts"]
)
def test_impossible_searches_are_refused(arguments):
    with pytest.raises(QueryError):
        first_hit(some(0), seed=0, **arguments)
