"""What is sent again, after which pauses, and what errors become; against a server of the test."""

import asyncio
import socket

import pytest

from concede import AsyncClient, Client, ConcedeError, Overloaded, ServiceError, UnknownColumn
from concede.interfaces.client.asking import Retries
from stub_service import StubService

ANSWER = {"status": "SAT_no_relaxation", "count": 1, "items": [], "complete": True}
ANSWER |= {"catalog_version": 1}
BUSY = {"type": "urn:concede:problem:overloaded", "detail": "too much; wait", "hint": "wait"}
GOOD = (200, {}, ANSWER)


def asked(service: StubService, kind: str, retries: Retries | None = None, **options):
    """Ask once, by either client; return the answer or the error, and the pauses taken."""
    pauses: list[float] = []
    if kind == "sync":
        with Client(service.url, sleep=pauses.append, retries=retries, **options) as client:
            try:
                return client.repair("a = 1"), pauses
            except ConcedeError as error:
                return error, pauses

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    async def ask():
        async with AsyncClient(service.url, sleep=sleep, retries=retries, **options) as client:
            return await client.repair("a = 1")

    try:
        return asyncio.run(ask()), pauses
    except ConcedeError as error:
        return error, pauses


both = pytest.mark.parametrize("kind", ["sync", "async"])


@both
@pytest.mark.parametrize(
    "bad", [(503, {"Retry-After": "2"}, BUSY), (429, {"Retry-After": "2"}, BUSY)]
)
def test_what_is_refused_for_a_moment_is_asked_again_after_the_time_it_says(kind, bad):
    with StubService([bad, bad, GOOD]) as service:
        answer, pauses = asked(service, kind)
    assert answer == ANSWER
    assert pauses == [2.0, 2.0]
    assert len(service.asked) == 3


@both
def test_pauses_double_and_end(kind):
    with StubService([(503, {}, BUSY)]) as service:
        error, pauses = asked(service, kind, Retries(most=3, first=1.0))
    assert isinstance(error, Overloaded)
    assert str(error) == "too much; wait"
    assert (error.problem, error.hint, error.status) == ("too much", "wait", 503)
    assert len(service.asked) == 4
    assert [1 <= pause / 2**n <= 2 for n, pause in enumerate(pauses)] == [True] * 3


def test_a_wait_that_is_too_long_is_the_callers():
    with StubService([(429, {"Retry-After": "3600"}, BUSY)]) as service:
        error, pauses = asked(service, "sync")
    assert (type(error), pauses, len(service.asked)) == (Overloaded, [], 1)


@both
def test_a_question_whose_connection_breaks_is_asked_again(kind):
    with StubService([(0, {}, None), GOOD]) as service:
        answer, pauses = asked(service, kind)
    assert answer == ANSWER
    assert len(pauses) == 1


def test_what_is_done_once_is_not_sent_again_where_the_connection_breaks():
    with StubService([(0, {}, None), GOOD]) as service, Client(service.url) as client:
        with pytest.raises(ServiceError) as caught:
            client.upsert([{"a": 1}], catalog="shop")
        assert caught.value.kind == "unreachable"
        assert len(service.asked) == 1


def test_nobody_there():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    pauses: list[float] = []
    client = Client(url, sleep=pauses.append)
    with pytest.raises(ServiceError, match="no answer from"):
        client.upsert([{"a": 1}], catalog="shop")
    # Nothing was asked, so that even a write is tried again.
    assert len(pauses) == 4


def test_a_problem_is_the_librarys_own_error_with_its_parts():
    problem = {
        "type": "urn:concede:problem:unknown-column", "status": 422, "name": "prise",
        "detail": "unknown column 'prise'; did you mean 'price'?",
        "hint": "did you mean 'price'?", "nearest": ["price"],
    }  # fmt: skip
    with StubService([(422, {}, problem)]) as service:
        error, pauses = asked(service, "sync")
    assert isinstance(error, UnknownColumn)
    assert str(error) == problem["detail"]
    assert (error.nearest, error.status, pauses) == (["price"], 422, [])


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (403, {"type": "urn:concede:problem:admin-off", "detail": "no", "hint": ""}, "no"),
        (502, b"<html>", "status 502: b'<html>'"),
        (200, b"<html>", "no JSON object"),
        (200, b"[1]", "no JSON object"),
    ],
)
def test_what_only_a_service_says(status, body, said):
    with StubService([(status, {}, body)]) as service:
        error, _ = asked(service, "sync")
    assert isinstance(error, ServiceError)
    assert said in str(error)
    assert error.status == status


@both
def test_the_key_is_sent(kind):
    with StubService([GOOD]) as service:
        asked(service, kind, key="k1")
    assert service.asked[0][2]["authorization"] == "Bearer k1"


def test_connections_are_used_again():
    with StubService([GOOD]) as service, Client(service.url) as client:
        for _ in range(3):
            client.repair("a = 1")
        assert len(client._asking.transport._idle) == 1


def test_what_was_written_is_asked_for():
    written = {"name": "shop", "version": 7, "rows": 1}
    listed = {"catalogs": [{"name": "shop", "default": True}]}
    answers = [(200, {}, written), (200, {}, listed), GOOD]
    with StubService(answers) as service, Client(service.url) as client:
        client.upsert([{"a": 1}], catalog="shop", key="a")
        client.repair("a = 1")
        client.repair("a = 1", catalog="other")
        client.repair("a = 1", min_version=3)
        client.forget_versions()
        client.repair("a = 1")
    bodies = [body for _, path, _, body in service.asked if path == "/v1/repair"]
    assert [body.get("min_version") for body in bodies] == [7, None, 3, None]
    assert [body.get("catalog") for body in bodies] == ["shop", "other", "shop", "shop"]


@pytest.mark.parametrize("url", ["localhost:80", "ftp://x", "http://", ""])
def test_no_address(url):
    with pytest.raises(ConcedeError, match="no address of a service"):
        Client(url)
