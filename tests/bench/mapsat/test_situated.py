"""A case of a log and a task read the same circumstances and history."""

from __future__ import annotations

from concede.bench.mapsat.case import Case
from concede.bench.mapsat.situated import SOMEBODY
from concede.bench.mapsat.task import task_of

CONTEXT = {"time": "2025-05-02T18:00:00+02:00", "location": [48.1, 11.5], "profile": {"car": True}}
HISTORY = [{"id": "e1", "time": "2025-05-01T12:00:00+02:00", "shown": ["a", "b"], "clicked": ["a"]}]
EXPLICIT = {"column": "kind", "op": "==", "value": "cafe"}


def test_a_case_and_a_task_of_the_same_records_say_the_same():
    record = {
        "id": "t", "query": "a café", "full_intent": "a café", "context": CONTEXT,
        "explicit": [EXPLICIT], "implicit": [], "clarifications": 1, "tools": [], "facts": [],
        "history": HISTORY,
    }  # fmt: skip
    task = task_of(record)
    case = Case("t", task.explicit, CONTEXT, tuple(HISTORY))
    assert (case.moment, case.profile, case.events) == (task.moment, task.profile, task.events)
    assert [(event.id, event.user) for event in case.events] == [("e1", SOMEBODY)]
    assert case.profile.car is True
