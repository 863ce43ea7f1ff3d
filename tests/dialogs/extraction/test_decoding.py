"""The joint decision about all mentions, against the search through every subset."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.extraction.decoding import Weighed, heaviest
from concede.dialogs.extraction.mentions import Mention, Option

NOTHING = np.zeros((1, 1), dtype=np.float32)


def weighed(first, length, gain):
    mention = Mention(first, first + length - 1, "value", (Option("c", "whole", ("v",)),))
    return Weighed(mention, np.array([gain], dtype=np.float32), NOTHING, NOTHING[0])


def share_no_word(items):
    words = [set(range(item.mention.first, item.mention.last + 1)) for item in items]
    return all(not one & other for one, other in combinations(words, 2))


@given(
    st.lists(
        st.builds(weighed, st.integers(0, 8), st.integers(1, 4), st.floats(0.1, 9)), max_size=7
    )
)
def test_the_heaviest_set_that_shares_no_word(items):
    subsets = (chosen for size in range(len(items) + 1) for chosen in combinations(items, size))
    best = max(sum(item.gain for item in chosen) for chosen in subsets if share_no_word(chosen))
    chosen = heaviest(items)
    assert share_no_word(chosen)
    assert sum(item.gain for item in chosen) == pytest.approx(best)
