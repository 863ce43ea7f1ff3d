"""The tools: `understand`, `search`, `diagnose`, `repair`, `catalog_schema`, over one catalog."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from typing import Annotated, Any, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, InputRequiredResult, TextContent
from pydantic import BaseModel, Field

from ...catalogs.catalog import Catalog
from ...catalogs.errors import ConcedeError, QueryError
from ...catalogs.query.query import Query
from ...catalogs.versions.sorted_rows import SortKey
from ...dialogs.clarification.clarify import clarify as clarified
from ...dialogs.extraction.extracted import Extractor
from ...dialogs.extraction.offline import OfflineExtractor
from ...engine.answer import Answer, Rank, Status
from ...engine.async_engine import AsyncRepairEngine
from ...engine.policies import DEFAULT_POLICY
from ...engine.repair_engine import RepairEngine
from ...engine.repair_options import MAX_OFFSET
from ...engine.runtime.thread_pool import QueueSlot
from ...engine.value_suggestions import Suggestion, meant_by
from .elicitation import MAX_CHOICES, ask, tied
from .replies import (
    Choice,
    ClarifiedReply,
    DiagnosisReply,
    RepairReply,
    SchemaReply,
    SearchReply,
    TieBreak,
    UnderstoodReply,
    clarified_reply,
    diagnosis_reply,
    found_item,
    meant_replies,
    repair_reply,
    schema_reply,
    understood_reply,
)
from .requests import Base, Columns, Constraints, Positions, QueryArguments, Weights, Where, changed

Result = TypeVar("Result")

DEFAULT_LIMIT, MAX_LIMIT = 10, 50
DEFAULT_TOP, MAX_TOP = 3, 10
LESS = 0.5
"""What a wish that matters least keeps of its weight: the least cost becomes the only least."""

TRIFLE = 0.01
"""The weight of the other wishes where all of them weigh nothing."""

NONE: list[Any] = []
UNWEIGHED: dict[str, float] = {}
"""Defaults as the schema publishes them; each call gets a copy."""

Limit = Annotated[int, Field(ge=1, le=MAX_LIMIT, description="The most items to list.")]
Offset = Annotated[int, Field(ge=0, le=MAX_OFFSET, description="Items to leave out first.")]
Top = Annotated[int, Field(ge=1, le=MAX_TOP, description="The most repairs and items to list.")]
Values = Annotated[int, Field(ge=0, le=50, description="The most frequent values listed.")]
ItemOrder = Annotated[
    Rank | None,
    Field(description="Items by score, or near what gave way first; near if something gave way."),
]
MayAsk = Annotated[
    bool, Field(description="Whether the user may be asked which of equal repairs to take.")
]
Said = Annotated[
    str, Field(max_length=10_000, description="What the user says they want, in their own words.")
]
AskedColumn = Annotated[
    str, Field(description="The column that the text answers a question about.")
]
Today = Annotated[
    date | None, Field(description="The day that relative dates count from; today without it.")
]
Named = Annotated[list[str], Field(max_length=100, description="Only these columns; all if empty.")]


class CatalogTools:
    """The tools as methods; each is one question to the engine, within its deadline."""

    def __init__(
        self,
        catalog: Catalog,
        *,
        deadline: float,
        threads: int | None = None,
        reader: Extractor | None = None,
    ) -> None:
        self.catalog = catalog
        self.reader: Extractor = reader or OfflineExtractor()
        self.deadline = deadline
        # One thread a question: several may be asked at once, and each makes its own query.
        engine = RepairEngine(catalog, threads=1)
        self.engine = AsyncRepairEngine(engine, threads=threads)

    async def understand(
        self, text: Said, slot: AskedColumn = "", today: Today = None
    ) -> Annotated[CallToolResult, UnderstoodReply]:
        """Read what a user wants from their own words, as arguments for `search` and `repair`.

        Tell the user what was not understood, and ask the `questions` where there are any.
        """

        def read(queued: QueueSlot) -> UnderstoodReply:
            found = self.reader.extract(text, self.catalog, slot=slot or None, today=today)
            return understood_reply(found)

        return result(await self.ask("understand", read))

    async def clarify(
        self, text: Said, today: Today = None
    ) -> Annotated[CallToolResult, ClarifiedReply]:
        """Find what is unclear in a user's words, each with a question and counted answers.

        Ask the first questions, then give `search` or `repair` the constraints of the answers
        beside those that are clear.
        """

        def read(queued: QueueSlot) -> ClarifiedReply:
            found = self.reader.extract(text, self.catalog, today=today)
            return clarified_reply(clarified(text, self.catalog, extraction=found, today=today))

        return result(await self.ask("clarify", read))

    async def search(
        self,
        where: Where = "",
        constraints: Constraints = NONE,
        base: Base = NONE,
        minimize: Columns = NONE,
        maximize: Columns = NONE,
        limit: Limit = DEFAULT_LIMIT,
        offset: Offset = 0,
        sort: Columns = NONE,
    ) -> Annotated[CallToolResult, SearchReply]:
        """Find items that meet every wish, the best first. Zero items: call `repair`.

        `sort` orders them by columns instead: price, -price, "price desc".
        """
        arguments = QueryArguments(where, constraints, base, minimize=minimize, maximize=maximize)
        page = partial(self._search, arguments, limit, offset, sort)
        return result(await self.ask("search", page))

    def _search(
        self,
        arguments: QueryArguments,
        limit: int,
        offset: int,
        sort: Sequence[str],
        slot: QueueSlot,
    ) -> SearchReply:
        # One question, so that count and items are of one version of the catalog.
        query = arguments.query(self.catalog)
        keys = [SortKey.parsed(text, self.catalog.schema) for text in sort]
        answer = self.engine.engine.repair(
            query, top=limit, offset=offset, sort=keys, deadline=slot.left
        )
        met = answer.status == Status.SAT_NO_RELAXATION
        return SearchReply(
            count=answer.count if met else 0,
            counts_exact=answer.counts_exact if met else answer.status != Status.UNKNOWN,
            items=[found_item(item) for item in answer.items] if met else [],
            complete=answer.complete,
            catalog_version=answer.catalog_version or 0,
            next_step="" if met else "call repair with the same arguments",
            did_you_mean=meant_replies(self._meant(answer, query)),
        )

    def _meant(self, answer: Answer, query: Query) -> list[Suggestion]:
        return meant_by(answer, self.catalog.snapshot(), len(query.base))

    async def diagnose(
        self, where: Where = "", constraints: Constraints = NONE, base: Base = NONE
    ) -> Annotated[CallToolResult, DiagnosisReply]:
        """Say why nothing matches: which wishes conflict, and how many items each one costs."""
        arguments = QueryArguments(where, constraints, base)
        return result(await self.ask("diagnose", partial(self._diagnose, arguments)))

    def _diagnose(self, arguments: QueryArguments, slot: QueueSlot) -> DiagnosisReply:
        query = _with_constraints(arguments.query(self.catalog))
        return diagnosis_reply(self.engine.engine.diagnose(query, deadline=slot.left, limit=1_000))

    async def repair(
        self,
        context: Context[Any, Any],
        where: Where = "",
        constraints: Constraints = NONE,
        base: Base = NONE,
        weights: Weights = UNWEIGHED,
        hard: Columns = NONE,
        minimize: Columns = NONE,
        maximize: Columns = NONE,
        gives_way: Positions = NONE,
        policy: str = DEFAULT_POLICY,
        rank: ItemOrder = None,
        top: Top = DEFAULT_TOP,
        may_ask: MayAsk = True,
    ) -> Annotated[CallToolResult, RepairReply] | InputRequiredResult:
        """Say which wishes should give way when nothing matches, and what to offer instead.

        Give `weights` or `hard` where the user said what matters. If several repairs cost the
        same the user is asked; where the client cannot ask, `choices` lists them: ask the user
        yourself and call again with `gives_way`.
        """
        arguments = QueryArguments(where, constraints, base, weights, hard, minimize, maximize)
        wanted = partial(self._repair, arguments, policy, rank, max(top, MAX_CHOICES))
        answer = await self.ask("repair", partial(wanted, gives_way))
        if gives_way:
            return result(repair_reply(answer, top, tied(answer), "caller"))
        choices = tied(answer)
        chosen = await ask(context, choices) if choices and may_ask else None
        if isinstance(chosen, InputRequiredResult):
            return chosen
        if chosen is not None:
            answer = await self.ask("repair", partial(wanted, chosen.gives_way))
        query = arguments.query(self.catalog)
        meant = await self.ask("repair", lambda _: self._meant(answer, query))
        tie = _tie_break(choices, chosen)
        return result(repair_reply(answer, top, choices, tie, meant))

    def _repair(
        self,
        arguments: QueryArguments,
        policy: str,
        rank: Rank | None,
        top: int,
        gives_way: Sequence[int],
        slot: QueueSlot,
    ) -> Answer:
        query = preferring(_with_constraints(arguments.query(self.catalog)), gives_way)
        return self.engine.engine.repair(
            query, policy=policy, rank=rank, top=top, deadline=slot.left
        )

    async def catalog_schema(
        self, columns: Named = NONE, values: Values = 10
    ) -> Annotated[CallToolResult, SchemaReply]:
        """List the columns that wishes can be about: kinds, ranges, frequent values."""

        def read(slot: QueueSlot) -> SchemaReply:
            return schema_reply(self.catalog.snapshot(), columns, values)

        return result(await self.ask("catalog_schema", read))

    async def ask(self, operation: str, call: Callable[[QueueSlot], Result]) -> Result:
        """Return what a call returns in the pool, within the deadline; raise `ToolError`."""
        try:
            return await self.engine.ask(operation, call, self.deadline)
        except ConcedeError as error:
            raise ToolError(str(error)) from None


def _tie_break(choices: list[Choice], chosen: Choice | None) -> TieBreak | None:
    if not choices:
        return None
    return "order" if chosen is None else "user"


def _with_constraints(query: Query) -> Query:
    if not query.constraints:
        raise QueryError("no wishes", hint="say what is wanted in where, or as constraints")
    return query


def preferring(query: Query, gives_way: Sequence[int]) -> Query:
    """Return the query with less weight on the wishes at these positions.

    Raises `QueryError` for a position that is none, or one that is hard.
    """
    width = len(query.constraints)
    for position in gives_way:
        if position not in range(width):
            hint = f"positions: 0 to {width - 1}"
            raise QueryError(f"gives_way {position}: no such wish", hint=hint)
        if position in query.hard_positions:
            hint = "take it out of hard, or let another give way"
            raise QueryError(f"gives_way {position}: that wish is hard", hint=hint)
    if not gives_way:
        return query
    weighs = any(query.constraints[position].importance for position in gives_way)
    constraints = [
        changed(constraint, {"weight": _weight(constraint.importance, at in gives_way, weighs)})
        for at, constraint in enumerate(query.constraints)
    ]
    return query.replace(constraints)


def _weight(weight: float, least: bool, weighs: bool) -> float:
    if least:
        return weight * LESS
    return weight if weighs else max(weight, TRIFLE)


def result(reply: BaseModel) -> CallToolResult:
    """Return a reply with its words first, and the whole of it for clients that read text."""
    explanation = getattr(reply, "explanation", "")
    texts = [
        *([explanation] if explanation else []),
        reply.model_dump_json(exclude={"explanation"}),
    ]
    return CallToolResult(
        content=[TextContent(type="text", text=text) for text in texts],
        structured_content=reply.model_dump(mode="json", by_alias=True),
    )
