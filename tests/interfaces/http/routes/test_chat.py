"""Conversations over HTTP: what is said, proposed, refused and taken; and their bounds."""

import json

import pytest

from concede.interfaces.http.problem_details import HttpProblem
from problems import problem_of

OPENING = {"text": "I am looking for a Toyota sedan"}
WISHES = {"text": "newer than 2016, under 15000, and large", "propose": True}


@pytest.fixture
def begun(client):
    reply = client.post("/v1/chat", json=OPENING)
    assert reply.status_code == 201
    return reply.json()


def say(client, begun, path: str, body: dict) -> dict:
    reply = client.post(f"/v1/chat/{begun['id']}/{path}", json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_a_conversation_begins_with_what_is_looked_for(begun):
    assert {entry["column"] for entry in begun["wishes"]["base"]} == {"Make", "Vehicle Style"}
    assert begun["question"]["slot"]
    assert begun["proposal"] is None
    assert begun["expires_in"] == 1_800


def test_a_conversation_ends_in_an_offer(client, begun):
    proposed = say(client, begun, "messages", WISHES)["proposal"]
    assert proposed["status"] == "SAT_after_relaxation"
    first = proposed["relaxed"]
    assert first
    refused = say(client, begun, "refuse", {})
    assert refused["proposal"]["relaxed"] != first
    assert any(constraint.get("hard") for constraint in refused["wishes"]["constraints"])
    weights = {"weights": {"0": 1.0}}
    assert say(client, begun, "reweigh", weights)["wishes"]["constraints"][0]["weight"] == 1.0


def test_an_offer_is_taken_and_the_conversation_goes_on(client, begun):
    proposal = say(client, begun, "messages", WISHES)["proposal"]
    taken = say(client, begun, "accept", {"place": 0})
    assert taken["accepted"] == proposal["items"][0]
    assert taken["ended"] == "accepted"
    thanked = say(client, begun, "messages", {"text": "thanks"})
    assert thanked["ended"] == "accepted"
    assert thanked["taken"] == [taken["accepted"]]
    further = say(client, begun, "messages", {"text": "and now one with automatic transmission"})
    assert further["ended"] is None
    assert further["taken"] == [taken["accepted"]]
    assert further["proposal"]["items"]


def test_what_was_said_is_read_again(client, begun):
    say(client, begun, "messages", WISHES)
    conversation = client.get(f"/v1/chat/{begun['id']}").json()
    said = [message["content"] for message in conversation["messages"] if message["role"] == "user"]
    assert said == [OPENING["text"], WISHES["text"]]


def test_an_ended_conversation_is_unknown(client, begun):
    path = f"/v1/chat/{begun['id']}"
    assert client.delete(path).json() == {"ended": True}
    for given in (client.get(path), client.delete(path), client.post(f"{path}/refuse", json={})):
        problem_of(given, 404, "unknown-conversation")


def test_ids_are_long_and_never_the_same(client):
    ids = {client.post("/v1/chat", json={}).json()["id"] for _ in range(20)}
    assert len(ids) == 20
    assert all(len(identity) >= 32 for identity in ids)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("refuse", {}),
        ("refuse", {"positions": [99]}),
        ("forget", {}),
        ("forget", {"position": 99}),
        ("forget", {"position": -1}),
        ("reweigh", {"weights": {"0": 7.0}}),
        ("reweigh", {"weights": {"zero": 0.5}}),
        ("reweigh", {"weights": {"-1": 0.5}}),
        ("accept", {}),
        ("accept", {"place": -1}),
        ("messages", {"text": "x" * 20_000}),
    ],
)
def test_out_of_turn_is_refused_and_the_conversation_goes_on(client, begun, path, body):
    problem_of(client.post(f"/v1/chat/{begun['id']}/{path}", json=body), 422)
    assert say(client, begun, "messages", WISHES)["proposal"]


def test_a_conversation_without_wishes_asks_on(client):
    begun = client.post("/v1/chat", json={"text": "hello", "max_questions": 0}).json()
    assert begun["question"] is None
    assert begun["proposal"] is None
    assert begun["ended"] is None


def test_conversations_are_bounded_in_number(service, cars):
    served = service({"cars": cars}, limits={"conversations": 2})
    first = served.post("/v1/chat", json={}).json()["id"]
    assert served.post("/v1/chat", json={}).status_code == 201
    problem_of(served.post("/v1/chat", json={}), 503, "overloaded")
    served.delete(f"/v1/chat/{first}")
    assert served.post("/v1/chat", json={}).status_code == 201


def test_a_first_message_that_fails_leaves_nothing_behind(service, cars):
    served = service({"cars": cars})
    bad = {"text": "half a character: \ud800"}
    headers = {"Content-Type": "application/json"}
    given = served.post("/v1/chat", content=json.dumps(bad), headers=headers)
    problem_of(given, given.status_code)
    assert len(served.app.state.concede.conversations) == 0


def test_an_idle_conversation_is_forgotten(service, cars):
    served = service({"cars": cars})
    conversations = served.app.state.concede.conversations
    kept = served.post("/v1/chat", json={}).json()["id"]
    idle = served.post("/v1/chat", json={}).json()["id"]
    stored = conversations.find(idle)
    conversations.find(kept)
    stored.last_used -= conversations.seconds + 1
    problem_of(served.get(f"/v1/chat/{idle}"), 404, "unknown-conversation")
    assert served.get(f"/v1/chat/{kept}").status_code == 200


async def hold(stored) -> None:
    await stored.lock.acquire()


def test_two_messages_at_once_are_one_too_many(service, cars):
    served = service({"cars": cars})
    begun = served.post("/v1/chat", json=OPENING).json()
    stored = served.app.state.concede.conversations.find(begun["id"])
    served.portal.call(hold, stored)
    with pytest.raises(HttpProblem, match="is being answered"):
        stored.check_free()
    problem_of(served.post(f"/v1/chat/{begun['id']}/refuse", json={}), 409, "busy")
    served.portal.call(stored.lock.release)
    assert say(served, begun, "messages", WISHES)["proposal"]


def test_a_person_is_answered_in_words(client, begun):
    assert begun["reply"].startswith("Noted: ")
    assert begun["reply"].endswith(begun["question"]["text"])
    asked = say(client, begun, "messages", {"text": "why do you ask?"})
    assert asked["understood"]["acts"][0] == {"act": "ask", "topic": "reason"}
    assert "I ask about" in asked["reply"]
    assert asked["wishes"] == begun["wishes"]
    proposed = say(client, begun, "messages", WISHES)
    assert proposed["reply"].startswith("Noted: ")
    assert proposed["proposal"]["items"]


def test_a_step_is_taken_back(client, begun):
    changed = say(client, begun, "messages", {"text": "under 15000"})
    assert changed["wishes"] != begun["wishes"]
    back = say(client, begun, "undo", {})
    assert back["wishes"] == begun["wishes"]
    assert back["reply"].startswith("Understood so far")
    say(client, begun, "undo", {})
    problem_of(client.post(f"/v1/chat/{begun['id']}/undo", json={}), 422)


def test_a_wish_is_forgotten_by_its_position(client, begun):
    forgotten = say(client, begun, "forget", {"position": 0})
    assert forgotten["reply"].startswith("Make is open again, no longer Toyota.")
    assert [entry["column"] for entry in forgotten["wishes"]["base"]] == ["Vehicle Style"]


def test_each_step_says_what_it_did(client, begun):
    say(client, begun, "messages", WISHES)
    assert "stays, whatever else gives way" in say(client, begun, "refuse", {})["reply"]
    taken = say(client, begun, "accept", {"place": 0})["reply"]
    conversation = client.get(f"/v1/chat/{begun['id']}").json()
    assert conversation["messages"][-1]["content"] == taken
