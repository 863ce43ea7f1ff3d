"""`/v1/extract`: what was understood and the query it makes; a model that reads, or helps to."""

import json

import pytest
from jsonschema import Draft202012Validator

from concede import Catalog
from concede.catalogs.errors import ModelError
from concede.interfaces.http.settings import ServeSettings
from loopback_chat import LoopbackChat, says
from problems import problem_of

TEXT = "The cheapest Lexus, fairly new, with zing"
REPLY = {
    "constraints": [
        {"column": "Make", "op": "==", "value": "Lexus", "quote": "Lexus", "hard": True}
    ],
    "objectives": [{"column": "MSRP", "direction": "min", "quote": "cheapest"}],
    "leanings": [{"column": "Year", "direction": "max", "quote": "fairly new"}],
    "not_understood": ["zing"],
}


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "reply.json"
    path.write_text(json.dumps({"*": [{"reply": REPLY, "times": 0}]}), encoding="utf-8")
    return f"fake:{path}"


def test_the_query_it_makes_is_answered_by_repair(service, cars, script):
    client = service({"cars": cars}, model=script)
    found = client.post("/v1/extract", json={"text": TEXT}).json()
    assert [part["evidence"]["text"] for part in found["not_understood"]] == ["zing"]
    assert [part["column"] for part in found["leanings"]] == ["Year"]
    answer = client.post("/v1/repair", json=found["query"] | {"top": 1})
    assert answer.status_code == 200
    assert answer.json()["items"][0]["row"]["Make"] == "Lexus"
    schema = client.get("/openapi.json").json()["paths"]["/v1/extract"]["post"]["responses"]["200"]
    schema = schema["content"]["application/json"]["schema"]
    assert not list(Draft202012Validator(schema).iter_errors(found))


def test_the_day_may_be_given(service):
    days = [f"2026-03-{day:02d}" for day in range(1, 31)]
    rows = [{"name": day, "arrival": day} for day in days]
    import pandas as pd

    frame = pd.DataFrame(rows).assign(arrival=lambda f: pd.to_datetime(f.arrival).dt.date)
    client = service({"stays": Catalog.open(frame)})
    body = {"text": "arrival tomorrow", "today": "2026-03-09"}
    (found,) = client.post("/v1/extract", json=body).json()["constraints"]
    assert str(found["value"]).startswith("2026-03-10")
    problem_of(client.post("/v1/extract", json=body | {"today": "soon"}), 422)


def test_a_model_that_always_reads_and_fails_is_a_502(service, cars, tmp_path):
    path = tmp_path / "reply.json"
    path.write_text(json.dumps({"*": [{"reply": "no JSON", "times": 0}]}), encoding="utf-8")
    given = service({"cars": cars}, model=f"fake:{path}").post("/v1/extract", json={"text": TEXT})
    problem_of(given, 502)


def test_with_assist_a_model_that_fails_is_done_without(service, cars, tmp_path):
    path = tmp_path / "reply.json"
    path.write_text(json.dumps({"*": [{"reply": "no JSON", "times": 0}]}), encoding="utf-8")
    client = service({"cars": cars}, model=f"fake:{path}", assist=True)
    given = client.post("/v1/extract", json={"text": "a Lexus with glorbest flimflam"})
    assert given.status_code == 200
    assert [part["column"] for part in given.json()["constraints"]] == ["Make"]


def test_a_conversation_is_read_by_the_same_model(service, cars, monkeypatch):
    monkeypatch.setenv("CONCEDE_API_KEY", "sk-test")
    with LoopbackChat(lambda request: says(json.dumps(REPLY))) as server:
        client = service({"cars": cars}, model="tiny", base_url=server.url)
        reply = client.post("/v1/chat", json={"text": TEXT, "max_questions": 0}).json()
        assert len(server.asked) == 1
    assert reply["proposal"]["items"][0]["Make"] == "Lexus"


def test_settings_with_a_model_reach_the_workers():
    settings = ServeSettings(model="tiny", base_url="http://127.0.0.1:9/v1", assist=True)
    assert ServeSettings.from_json(settings.to_json()) == settings
    assert settings.reads_with_model
    assert not ServeSettings().reads_with_model


def test_help_without_a_model_is_refused_at_the_start(service, cars, monkeypatch):
    monkeypatch.delenv("CONCEDE_MODEL", raising=False)
    with pytest.raises(ModelError, match="no model is named"):
        service({"cars": cars}, assist=True)


def test_what_is_unclear_has_counted_answers(client):
    found = client.post("/v1/clarify", json={"text": "30"}).json()
    (unknown,) = found["unknowns"]
    assert unknown["kind"] == "number"
    assert unknown["options"][-1]["constraint"] is None
    assert not found["constraints"]
