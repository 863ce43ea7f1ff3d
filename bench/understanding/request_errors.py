"""What a reader got wrong about one phenomenon, for whoever mends the reader.

For development sets alone. Held-out requests lose their worth once somebody who writes rules,
features or training sentences has read one of them, so this refuses that folder.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...catalogs.errors import QueryError
from .request_records import HELD_OUT, RequestSet
from .requests import Reader, offline_reader, readings


def errors_of(
    records: RequestSet, phenomenon: str, extract: Reader = offline_reader
) -> Iterator[str]:
    """Yield a paragraph for each request of a phenomenon that is not fully right.

    Raises `QueryError` for the held-out set.
    """
    if records.catalogs.resolve().is_relative_to(HELD_OUT.resolve()):
        hint = "look at errors on the development set; of this one, take figures only"
        raise QueryError("the held-out requests are not shown", hint=hint)
    for request, marks, read, _ in readings(records, extract):
        if phenomenon in request.phenomena and not marks.fully_right:
            constraints = ", ".join(str(part.constraint) for part in read.constraints)
            yield "\n".join(
                (
                    f"[{request.catalog}] {request.before or ''} > {request.text}",
                    f"  missing {_named(marks.missing)}; extra {_named(marks.extra)}",
                    f"  objectives {marks.objectives}, leanings {marks.leanings}",
                    f"  read {constraints or 'nothing'}",
                )
            )


def _named(wishes: tuple[object, ...]) -> str:
    return ", ".join(map(str, wishes)) or "none"
