"""The six tools, called in this process by the official client, which checks the schemas."""

import pyarrow as pa
import pytest

from agents import MODES, call, complaint, length, talk
from concede import Catalog
from concede.interfaces.mcp.replies import MAX_CELL, MAX_SETS
from concede.interfaces.mcp.server import create_server
from wild_cells import WILD, WILD_AS_JSON


def names(reply):
    return [item["row"]["name"] for item in reply["items"]]


@pytest.mark.parametrize("mode", MODES)
def test_the_tools_are_read_only_and_say_what_they_return(server, mode):
    async def listed(client):
        return (await client.list_tools()).tools, client.server_info, client.instructions

    tools, info, instructions = talk(server, listed, mode)
    assert [tool.name for tool in tools] == [
        "understand", "clarify", "search", "diagnose", "repair", "catalog_schema", "talk",
    ]  # fmt: skip
    assert info.name == "concede"
    assert "repair" in instructions
    for tool in tools:
        assert tool.annotations.read_only_hint
        assert not tool.annotations.open_world_hint
        assert 30 < len(tool.description) < 500
        assert "\n  " not in tool.description
        assert tool.output_schema["type"] == "object"


def test_search_lists_what_meets_every_wish(server):
    reply = call(server, "search", {"where": "price <= 40", "minimize": ["price"], "limit": 2})
    content = reply.structured_content
    assert content["count"] == 4
    assert names(content) == ["Elm", "Fir"]
    assert content["next_step"] == ""
    assert content["complete"]


def test_every_cell_can_be_written():
    server = create_server(Catalog.open(WILD))
    for tool in ("search", "repair"):
        content = call(server, tool, {"where": "id = 1"}).structured_content
        assert [item["row"] for item in content["items"]] == [WILD_AS_JSON]
    said = call(server, "talk", {"text": "red"}).structured_content["conversation"]
    turn = {"text": "show me what you have", "conversation": said}
    assert call(server, "talk", turn).structured_content["items"] == [WILD_AS_JSON]


def test_a_binary_cell_is_cut_as_a_text_is():
    catalog = Catalog.open(pa.table({"photo": [b"\xff" * 9_000]}))
    content = call(create_server(catalog), "search", {}).structured_content
    assert len(content["items"][0]["row"]["photo"]) == MAX_CELL


def test_search_takes_no_wishes_for_all_items(server):
    assert call(server, "search", {}).structured_content["count"] == 6


def test_search_without_a_hit_points_to_repair(server):
    content = call(server, "search", {"where": "price < 10"}).structured_content
    assert (content["count"], content["items"]) == (0, [])
    assert "repair" in content["next_step"]


@pytest.mark.parametrize(
    "base",
    [
        {"room": "hall"},
        [{"column": "room", "op": "==", "value": "hall"}],
        '{"room": "hall"}',
    ],
)
def test_base_is_settled_in_any_spelling(server, base):
    content = call(server, "search", {"base": base, "where": "price <= 60"}).structured_content
    assert sorted(names(content)) == ["Arc", "Bow"]


def test_diagnose_says_which_wishes_conflict(server):
    where = "colour = 'red' AND price <= 30 AND watts >= 4"
    content = call(server, "diagnose", {"where": where}).structured_content
    assert content["verdict"] == "UNSAT"
    assert content["conflicts"] == [[0, 1]]
    assert [wish["says"] for wish in content["wishes"]] == [
        "colour = red",
        "price ≤ 30",
        "watts ≥ 4",
    ]
    assert [wish["rows_without_it"] for wish in content["wishes"]] == [1, 2, 0]
    assert [(repair["gives_way"], repair["count"]) for repair in content["repairs"]] == [
        ([0], 1),
        ([1], 2),
    ]
    assert "colour = red" in content["explanation"]


def test_repair_answers_in_the_schema_of_the_library(server, lamps):
    from concede import RepairEngine
    from concede.catalogs.query.query import Query
    from concede.catalogs.query.where_clause import parse_where

    where = "colour = 'red' AND price <= 45 AND room = 'bath'"
    reply = call(server, "repair", {"where": where, "weights": {"colour": 0.9}})
    content = reply.structured_content
    wishes = [
        constraint.model_copy(update={"weight": 0.9})
        if constraint.column == "colour"
        else constraint
        for constraint in parse_where(where, lamps.schema)
    ]
    engine = RepairEngine(lamps, threads=1)
    own = engine.repair(Query(constraints=wishes), top=6).record()
    for name in ("status", "conflicts", "drop_one_counts", "sql", "relaxed", "explanation"):
        assert content[name] == own[name]
    assert content["repairs"] == own["repairs"][:3]
    assert content["status"] == "SAT_after_relaxation"
    assert reply.content[0].text == content["explanation"]


def test_hard_wishes_never_give_way(server):
    arguments = {"where": "colour = 'red' AND price <= 30", "hard": ["PRICE"]}
    content = call(server, "repair", arguments).structured_content
    assert [repair["dropped"] for repair in content["repairs"]] == [[0]]
    assert content["choices"] == []


def test_the_schema_says_what_can_be_asked(server):
    content = call(server, "catalog_schema", {"values": 2}).structured_content
    by_name = {column["name"]: column for column in content["columns"]}
    assert content["rows"] == 6
    assert content["cost_column"] == "price"
    assert by_name["colour"]["values"] == ["blue", "green"]
    assert (by_name["price"]["minimum"], by_name["price"]["maximum"]) == (20, 80)
    assert by_name["watts"]["unknown"] == 1
    assert by_name["price"]["better"] == "low"


def test_the_schema_of_named_columns_only(server):
    content = call(server, "catalog_schema", {"columns": ["Price"]}).structured_content
    assert [column["name"] for column in content["columns"]] == ["price"]
    reply = call(server, "catalog_schema", {"columns": ["prise"]})
    assert "did you mean 'price'?" in complaint(reply)


def test_replies_stay_small_whatever_the_catalog_holds(tmp_path):
    import pandas as pd

    wide = {f"c{i}": ["x" * 5_000, "y" * 5_000] for i in range(150)}
    server = create_server(Catalog.open(pd.DataFrame({"n": [1, 2]} | wide)))
    wishes = " AND ".join(f"c{i} = 'x'" for i in range(10))
    replies = {
        "search": call(server, "search", {}),
        "repair": call(server, "repair", {"where": wishes, "may_ask": False}),
        "catalog_schema": call(server, "catalog_schema", {}),
    }
    for reply in replies.values():
        assert not reply.is_error
        assert length(reply.structured_content) < 300_000
    schema = replies["catalog_schema"].structured_content
    assert schema["left_out"] == {"columns": 51}
    cells = replies["search"].structured_content["items"][0]["row"].values()
    assert max(len(cell) for cell in cells if isinstance(cell, str)) == MAX_CELL


def test_conflicts_beyond_the_most_are_counted(tmp_path):
    import pandas as pd

    server = create_server(Catalog.open(pd.DataFrame({f"c{i}": [i % 2] for i in range(60)})))
    where = " AND ".join(f"c{i} = 7" for i in range(60))
    for tool in ("diagnose", "repair"):
        content = call(server, tool, {"where": where}).structured_content
        assert len(content["conflicts"]) == MAX_SETS
        assert content["left_out"]["conflicts"] == 60 - MAX_SETS


def test_replies_name_the_version_they_are_of(lamps_file):
    catalog = Catalog.open(lamps_file, key="name")
    server = create_server(catalog)
    before = call(server, "search", {"where": "price <= 20"}).structured_content
    version = catalog.upsert([{"name": "Gum", "colour": "red", "price": 10, "room": "hall"}])
    after = call(server, "search", {"where": "price <= 20"}).structured_content
    assert (before["count"], after["count"]) == (1, 2)
    assert before["catalog_version"] < after["catalog_version"] == version
    schema = call(server, "catalog_schema", {}).structured_content
    assert (schema["catalog_version"], schema["rows"]) == (version, 7)
    for tool in ("repair", "diagnose"):
        content = call(server, tool, {"where": "price < 5"}).structured_content
        assert content["catalog_version"] == version


def test_repair_takes_the_order_of_items_and_moves_bounds(server):
    asked = {"where": "price <= 1", "policy": "closest", "rank": "score"}
    reply = call(server, "repair", asked).structured_content
    assert reply["rank"] == "score"
    (relaxed,) = reply["relaxed"]
    assert relaxed["from"] == {"column": "price", "op": "<=", "value": 1}
    assert relaxed["to"]["value"] == min(item["row"]["price"] for item in reply["items"])
    assert reply["choices"] == []
