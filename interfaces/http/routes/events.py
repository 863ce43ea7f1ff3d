"""`/v1/events`, `/v1/users`: what people did with what they were shown, and forgetting a person."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import ConfigDict, Field, JsonValue
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from ....catalogs.errors import QueryError
from ....dialogs.weighters.evidence.events import Event, of_record
from ..behaviours import learn_beside
from ..body_reader import Body
from ..openapi import INTEGER, documented, object_of
from ..request_models import CatalogName
from ..state import state_of
from .repair import json_response

router = APIRouter(prefix="/v1", tags=["behaviour"])

MOST_EVENTS = 1_000
TAKEN = object_of(added=INTEGER, known=INTEGER, skipped=INTEGER)
FORGOTTEN = object_of(forgotten=INTEGER)

EXAMPLE: dict[str, JsonValue] = {
    "id": "e1",
    "user": "ann",
    "time": "2026-05-01T12:00:00Z",
    "constraints": [{"column": "MSRP", "op": "<=", "value": 30000}],
    "shown": [17, 4],
    "clicked": [4],
}


class EventsRequest(Body):
    """One event, by its members, or several in `events`; each is {id, user, time, …}."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    catalog: CatalogName
    events: Annotated[list[dict[str, Any]] | None, Field(max_length=MOST_EVENTS)] = None
    id: str | int | None = Field(default=None, description="Sent again, it is not taken twice.")
    user: str | int | None = None
    time: str | int | float | None = Field(
        default=None, description="ISO 8601, or seconds since 1970."
    )
    constraints: list[Any] | None = None
    shown: list[Any] | None = Field(default=None, description="Keys of items, the top one first.")
    clicked: list[Any] | None = None
    bought: list[Any] | None = None
    dwell: dict[str, Any] | None = Field(default=None, description="Seconds by key.")
    put_back: list[Any] | None = Field(default=None, description="Positions of constraints.")
    place: list[Any] | None = Field(
        default=None, description="Where it was asked, latitude and longitude."
    )

    def taken(self) -> list[Event]:
        """Return the events; raise `QueryError` for what is none."""
        own = self.model_dump(exclude={"catalog", "events"}, exclude_none=True)
        if self.events is not None and own:
            raise QueryError("events beside the members of one", hint="put it among them")
        records = [own] if self.events is None else self.events
        for record in records:
            if "received" in record:
                raise QueryError("received: no such field", hint="leave it out")
        return [of_record(Event, record) for record in records]


@router.post("/events", **documented(EventsRequest, TAKEN, "How many were new, and are known."))
async def add(request: Request) -> Response:
    """Take in what somebody was shown and did; it is on the disk when the answer comes."""
    state = state_of(request)
    body = await state.bodies.read_json(request, EventsRequest)
    served = state.find(body.catalog)
    behaviour = served.known_behaviour
    events = body.taken()
    before = behaviour.skipped.items
    deadline = state.settings.limits.deadline
    added = await served.engine.ask("events", lambda _: behaviour.add_all(events), deadline)
    learn_beside(behaviour)
    skipped = behaviour.skipped.items - before
    record = {"added": added, "known": behaviour.count, "skipped": skipped}
    return json_response(to_json(record))


@router.delete("/users/{user:path}", **documented(None, FORGOTTEN, "They are known no longer."))
async def forget(request: Request, user: str) -> Response:
    """Forget a person, in every catalog's log, in memory and on the disk."""
    state = state_of(request)
    count = 0
    for behaviour in state.behaviours.values():
        count += await state.writes.run(lambda _, known=behaviour: known.forget(user))
        learn_beside(behaviour)
    return json_response(to_json({"forgotten": count}))
