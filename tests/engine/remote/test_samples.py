"""A sample finds what could give way; what is shown of it is counted on all rows."""

import json
from typing import Any

import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import QueryError
from concede.engine.answer import SampledAnswer
from concede.engine.repair_engine import RepairEngine
from remote_answers import counted


def test_counts_are_those_of_all_rows(rows: Any, in_memory: Catalog, remote: Catalog) -> None:
    """Whatever is dropped in a sample lets in as many rows as the file says."""
    repaired = 0
    for seed in range(12):
        query, _ = rows.question(seed)
        answer = RepairEngine(remote).repair(query, sample=0.2)
        diagnosis = RepairEngine(in_memory).diagnose(query)
        every = set(range(len(query.constraints)))
        assert isinstance(answer, SampledAnswer)
        assert answer.sample.rows <= diagnosis.base_rows
        assert (answer.stopped_by, answer.complete) == ("sample", False)
        assert not answer.proven_minimal
        assert not any(repair.minimal for repair in answer.repairs)
        assert answer.drop_one_counts == diagnosis.drop_one_counts
        for repair in answer.repairs:
            assert repair.count == diagnosis.count(every - set(repair.dropped))
        repaired += bool(counted(answer))
        if diagnosis.verdict == "SAT":
            assert answer.count == diagnosis.count(every)
    assert repaired > 6


def test_json_says_what_the_sample_was(rows: Any, in_memory: Catalog, remote: Catalog) -> None:
    """Share and rows; an answer from all rows says nothing of samples."""
    query, _ = rows.question(1)
    answer = RepairEngine(remote).repair(query, sample=0.1)
    record = json.loads(answer.to_json())
    assert record["sample"]["share"] == 0.1
    assert record == answer.record()
    assert isinstance(answer, SampledAnswer)
    assert SampledAnswer.model_validate(record).sample == answer.sample
    assert "sample" not in RepairEngine(in_memory).repair(query).record()
    assert "sample" not in json.loads(RepairEngine(in_memory).repair(query).to_json())


@pytest.mark.parametrize("share", [0.0, -1.0, 1.5, float("nan")])
def test_a_share_is_one(share: float, rows: Any, remote: Catalog) -> None:
    """Others are refused, and so is a sample of rows in memory."""
    query, _ = rows.question(1)
    with pytest.raises(QueryError, match="sample is"):
        RepairEngine(remote).repair(query, sample=share)


def test_rows_in_memory_are_not_sampled(rows: Any, in_memory: Catalog) -> None:
    """All of them are read."""
    query, _ = rows.question(1)
    with pytest.raises(QueryError, match="in memory"):
        RepairEngine(in_memory).diagnose(query, sample=0.1)
