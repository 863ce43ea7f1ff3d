"""What observers and traces are told of questions."""

import asyncio
import json
import logging
import subprocess
import sys

import pytest

from concede import (
    AsyncRepairEngine,
    Catalog,
    Closed,
    LoggingObserver,
    Observed,
    ObservedEngine,
    Query,
    RepairEngine,
    UnknownColumn,
)
from concede.engine.runtime.json_logging import JsonLines, request_id
from concede.engine.runtime.thread_pool import BoundedPool

MET = {"constraints": [{"column": "Year", "op": ">=", "value": 2000}]}
UNMET = {"constraints": [{"column": "Year", "op": ">=", "value": 3000}]}
UNKNOWN = {"constraints": [{"column": "Yeer", "op": ">=", "value": 3000}]}


class Collected:
    def __init__(self) -> None:
        self.events: list[Observed] = []

    def observe(self, event: Observed, /) -> None:
        self.events.append(event)

    @property
    def outcomes(self) -> list[tuple[str, str, bool | None]]:
        return [(event.operation, event.outcome, event.complete) for event in self.events]


@pytest.fixture(scope="module")
def cars():
    return Catalog.open("sample:cars")


def query(of: dict) -> Query:
    return Query.model_validate(of)


def test_every_question_is_told_with_its_outcome(cars):
    seen = Collected()
    engine = ObservedEngine(cars, observer=seen)
    engine.check(query(MET))
    engine.diagnose(query(UNMET))
    engine.repair(query(MET))
    engine.repair(query(UNMET))
    with pytest.raises(UnknownColumn):
        engine.repair(query(UNKNOWN))
    assert seen.outcomes == [
        ("check", "SAT", True),
        ("diagnose", "UNSAT", True),
        ("repair", "SAT_no_relaxation", True),
        ("repair", "SAT_after_relaxation", True),
        ("repair", "UnknownColumn", None),
    ]
    assert all(event.ran > 0 and event.waited == 0 for event in seen.events)
    assert [event.catalog_version for event in seen.events] == [None, 1, 1, 1, None]


def test_an_observed_engine_answers_as_any_other(cars):
    plain, observed = RepairEngine(cars), ObservedEngine(cars, observer=Collected())
    options = {"policy": "fewest", "top": 2, "order": "diverse"}
    for entry in (MET, UNMET):
        given = observed.repair(query(entry), **options).record()
        assert given == plain.repair(query(entry), **options).record()
    assert len(observed.repair_many([query(MET), query(UNMET)])) == 2


def test_an_asynchronous_engine_tells_of_waits_and_refusals(cars):
    seen = Collected()

    async def ask():
        async with AsyncRepairEngine(RepairEngine(cars), observer=seen, name="shop") as engine:
            await engine.repair(query(UNMET))
        with pytest.raises(Closed):
            await engine.repair(query(UNMET))

    asyncio.run(ask())
    assert seen.outcomes == [
        ("repair", "SAT_after_relaxation", True),
        ("repair", "Closed", None),
    ]
    assert seen.events[0].waited > 0
    assert {event.catalog for event in seen.events} == {"shop"}


def test_the_engine_nobody_observes_is_told_nothing_and_loads_no_tracer():
    program = (
        "import sys;"
        "from concede import Catalog, Query, RepairEngine, parse_where;"
        "c = Catalog.open('sample:cars');"
        "RepairEngine(c).repair(Query(constraints=parse_where('Year >= 3000')));"
        "print([one for one in sys.modules if one.startswith('opentelemetry')],"
        "'concede.engine.runtime.observers' in sys.modules)"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert printed.split() == ["[]", "False"]


@pytest.fixture(scope="module")
def spans():
    """Spans that an SDK records, in this process from now on."""
    trace = pytest.importorskip("opentelemetry.trace")
    sdk = pytest.importorskip("opentelemetry.sdk.trace")
    export = pytest.importorskip("opentelemetry.sdk.trace.export")
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    exporter = memory.InMemorySpanExporter()
    provider = sdk.TracerProvider()
    provider.add_span_processor(export.SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return exporter


def test_questions_are_spans_where_an_sdk_is_set_up(cars, spans):
    spans.clear()
    engine = ObservedEngine(cars)
    engine.repair(query(UNMET))
    with pytest.raises(UnknownColumn):
        engine.repair(query(UNKNOWN))
    done, failed = spans.get_finished_spans()
    assert done.name == failed.name == "concede.repair"
    assert done.attributes["concede.outcome"] == "SAT_after_relaxation"
    assert done.attributes["concede.complete"] is True
    assert failed.status.status_code.name == "ERROR"
    assert failed.events[0].name == "exception"


def test_a_span_in_the_pool_belongs_to_whoever_asked(cars, spans):
    trace = pytest.importorskip("opentelemetry.trace")
    spans.clear()

    async def ask():
        async with AsyncRepairEngine(RepairEngine(cars), pool=BoundedPool(1)) as engine:
            with trace.get_tracer("tests").start_as_current_span("search"):
                await engine.repair(query(UNMET))

    asyncio.run(ask())
    inner, outer = spans.get_finished_spans()
    assert (inner.name, outer.name) == ("concede.repair", "search")
    assert inner.parent.span_id == outer.context.span_id


def test_questions_are_logged_as_json_lines_with_their_request(cars, caplog):
    caplog.set_level(logging.INFO, "concede.engine")
    token = request_id.set("r-1")
    try:
        ObservedEngine(cars, observer=LoggingObserver()).repair(query(UNMET))
        line = json.loads(JsonLines().format(caplog.records[-1]))
    finally:
        request_id.reset(token)
    assert line["request_id"] == "r-1"
    assert line["operation"] == "repair"
    assert line["outcome"] == "SAT_after_relaxation"
    assert line["complete"] is True
    assert line["ran_ms"] > 0
    assert line["catalog"] == "cars"


def test_a_line_is_one_line_whatever_it_holds():
    record = logging.LogRecord("concede", logging.INFO, "", 0, "a\nb\u2028\x1b[31m", (), None)
    record.strange = {"nested": object()}
    written = JsonLines().format(record)
    assert written.isascii()
    assert written.isprintable()
    assert json.loads(written)["message"] == "a\nb\u2028\x1b[31m"
