"""The paths in front of the framework: the same answers, guards and refusals as behind it."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from concede import Catalog
from concede.http_hot import Service

BODIES: list[Any] = [
    {"constraints": [{"column": "MSRP", "op": "<=", "value": 100}]},
    {"constraints": [{"column": "prise", "op": "<=", "value": 100}]},
    {"constraints": [], "more": 1},
    {"catalog": "boats", "where": "MSRP < 1"},
    [],
]
HEADERS = [
    {},
    {"X-Request-ID": "mine", "Origin": "https://shop.example"},
    {"Content-Type": "text/plain"},
    {"Content-Encoding": "gzip"},
    {"Content-Type": "application/vnd.shop+json; charset=utf-8"},
]


@pytest.fixture
def both(service: Any, cars: Catalog) -> tuple[TestClient, TestClient]:
    """The service with its hot paths, and without them."""
    found = [
        service({"cars": cars}, cors_origins=("https://shop.example",), limits={"answers": 0})
        for _ in range(2)
    ]
    found[1].app.hot_paths = frozenset()
    return found[0], found[1]


@pytest.mark.parametrize("path", ["/v1/repair", "/v1/diagnose"])
@pytest.mark.parametrize("headers", HEADERS)
@pytest.mark.parametrize("body", BODIES)
def test_answers_are_those_of_the_framework(both: Any, path: str, headers: Any, body: Any) -> None:
    answers = [client.post(path, json=body, headers=headers) for client in both]
    assert _told(answers[0]) == _told(answers[1])


def _told(answer: Any) -> tuple[int, dict[str, str], dict[str, Any]]:
    heads = {name: value for name, value in answer.headers.items() if name not in CHANGING}
    body = answer.json()
    return answer.status_code, heads, {**body, "request_id": None}


CHANGING = ("server-timing", "content-length", "x-request-id")


@pytest.mark.parametrize("method", ["GET", "PUT", "OPTIONS"])
def test_other_methods_are_the_frameworks(both: Any, method: str) -> None:
    answers = [client.request(method, "/v1/repair") for client in both]
    assert answers[0].status_code == answers[1].status_code != 200


def test_a_service_under_another_root_answers(cars: Catalog) -> None:
    from concede.http_api import create_app

    app = create_app({"cars": cars})
    assert isinstance(app, Service)
    with TestClient(app, root_path="/shop") as client:
        answer = client.post("/shop/v1/repair", json=BODIES[0])
    assert answer.status_code == 200
    assert answer.json()["repairs"]
