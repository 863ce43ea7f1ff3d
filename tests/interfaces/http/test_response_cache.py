"""Cached answers: the same bytes, of the present version unless asked otherwise, as many as fit."""

import pyarrow as pa
import pytest

from concede import Catalog
from concede.engine.runtime.thread_pool import BoundedPool
from concede.interfaces.http.response_cache import ENTRY_BYTES, CachedResponse, ResponseCache
from metric_samples import value

ASKED = {"where": "Year >= 2017 AND MSRP <= 100"}
TOKEN = "token-of-the-tests"


def reused(served, how: str = "same") -> float:
    text = served.get("/metrics").text
    return value(text, "concede_answers_reused_total", operation="repair", how=how)


def test_the_same_question_is_answered_once(service, cars):
    served = service({"cars": cars})
    first, second = (served.post("/v1/repair", json=ASKED) for _ in range(2))
    assert first.content == second.content
    assert reused(served) == 1
    # Other bytes, another question.
    served.post("/v1/repair", json=ASKED | {"top": 4})
    served.post("/v1/diagnose", json=ASKED)
    assert reused(served) == 1


def test_nothing_is_kept_where_nothing_may_be(service, cars):
    served = service({"cars": cars}, limits={"answers": 0})
    for _ in range(3):
        served.post("/v1/repair", json=ASKED)
    assert reused(served) == 0


def test_what_ended_early_is_not_kept(service, cars):
    served = service({"cars": cars})
    body = {"where": "Year >= 2017 AND MSRP <= 100 AND Year < 2000", "limit": 1}
    first = served.post("/v1/diagnose", json=body)
    assert not first.json()["complete"]
    assert len(served.app.state.concede.responses) == 0


def test_a_write_makes_every_answer_new(service, tmp_path):
    path = tmp_path / "lamps.csv"
    path.write_text("sku,price\na,10\nb,20\n", encoding="utf-8")
    served = service({"lamps": Catalog.open(path, key="sku")}, admin_token=TOKEN)
    served.headers["Authorization"] = f"Bearer {TOKEN}"
    asked = {"where": "price >= 10"}
    counts = [served.post("/v1/repair", json=asked).json()["count"] for _ in range(2)]
    served.post("/v1/catalogs/lamps/rows", json={"rows": [{"sku": "c", "price": 30}]})
    counts.append(served.post("/v1/repair", json=asked).json()["count"])
    assert counts == [2, 2, 3]


@pytest.fixture
def shelf() -> Catalog:
    """Lamps, some of them dim."""
    rows = [{"sku": n, "price": 10 + n, "watts": n % 7} for n in range(200)]
    return Catalog.open(pa.Table.from_pylist(rows), key="sku")


CHEAP = {"where": "price <= 5 AND watts = 3", "top": 2}


def test_a_question_asked_of_other_columns_is_read_anew(service, shelf):
    served = service({"lamps": shelf})
    asked = {"where": "WATTS = 3 AND price <= 60"}
    names: list[str] = []
    for name in ("watts", "Watts"):
        rows = [{"sku": n, "price": 10 + n, name: n % 7} for n in range(200)]
        shelf.reload(pa.Table.from_pylist(rows))
        names.append(served.post("/v1/repair", json=asked).json()["constraints"][0]["column"])
        again = service({"lamps": shelf}).post("/v1/repair", json=asked)
        assert served.post("/v1/repair", json=asked).content == again.content
    assert names == ["watts", "Watts"]


class Busy:
    """A pool in which so many questions wait."""

    def __init__(self, pool: BoundedPool, waiting: int) -> None:
        self._pool = pool
        self.waiting = waiting

    def __getattr__(self, name: str):
        return getattr(self._pool, name)


def wait(served, monkeypatch, waiting: int) -> None:
    """Have so many questions wait in a service."""
    state = served.app.state.concede
    monkeypatch.setattr(state, "pool", Busy(state.pool, waiting))


def test_who_wrote_and_then_asks_reads_what_was_written(service, shelf, monkeypatch):
    served = service({"lamps": shelf}, admin_token=TOKEN)
    served.headers["Authorization"] = f"Bearer {TOKEN}"
    served.post("/v1/repair", json=CHEAP)
    wait(served, monkeypatch, 9)
    row = {"sku": 190, "price": 4, "watts": 3}
    written = served.post("/v1/catalogs/lamps/rows", json={"rows": [row]}).json()["version"]
    answer = served.post("/v1/repair", json=CHEAP)
    assert answer.json()["catalog_version"] >= written
    assert [item["row"] for item in answer.json()["items"]] == [row]
    assert "age" not in answer.headers
    assert reused(served, "stale") == 0


def test_an_answer_is_stale_only_while_questions_wait(service, shelf, monkeypatch):
    served = service({"lamps": shelf}, limits={"stale_while_revalidate": 5})
    first = served.post("/v1/repair", json=CHEAP)
    shelf.upsert([{"sku": 190, "price": 4, "watts": 3}])

    wait(served, monkeypatch, 1)
    stale = served.post("/v1/repair", json=CHEAP)
    assert stale.content == first.content
    assert stale.headers["age"] == "1"
    assert stale.headers["cache-control"] == "max-age=0, stale-while-revalidate=5"
    assert reused(served, "stale") == 1
    # Whoever cannot do with that says so, and others wait as they did.
    fresh = served.post("/v1/repair", json=CHEAP, headers={"Cache-Control": "no-cache"})
    assert fresh.json()["catalog_version"] == shelf.version
    assert not {"age", "cache-control"} & set(fresh.headers)
    shelf.upsert([{"sku": 191, "price": 3, "watts": 3}])
    wait(served, monkeypatch, 0)
    assert served.post("/v1/repair", json=CHEAP).json()["catalog_version"] == shelf.version
    assert reused(served, "stale") == 1


def test_no_answer_is_staler_than_allowed(service, shelf, monkeypatch):
    served = service({"lamps": shelf}, limits={"stale_while_revalidate": 5})
    served.post("/v1/repair", json=CHEAP)
    shelf.upsert([{"sku": 190, "price": 4, "watts": 3}])
    wait(served, monkeypatch, 9)
    monkeypatch.setattr(shelf, "age", lambda version: 0.0 if version == shelf.version else 5.1)
    assert served.post("/v1/repair", json=CHEAP).json()["catalog_version"] == shelf.version
    assert reused(served, "stale") == 0


def test_another_catalog_of_the_name_is_another_catalog(service, cars):
    served = service({"cars": cars})
    served.post("/v1/repair", json=ASKED)
    served.app.state.concede.add("cars", cars)
    served.post("/v1/repair", json=ASKED)
    assert reused(served) == 0


@pytest.mark.parametrize("asked", [{"where": "Yeer = 1"}, {}])
def test_problems_are_not_kept(service, cars, asked):
    served = service({"cars": cars})
    for _ in range(2):
        assert served.post("/v1/repair", json=asked).status_code == 422
    assert reused(served) == 0


def test_an_unloaded_catalog_leaves_no_answers(service, cars, shelf):
    served = service({"cars": cars, "lamps": shelf})
    served.post("/v1/repair", json=CHEAP | {"catalog": "lamps"})
    served.post("/v1/repair", json=ASKED)
    state = served.app.state.concede
    state.remove("lamps")
    assert len(state.responses) == 1
    assert served.post("/v1/repair", json=CHEAP | {"catalog": "lamps"}).status_code == 404


def test_the_cache_holds_what_fits_and_drops_what_was_not_asked_for_longest():
    answer = CachedResponse("cars", 1, b"x" * 1_000)
    size = 1_000 + 1 + ENTRY_BYTES
    cache = ResponseCache(3 * size)
    for name in (b"a", b"b", b"c"):
        cache.put(("repair", name), answer)
    assert cache.get(("repair", b"a")) is answer
    cache.put(("repair", b"d"), answer)
    cache.put(("repair", b"d"), answer)
    assert cache.nbytes == 3 * size
    assert [cache.get(("repair", name)) is None for name in (b"a", b"b", b"c", b"d")] == [
        False,
        True,
        False,
        False,
    ]
    cache.put(("repair", b"large"), CachedResponse("cars", 1, b"x" * 10_000))
    assert len(cache) == 3
