"""The greedy covering set beside a slow twin that starts anew for each household."""

from hypothesis import given
from hypothesis import strategies as st

from concede.bench.benyfits.building import added, covering, lines_of, pruned

Row = list[frozenset[tuple[int, int]]]

TRACES = st.integers(1, 4).flatmap(
    lambda programs: st.lists(
        st.tuples(
            *(
                st.frozensets(st.tuples(st.just(place), st.integers(0, 5)), max_size=5)
                for place in range(programs)
            )
        ).map(list),
        min_size=1,
        max_size=9,
    )
)


def slowly_added(traces: list[Row]) -> list[int]:
    """Add the household that adds most, the earlier of equals, until none adds any."""
    chosen: list[int] = []
    while True:
        covered = {line for at in chosen for trace in traces[at] for line in trace}
        gains = [len({line for trace in row for line in trace} - covered) for row in traces]
        best = max(range(len(traces)), key=lambda at: (gains[at], -at))
        if gains[best] == 0:
            return chosen
        chosen.append(best)


def slowly_covering(traces: list[Row]) -> list[tuple[int, tuple[int, ...]]]:
    """Remove, in order, each pair whose lines are all run by the pairs that are left."""
    chosen = slowly_added(traces)
    pairs = [(at, place) for at in chosen for place in range(len(traces[at]))]
    for pair in list(pairs):
        others = {line for at, place in pairs if (at, place) != pair for line in traces[at][place]}
        if traces[pair[0]][pair[1]] <= others:
            pairs.remove(pair)
    kept = ((at, tuple(place for one, place in pairs if one == at)) for at in chosen)
    return [constraint for constraint in kept if constraint[1]]


@given(TRACES)
def test_equals_the_slow_twin(traces: list[Row]):
    assert added(traces) == slowly_added(traces)
    assert covering(traces) == slowly_covering(traces)


@given(TRACES)
def test_runs_every_line_and_nothing_in_vain(traces: list[Row]):
    kept = [traces[at][place] for at, places in covering(traces) for place in places]
    assert {line for trace in kept for line in trace} == lines_of(traces)
    for at, trace in enumerate(kept):
        others = {line for other in kept[:at] + kept[at + 1 :] for line in other}
        assert not trace <= others
    assert pruned(kept) == list(range(len(kept)))


def test_nothing_to_run():
    assert covering([]) == []
    assert covering([[frozenset()]]) == []
