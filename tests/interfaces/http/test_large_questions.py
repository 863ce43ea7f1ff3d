"""Large bodies: limited with a way out, parsed beside the event loop, charged to the deadline."""

import threading
import time

import pytest

from concede import Constraint, Query, query_limits
from concede.interfaces.http import body_reader
from problems import problem_of

IDS = list(range(8_000))


def asked(**fields):
    return {"constraints": [{"column": "Year", "op": "in", "value": 2017, **fields}]}


@pytest.mark.parametrize(
    ("body", "limit"),
    [
        (asked(value=list(range(100_000))), "10,000"),
        (asked(op="not in", value=["x"] * 10_001), "10,000"),
        (asked(column="Model", op="like", value="%" * 900_000), "1,000"),
        (asked(column="Model", op="contains", value="x" * 1_001), "1,000"),
        (asked(column="Model", op="==", value="x" * 10_001), "10,000"),
        (asked(op="==", group="g" * 201), "200"),
        ({"constraints": [asked(value=IDS)["constraints"][0]] * 4}, "30,000"),
        ({"where": f"Year = 2017 OR Model LIKE '{'%' * 1_001}'"}, "1,000"),
        ({"where": f"Model LIKE '{'%' * 1_001}'"}, "1,000"),
    ],
)
@pytest.mark.parametrize("path", ["/v1/repair", "/v1/diagnose"])
def test_what_is_too_much_is_refused_with_the_limit(client, path, body, limit):
    problem = problem_of(client.post(path, json=body), 422)
    assert limit in problem["detail"]
    assert problem["hint"]
    assert len(problem["detail"]) < 500


def test_some_thousands_of_ids_are_answered(client):
    answer = client.post("/v1/repair", json=asked(value=IDS)).json()
    assert answer["status"] == "SAT_no_relaxation"


def test_a_program_may_raise_the_limits():
    with query_limits(list_values=100_000, query_values=200_000, pattern=5_000):
        many = Constraint(column="Year", op="in", value=range(100_000))
        Constraint(column="Model", op="like", value="%" * 5_000)
        query = Query(constraints=[many, many])
    # What was made is asked anywhere.
    assert len(query.constraints[0].value) == 100_000


def test_a_large_body_is_parsed_in_a_thread_of_its_own(client, monkeypatch):
    threads = set()

    def parsed(body, kind):
        threads.add((len(body) > body_reader.SMALL, threading.current_thread().name))
        return original(body, kind)

    original = body_reader.parsed
    monkeypatch.setattr(body_reader, "parsed", parsed)
    assert client.post("/v1/repair", json=asked(value=[*IDS, 9_001])).status_code == 200
    assert client.post("/v1/repair", json=asked(op="==", value=1999)).status_code == 200
    names = dict(threads)
    assert names[True].startswith("concede-pool")
    assert not names[False].startswith("concede-pool")


def test_parsing_counts_towards_the_deadline(client, monkeypatch):
    def slow(body, kind):
        # The clock goes on by a second, nobody waits.
        now.append(now[-1] + 1.0)
        return original(body, kind)

    now = [time.perf_counter()]
    original = body_reader.parsed
    monkeypatch.setattr(body_reader, "parsed", slow)
    monkeypatch.setattr("concede.interfaces.http.routes.repair.time.perf_counter", lambda: now[-1])
    body = asked(op="==", value=1998) | {"deadline_ms": 500}
    problem_of(client.post("/v1/repair", json=body), 503, "limit-error")
