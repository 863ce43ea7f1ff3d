"""Replay of recorded tool calls: the same call always gets the same reply.

In order: `exact`, a record whose arguments match, of the case itself before others; `nearest`, the
record of the case and tool whose text is most alike, at least `THRESHOLD`; `simulated`, what the
first simulator says that can; `miss`. A query counts alone for the nearest, as in the origin; where
a tool takes none, names may differ a little and the rest must match. Costs a look at each record
of the tool.

Source: MapSatisfyBench, 3.2 and 4.2.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from .calls import RecordedCall, Simulator, ToolCall, ToolReply
from .matching import is_empty, matches
from .schemas import Schemas, Texts, ToolSchema, built_in_schemas, texts_of
from .text_vectors import similarity

THRESHOLD = 0.85
"""How alike the nearest text is at least (4.2)."""


class ReplaySandbox:
    """Replies to tool calls from records; safe to use from several threads.

    `schemas` are the tools that simulators are asked about; a record of any other tool is replayed
    all the same.
    """

    def __init__(
        self,
        records: Iterable[RecordedCall],
        simulators: Sequence[Simulator] = (),
        schemas: Schemas | None = None,
    ) -> None:
        self.schemas: Mapping[str, ToolSchema] = built_in_schemas() if schemas is None else schemas
        self._simulators = tuple(simulators)
        self._by_tool: defaultdict[str, list[RecordedCall]] = defaultdict(list)
        for record in records:
            self._by_tool[record.tool].append(record)

    @property
    def tools(self) -> tuple[str, ...]:
        """The recorded tools, and those with a schema, in order."""
        return tuple(sorted({*self._by_tool, *self.schemas}))

    @property
    def cases(self) -> tuple[str, ...]:
        """The recorded cases in order."""
        return tuple(sorted({r.case for records in self._by_tool.values() for r in records}))

    def reply(self, call: ToolCall, case: str = "") -> ToolReply:
        """Return the reply to a call made in a case."""
        records = self._by_tool.get(call.tool, [])
        own = [record for record in records if record.case == case]
        recorded = _exact(call, own, records)
        if recorded is not None:
            return ToolReply("exact", recorded.result)
        return self._nearest(call, own) or self._simulated(call) or ToolReply("miss")

    def _nearest(self, call: ToolCall, own: Sequence[RecordedCall]) -> ToolReply | None:
        """Return the reply recorded for the text most alike, the first of several."""
        schema = self.schemas.get(call.tool)
        said = texts_of(call, schema)
        best, nearest = 0.0, None
        for record in own if said.by_name else ():
            score = _alike(said, texts_of(record.call, schema))
            if score > best and (said.are_open or _rest_matches(record, call, said)):
                best, nearest = score, record
        if nearest is None or best < THRESHOLD:
            return None
        return ToolReply("nearest", nearest.result, best)

    def _simulated(self, call: ToolCall) -> ToolReply | None:
        if call.tool not in self.schemas:
            return None
        results = (simulator.result(call) for simulator in self._simulators)
        found = next((result for result in results if result is not None), None)
        return None if found is None else ToolReply("simulated", found)


def _exact(
    call: ToolCall, own: Sequence[RecordedCall], records: Sequence[RecordedCall]
) -> RecordedCall | None:
    """Return the first record that matches; of another case only one that says something."""
    found = next((record for record in own if matches(record.arguments, call.arguments)), None)
    if found is not None:
        return found
    matching = (record for record in records if matches(record.arguments, call.arguments))
    return next((record for record in matching if _says_something(record)), None)


def _says_something(record: RecordedCall) -> bool:
    return not all(is_empty(value) for value in record.arguments.values())


def _alike(said: Texts, recorded: Texts) -> float:
    """Return how alike the texts that both have are, that of the least; 0 where they share none."""
    shared = said.by_name.keys() & recorded.by_name.keys()
    if not shared or said.are_open != recorded.are_open:
        return 0.0
    return min(similarity(said.by_name[name], recorded.by_name[name]) for name in shared)


def _rest_matches(record: RecordedCall, call: ToolCall, said: Texts) -> bool:
    """Return whether all but the texts of a record match a call."""
    rest = {name: value for name, value in record.arguments.items() if name not in said.by_name}
    return matches(rest, call.arguments)
