"""The tools say whether their counts are exact, or of what was counted in time."""

from dataclasses import replace
from typing import Any

import pytest

from agents import TIED, call, choosing
from concede import Answer, RepairEngine, Status
from concede.engine.diagnosis import Diagnosis

REPAIR, DIAGNOSE = RepairEngine.repair, RepairEngine.diagnose


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have engines say that time was too short to count."""

    def repair(engine: RepairEngine, *question: Any, **options: Any) -> Answer:
        answer = REPAIR(engine, *question, **options)
        return answer.model_copy(update={"counts_exact": False})

    def diagnose(engine: RepairEngine, *question: Any, **options: Any) -> Diagnosis:
        found = DIAGNOSE(engine, *question, **options)
        return replace(found, histogram=replace(found.histogram, stopped_by="deadline"))

    monkeypatch.setattr(RepairEngine, "repair", repair)
    monkeypatch.setattr(RepairEngine, "diagnose", diagnose)


@pytest.mark.parametrize("tool", ["search", "diagnose", "repair"])
def test_counts_are_exact_where_there_was_time(server, tool):
    content = call(server, tool, {"where": "price <= 40"}).structured_content
    assert (content["count"], content["counts_exact"]) == (4, True)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("tool", ["search", "diagnose", "repair"])
def test_counts_cut_short_are_said_to_be(server, tool):
    content = call(server, tool, {"where": "price <= 40"}).structured_content
    assert (content["count"], content["counts_exact"]) == (4, False)


@pytest.mark.usefixtures("hasty")
def test_that_nothing_matches_is_no_count_cut_short(server):
    content = call(server, "search", TIED).structured_content
    assert (content["count"], content["counts_exact"]) == (0, True)


def test_that_not_all_was_read_is(server, monkeypatch):
    def repair(engine: RepairEngine, *question: Any, **options: Any) -> Answer:
        answer = REPAIR(engine, *question, **options)
        return answer.model_copy(update={"status": Status.UNKNOWN, "counts_exact": False})

    monkeypatch.setattr(RepairEngine, "repair", repair)
    content = call(server, "search", TIED).structured_content
    assert (content["count"], content["counts_exact"]) == (0, False)


@pytest.mark.usefixtures("hasty")
def test_the_user_reads_at_least(server):
    questions = []
    reply = call(server, "repair", TIED, "auto", choosing("price", questions))
    options = questions[0].requested_schema["properties"]["gives_way"]["enum"]
    assert options == [
        "colour = red (at least 2 items without it)",
        "price ≤ 30 (at least 2 items without it)",
    ]
    choices = reply.structured_content["choices"]
    assert [choice["counts_exact"] for choice in choices] == [False, False]
