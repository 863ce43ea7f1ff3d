"""A batch answers each question as it would be answered alone, in order."""

import pytest
from starlette.testclient import TestClient

from concede.catalogs.configuration.config_models import KeyConfig
from concede.catalogs.configuration.key_hashes import hash_of
from concede.interfaces.http.app import create_app
from concede.interfaces.http.settings import Secrets
from problems import problem_of

ASKED = [
    ("repair", {"where": "Year >= 2016 AND MSRP <= 20000", "top": 2, "facets": ["Make"]}),
    ("diagnose", {"where": "Year >= 2030"}),
    ("extract", {"text": "a Lexus under 40,000"}),
    ("clarify", {"text": "a cheap Lexus or maybe an Audi"}),
    ("repair", {"where": "prise < 1"}),
    ("repair", {"nonsense": 1}),
    ("repair", {"where": "Year > 1", "catalog": "none"}),
    ("repair", {"where": "Year > 1", "deadline_ms": 1}),
]


def test_each_is_answered_as_if_it_were_alone(client):
    requests = [{"operation": name, **body} for name, body in ASKED]
    given = client.post("/v1/batch", json={"requests": requests})
    assert given.status_code == 200
    assert len(given.json()["responses"]) == len(ASKED)
    for (name, body), told in zip(ASKED, given.json()["responses"], strict=True):
        alone = client.post(f"/v1/{name}", json=body)
        assert told["status"] == alone.status_code
        same, other = dict(told["body"]), alone.json()
        same.pop("request_id", None), other.pop("request_id", None)
        assert same == other


def test_a_hundred_come_in_order_and_one_more_is_refused(client):
    one = {"operation": "diagnose", "where": "Year >= 2030"}
    requests = [one | {"where": f"Year >= {1990 + n % 30}"} for n in range(100)]
    given = client.post("/v1/batch", json={"requests": requests}).json()["responses"]
    years = [each["body"]["constraints"][0]["value"] for each in given]
    assert years == [1990 + n % 30 for n in range(100)]
    problem_of(client.post("/v1/batch", json={"requests": [one] * 101}), 422)
    assert client.post("/v1/batch", json={"requests": []}).json() == {"responses": []}


@pytest.mark.parametrize(
    "operation", [None, 3, "", "Repair", "repiar", "chat", "batch", "../catalogs", ["repair"], {}]
)
def test_an_operation_that_is_none_is_told_and_the_others_are_answered(client, operation):
    body = {"requests": [{"operation": operation}, {"operation": "extract", "text": "red"}]}
    first, second = client.post("/v1/batch", json=body).json()["responses"]
    assert (first["status"], second["status"]) == (422, 200)
    assert first["body"]["type"] == "urn:concede:problem:unknown-operation"


@pytest.mark.parametrize("requests", [None, {}, [1], ["repair"], "repair", [[]]])
def test_what_is_no_list_of_questions_is_refused(client, requests):
    problem_of(client.post("/v1/batch", json={"requests": requests}), 422)


def test_a_batch_counts_for_as_many_as_it_holds(cars):
    key = {"name": "slow", "hash": hash_of("slow"), "scopes": ["search"], "rate": "10/hour"}
    secrets = Secrets(keys=(KeyConfig.model_validate(key),))
    with TestClient(create_app({"cars": cars}, secrets=secrets)) as served:
        one = {"operation": "extract", "text": "red"}

        def ask(count):
            return served.post(
                "/v1/batch", json={"requests": [one] * count}, headers={"X-API-Key": "slow"}
            )

        problem_of(served.post("/v1/batch", json={"requests": [one]}), 401, "api-key")
        assert ask(7).status_code == 200
        assert ask(3).status_code == 200
        problem_of(ask(1), 429, "rate")


def test_what_had_no_turn_in_time_is_a_problem(service, cars):
    served = service({"cars": cars}, limits={"deadline": 1e-9})
    one = {"operation": "extract", "text": "red"}
    given = served.post("/v1/batch", json={"requests": [one] * 3}).json()["responses"]
    assert {each["status"] for each in given} == {503}
