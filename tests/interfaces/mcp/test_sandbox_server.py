"""The sandbox as an MCP server, called with the protocol's official client."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.client.stdio import StdioServerParameters

from agents import MODES, call, talk
from command_line import PROGRAM
from concede.catalogs.errors import ModelUnavailable
from concede.dialogs.tools.calls import RecordedCall, ToolCall
from concede.dialogs.tools.sandbox import ReplaySandbox
from concede.interfaces.mcp.sandbox_server import create_sandbox_server

ASKED = {"query": "charging station near MixC", "cur_adcode": "Ningbo", "city_limit": True}
RECORDS = [
    RecordedCall(case="a", tool="search_poi", arguments=ASKED, result={"pois": [1]}),
    RecordedCall(case="b", tool="search_poi", arguments={"query": "museum"}, result={"pois": [2]}),
    RecordedCall(case="a", tool="strange", arguments={}, result=[1, "二"]),
]


@pytest.mark.parametrize("mode", MODES)
def test_tools_come_from_the_schemas(mode):
    async def listed(client: Any) -> Any:
        return (await client.list_tools()).tools

    tools = {
        tool.name: tool
        for tool in talk(create_sandbox_server(ReplaySandbox(RECORDS)), listed, mode)
    }
    assert len(tools) == 14
    search = tools["search_poi"].input_schema
    assert search["required"] == ["query", "cur_adcode", "city_limit"]
    assert tools["strange"].input_schema == {"type": "object", "properties": {}}


@pytest.mark.parametrize("mode", MODES)
def test_replies_say_their_stage(mode):
    server = create_sandbox_server(ReplaySandbox(RECORDS), "a")

    def stage(tool: str, **arguments: Any) -> Any:
        result = call(server, tool, arguments, mode)
        assert not result.is_error
        assert json.loads(result.content[0].text) == result.structured_content
        return result.structured_content

    assert stage("search_poi", **ASKED) == {"stage": "exact", "result": {"pois": [1]}}
    near = stage("search_poi", query="charging stations near MixC")
    assert (near["stage"], near["result"]) == ("nearest", {"pois": [1]})
    assert stage("search_poi", query="modern museum")["stage"] == "miss"
    assert stage("strange", more=1) == {"stage": "exact", "result": [1, "二"]}
    assert stage("unknown") == {"stage": "miss", "result": None}


class Broken:
    """A simulator whose model is away."""

    def result(self, call: ToolCall) -> Any:
        raise ModelUnavailable("no connection")


def test_a_simulator_that_fails_is_an_error_of_the_call():
    server = create_sandbox_server(ReplaySandbox(RECORDS, [Broken()]), "a")
    result = call(server, "get_rgeo", {"x": 1, "y": 2})
    assert result.is_error
    assert "no connection" in result.content[0].text


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_an_agent_starts_it(tmp_path: Path, mode):
    lines = [record.model_dump_json() for record in RECORDS]
    (tmp_path / "records.jsonl").write_text("\n".join(lines), encoding="utf-8")
    arguments = ["sandbox", "--records", "records.jsonl", "--mcp", "--case", "a"]
    program = StdioServerParameters(
        command=sys.executable,
        args=["-c", PROGRAM, *arguments],
        cwd=tmp_path,
        env=dict(os.environ),
    )

    async def session(client: Any) -> Any:
        await client.list_tools()
        return await client.call_tool("search_poi", ASKED)

    reply = talk(program, session, mode)
    assert reply.structured_content == {"stage": "exact", "result": {"pois": [1]}}
