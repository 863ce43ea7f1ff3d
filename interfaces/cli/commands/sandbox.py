"""`concede sandbox`: recorded tool calls replayed, over files or as an MCP server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import rich_click as click

from ....catalogs.errors import QueryError, excerpt
from ..options import catalog_options, format_option, model_options, panel_options
from ..output import spinning, write_json, write_tables
from ..query_options import CatalogOptions, open_catalog

if TYPE_CHECKING:
    from ....dialogs.tools.calls import CallLine, RecordedCall, Simulator, ToolReply
    from ....dialogs.tools.sandbox import ReplaySandbox
    from ....dialogs.tools.schemas import Schemas

_records, _serving = panel_options("Records"), panel_options("Serving")
_simulated = panel_options("Catalog")


@click.command("sandbox")
@_records("--records", "FILE", "Recorded calls, JSON lines: case, tool, arguments, result.")
@_records("--calls", "FILE", "Calls to answer, JSON lines: case, tool, arguments.")
@_records("--schemas", "FILE", "What further tools take: name, description, parameters, as JSON.")
@_serving("--mcp", None, "Serve the tools over standard input and output.", is_flag=True)
@_serving("--case", "CASE", "With --mcp: the case that the calls are made in.")
@catalog_options
@_simulated("--key", "COLUMN", "The column that places are named by.")
@model_options("The model that makes up replies nobody recorded.")
@format_option
def sandbox(
    records: str | None, calls: str | None, schemas: str | None, mcp: bool, **given: Any
) -> int:
    """Reply to tool calls from records, always in the same way, and say how each was found.

    Exact: all recorded arguments that are not empty match. Nearest: the record of the case with the
    text most alike. Simulated: the catalog, or a model, answers instead. Else it is a miss.
    """
    if records is None:
        raise QueryError("no records", hint="give --records FILE")
    if mcp == (calls is not None):
        raise QueryError("one way to call", hint="give --calls FILE or --mcp")
    if given["case"] is not None and not mcp:
        raise QueryError("--case without --mcp", hint="each line of --calls names its own")
    replaying = _sandbox(records, schemas, given)
    if mcp:
        _serve(replaying, given["case"])
    else:
        _answer(replaying, calls or "", given["form"])
    return 0


def _sandbox(records: str, schemas: str | None, given: Mapping[str, Any]) -> ReplaySandbox:
    from ....bench.json_lines import read_records
    from ....dialogs.tools.calls import RecordedCall
    from ....dialogs.tools.sandbox import ReplaySandbox

    with spinning("reading the records"):
        recorded = list(read_records(records, RecordedCall.model_validate))
        known = _schemas(schemas)
        return ReplaySandbox(recorded, _simulators(given, recorded, known), known)


def _schemas(path: str | None) -> Schemas:
    """Return the built-in schemas and those of a file, which stand in for them."""
    from ....bench.json_lines import read_values
    from ....dialogs.tools.schemas import built_in_schemas, schemas_of

    return {**built_in_schemas(), **(schemas_of(read_values(path)) if path else {})}


def _simulators(
    given: Mapping[str, Any], recorded: Sequence[RecordedCall], known: Schemas
) -> list[Simulator]:
    from ..options import chosen_model

    found: list[Simulator] = []
    if given["catalog"] is not None:
        from ....dialogs.tools.catalog_tools import CatalogTools

        names = [field.name for field in fields(CatalogOptions) if field.name in given]
        options = CatalogOptions(**{name: given[name] for name in names})
        found.append(CatalogTools(open_catalog(options), key=given["key"]))
    elif given["key"] is not None:
        raise QueryError("--key without --catalog", hint="give the catalog, too")
    # Only one that is named: what replies were made by is then seen in the command.
    named_model = given["model"] or given["base_url"]
    if named_model and (model := chosen_model(given)) is not None:
        from ....dialogs.tools.model_tools import ModelTools

        found.append(ModelTools(model, recorded, known))
    return found


def _answer(replaying: ReplaySandbox, path: str, form: str) -> None:
    from ....bench.json_lines import read_records
    from ....dialogs.tools.calls import CallLine

    # All are read first: a file that is torn gets no half of an answer.
    lines = list(read_records(path, CallLine.model_validate))
    replies = [(line, replaying.reply(line.call, line.case)) for line in lines]
    if form == "table":
        write_tables(_table(replies))
    elif form == "json":
        write_json([_record(line, reply) for line, reply in replies])
    else:
        for line, reply in replies:
            write_json(_record(line, reply), indent=None)


def _record(line: CallLine, reply: ToolReply) -> dict[str, Any]:
    return ({} if line.id is None else {"id": line.id}) | reply.record()


def _table(replies: Sequence[tuple[CallLine, ToolReply]]) -> Any:
    from ....rendering.terminal_table import Grid, cut

    rows = [
        (line.case, line.tool, cut(_shown(line.arguments)), reply.stage, cut(_shown(reply.result)))
        for line, reply in replies
    ]
    return Grid("Replies", ("case", "tool", "arguments", "stage", "result"), rows, frozenset())


def _shown(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def _serve(replaying: ReplaySandbox, case: str | None) -> None:
    try:
        from ...mcp.sandbox_server import create_sandbox_server, serve_stdio
    except ImportError:
        hint = "pip install 'concede[mcp]'"
        raise QueryError("serving agents needs the mcp package", hint=hint) from None
    cases = replaying.cases
    if case is None:
        if len(cases) > 1:
            hint = f"give --case, one of {', '.join(map(excerpt, cases[:5]))}"
            raise QueryError(f"{len(cases):,} cases recorded", hint=hint)
        case = cases[0] if cases else ""
    elif case not in cases:
        raise QueryError(f"no record of case {excerpt(case)}", hint="name a recorded case")
    serve_stdio(create_sandbox_server(replaying, case))
