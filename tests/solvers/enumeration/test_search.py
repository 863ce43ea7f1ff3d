"""Minimal conflicts and unique-repair quads against their definitions, set by set."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.bench.throughput.rivals.python_int_search import (
    drop_counts,
    integers,
    python_int_search,
)
from concede.catalogs.errors import QueryError
from concede.solvers.enumeration import search as enumeration
from concede.solvers.enumeration.candidates import Candidates, Hits
from concede.solvers.enumeration.search import (
    SIZES,
    minimal_conflicts,
    search,
    search_each,
    unique_repair_quads,
)

EVERYTHING = sorted(SIZES)


@st.composite
def truths(draw):
    """Whether each of 0..9 candidates holds for each of 1..6 rows, and what each is about.

    Few rows make conflicts; rows are repeated so that they fill more than one word.
    """
    rows, count = draw(st.integers(1, 6)), draw(st.integers(0, 9))
    line = st.lists(st.booleans(), min_size=rows, max_size=rows)
    table = np.array(draw(st.lists(line, min_size=count, max_size=count)), dtype=bool)
    repeats = draw(st.sampled_from([1, 13, 25]))
    columns = draw(st.lists(st.integers(0, 5), min_size=count, max_size=count))
    return np.repeat(table.reshape(count, rows), repeats, axis=1), columns


def rows_of(truth, members):
    """How many rows meet all members."""
    return int(np.all(truth[list(members)], axis=0).sum()) if members else truth.shape[1]


def minimal_by_definition(truth, columns, size):
    """No row meets all, some row meets every proper subset, no two are about one column."""
    for members in combinations(range(len(truth)), size):
        if len({columns[member] for member in members}) < size or rows_of(truth, members):
            continue
        proper = (part for n in range(size) for part in combinations(members, n))
        if all(rows_of(truth, part) for part in proper):
            yield members


def unique_repairs_by_definition(truth, columns):
    """No row meets all four, and dropping exactly one of them leaves rows: that one last."""
    for members in combinations(range(len(truth)), 4):
        if len({columns[member] for member in members}) < 4 or rows_of(truth, members):
            continue
        kept = [part for part in combinations(members, 3) if rows_of(truth, part)]
        if len(kept) == 1:
            yield (*kept[0], *set(members).difference(kept[0]))


def by_definition(truth, columns, sought):
    if sought == "unique-repair":
        return sorted(unique_repairs_by_definition(truth, columns))
    return sorted(minimal_by_definition(truth, columns, SIZES[sought]))


def listed(found, sought):
    return [tuple(member) for member in Hits.joined(found, SIZES[sought]).members.tolist()]


def counted(found, sought):
    return [
        tuple(drop_count) for drop_count in Hits.joined(found, SIZES[sought]).drop_counts.tolist()
    ]


def dense(count=70, rows=130, columns=17, share=0.3, seed=1):
    """More candidates than a word and more rows than two, with hits of every kind."""
    random = np.random.default_rng(seed)
    about = random.integers(0, columns, count)
    return Candidates.of_truth(random.random((count, rows)) < share, about.tolist())


@pytest.fixture(scope="module")
def many():
    return dense()


@pytest.fixture
def small_batches(monkeypatch):
    """Buffers of the fewest lines a kernel takes, so that searches are resumed all the time."""
    monkeypatch.setattr(enumeration, "BATCH_LINES", 1)


@pytest.mark.parametrize("sought", EVERYTHING)
@given(case=truths())
def test_finds_what_the_definition_says_and_nothing_else(sought, case):
    truth, columns = case
    candidates = Candidates.of_truth(truth, columns)
    expected = by_definition(truth, columns, sought)
    assert listed(search(candidates, sought), sought) == expected
    counts = [
        tuple(rows_of(truth, [m for m in members if m != dropped]) for dropped in members)
        for members in expected
    ]
    assert counted(search(candidates, sought), sought) == counts


@pytest.mark.parametrize("sought", EVERYTHING)
@given(case=truths())
def test_the_search_over_python_integers_finds_the_same(sought, case):
    truth, columns = case
    bits = integers(Candidates.of_truth(truth, columns))
    found = list(python_int_search(bits, columns, sought))
    assert found == by_definition(truth, columns, sought)
    for members in found:
        each = [[m for m in members if m != dropped] for dropped in members]
        assert drop_counts(bits, members) == tuple(rows_of(truth, entry) for entry in each)


@pytest.mark.slow
@pytest.mark.parametrize("sought", EVERYTHING)
@pytest.mark.parametrize(("count", "rows"), [(63, 64), (64, 63), (65, 65), (129, 128)])
def test_borders_of_words(count, rows, sought):
    share = 0.12 if sought in ("MUS-2", "unique-repair") else 0.25
    candidates = dense(count, rows, columns=6, share=share, seed=rows)
    expected = list(python_int_search(integers(candidates), candidates.columns.tolist(), sought))
    assert expected
    assert listed(search(candidates, sought), sought) == expected


@pytest.mark.parametrize("sought", EVERYTHING)
def test_two_candidates_of_one_column_never_stand_together(sought):
    random = np.random.default_rng(0)
    truth = random.random((20, 12)) < 0.4
    apart = Candidates.of_truth(truth, range(20))
    together = Candidates.of_truth(truth, [0] * 20)
    assert sum(map(len, search(apart, sought))) > 0
    assert sum(map(len, search(together, sought))) == 0


@pytest.mark.parametrize("sought", ["MUS-3", "MUS-4", "unique-repair"])
def test_a_full_buffer_ends_a_batch_and_loses_nothing(sought, many, small_batches):
    found = list(search(many, sought))
    assert max(map(len, found)) <= len(many)
    expected = list(python_int_search(integers(many), many.columns.tolist(), sought))
    assert listed(found, sought) == expected


@pytest.mark.parametrize("sought", EVERYTHING)
@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_nothing(threads, sought):
    candidates = dense(columns=30, share=0.15)
    one, several = (
        Hits.joined(search(candidates, sought, threads=n), SIZES[sought]) for n in (1, threads)
    )
    assert len(one)
    assert np.array_equal(one.members, several.members)
    assert np.array_equal(one.drop_counts, several.drop_counts)


@pytest.mark.parametrize("threads", [1, 2])
def test_each_set_of_candidates_in_turn(threads):
    sets = [dense(20 + seed, 40, 9, 0.2, seed) for seed in range(7)]
    found = list(search_each(sets, "MUS-3", threads=threads))
    assert [listed([entry], "MUS-3") for entry in found] == [
        listed(minimal_conflicts(one, 3), "MUS-3") for one in sets
    ]


@pytest.mark.parametrize("sought", EVERYTHING)
@pytest.mark.parametrize("piece", [1, 500, 20_000, 10**9])
def test_sets_cut_or_taken_together_give_the_same_in_turn(monkeypatch, sought, piece):
    monkeypatch.setattr(enumeration, "PIECE", piece)
    sets = [dense(count, 40, 9, 0.2, count) for count in (0, 20, 1, 24, 30, 0)]
    for some in (sets, sets[3:4], []):
        found = list(search_each(iter(some), sought, threads=2))
        assert [listed([entry], sought) for entry in found] == [
            listed(search(one, sought), sought) for one in some
        ]


def test_a_few_sets_are_work_for_every_thread():
    sets = [dense(90, 40, 9, 0.2, seed) for seed in range(4)]
    assert len(list(enumeration._pieces(sets, "MUS-4", 2))) == 4
    (large,) = [dense(160, 40, 9, 0.2, 1)]
    assert len(list(enumeration._pieces([large], "MUS-4", 2))) > 2


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("limit", [1, 5, 20_000])
def test_a_limit_takes_the_first_by_position(limit, threads, many):
    every = listed(minimal_conflicts(many, 4), "MUS-4")
    some = listed(minimal_conflicts(many, 4, limit=limit, threads=threads), "MUS-4")
    assert some == every[:limit]


def test_a_search_by_position_streams(many, small_batches, monkeypatch):
    taken = []
    parts = enumeration.batches

    def watched(*arguments):
        for part in parts(*arguments):
            taken.append(len(part))
            yield part

    monkeypatch.setattr(enumeration, "batches", watched)
    next(minimal_conflicts(many, 4))
    assert len(taken) == 1


@pytest.mark.parametrize("limit", [None, 3, 1_000])
@pytest.mark.parametrize("threads", [1, 2])
def test_tightest_first_then_by_position(threads, limit, many, small_batches):
    every = Hits.joined(minimal_conflicts(many, 3), 3)
    order = sorted(range(len(every)), key=lambda i: (every.drop_counts[i].sum(), i))
    found = minimal_conflicts(many, 3, order="tightness", limit=limit, threads=threads)
    assert listed(found, "MUS-3") == [tuple(every.members[i].tolist()) for i in order[:limit]]


def test_a_seed_shuffles_equals_and_keeps_the_tightness(many):
    plain, shuffled = (
        Hits.joined(minimal_conflicts(many, 3, order="tightness", seed=seed), 3)
        for seed in (None, 4)
    )
    assert np.array_equal(plain.tightness, shuffled.tightness)
    assert not np.array_equal(plain.members, shuffled.members)
    assert sorted(plain.members.tolist()) == sorted(shuffled.members.tolist())


def test_a_random_order_is_a_shuffle_under_its_seed(many):
    every = listed(minimal_conflicts(many, 3), "MUS-3")
    first, again, other = (
        listed(minimal_conflicts(many, 3, order="random", seed=seed, threads=threads), "MUS-3")
        for seed, threads in ((1, 1), (1, 2), (2, 1))
    )
    assert first == again
    assert sorted(first) == sorted(other) == every
    assert len({tuple(every), tuple(first), tuple(other)}) == 3
    limited = minimal_conflicts(many, 3, order="random", seed=1, limit=9)
    assert listed(limited, "MUS-3") == first[:9]


def test_a_random_sample_favours_no_hit():
    # Two candidates apart on each of four pairs of columns: 24 conflicts of two.
    truth = np.repeat(np.eye(4, dtype=bool), 2, axis=0)
    candidates = Candidates.of_truth(truth, range(8))
    drawn = [
        listed(minimal_conflicts(candidates, 2, order="random", seed=seed, limit=1), "MUS-2")[0]
        for seed in range(2_400)
    ]
    frequency = [drawn.count(entry) for entry in listed(minimal_conflicts(candidates, 2), "MUS-2")]
    assert len(frequency) == 24
    # 100 expected each; the seeds are fixed, so this either always holds or never.
    assert min(frequency) > 60
    assert max(frequency) < 140


def test_looser_hits_can_be_left_out(many):
    every = Hits.joined(unique_repair_quads(many), 4)
    bound = int(np.median(every.tightness))
    tight = Hits.joined(unique_repair_quads(many, max_tightness=bound), 4)
    expected = [
        m for m, t in zip(every.members.tolist(), every.tightness, strict=True) if t <= bound
    ]
    assert 0 < len(tight) < len(every)
    assert tight.members.tolist() == expected


def test_a_unique_repair_quad_is_no_minimal_conflict(many):
    quads = Hits.joined(unique_repair_quads(many), 4)
    conflicts = {tuple(sorted(m)) for m in listed(minimal_conflicts(many, 4), "MUS-4")}
    assert len(quads)
    assert (quads.drop_counts[:, :3] == 0).all()
    assert (quads.drop_counts[:, 3] > 0).all()
    assert conflicts.isdisjoint(tuple(sorted(m)) for m in quads.members.tolist())


def test_an_abandoned_search_ends_its_threads(many):
    found = minimal_conflicts(many, 4, threads=2)
    assert len(next(found))
    found.close()
    assert next(found, None) is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"size": 5}, "conflicts of 5"),
        ({"size": 3, "limit": 0}, "limit is 0"),
        ({"size": 3, "threads": 0}, "threads is 0"),
        ({"size": 3, "order": "random"}, "without a seed"),
        ({"size": 3, "seed": 1}, "does nothing"),
        ({"size": 3, "order": "loose"}, "order is 'loose'"),
    ],
    ids=["size", "limit", "threads", "no seed", "needless seed", "order"],
)
def test_impossible_questions_are_refused(arguments, said):
    with pytest.raises(QueryError, match=said):
        minimal_conflicts(dense(5, 5), **arguments)


@pytest.mark.parametrize(
    ("words", "columns"),
    [(np.zeros(3), np.zeros(3)), (np.zeros((3, 1)), np.zeros(2)), (np.zeros((2**16 + 1, 1)),) * 2],
    ids=["one dimension", "columns missing", "too many"],
)
def test_candidates_of_another_shape_are_refused(words, columns):
    with pytest.raises(QueryError):
        Candidates(words, columns.reshape(-1))
