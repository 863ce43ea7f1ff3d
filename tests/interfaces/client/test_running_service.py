"""Both clients against `concede serve`, as a process of its own."""

import asyncio
import inspect
from concurrent.futures import ThreadPoolExecutor

import pytest

from concede import Answer, AsyncClient, Client, Query, ServiceError, Status, UnknownColumn

TOKEN = "token-of-the-tests"
NOTHING = "colour = 'red' AND price > 100"

pytestmark = pytest.mark.slow


@pytest.fixture(params=["sync", "async"])
def ask(request, served):
    """Call a method of either client, or of what it returned, by name."""
    if request.param == "sync":
        with Client(served.url, key=TOKEN) as client:
            yield lambda name, *given, of=client, **more: getattr(of, name)(*given, **more)
        return
    with asyncio.Runner() as runner:
        client = AsyncClient(served.url, key=TOKEN)

        async def call(of, name, given, more):
            return await getattr(of, name)(*given, **more)

        yield lambda name, *given, of=client, **more: runner.run(call(of, name, given, more))
        runner.run(client.close())


def test_questions(ask):
    answer = ask("repair", NOTHING, top=2, fields=["price"], facets=["colour"])
    assert answer["status"] == "SAT_after_relaxation"
    assert set(answer["items"][0]["row"]) == {"price"}
    assert answer["facets"]["colour"]
    assert Answer.model_validate(ask("repair", NOTHING)).status == Status.SAT_AFTER_RELAXATION
    query = Query(base={"colour": "red"}, constraints=[{"column": "price", "op": ">", "value": 60}])
    found = ask("search", query, sort="-price")
    assert found["items"][0]["row"]["price"] == 67
    assert ask("search", NOTHING)["count"] == 0
    assert ask("diagnose", NOTHING)["conflicts"] == [[1]]
    assert ask("extract", "a red lamp under 20")["constraints"]
    assert "unknowns" in ask("clarify", "a cheap lamp")
    assert [each["name"] for each in ask("catalogs")] == ["lamps"]


def test_a_batch(ask):
    asked = [{"operation": "repair", "where": NOTHING}, {"operation": "diagnose", "where": "x = 1"}]
    statuses = [each["status"] for each in ask("batch", asked)]
    assert statuses == [200, 422]


def test_what_is_written_is_read(ask):
    for n in range(5):
        version = ask("upsert", [{"sku": f"N{n}", "colour": "gold", "price": 900 + n}])["version"]
        answer = ask("search", f"price = {900 + n}")
        assert answer["catalog_version"] >= version
        assert [item["row"]["sku"] for item in answer["items"]] == [f"N{n}"]
        assert ask("fetch", [f"N{n}", "none"], fields=["price"])["rows"][0]["row"] == {
            "price": 900 + n
        }
        assert [each["body"]["count"] for each in ask("batch", [
            {"operation": "repair", "where": f"price = {900 + n}"}])] == [1]  # fmt: skip
    assert ask("delete", ["N0", "N1"])["deleted"] == 2
    assert ask("search", "colour = 'gold'")["count"] == 3
    assert ask("delete", where="colour = 'gold'")["deleted"] == 3
    assert ask("search", "colour = 'gold'")["count"] == 0
    assert ask("fetch", where="price < 13", sort="-price", top=2)["count"] == 3


def test_a_conversation(ask):
    conversation = ask("chat", "a red lamp")
    ask("say", "under 5", of=conversation, propose=True)
    assert conversation.reply["proposal"]["items"]
    ask("undo", of=conversation)
    ask("say", "under 30", of=conversation, propose=True)
    ask("reweigh", {0: 0.9}, of=conversation)
    assert ask("accept", 0, of=conversation)["accepted"]
    assert len(ask("transcript", of=conversation)["messages"]) > 2
    assert ask("end", of=conversation) == {"ended": True}
    with pytest.raises(ServiceError) as caught:
        ask("transcript", of=conversation)
    assert caught.value.status == 404


def test_errors(ask, served):
    with pytest.raises(UnknownColumn) as caught:
        ask("repair", "prise < 3")
    assert caught.value.nearest == ["price"]
    with pytest.raises(ServiceError, match="admin token is missing or wrong") as refused:
        Client(served.url, key="wrong").upsert([{"sku": "x"}])
    assert (refused.value.status, refused.value.kind) == (401, "admin-token")
    with pytest.raises(ServiceError) as behind:
        ask("repair", NOTHING, min_version=9_999, deadline_ms=10)
    assert behind.value.kind == "version-not-reached"


def test_one_client_in_many_threads(served):
    with Client(served.url) as client, ThreadPoolExecutor(8) as pool:
        asked = [f"price = {10 + n % 60}" for n in range(200)]
        counts = list(pool.map(lambda where: client.search(where)["count"], asked))
    assert counts == [1] * 200


def test_many_calls_of_one_event_loop(served):
    async def ask_all():
        async with AsyncClient(served.url, connections=4) as client:
            return await asyncio.gather(*(client.search(f"price = {10 + n}") for n in range(60)))

    assert [each["count"] for each in asyncio.run(ask_all())] == [1] * 60


def test_both_have_the_same_calls():
    names = [name for name in vars(Client) if not name.startswith("_")]
    assert names == [name for name in vars(AsyncClient) if not name.startswith("_")]
    for name in names:
        calls = [inspect.signature(getattr(kind, name)) for kind in (Client, AsyncClient)]
        assert len({str(call.parameters) for call in calls}) == 1, name
