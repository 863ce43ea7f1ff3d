"""Several processes at one port: one writes, the others follow, whichever of them is killed."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest

from concede.catalogs.configuration.key_hashes import hash_of
from running_server import RunningServer, running

TOKEN = "token-of-the-tests"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
UNKEPT = httpx2.Limits(max_keepalive_connections=0)
PATIENCE = 60.0

pytestmark = pytest.mark.slow


def lamps(count: int) -> str:
    return "sku,price\n" + "".join(f"L{n},{10 + n}\n" for n in range(count))


class Shop:
    """Requests that each come over a connection of their own, to whichever process takes it."""

    def __init__(self, server: RunningServer) -> None:
        self.server = server
        self.client = httpx2.Client(base_url=server.url, timeout=30, limits=UNKEPT)
        self.client.headers.update(HEADERS)

    def send(self, method: str, path: str, **more) -> httpx2.Response:
        """Ask until a process answers; a connection to one that was killed just now breaks."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with suppress(httpx2.TransportError):
                answer = self.client.request(method, path, **more)
                if answer.status_code != 503:
                    return answer
            time.sleep(0.05)
        raise AssertionError(f"nobody answers {method} {path}")

    def write(self, sku: str, price: int) -> int:
        rows = {"rows": [{"sku": sku, "price": price}]}
        return self.send("POST", "/v1/catalogs/lamps/rows", json=rows).json()["version"]

    def found(self, where: str, **more) -> set[str]:
        """Return the keys of what meets a condition as it is."""
        asked = {"where": where, "top": 100, **more}
        answer = self.send("POST", "/v1/repair", json=asked).json()
        if "min_version" in more:
            assert answer["catalog_version"] >= more["min_version"]
        met = answer["status"] == "SAT_no_relaxation"
        return {item["row"]["sku"] for item in answer["items"]} if met else set()

    def both_processes(self) -> list[int]:
        """Return the ids of the processes that answer, once there are two again."""
        until = time.monotonic() + PATIENCE
        while len(found := self.processes()) < 2:
            assert time.monotonic() < until
            time.sleep(0.05)
        return found

    def processes(self) -> list[int]:
        """Return the ids of the processes that answer."""
        children = Path(f"/proc/{self.server.process.pid}/task").glob("*/children")
        pids = [int(pid) for listed in children for pid in listed.read_text().split()]
        return [pid for pid in pids if "spawn_main" in command(pid)]


def command(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text()
    return ""


@pytest.fixture
def shop(tmp_path):
    (tmp_path / "lamps.csv").write_text(lamps(40), encoding="utf-8")
    (tmp_path / "more.csv").write_text(lamps(90), encoding="utf-8")
    arguments = ["--catalog", str(tmp_path / "lamps.csv"), "--key", "sku", "--workers", "2"]
    arguments += ["--catalog-folder", str(tmp_path)]
    with running(tmp_path, *arguments, CONCEDE_ADMIN_TOKEN=TOKEN) as server:
        yield Shop(server)
        assert server.stop() == 0


def test_writes_are_read_and_conversations_go_on_whoever_is_asked(shop):
    for n in range(8):
        version = shop.write("L1", 1_000 + n)
        assert shop.found(f"price = {1_000 + n}", min_version=version) == {"L1"}
    swapped = shop.send("POST", "/v1/catalogs/lamps/swap", json={"source": "more.csv"}).json()
    for _ in range(6):
        assert len(shop.found("price >= 0", min_version=swapped["version"])) == 90
    begun = shop.send("POST", "/v1/chat", json={"text": "under 20"}).json()["id"]
    for _ in range(6):
        assert shop.send("GET", f"/v1/chat/{begun}").status_code == 200
    for n in range(6):
        event = {"id": n, "user": "ann", "time": n, "shown": ["L1"]}
        assert shop.send("POST", "/v1/events", json=event).json()["known"] == n + 1
        asked = {"where": "price <= 20", "user": "ann"}
        assert shop.send("POST", "/v1/repair", json=asked).status_code == 200
    few = {"name": "few", "source": "lamps.csv", "key": "sku"}
    assert shop.send("POST", "/v1/catalogs", json=few).status_code == 201
    for _ in range(6):
        asked = {"catalog": "few", "where": "price >= 0"}
        assert shop.send("POST", "/v1/repair", json=asked).json()["count"] == 40
    unloaded = shop.send("DELETE", "/v1/catalogs/few")
    assert (unloaded.status_code, unloaded.json().get("unloaded")) == (200, "few")
    bad = {"rows": [{"sku": "L1", "prise": 1}]}
    assert shop.send("POST", "/v1/catalogs/lamps/rows", json=bad).status_code == 422
    unsigned = shop.client.post("/v1/catalogs/lamps/rows", json=bad, headers={"Authorization": ""})
    assert unsigned.status_code == 401


def test_a_conversation_beside_the_page_goes_on_whoever_is_asked(shop):
    step = {"beside": "?catalog=lamps", "catalog": "lamps", "text": "under 20"}
    answer = shop.send("POST", "/chat", data=step)
    assert answer.status_code == 303
    place = answer.headers["location"].removeprefix(".").partition("#")[0]
    for path in ("/", "/page/app") * 6:
        page = shop.send("GET", path + place.removeprefix("/")).text
        assert page.count('class="mine"') == 1
        assert "price" in page


def test_whoever_is_killed_nothing_acknowledged_is_lost(shop):
    """Both processes are killed in turn, the owner among them, in the middle of writes."""
    written = {}
    for round_ in range(4):
        victim = shop.both_processes()[round_ % 2]
        for n in range(5):
            sku, price = f"L{(5 * round_ + n) % 40}", 2_000 + 10 * round_ + n
            if n == 2:
                os.kill(victim, signal.SIGKILL)
            version = shop.write(sku, price)
            written[sku] = price
        for sku, price in written.items():
            assert shop.found(f"price = {price}", min_version=version) == {sku}
    assert shop.processes()


def test_workers_end_with_their_parent(shop):
    processes = shop.processes()
    assert len(processes) == 2
    # What it left in memory is gone with it; the fixture's own end finds the process ended.
    shop.server.process.kill()
    shop.server.process.wait()
    until = time.monotonic() + PATIENCE
    while any("spawn_main" in command(pid) for pid in processes):
        assert time.monotonic() < until
        time.sleep(0.05)
    shop.server.stop = lambda: 0


def test_all_processes_count_the_rate_of_a_key_together(tmp_path):
    (tmp_path / "lamps.csv").write_text(lamps(9), encoding="utf-8")
    toml = '[catalogs.lamps]\nsource = "lamps.csv"\nkey = "sku"\n'
    for name, rate in (("front", "30/hour"), ("back", "3000/second")):
        toml += f'[[keys]]\nname = "{name}"\nhash = "{hash_of(name)}"\n'
        toml += f'scopes = ["search"]\nrate = "{rate}"\n'
    (tmp_path / "shop.toml").write_text(toml, encoding="utf-8")
    with running(tmp_path, "--config", str(tmp_path / "shop.toml"), "--workers", "2") as server:
        shop = Shop(server)
        shop.client.headers.clear()
        shop.both_processes()
        asked = {"where": "price >= 0"}
        told = [
            shop.send("POST", "/v1/repair", json=asked, headers={"X-API-Key": key}).status_code
            for key in ["front"] * 80 + ["back"] * 80
        ]
        assert told.count(429) == 50
        assert set(told[80:]) == {200}
        assert server.stop() == 0


def test_a_file_that_was_written_to_is_opened_by_the_next_service(tmp_path):
    import duckdb

    path = tmp_path / "lamps.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE l AS SELECT 'L' || range AS sku, 10 AS price FROM range(9)"
        )
    arguments = ["--catalog", str(path), "--key", "sku", "--workers", "2"]
    with running(tmp_path, *arguments, CONCEDE_ADMIN_TOKEN=TOKEN) as server:
        first = Shop(server)
        owner = first.processes()[0]
        version = first.write("L3", 77)
        os.kill(owner, signal.SIGKILL)
        assert first.found("price = 77", min_version=version) == {"L3"}
        version = first.write("L4", 77)
        assert server.stop() == 0
    with running(tmp_path, *arguments[:-2], CONCEDE_ADMIN_TOKEN=TOKEN) as server:
        assert Shop(server).found("price = 77", min_version=version) == {"L3", "L4"}
