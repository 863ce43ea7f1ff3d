"""Sentences about conflicts: each printed once, however many conflicts read alike."""

from __future__ import annotations

import pyarrow as pa

from concede import Catalog, Constraint, Query, RepairEngine
from concede.engine.explanation import conflict_sentences


def test_conflicts_that_read_alike_are_one_sentence():
    conflicts = [frozenset([0]), frozenset([1])]
    assert conflict_sentences(["a < 0", "a < 0"], conflicts) == ["No row meets a < 0."]
    assert conflict_sentences(["a < 0", "b < 0"], conflicts) == [
        "No row meets a < 0.",
        "No row meets b < 0.",
    ]


def test_conflicts_not_printed_are_counted_whether_they_read_alike_or_not():
    conflicts = [frozenset([position]) for position in range(4)]
    assert conflict_sentences(["a < 0"] * 4, conflicts) == [
        "No row meets a < 0.",
        "There are 2 more such conflicts.",
    ]


def test_no_explanation_says_a_sentence_twice():
    same = [Constraint(column="a", op="<", value=0), Constraint(column="b", op="==", value=1)]
    catalog = Catalog.open(pa.table({"a": [1, -1], "b": [1, 2]}))
    for query in (Query(constraints=same * 2), Query(base=same * 2)):
        engine = RepairEngine(catalog)
        for explanation in (engine.diagnose(query).explanation, engine.repair(query).explanation):
            assert explanation.count("No row meets both a < 0 and b = 1.") == 1
