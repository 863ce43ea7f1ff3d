"""`/v1/events` and `/v1/users`: events come in, weigh questions, and go with their person."""

import json
import threading

import pytest

from concede import Catalog
from concede.interfaces.http.settings import CatalogSource
from running_server import running

THINGS = "id,price,brand\n1,10,Ada\n2,20,Bo\n3,30,Ada\n4,40,Bo\n"
WISHES = [
    {"column": "price", "op": "<=", "value": 5},
    {"column": "brand", "op": "==", "value": "Cy"},
]
SEEN = [
    {"column": "price", "op": "<=", "value": 20},
    {"column": "brand", "op": "==", "value": "Ada"},
]


def event(identity, user="ann", **more):
    shown = {"constraints": SEEN, "shown": [2, 3], "clicked": [3], "time": "2026-05-01T10:00:00Z"}
    return {"id": identity, "user": user} | shown | more


@pytest.fixture
def things(tmp_path):
    path = tmp_path / "things.csv"
    path.write_text(THINGS)
    return path


@pytest.fixture
def shop(service, things, tmp_path):
    log = tmp_path / "events.jsonl"
    source = CatalogSource("things", str(things), key="id", events=str(log))
    client = service({"things": Catalog.open(things)}, catalogs=(source,))
    yield client
    client.app.state.concede.close_catalogs()


def weights(shop, user=None):
    asked = {"constraints": WISHES} | ({} if user is None else {"user": user})
    answer = shop.post("/v1/repair", json=asked)
    assert answer.status_code == 200, answer.text
    return [one.get("weight") for one in answer.json()["constraints"]]


def test_events_weigh_the_questions_of_their_person(shop, tmp_path):
    before = weights(shop, "ann")
    taken = shop.post("/v1/events", json={"events": [event(f"e{n}") for n in range(5)]})
    assert (taken.status_code, taken.json()) == (200, {"added": 5, "known": 5, "skipped": 0})
    assert len((tmp_path / "events.jsonl").read_text().splitlines()) == 5
    price, brand = weights(shop, "ann")
    assert brand > 0.5 > price
    assert weights(shop, "bob") == weights(shop) == before


def test_one_event_is_a_body_and_again_is_not_taken_twice(shop):
    added = [shop.post("/v1/events", json=event("e1")).json()["added"] for _ in range(2)]
    assert added == [1, 0]


def test_given_weights_stay(shop):
    shop.post("/v1/events", json={"events": [event(f"e{n}") for n in range(5)]})
    given = [WISHES[0] | {"weight": 0.9}, WISHES[1]]
    answer = shop.post("/v1/repair", json={"constraints": given, "user": "ann"}).json()
    assert answer["constraints"][0]["weight"] == 0.9
    assert answer["constraints"][1]["weight"] > 0.5


def test_a_person_is_forgotten_everywhere(shop, tmp_path):
    shop.post("/v1/events", json={"events": [event(f"e{n}", "ann-of-ours") for n in range(5)]})
    shop.post("/v1/events", json=event("b", "bob"))
    before = weights(shop, "stranger")
    assert shop.delete("/v1/users/ann-of-ours").json() == {"forgotten": 5}
    assert weights(shop, "ann-of-ours") == before
    assert b"ann-of-ours" not in (tmp_path / "events.jsonl").read_bytes()
    assert shop.delete("/v1/users/ann-of-ours").json() == {"forgotten": 0}


def test_a_conversation_knows_the_person(shop):
    shop.post("/v1/events", json={"events": [event(f"e{n}") for n in range(9)]})
    text = "Under 5, and Ada as the brand"
    asked = {"text": text, "user": "ann", "max_questions": 0}
    known, stranger = (
        shop.post("/v1/chat", json=asked | {"user": user}) for user in ("ann", "stranger")
    )
    assert (known.status_code, stranger.status_code) == (201, 201)
    assert known.json()["wishes"] != stranger.json()["wishes"]


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        event("e1", clicked=[9]),
        event("e1", time="never"),
        event("e1", received=1.0),
        event("e1", put_back=[2]),
        event("e1", constraints=[{"column": "prize", "op": "<=", "value": 1}]),
        {"events": [event("e1"), {"id": "e2"}]},
        {"events": [event("e1")], "id": "e2"},
        {"events": [event(str(number)) for number in range(1_001)]},
    ],
)
def test_bad_events_are_refused_and_none_is_taken(shop, wrong, tmp_path):
    assert shop.post("/v1/events", json=wrong).status_code == 422
    assert (tmp_path / "events.jsonl").read_bytes() == b""


def test_without_a_key_there_are_no_events(service, cars):
    client = service({"cars": cars})
    assert client.post("/v1/events", json=event("e1")).status_code == 409
    asked = {"constraints": [{"column": "MSRP", "op": "<=", "value": 1}], "user": "ann"}
    assert client.post("/v1/repair", json=asked).status_code == 409
    assert client.delete("/v1/users/ann").json() == {"forgotten": 0}


@pytest.mark.slow
def test_events_survive_a_killed_server(things, tmp_path):
    log = tmp_path / "events.jsonl"
    arguments = ("--catalog", str(things), "--key", "id", "--events", str(log))
    acknowledged: list[str] = []
    with running(tmp_path, *arguments) as server:

        def send():
            for number in range(100_000):
                if server.client.post("/v1/events", json=event(f"e{number}")).status_code != 200:
                    return
                acknowledged.append(f"e{number}")
                if number == 50:
                    enough.set()

        enough = threading.Event()
        thread = threading.Thread(target=lambda: _until_gone(send), daemon=True)
        thread.start()
        assert enough.wait(30)
        server.process.kill()
        thread.join(30)
    with running(tmp_path, *arguments) as server:
        assert server.client.post("/v1/events", json=event("e0")).json()["added"] == 0
    kept = {json.loads(line)["id"] for line in log.read_text().splitlines()}
    assert set(acknowledged) <= kept


def _until_gone(send):
    import httpx2

    try:
        send()
    except httpx2.TransportError:
        return


def test_implicit_factors_are_asked_for_and_named(shop):
    seen = [
        event(f"e{n}", shown=[2, 3, 4], constraints=[], time=f"2026-04-0{n + 1}") for n in range(8)
    ]
    assert shop.post("/v1/events", json={"events": seen}).status_code == 200
    asked = {"constraints": WISHES[:1], "user": "ann", "implicit": True, "time": "2026-05-01"}
    answer = shop.post("/v1/repair", json=asked).json()
    (part,) = [part for part in answer["implicit"] if part["constraint"]["column"] == "brand"]
    assert part["constraint"]["value"] == "Ada"
    assert part["evidence"] == [f"e{n}" for n in reversed(range(8))]
    assert "because of 8 of 8 earlier choices" in answer["explanation"]
    earlier = shop.post("/v1/repair", json=asked | {"time": "2026-03-01"}).json()
    assert earlier["implicit"] == []
    plain = shop.post("/v1/repair", json={"constraints": WISHES[:1], "user": "ann"}).json()
    assert "implicit" not in plain


@pytest.mark.parametrize(
    "more", [{"time": "soon"}, {"place": [91, 0]}, {"place": [1]}, {"profile": {"cars": True}}]
)
def test_bad_circumstances_are_refused(shop, more):
    asked = {"constraints": WISHES, "implicit": True} | more
    assert shop.post("/v1/repair", json=asked).status_code == 422
    assert shop.post("/v1/repair", json={"constraints": WISHES} | more).status_code == 422
