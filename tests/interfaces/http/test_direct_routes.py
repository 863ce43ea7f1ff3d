"""Questions on the direct way are answered as by the router of all paths."""

import asyncio

import pytest

from concede.interfaces.http.direct_routes import TRACED, DirectRoutes
from concede.interfaces.http.routes.repair import router

QUESTION = {"constraints": [{"column": "Year", "op": ">=", "value": 2017}], "top": 1}
ASKED = [
    ("/v1/repair", {"json": QUESTION}),
    ("/v1/diagnose", {"json": {"where": "Year > 2020"}}),
    ("/v1/extract", {"json": {"text": "a Lexus"}}),
    ("/v1/clarify", {"json": {"text": "a Lexus"}}),
    ("/v1/repair", {"json": {"constraints": []}}),
    ("/v1/repair", {"json": {"where": "Yaer > 2"}}),
    ("/v1/repair", {"json": QUESTION | {"catalog": "none"}}),
    ("/v1/repair", {"json": QUESTION | {"min_version": 5, "deadline_ms": 10}}),
    ("/v1/repair", {"content": b"{"}),
    ("/v1/repair", {"content": b"{}", "headers": {"Content-Type": "text/plain"}}),
    ("/v1/repair/", {"json": QUESTION}),
]
OF_EACH = ("x-request-id", "server-timing", "date")


def told(client, path, sent):
    named = {"X-Request-ID": "one", **sent.get("headers", {})}
    answer = client.post(path, **{**sent, "headers": named})
    headers = {name: value for name, value in answer.headers.items() if name not in OF_EACH}
    return answer.status_code, headers, answer.content


async def by_the_router(self, scope, receive, send):
    await self.app(scope, receive, send)


def test_answers_and_refusals_are_those_of_the_router(client, monkeypatch):
    direct = [told(client, path, sent) for path, sent in ASKED]
    monkeypatch.setattr(DirectRoutes, "__call__", by_the_router)
    # What is kept would be told again.
    client.app.state.concede.responses.forget("cars")
    assert [told(client, path, sent) for path, sent in ASKED] == direct


def test_requests_are_counted_under_their_path(service, cars):
    client = service({"cars": cars})
    client.post("/v1/repair", json=QUESTION)
    line = 'concede_http_requests_total{method="POST",path="/v1/repair",status="200"} 1.0'
    assert line in client.get("/metrics").text


@pytest.mark.parametrize(
    ("scope", "way"),
    [
        ({"method": "POST", "path": "/v1/repair"}, "direct"),
        ({"method": "GET", "path": "/v1/repair"}, "router"),
        ({"method": "POST", "path": "/v1/repair/"}, "router"),
        ({"method": "POST", "path": "/v1/repair", TRACED: object()}, "router"),
        ({"type": "lifespan"}, "router"),
    ],
)
def test_who_traces_requests_has_them_all_by_the_router(scope, way, monkeypatch):
    taken = []

    async def app(scope, receive, send):
        taken.append("router")

    async def answer(scope, receive, send):
        taken.append("direct")

    async def repair(request):
        return answer

    direct = DirectRoutes(app, [router])
    monkeypatch.setattr(direct._routes["/v1/repair"], "endpoint", repair)
    asyncio.run(direct({"type": "http", **scope}, None, None))
    assert taken == [way]
