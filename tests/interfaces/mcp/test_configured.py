"""The tools over a configured catalog: pages, plain orders, did-you-mean, nothing hidden."""

import pytest
from mcp import Client

from concede.catalogs.configuration.shop_config import ShopConfig
from concede.interfaces.mcp.server import create_server
from configured_shop import write_shop

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def server(tmp_path):
    return create_server(ShopConfig.read(write_shop(tmp_path)).open())


async def call(server, tool, **arguments):
    async with Client(server) as client:
        return await client.call_tool(tool, arguments)


async def test_a_page_in_a_plain_order(server):
    page = await call(server, "search", where="sku >= 'a'", sort=["-price"], offset=1, limit=1)
    assert [item["row"]["sku"] for item in page.structured_content["items"]] == ["d4"]
    assert page.structured_content["count"] == 4


async def test_what_was_meant_is_told_where_nothing_matches(server):
    for tool in ("search", "repair"):
        reply = await call(server, tool, where="name = 'Alhpa'")
        assert reply.structured_content["did_you_mean"][0]["nearest"] == ["Alpha"]
    told = await call(server, "search", where="colour = 'red'")
    assert (told.structured_content["count"], told.structured_content["did_you_mean"]) == (2, [])


async def test_nothing_hidden_is_told(server):
    for tool, arguments in [
        ("catalog_schema", {}),
        ("repair", {"where": "price >= 900000"}),
        ("search", {"where": "price >= 0"}),
        ("search", {"where": "marg > 0"}),
        ("understand", {"text": "the lowest profit"}),
    ]:
        reply = await call(server, tool, **arguments)
        assert "margin" not in reply.model_dump_json()
