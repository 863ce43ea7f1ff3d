"""`concede mcp` as a program that an agent starts: nothing but the protocol on standard output."""

import json
import subprocess
import sys

import pytest

from agents import MODES, TIED, choosing, over_stdio, talk
from command_line import PROGRAM


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_an_agent_starts_it_asks_and_is_asked(lamps_file, mode):
    async def session(client):
        tools = (await client.list_tools()).tools
        schema = await client.call_tool("catalog_schema", {})
        return tools, schema, await client.call_tool("repair", TIED)

    program = over_stdio(lamps_file.parent, "--catalog", lamps_file.name)
    tools, schema, reply = talk(program, session, mode, choosing("price"))
    assert len(tools) == 7
    assert schema.structured_content["name"] == "lamps"
    assert reply.structured_content["repairs"][0]["dropped"] == [1]
    assert reply.structured_content["tie_broken_by"] == "user"


@pytest.mark.slow
def test_standard_output_holds_the_protocol_only_whatever_comes_in(lamps_file):
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "0"},
        },
    }
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call"}
    call["params"] = {"name": "search", "arguments": {"where": "price < 30"}}
    lines = [
        json.dumps(hello),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        "no JSON at all",
        "[" * 5_000,
        "{}",
        '{"jsonrpc": "2.0", "id": "x", "method": "no/such"}',
        '{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": 7}',
        json.dumps(call),
    ]
    command = [sys.executable, "-c", PROGRAM, "mcp", "--catalog", lamps_file.name]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=lamps_file.parent, text=True, **pipes) as process:
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()
        replies = {}
        while 2 not in replies or "x" not in replies:
            reply = json.loads(process.stdout.readline())
            assert reply["jsonrpc"] == "2.0"
            replies[reply.get("id")] = reply
        rest, complaints = process.communicate(timeout=30)
    assert process.returncode == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert "Traceback" not in complaints
    assert replies[2]["result"]["structuredContent"]["count"] == 2
    assert replies["x"]["error"]["code"] == -32601


@pytest.mark.slow
def test_a_bad_catalog_ends_in_one_line(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "mcp", "--catalog", "no.csv"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("concede: cannot read catalog")
    assert done.stderr.count("\n") == 1
