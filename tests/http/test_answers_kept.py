"""Answers that are kept: the same bytes, never of another version, never more than fit."""

import pyarrow as pa
import pytest

from concede import Catalog, http_questions
from concede.engine.bounded_pool import BoundedPool
from concede.http_answers import ENTRY_BYTES, TEXTS, AnswerCache, Kept
from concede.http_bodies import parsed
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
    assert len(served.app.state.concede.answers) == 0


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
def shelf(monkeypatch) -> Catalog:
    """Lamps, treated as if they were many."""
    monkeypatch.setattr("concede.engine.bound_query.KERNEL_ROWS", -1)
    rows = [{"sku": n, "price": 10 + n, "watts": n % 7} for n in range(200)]
    catalog = Catalog.open(pa.Table.from_pylist(rows), key="sku")
    catalog.warm()
    catalog.upsert([{"sku": 0, "watts": 1}])
    return catalog


DIM = {"where": "price <= 60 AND watts = 3"}
CHEAP = {"where": "price <= 5 AND watts = 3", "top": 2}


@pytest.mark.parametrize("asked", [DIM, CHEAP])
def test_an_answer_is_renewed_where_a_write_does_not_matter(service, shelf, asked):
    kept, anew = service({"lamps": shelf}), service({"lamps": shelf}, limits={"answers": 0})
    first = kept.post("/v1/repair", json=asked).json()
    version = shelf.upsert([{"sku": 190, "price": 150, "watts": 1}])
    for _ in range(2):
        answers = [one.post("/v1/repair", json=asked) for one in (kept, anew)]
        assert answers[0].content == answers[1].content
        assert answers[0].json() == first | {"catalog_version": version}
    assert (reused(kept, "renewed"), reused(kept)) == (1, 1)
    # This one matters to both.
    shelf.upsert([{"sku": 190, "price": 4, "watts": 3}])
    answers = [one.post("/v1/repair", json=asked) for one in (kept, anew)]
    assert answers[0].content == answers[1].content
    assert answers[0].json() != first | {"catalog_version": shelf.version}
    assert (reused(kept, "renewed"), reused(kept)) == (1, 1)


def test_a_question_asked_again_is_not_read_again(service, shelf, monkeypatch):
    read: list[bytes] = []

    def counted(body: bytes, kind):
        read.append(body)
        return parsed(body, kind)

    monkeypatch.setattr(http_questions, "parsed", counted)
    kept, anew = service({"lamps": shelf}), service({"lamps": shelf}, limits={"answers": 0})
    for price in (9, 4, 3):
        # Each write matters, so that the answer is made again.
        shelf.upsert([{"sku": 190, "price": price, "watts": 3}])
        answers = [one.post("/v1/repair", json=CHEAP) for one in (kept, anew)]
        assert answers[0].content == answers[1].content
    assert len(read) == 1 + 3
    assert reused(kept, "renewed") == reused(kept) == 0
    assert kept.app.state.concede.answers.nbytes > 4_000 + TEXTS * len(read[0])


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


def test_an_answer_is_late_only_where_questions_wait(service, shelf, monkeypatch):
    served = service({"lamps": shelf})
    state = served.app.state.concede
    first = served.post("/v1/repair", json=CHEAP)
    shelf.upsert([{"sku": 190, "price": 4, "watts": 3}])

    monkeypatch.setattr(state, "pool", Busy(state.pool, 1))
    late = served.post("/v1/repair", json=CHEAP)
    assert late.content == first.content
    assert late.headers["age"] == "1"
    assert reused(served, "late") == 1
    # Whoever cannot do with that says so, and others wait as they did.
    fresh = served.post("/v1/repair", json=CHEAP, headers={"Cache-Control": "no-cache"})
    assert fresh.json()["catalog_version"] == shelf.version
    assert "age" not in fresh.headers
    shelf.upsert([{"sku": 191, "price": 3, "watts": 3}])
    monkeypatch.setattr(state, "pool", Busy(state.pool, 0))
    assert served.post("/v1/repair", json=CHEAP).json()["catalog_version"] == shelf.version
    assert reused(served, "late") == 1


@pytest.mark.parametrize("late", [0.0, 5.0])
def test_no_answer_is_later_than_allowed(service, shelf, monkeypatch, late):
    served = service({"lamps": shelf}, limits={"late": late})
    state = served.app.state.concede
    served.post("/v1/repair", json=CHEAP)
    shelf.upsert([{"sku": 190, "price": 4, "watts": 3}])
    monkeypatch.setattr(state, "pool", Busy(state.pool, 9))
    monkeypatch.setattr(shelf, "age", lambda version: 0.0 if version == shelf.version else 5.1)
    assert served.post("/v1/repair", json=CHEAP).json()["catalog_version"] == shelf.version
    assert reused(served, "late") == 0


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


def test_the_cache_holds_what_fits_and_drops_what_was_not_asked_for_longest(client):
    served = client.app.state.concede.find()
    answer = Kept(served, 1, b"x" * 1_000)
    size = 1_000 + 1 + ENTRY_BYTES
    cache = AnswerCache(3 * size)
    for name in (b"a", b"b", b"c"):
        cache.keep(("repair", name), answer)
    assert cache.get(("repair", b"a")) is answer
    cache.keep(("repair", b"d"), answer)
    cache.keep(("repair", b"d"), answer)
    assert cache.nbytes == 3 * size
    assert [cache.get(("repair", name)) is None for name in (b"a", b"b", b"c", b"d")] == [
        False,
        True,
        False,
        False,
    ]
    cache.keep(("repair", b"large"), Kept(served, 1, b"x" * 10_000))
    assert len(cache) == 3
