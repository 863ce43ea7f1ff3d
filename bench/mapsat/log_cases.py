"""Cases out of a log: each session of somebody who is known already begins with a question.

A session is what one person did without a pause of an hour. What its first list was asked for is
the question; what was taken from that list, and what followed, came after it; everything before
the session is the history.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

from ...dialogs.weighters.evidence.events import Event
from ...dialogs.weighters.evidence.implicit_factors import SESSION
from .case import Case, Record

LEAST_EARLIER = 5
"""Events of a history, from which on habits may show."""


def cases_of_log(events: Iterable[Event]) -> Iterator[Case]:
    """Yield the cases of a log, person by person, the oldest first."""
    of_person: defaultdict[str, list[Event]] = defaultdict(list)
    for event in events:
        of_person[event.user].append(event)
    for user in sorted(of_person):
        own = sorted(of_person[user], key=lambda event: (event.time, event.id))
        for start, end in _sessions(own):
            if start >= LEAST_EARLIER and own[start].constraints:
                yield _case(f"{user} {own[start].id}", own[:start], own[start:end])


def _sessions(events: Sequence[Event]) -> Iterator[tuple[int, int]]:
    """Yield where each session begins, and where it has ended."""
    start = 0
    for at in range(1, len(events) + 1):
        if at == len(events) or events[at].time - events[at - 1].time >= SESSION:
            yield start, at
            start = at


def _case(name: str, before: Sequence[Event], session: Sequence[Event]) -> Case:
    first = session[0]
    time = datetime.fromtimestamp(first.time, UTC).replace(tzinfo=None)
    context: Record = {"uid": first.user, "time": f"{time:%Y-%m-%dT%H:%M:%S}"}
    if first.place is not None:
        context["location"] = list(first.place)
    history, after = (tuple(map(_record, events)) for events in (before, session))
    return Case(name, first.constraints, context, history, after)


def _record(event: Event) -> Record:
    record = event.record()
    return {name: value for name, value in record.items() if name not in ("user", "received")}
