"""Questions over HTTP are answered as the library answers them."""

import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from concede import Query, RepairEngine, parse_where
from concede.dialogs import OfflineExtractor
from concede.dialogs.extraction.to_query import answer_record
from concede.engine.policies import POLICIES
from concede.interfaces.http.app import create_app
from problems import problem_of

BASE = {"Make": "Toyota", "Vehicle Style": "Sedan"}
LISTED = [{"column": column, "op": "==", "value": value} for column, value in BASE.items()]
CONSTRAINTS = [
    {"column": "Year", "op": ">=", "value": 2017, "weight": 0.3},
    {"column": "MSRP", "op": "<=", "value": 38_500, "weight": 0.9},
    {"column": "highway MPG", "op": ">=", "value": 34, "weight": 0.6},
    {"column": "Vehicle Size", "op": "==", "value": "Large"},
]
WHERE = 'Year >= 2017 AND MSRP <= 38500 AND "highway MPG" >= 34 AND "Vehicle Size" = \'Large\''
OBJECTIVES = [{"column": "MSRP", "direction": "min", "weight": 0.4}]


@pytest.fixture(scope="module")
def engine(cars):
    return RepairEngine(cars)


@pytest.mark.parametrize("base", [BASE, LISTED])
@pytest.mark.parametrize("policy", sorted(POLICIES))
@pytest.mark.parametrize("top", [1, 5])
def test_a_repair_is_the_engines(client, engine, base, policy, top):
    body = {"base": base, "constraints": CONSTRAINTS, "policy": policy, "top": top}
    given = client.post("/v1/repair", json=body)
    query = Query.model_validate({"base": base, "constraints": CONSTRAINTS})
    assert given.status_code == 200
    assert given.json() == engine.repair(query, policy=policy, top=top).record()


@pytest.mark.parametrize("rank", ["near", "score"])
def test_the_order_of_items_reaches_the_engine(client, engine, rank):
    body = {"base": BASE, "constraints": CONSTRAINTS, "rank": rank}
    given = client.post("/v1/repair", json=body)
    query = Query.model_validate({"base": BASE, "constraints": CONSTRAINTS})
    assert given.json() == engine.repair(query, rank=rank).record()
    assert given.json()["rank"] == rank
    problem_of(client.post("/v1/repair", json=body | {"rank": "nearest"}), 422)


def test_a_moved_bound_has_from_and_to(client):
    body = {"base": BASE, "constraints": CONSTRAINTS, "policy": "closest"}
    answer = client.post("/v1/repair", json=body).json()
    asked = CONSTRAINTS[0]
    assert answer["relaxed"] == [asked | {"from": asked, "to": asked | {"value": 2016}}]
    assert '"Year" >= 2016' in answer["sql"]
    assert answer["count"] == answer["repairs"][0]["count"] == 4


def test_where_is_split_like_the_librarys_and_comes_after_the_constraints(client, engine, cars):
    body = {"base": BASE, "constraints": CONSTRAINTS[:1], "where": "MSRP <= 38500 AND Year < 2000"}
    parsed = parse_where("MSRP <= 38500 AND Year < 2000", cars.schema)
    query = Query.model_validate({"base": BASE, "constraints": [*CONSTRAINTS[:1], *parsed]})
    assert client.post("/v1/repair", json=body).json() == engine.repair(query).record()


def test_objectives_order_and_priority_reach_the_engine(client, engine):
    body = {"base": BASE, "constraints": CONSTRAINTS, "objectives": OBJECTIVES}
    more = {"policy": "priority", "priority": ["MSRP", "Year"], "order": "diverse"}
    given = client.post("/v1/repair", json=body | more)
    assert given.json() == engine.repair(Query.model_validate(body), **more).record()


def test_a_query_that_matches_needs_no_repair(client):
    given = client.post("/v1/repair", json={"where": "Year >= 2000"}).json()
    assert given["status"] == "SAT_no_relaxation"
    assert given["count"] > 0
    assert given["catalog_version"] == 1


def test_the_same_question_gives_the_same_bytes(client):
    first, second = (client.post("/v1/repair", json={"where": WHERE}) for _ in range(2))
    assert first.content == second.content
    assert "total;dur=" in first.headers["server-timing"]


def test_a_diagnosis_is_the_engines(client, engine, cars):
    query = Query.model_validate({"base": BASE, "constraints": parse_where(WHERE, cars.schema)})
    given = client.post("/v1/diagnose", json={"base": BASE, "where": WHERE})
    assert given.json() == engine.diagnose(query).record()


def test_a_diagnosis_lists_as_much_as_asked(client):
    given = client.post("/v1/diagnose", json={"base": BASE, "where": WHERE, "limit": 1}).json()
    assert given["stopped_by"] == "limit"
    assert not given["complete"]


def test_an_extraction_is_the_librarys(client, cars):
    text = "a Lexus sedan under 40,000, not a manual"
    given = client.post("/v1/extract", json={"text": text})
    assert given.json() == answer_record(OfflineExtractor().extract(text, cars))


def test_an_answer_to_a_question_is_read_as_one(client):
    given = client.post("/v1/extract", json={"text": "at least 2015", "slot": "Year"}).json()
    assert [(constraint["column"], constraint["op"]) for constraint in given["constraints"]] == [
        ("Year", ">=")
    ]


@pytest.mark.parametrize(("path", "name"), [("/v1/repair", "Answer"), ("/v1/diagnose", None)])
def test_answers_fit_the_document(client, path, name):
    document = client.get("/openapi.json").json()
    response = document["paths"][path]["post"]["responses"]["200"]
    schema = response["content"]["application/json"]["schema"] | {
        "components": document["components"]
    }
    assert name is None or schema["$ref"].endswith(f"/{name}")
    for where in (WHERE, "Year >= 2000", "Year >= 3000"):
        given = client.post(path, json={"base": BASE, "where": where}).json()
        assert not list(Draft202012Validator(schema).iter_errors(given))


@pytest.mark.parametrize("path", ["/v1/repair", "/v1/diagnose", "/v1/extract", "/v1/chat"])
def test_the_examples_of_the_document_are_answered(client, path):
    document = client.get("/openapi.json").json()
    taken = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    schema = document["components"]["schemas"][taken["$ref"].rpartition("/")[2]]
    assert schema["examples"]
    for example in schema["examples"]:
        assert client.post(path, json=example).status_code in (200, 201)


def test_a_deadline_that_passed_gives_no_false_answer(service, cars):
    served = service({"cars": cars}, limits={"deadline": 1e-9})
    given = served.post("/v1/repair", json={"where": WHERE})
    problem_of(given, 503, "limit-error")
    assert given.headers["retry-after"] == "1"


def test_a_catalog_is_asked_by_its_name(service, cars):
    served = service({"cars": cars, "others": cars})
    body = {"where": "Year >= 2000"}
    assert served.post("/v1/repair", json=body | {"catalog": "others"}).status_code == 200
    problem = problem_of(served.post("/v1/repair", json=body | {"catalog": "othrs"}), 404)
    assert "'others'" in problem["hint"]


@pytest.mark.parametrize(
    ("body", "kind", "told"),
    [
        ({"where": "Yeer > 3"}, "unknown-column", {"name": "Yeer", "nearest": ["Year"]}),
        ({"where": "Year >"}, "parse-error", {"text": "Year >"}),
        ({"where": "MSRP <= 1", "policy": "best"}, "query-error", {}),
        ({"constraints": [{"column": "Year", "op": "~", "value": 1}]}, "bad-constraint", {}),
        ({}, "query-error", {}),
        ({"where": "Year > 1", "top": 0}, "bad-body", {}),
        ({"where": "Year > 1", "tpo": 3}, "bad-body", {}),
    ],
)
def test_bad_questions_are_told_the_hint(client, body, kind, told):
    problem = problem_of(client.post("/v1/repair", json=body), 422, kind)
    assert problem["hint"]
    assert {name: problem[name] for name in told} == told


def test_every_complaint_about_a_body_points_into_it(client):
    body = {"where": 5, "top": "many", "base": {"Make": [1]}}
    problem = problem_of(client.post("/v1/repair", json=body), 422, "bad-body")
    assert {"/where", "/top"} <= {error["pointer"] for error in problem["errors"]}
    assert all("[" not in error["pointer"] for error in problem["errors"])


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/v1/repair", 405), ("POST", "/v2/repair", 404), ("POST", "/healthz", 405)],
)
def test_other_paths_and_methods_are_problems(client, method, path, status):
    problem_of(client.request(method, path), status)


def test_a_request_keeps_its_id_and_gets_one_without(client):
    given = client.get("/healthz", headers={"X-Request-ID": "order-7"})
    assert given.headers["x-request-id"] == "order-7"
    other = client.get("/healthz", headers={"X-Request-ID": "no good\x7f"})
    assert len(other.headers["x-request-id"]) == 16


def test_readiness_ends_with_the_service(cars, service):
    served = service({"cars": cars})
    assert served.get("/readyz").json() == {"status": "ready"}
    served.app.state.concede.ready = False
    problem_of(served.get("/readyz"), 503, "not-ready")
    assert served.get("/healthz").status_code == 200


def test_a_service_under_another_root_answers(cars):
    with TestClient(create_app({"cars": cars}), root_path="/shop") as client:
        answer = client.post("/shop/v1/repair", json={"where": "MSRP <= 100"})
    assert answer.status_code == 200
    assert answer.json()["repairs"]
