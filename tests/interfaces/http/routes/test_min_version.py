"""A question that names the least version it may be answered from."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from concede import Catalog
from problems import problem_of

TOKEN = "token-of-the-tests"
LAMPS = "sku,price\n" + "".join(f"L{n},{10 + n}\n" for n in range(60))
ASKED = {"where": "price > 1000"}


@pytest.fixture
def lamps(tmp_path):
    (tmp_path / "lamps.csv").write_text(LAMPS, encoding="utf-8")
    return Catalog.open(tmp_path / "lamps.csv", key="sku")


@pytest.fixture
def served(service, lamps):
    client = service({"lamps": lamps}, admin_token=TOKEN)
    client.headers["Authorization"] = f"Bearer {TOKEN}"
    return client


def write(served, price: int) -> int:
    rows = {"rows": [{"sku": "L1", "price": price}]}
    return served.post("/v1/catalogs/lamps/rows", json=rows).json()["version"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/repair", ASKED),
        ("/v1/diagnose", ASKED),
        ("/v1/extract", {"text": "under 20"}),
        ("/v1/clarify", {"text": "under 20"}),
    ],
)
def test_every_question_takes_it(served, path, body):
    version = write(served, 2_000)
    assert served.post(path, json=body | {"min_version": version}).status_code == 200


def test_a_version_that_does_not_come_is_told_with_the_one_there_is(served):
    version = write(served, 2_000)
    asked = ASKED | {"min_version": version + 1, "deadline_ms": 20}
    problem = problem_of(served.post("/v1/repair", json=asked), 409, "version-not-reached")
    assert problem["version"] == version


def test_a_text_waits_for_its_version_no_longer_than_the_server_does(service, lamps):
    hasty = service({"lamps": lamps}, limits={"deadline": 0.02})
    asked = {"text": "under 20", "min_version": 9}
    for path in ("/v1/extract", "/v1/clarify"):
        problem_of(hasty.post(path, json=asked), 409, "version-not-reached")


def test_a_version_that_nobody_can_have_been_told_is_not_waited_for(served):
    """It would be waited for ten seconds, longer than the test may take."""
    asked = ASKED | {"min_version": 2**53}
    problem = problem_of(served.post("/v1/repair", json=asked), 409, "version-not-reached")
    assert problem["version"] == 1


def test_a_conversation_answers_from_what_was_written(served):
    begun = served.post("/v1/chat", json={"min_version": write(served, 2_000)})
    assert begun.status_code == 201
    messages = f"/v1/chat/{begun.json()['id']}/messages"
    told = {"text": "price over 2500", "propose": True, "min_version": write(served, 3_000)}
    heard = served.post(messages, json=told)
    assert [item["sku"] for item in heard.json()["proposal"]["items"]] == ["L1"]


def test_a_conversation_waits_for_a_version_and_says_which_one_there_is(service, lamps):
    hasty = service({"lamps": lamps}, limits={"deadline": 0.5})
    for path, body in (("", {}), ("", {"text": "under 20"}), ("/messages", {"text": "under 20"})):
        begun = hasty.post("/v1/chat", json={}).json()["id"] if path else ""
        step = f"/v1/chat{'/' if begun else ''}{begun}{path}"
        problem = problem_of(
            hasty.post(step, json=body | {"min_version": 9}), 409, "version-not-reached"
        )
        assert problem["version"] == 1


@pytest.mark.parametrize("bad", [0, -1, 2.5, "3", True, 2**60])
def test_what_is_no_version_is_refused(served, bad):
    problem_of(served.post("/v1/repair", json=ASKED | {"min_version": bad}), 422)


def test_it_is_waited_for(served, lamps):
    asked = ASKED | {"min_version": lamps.version + 1}
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(served.post, "/v1/repair", json=asked)
        version = write(served, 2_000)
        answer = waiting.result().json()
    assert answer["catalog_version"] == version
    assert answer["status"] == "SAT_no_relaxation"


def test_who_wrote_is_never_given_a_stale_answer(service, lamps):
    """While others wait and may be served stale, the version that was told is answered from."""
    served = service(
        {"lamps": lamps},
        admin_token=TOKEN,
        limits={"threads": 1, "stale_while_revalidate": 60},
    )
    served.headers["Authorization"] = f"Bearer {TOKEN}"
    served.post("/v1/repair", json=ASKED)
    version = write(served, 2_000)
    state = served.app.state.concede
    free = threading.Event()
    held = [state.pool.submit(lambda _: free.wait()) for _ in range(2)]
    try:
        stale = served.post("/v1/repair", json=ASKED)
        assert "Age" in stale.headers
        assert stale.json()["catalog_version"] < version
        with ThreadPoolExecutor(1) as pool:
            fresh = pool.submit(served.post, "/v1/repair", json=ASKED | {"min_version": version})
            assert not fresh.done()
            free.set()
            answer = fresh.result()
    finally:
        free.set()
    assert all(task.result() for task in held)
    assert answer.json()["catalog_version"] == version
    assert "Age" not in answer.headers


def test_rows_are_fetched_from_it_too(served):
    version = write(served, 2_000)
    path = "/v1/catalogs/lamps/rows?key=L1&min_version="
    assert served.get(f"{path}{version}").json()["rows"][0]["row"]["price"] == 2_000
    problem = problem_of(served.get(f"{path}{2**53}"), 409)
    assert problem["version"] == version
    problem_of(served.get(f"{path}0"), 422)
