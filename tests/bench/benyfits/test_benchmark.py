"""The published benchmark offline: what the issue of it asks for, measured.

Slow: whole data sets. The quick part holds every seventh conversation.
"""

from pathlib import Path

import pytest

from concede.bench.benyfits.components import Components, recorded_programs
from concede.bench.benyfits.published_data import BenyfitsData, read_benyfits
from concede.bench.benyfits.report import Report, report_of, run_conversations

DATASETS = {"diverse": 305, "representative": 235}


@pytest.fixture(scope="module")
def data(shared_data: Path) -> BenyfitsData:
    return read_benyfits(shared_data / "benyfits")


def reported(data: BenyfitsData, households, **components) -> Report:
    programs = recorded_programs(data)
    made = Components(data, programs, **components)
    dialogues = run_conversations(made, households, lambda found, doing: found)
    return report_of(dialogues, data, programs, made.setting)


@pytest.mark.slow
def test_every_seventh_conversation(data: BenyfitsData):
    households = data.of("diverse")[::7]
    joint = reported(data, households)
    published = reported(data, households, planner="published")
    assert joint.metrics["turns"] <= 0.75 * published.metrics["turns"]
    assert joint.metrics["undecided"] == published.metrics["undecided"] == 0
    assert not {"misreading", "conflating members", "unexplained"} & set(joint.classes)
    # What was understood is the same, so are the decisions.
    for one, other in zip(joint.dialogues, published.dialogues, strict=True):
        assert dict(one.decisions) == dict(other.decisions)


@pytest.mark.slow
def test_the_diverse_targets(data: BenyfitsData):
    report = reported(data, data.of("diverse"))
    assert report.metrics["n_pairs"] == 305
    assert report.metrics["f1"] >= 85
    assert report.metrics["turns"] <= 16


@pytest.mark.slow
def test_the_representative_targets_are_all_decided(data: BenyfitsData):
    report = reported(data, data.of("representative"))
    assert (report.metrics["n_pairs"], report.metrics["undecided"]) == (235, 0)
    assert report.metrics["f1"] is None
    assert report.metrics["turns"] <= 25
