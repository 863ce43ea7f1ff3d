"""The load generator against real servers on this machine, good and bad."""

import asyncio

import pytest

from concede.bench.serving.ceiling import Stub
from concede.bench.serving.http_client import post_request
from concede.bench.serving.load import Generator, draw_questions, run_loop, schedule

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine"


def asked_of(protocol, times, places=None, messages=None):
    """Serve a protocol on a free port and ask it in this process's own loop."""

    async def run():
        loop = asyncio.get_running_loop()
        server = await loop.create_server(protocol, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        known = messages or [post_request("/x", b"{}")]
        async with server:
            generator = Generator("127.0.0.1", port, known)
            return await generator.run(times, places or [0] * len(times))

    return run_loop(run())


def test_arrivals_are_as_many_as_asked_for_and_open():
    fixed = schedule(50, 2, "fixed", 1)
    assert fixed == [place / 50 for place in range(100)]
    drawn = schedule(500, 4, "poisson", 1)
    assert drawn == sorted(drawn)
    assert drawn == schedule(500, 4, "poisson", 1)
    assert 1_800 < len(drawn) < 2_200
    assert max(drawn) < 4


def test_popular_questions_are_asked_more_often():
    drawn = draw_questions(5_000, 200, "zipf", 1)
    counts = sorted((drawn.count(index) for index in range(200)), reverse=True)
    assert sum(counts) == 5_000
    assert counts[0] > 500 > counts[10] > counts[100]
    assert drawn == draw_questions(5_000, 200, "zipf", 1)
    alike = draw_questions(5_000, 200, "uniform", 1)
    assert max(alike.count(index) for index in range(200)) < 60


def test_every_question_gets_its_answer():
    load = asked_of(lambda: Stub(ANSWER), [i / 1_000 for i in range(200)])
    assert len(load.replies) == 200
    assert load.lost == 0
    assert {(reply.status, reply.body) for reply in load.replies} == {(200, b"fine")}
    assert all(reply.latency > 0 for reply in load.replies)


def test_each_question_is_sent_as_it_is():
    class Echo(Stub):
        def data_received(self, data):
            body = data.rpartition(b"\r\n\r\n")[2]
            head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body)
            self._transport.write(head + body)

    messages = [post_request("/x", str(place).encode()) for place in range(5)]
    load = asked_of(lambda: Echo(b""), [0.0] * 50, [i % 5 for i in range(50)], messages)
    assert all(reply.body == str(reply.question).encode() for reply in load.replies)


def test_answers_in_pieces_are_put_together():
    class Slow(Stub):
        def data_received(self, data):
            loop = asyncio.get_running_loop()
            for place in range(len(ANSWER)):
                piece = ANSWER[place : place + 1]
                loop.call_later(place * 0.0005, self._transport.write, piece)

    load = asked_of(lambda: Slow(b""), [0.0, 0.001])
    assert [reply.body for reply in load.replies] == [b"fine", b"fine"]


def test_waiting_for_a_server_that_stands_still_counts(monkeypatch):
    monkeypatch.setattr("concede.bench.serving.load.CONNECTIONS", 1)
    seen = []

    class Standing(Stub):
        def data_received(self, data):
            seen.append(data)
            delay = 0.2 if len(seen) == 1 else 0.0
            asyncio.get_running_loop().call_later(delay, self._transport.write, ANSWER)

    load = asked_of(lambda: Standing(b""), [0.0, 0.01, 0.02])
    # The second and third were ready to leave, and their wait for the connection is theirs.
    assert [reply.latency > 0.15 for reply in load.replies] == [True, True, True]


def test_refusals_and_broken_connections_are_told_apart():
    class Bad(Stub):
        def data_received(self, data):
            if data.endswith(b"0"):
                self._transport.abort()
            else:
                self._transport.write(b"HTTP/1.1 503 Busy\r\ncontent-length: 2\r\n\r\nno")

    messages = [post_request("/x", b"0"), post_request("/x", b"1")]
    load = asked_of(lambda: Bad(b""), [i / 200 for i in range(20)], [0, 1] * 10, messages)
    assert load.lost == 0
    assert sorted({(reply.question, reply.status) for reply in load.replies}) == [(0, 0), (1, 503)]


def test_answers_that_never_come_are_lost(monkeypatch):
    monkeypatch.setattr("concede.bench.serving.load.PATIENCE", 0.1)

    class Silent(Stub):
        def data_received(self, data):
            pass

    load = asked_of(lambda: Silent(b""), [0.0, 0.0])
    assert (load.lost, load.replies) == (2, [])


def test_nobody_listening_ends_the_run():
    generator = Generator("127.0.0.1", 1, [post_request("/x", b"{}")])
    with pytest.raises(OSError, match=r"refused|failed"):
        run_loop(generator.run([0.0], [0]))
