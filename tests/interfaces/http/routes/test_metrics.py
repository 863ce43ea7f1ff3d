"""What `/metrics` counts, of one process and of several."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest

from metric_samples import value
from running_server import running

ASKED = {"where": "Year >= 2000"}
UNKEPT = ("--answer-cache", "0")
EMPTY = {"where": "Year >= 3000"}


def questions(text: str, outcome: str, operation: str = "repair") -> float:
    labels = {"operation": operation, "catalog": "cars", "outcome": outcome}
    return value(text, "concede_questions_total", **labels)


def test_questions_are_counted_by_how_they_end(service, cars):
    served = service({"cars": cars}, limits={"answers": 0})
    for body in (ASKED, ASKED, EMPTY):
        served.post("/v1/repair", json=body)
    served.post("/v1/repair", json={"where": "Nothing = 1"})
    served.post("/v1/diagnose", json=EMPTY)
    text = served.get("/metrics").text
    assert questions(text, "SAT_no_relaxation") == 2
    assert questions(text, "SAT_after_relaxation") == 1
    assert questions(text, "UnknownColumn") == 1
    assert questions(text, "UNSAT", "diagnose") == 1
    assert value(text, "concede_question_seconds_count", operation="repair") == 4
    assert value(text, "concede_question_wait_seconds_count", operation="repair") == 4


def test_requests_are_counted_by_path_and_status_and_no_client_makes_up_labels(service, cars):
    served = service({"cars": cars})
    for path in ("/a", "/b", "/v1/chat/guess", "/v1/chat/again"):
        served.get(path)
    served.request("BREW", "/v1/repair")
    text = served.get("/metrics").text
    name = "concede_http_requests_total"
    assert value(text, name, method="GET", path="other", status="404") == 2
    assert value(text, name, method="GET", path="/v1/chat/{identity}", status="404") == 2
    assert value(text, name, method="other", path="/v1/repair", status="405") == 1


def test_caches_and_catalogs_are_measured(service, cars):
    served = service({"cars": cars})
    served.post("/v1/repair", json=ASKED)
    text = served.get("/metrics").text
    assert value(text, "concede_catalog_rows", catalog="cars") == cars.row_count
    assert value(text, "concede_catalog_version", catalog="cars") == cars.version
    assert value(text, "concede_cache_bytes", catalog="cars", cache="row sets") > 0
    assert value(text, "concede_cache_entries", catalog="cars", cache="row sets") > 0
    assert value(text, "concede_questions_held") == 0


def test_open_conversations_are_measured(service, cars):
    served = service({"cars": cars})
    served.post("/v1/chat", json={})
    assert value(served.get("/metrics").text, "concede_conversations") == 1


def test_an_unloaded_catalog_is_measured_no_longer(service, cars):
    served = service({"cars": cars, "others": cars})
    assert 'catalog="others"' in served.get("/metrics").text
    served.app.state.concede.remove("others")
    assert 'catalog="others"' not in served.get("/metrics").text


def ask(server, times: int) -> None:
    """Ask on a connection each, so that every worker gets some."""
    unkept = httpx2.Limits(max_keepalive_connections=0)
    with (
        httpx2.Client(base_url=server.url, limits=unkept, timeout=30) as client,
        ThreadPoolExecutor(4) as pool,
    ):
        asked = pool.map(lambda _: client.post("/v1/repair", json=ASKED), range(times))
        assert {one.status_code for one in asked} == {200}


def worker_ids(server) -> list[int]:
    """Return the processes that the server has started and that serve."""
    found = []
    for folder in os.listdir("/proc"):
        if folder.isdigit() and folder != str(server.process.pid):
            parent, command = described(Path("/proc", folder))
            if parent == server.process.pid and "spawn_main" in command:
                found.append(int(folder))
    return sorted(found)


def described(process: Path) -> tuple[int, str]:
    """Return a process's parent and command; 0 and nothing where it has ended."""
    try:
        status = (process / "stat").read_text()
        return int(status.rpartition(")")[2].split()[1]), (process / "cmdline").read_text()
    except OSError:
        return 0, ""


@pytest.mark.slow
def test_two_workers_count_together_and_survive_each_other(tmp_path):
    with running(tmp_path, "--catalog", "sample:cars", "--workers", "2", *UNKEPT) as server:
        ask(server, 60)
        # Whichever worker is asked, it tells of both.
        texts = [httpx2.get(f"{server.url}/metrics").text for _ in range(4)]
        assert [questions(text, "SAT_no_relaxation") for text in texts] == [60.0] * 4
        first, second = worker_ids(server)
        os.kill(first, signal.SIGKILL)
        ask(server, 20)
        text = httpx2.get(f"{server.url}/metrics").text
        # What a worker counted stays when it is gone; what it held does not.
        assert questions(text, "SAT_no_relaxation") == 80
        assert value(text, "concede_catalog_rows", catalog="cars") == 12_000
        assert second in worker_ids(server)
        assert server.stop() == 0


@pytest.mark.slow
def test_a_replaced_file_is_served_after_a_signal_and_nobody_notices(tmp_path):
    path, newer = tmp_path / "lamps.csv", tmp_path / "newer.csv"
    for rows, file in ((20, path), (33, newer)):
        file.write_text("sku\n" + "".join(f"{n}\n" for n in range(rows)), encoding="utf-8")
    unkept = httpx2.Limits(max_keepalive_connections=0)
    with (
        running(tmp_path, "--catalog", str(path), "--workers", "2") as server,
        httpx2.Client(base_url=server.url, limits=unkept, timeout=30) as client,
    ):

        def count() -> int:
            return client.post("/v1/repair", json={"where": "sku >= 0"}).json()["count"]

        assert count() == 20
        newer.replace(path)
        os.kill(server.process.pid, signal.SIGHUP)
        # Each worker is asked until both know; an answer that failed would raise.
        known = 0
        while known < 10:
            known = known + 1 if count() == 33 else 0
        assert server.stop() == 0
