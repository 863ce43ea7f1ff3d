"""The TypeScript client, run by Node against the running service where there is a Node."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from concede import QueryError
from concede.interfaces.client.typescript import files_of
from concede.interfaces.http.app import create_app
from stub_service import StubService

NODE = shutil.which("node")
TOKEN = "token-of-the-tests"
needs_node = pytest.mark.skipif(NODE is None, reason="there is no node")

LIVE = """
const wrote = [];
for (let n = 0; n < 5; n++) {
  const row = { sku: `T${n}`, colour: "gold", price: 800 + n };
  const { version } = await client.upsertRows("lamps", { rows: [row] });
  const answer = await client.repair({ where: `price = ${800 + n}` });
  const rows = await client.fetchRows("lamps", { key: [`T${n}`, "none"], fields: "price" });
  const asked = { operation: "repair", where: `price = ${800 + n}` };
  const { responses } = await client.batch({ requests: [asked] });
  wrote.push([answer.catalog_version >= version, answer.items[0].row.sku,
    rows.rows[0].row.price, rows.missing, responses[0].body.count]);
}
const { deleted } = await client.deleteRows("lamps", { where: "colour = 'gold'" });
const chat = await client.beginChat({ text: "a red lamp" });
const said = await client.hearMessages(chat.id, { text: "under 30", propose: true });
let kind = null;
try { await client.repair({ where: "prise < 3" }); } catch (error) { kind = error.kind; }
console.log(JSON.stringify({ wrote, deleted, proposes: said.proposal.items.length > 0, kind }));
"""
STUBBED = """
const pauses = [];
const patient = new ConcedeClient(url, { sleep: async (ms) => { pauses.push(ms); } });
const answer = await patient.repair({ where: "a = 1" });
console.log(JSON.stringify({ answer, pauses }));
"""


@pytest.fixture(scope="module")
def document():
    return create_app({}).openapi()


def run(folder: Path, document, url: str, program: str):
    for path, text in files_of(document, folder / "client.mjs").items():
        path.write_text(text, encoding="utf-8")
    start = 'import { ConcedeClient } from "./client.mjs";\n'
    start += f"const url = {json.dumps(url)};\n"
    start += f"const client = new ConcedeClient(url, {{ key: {json.dumps(TOKEN)} }});\n"
    (folder / "run.mjs").write_text(start + program, encoding="utf-8")
    done = subprocess.run([NODE, "run.mjs"], cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@needs_node
@pytest.mark.slow
def test_against_the_running_service(tmp_path, document, served):
    seen = run(tmp_path, document, served.url, LIVE)
    assert seen["wrote"] == [[True, f"T{n}", 800 + n, ["none"], 1] for n in range(5)]
    assert (seen["deleted"], seen["proposes"], seen["kind"]) == (5, True, "unknown-column")


@needs_node
@pytest.mark.slow
def test_what_is_refused_for_a_moment_is_asked_again(tmp_path, document):
    busy = (503, {"Retry-After": "2"}, {"detail": "wait"})
    with StubService([busy, busy, (200, {}, {"count": 3})]) as service:
        seen = run(tmp_path, document, service.url, STUBBED)
    assert seen == {"answer": {"count": 3}, "pauses": [2000, 2000]}


def test_every_operation_is_a_method_of_its_own(document):
    (text,) = files_of(document, Path("client.ts")).values()
    methods = re.findall(r"^  (\w+)\(.*\): Promise<[^>]*", text, re.MULTILINE)
    operations = [m for p, each in document["paths"].items() if p.startswith("/v1/") for m in each]
    assert len(methods) == len(set(methods)) == len(operations)
    assert {"repair", "batch", "upsertRows", "deleteRows", "fetchRows"} <= set(methods)


def test_types_and_code_come_apart(document):
    typed = "".join(files_of(document, Path("client.ts")).values())
    code, declared = files_of(document, Path("client.mjs")).values()
    assert "export type RepairRequest = {" in typed
    assert "export type RepairRequest = {" in declared
    assert "export type" not in code
    assert not set("«»") & set(typed + code + declared)


def test_names_that_are_no_identifiers_and_words_that_end_comments():
    schema = {"type": "object", "properties": {"a b": {"type": ["null", "integer"]}},
              "description": "ends */ here"}  # fmt: skip
    document = {"paths": {}, "components": {"schemas": {"A-B": schema}}}
    (text,) = files_of(document, Path("client.ts")).values()
    assert '/** ends * / here */\nexport type A_B = {\n  "a b"?: null | number;\n};' in text


def test_a_file_of_another_kind_is_refused(document):
    with pytest.raises(QueryError, match=r"cannot write 'client\.py'"):
        files_of(document, Path("client.py"))
