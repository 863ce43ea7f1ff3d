"""Bodies nobody sends in good faith are refused, whatever they hold."""

import json
import random
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.interfaces.http.request_models import EXAMPLE_QUERY
from problems import problem_of
from where_attacks import EVERY_ATTACK

PATHS = ["/v1/repair", "/v1/diagnose", "/v1/extract", "/v1/clarify", "/v1/chat"]
JSON = {"Content-Type": "application/json"}
GOOD = json.dumps(EXAMPLE_QUERY).encode()
REFUSED = {400, 404, 413, 415, 422}


def value(text: str) -> bytes:
    return b'{"constraints": [{"column": "Year", "op": ">=", "value": %s}]}' % text.encode()


BODIES = {
    "nothing": b"",
    "no JSON": b"Year >= 2017",
    "half": GOOD[:-1],
    "more": GOOD + b"}",
    "a list": b"[]",
    "null": b"null",
    "a number": b"17",
    "byte order mark": b"\xef\xbb\xbf" + b"{",
    "UTF-16": '{"where": "Year > 1"}'.encode("utf-16"),
    "UTF-32": '{"where": "Year > 1"}'.encode("utf-32"),
    "Latin-1": '{"where": "Make = \'Citroën\'"}'.encode("latin-1"),
    "cut UTF-8": b'{"where": "\xe2\x82"}',
    "overlong UTF-8": b'{"where": "\xc0\xaf"}',
    "half a character": b'{"where": "Make = \'\\ud800\'"}',
    "NUL in a text": b'{"where": "Make = \'\\u0000\'"}',
    "raw NUL": b'{"where": "\x00"}',
    "deep lists": b"[" * 100_000,
    "deep objects": b'{"a":' * 100_000,
    "deep value": value("[" * 400 + "]" * 400),
    "deep base": b'{"base": ' + b'{"a":' * 150 + b"1" + b"}" * 150 + b"}",
    "NaN": value("NaN"),
    "infinity": value("Infinity"),
    "too large a float": value("1e999"),
    "too large an integer": value("1" + "0" * 60),
    "endless integer": value("9" * 100_000),
    "endless fraction": value("0." + "1" * 100_000 + "e99999999999"),
    "NaN weight": b'{"constraints": [{"column":"Year","op":">=","value":1,"weight":NaN}]}',
    "a name as a list": b'{"constraints": [{"column":["Year"],"op":">=","value":1}]}',
    "no op": b'{"constraints": [{"column":"Year","value":1}]}',
    "a column and SQL": b'{"constraints": [{"column":"Year","op":"sql","value":"1=1"}]}',
    "65 constraints": json.dumps(
        {"constraints": [{"column": "Year", "op": ">=", "value": n} for n in range(65)]}
    ).encode(),
    "65 in the base": json.dumps(
        {"base": [{"column": "Year", "op": ">=", "value": 1}] * 65, "where": "Year > 1"}
    ).encode(),
    "deep SQL": json.dumps({"where": "(" * 50_000 + "Year" + ")" * 50_000}).encode(),
    "NOT NOT": json.dumps({"where": "NOT " * 10_000 + "Year = 1"}).encode(),
    "long SQL": json.dumps({"where": "Year = 1 OR " * 20_000 + "Year = 1"}).encode(),
    "deadline before now": b'{"where": "Year > 1", "deadline_ms": -1}',
    "no deadline": b'{"where": "Year > 1", "deadline_ms": NaN}',
    "top of all": b'{"where": "Year > 1", "top": 1000000000}',
    "a file as a catalog": b'{"where": "Year > 1", "catalog": "/etc/passwd"}',
}


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("path", PATHS)
def test_a_hostile_body_is_refused(client, path, name):
    given = client.post(path, content=BODIES[name], headers=JSON)
    assert given.status_code in REFUSED
    problem_of(given, given.status_code)
    assert len(given.content) < 5_000


@pytest.mark.parametrize("path", PATHS)
def test_a_body_larger_than_the_limit_is_refused_whole(client, path):
    body = b'{"where": "' + b"x" * 10_000_000 + b'"}'
    given = client.post(path, content=body, headers=JSON)
    problem_of(given, 413, "too-large")
    assert given.headers["connection"] == "close"


def test_bodies_that_are_read_at_once_are_bounded_together(service, cars):
    served = service({"cars": cars}, limits={"bodies": 1_000})
    problem_of(served.post("/v1/repair", content=b" " * 2_000, headers=JSON), 503, "overloaded")
    assert served.app.state.concede.bodies.nbytes == 0
    assert served.post("/v1/repair", content=GOOD, headers=JSON).status_code == 200


def test_a_body_of_unknown_length_is_counted(client):
    given = client.post("/v1/repair", content=(b" " * 100_000 for _ in range(20)), headers=JSON)
    problem_of(given, 413, "too-large")


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "multipart/form-data; boundary=x"},
        JSON | {"Content-Encoding": "gzip"},
        JSON | {"Content-Encoding": "br"},
    ],
)
def test_other_content_is_refused(client, headers):
    problem_of(client.post("/v1/repair", content=GOOD, headers=headers), 415)


@pytest.mark.parametrize(("kind", "text"), EVERY_ATTACK[::4])
def test_no_sql_reaches_beyond_the_columns(client, kind, text):
    bodies = [
        {"where": text},
        {"constraints": [{"op": "sql", "value": text}]},
        {"base": [{"op": "sql", "value": text}], "where": "Year > 1"},
    ]
    for body in bodies:
        # Escaped: half a character is ASCII then, and JSON.
        given = client.post("/v1/repair", content=json.dumps(body), headers=JSON)
        problem_of(given, given.status_code)
        assert given.status_code in (400, 422)


MANY = {
    "unknown fields": {f"a{n}": 1 for n in range(80_000)},
    "bad priority": {"where": "Year > 1", "priority": [1] * 300_000},
    "bad constraints": {"constraints": [1] * 300_000},
    "bad base": {"base": {f"a{n}": [] for n in range(70_000)}, "where": "Year > 1"},
    "bad list": {"constraints": [{"column": "Year", "op": "in", "value": [[]] * 200_000}]},
    "fields of one": {"constraints": [{f"a{n}": 1 for n in range(80_000)}]},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MANY)
def test_a_hundred_thousand_mistakes_are_told_once(client, name):
    """What pydantic would say of each took 20 s and 2 GB."""
    tracemalloc.start()
    given = client.post("/v1/repair", json=MANY[name])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    problem_of(given, 422)
    assert len(given.content) < 3_000
    assert most < 100 * 2**20


def mutated(seed: int) -> bytes:
    """Return a good body with some bytes changed, dropped, doubled or exchanged."""
    draw, body = random.Random(seed), bytearray(GOOD)
    for _ in range(draw.randrange(1, 8)):
        at = draw.randrange(len(body))
        match draw.randrange(4):
            case 0:
                body[at] = draw.randrange(256)
            case 1:
                del body[at : at + draw.randrange(1, 20)]
            case 2:
                body[at:at] = body[at : at + draw.randrange(1, 20)]
            case _:
                body[at:at] = draw.choice([b"{", b"[", b'"', b"\\", b"-", b"1e9", b"null", b"\xff"])
    return bytes(body) or b"x"


@given(st.integers(0, 10**9), st.sampled_from(PATHS))
def test_no_mutation_of_a_body_fails_the_server(client, seed, path):
    given = client.post(path, content=mutated(seed), headers=JSON)
    assert given.status_code < 500
    if given.status_code >= 400:
        problem_of(given, given.status_code)
