"""Hostile calls: refused in one line with the way out, and the server goes on answering."""

import pytest

from agents import MODES, TIED, call, complaint, talk
from concede.interfaces.mcp.server import create_server
from where_attacks import ATTACKS

DEEP = "[" * 900 + "]" * 900

BAD = {
    "unknown argument": ({"wher": "price < 1"}, "no argument 'wher'; arguments: where"),
    "no wishes": ({}, "no wishes"),
    "blank": ({"where": " \n"}, "no wishes"),
    "number": ({"where": 3}, "bad where 3"),
    "null": ({"where": None}, "bad where None"),
    "list": ({"where": ["price < 1"]}, "bad where"),
    "long": ({"where": "price = " + "1" * 20_000}, "is the most"),
    "many": ({"constraints": [{"column": "price", "op": "<", "value": 1}] * 65}, "constraints"),
    "huge list": ({"constraints": [{}] * 3_000}, "constraints"),
    "no constraint": ({"constraints": [7]}, "bad"),
    "deep": ({"constraints": DEEP}, "bad"),
    "deep value": ({"constraints": [{"column": "price", "op": "<", "value": [[[[1]]]]}]}, "value"),
    "operator": ({"constraints": [{"column": "price", "op": "~", "value": 1}]}, "bad op '~'"),
    "field": ({"constraints": [{"column": "price", "op": "<", "value": 1, "x": 1}]}, "x"),
    "column": ({"where": "prise < 1"}, "did you mean 'price'?"),
    "value": ({"where": "price < 'x'"}, "bad value"),
    "weight": ({"where": "price < 1", "weights": {"price": 7}}, "0..1"),
    "weight text": ({"where": "price < 1", "weights": {"price": "x"}}, "weights"),
    "weight nan": ({"where": "price < 1", "weights": {"price": float("nan")}}, ""),
    "weight of none": ({"where": "price < 1", "weights": {"watts": 1}}, "no wish on column"),
    "hard": ({"where": "price < 1", "hard": ["nothing"]}, "unknown column"),
    "top": ({"where": "price < 1", "top": 11}, "bad top 11"),
    "top 0": ({"where": "price < 1", "top": 0}, "bad top 0"),
    "policy": ({"where": "price < 1", "policy": "magic"}, "magic"),
    "objective": ({"where": "price < 1", "minimize": ["x"]}, "unknown column"),
    "positions": ({"where": "price < 1", "gives_way": [-1]}, "no such wish"),
    "base": ({"where": "price < 1", "base": {"x": 1}}, "unknown column"),
    "base text": ({"where": "price < 1", "base": "price < 1"}, "base"),
    "NUL": ({"where": "price < 1\0"}, "NUL"),
    "SQL": ({"where": "price < 1; DROP TABLE lamps"}, "semicolon"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_arguments_are_refused_in_one_line(server, case):
    arguments, says = BAD[case]
    assert says in complaint(call(server, "repair", arguments))


def test_hostile_sql_is_refused_and_the_catalog_stays(server, lamps, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the-secret")
    attacks = [text for texts in ATTACKS.values() for text in texts[::6]]

    async def attack(client):
        for text in attacks:
            where = text.replace("SECRET", str(secret))
            # Half a character cannot be sent at all.
            where = where.encode("utf-8", "replace").decode()
            for tool in ("search", "repair"):
                assert "the-secret" not in complaint(await client.call_tool(tool, {"where": where}))
            record = {"op": "sql", "value": where}
            complaint(await client.call_tool("diagnose", {"constraints": [record]}))
        return await client.call_tool("search", {})

    assert talk(server, attack).structured_content["count"] == 6
    assert lamps.row_count == 6


@pytest.mark.parametrize("mode", MODES)
def test_an_unknown_tool_is_an_error(server, mode):
    assert "Unknown tool" in complaint(call(server, "drop_table", {}, mode))


def test_a_call_ends_at_its_deadline_with_the_hint(lamps):
    reply = call(create_server(lamps, deadline=1e-9), "repair", TIED)
    assert "deadline" in complaint(reply)


def test_what_the_engine_does_not_foresee_says_nothing_of_the_inside(lamps, monkeypatch):
    server = create_server(lamps)

    def broken(*_, **__):
        raise ZeroDivisionError("inside /srv/secret/path")

    monkeypatch.setattr("concede.interfaces.mcp.tools.schema_reply", broken)
    said = complaint(call(server, "catalog_schema", {}))
    assert said == "Error executing tool catalog_schema"
