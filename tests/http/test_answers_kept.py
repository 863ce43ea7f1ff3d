"""Answers that are kept: the same bytes, never of another version, never more than fit."""

import pytest

from concede import Catalog
from concede.http_answers import ENTRY_BYTES, AnswerCache, Kept
from metric_samples import value

ASKED = {"where": "Year >= 2017 AND MSRP <= 100"}
TOKEN = "token-of-the-tests"


def reused(served) -> float:
    text = served.get("/metrics").text
    return value(text, "concede_answers_reused_total", operation="repair")


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
