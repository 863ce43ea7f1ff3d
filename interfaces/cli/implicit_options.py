"""`concede repair --implicit`: a person's log, profile and moment, and what they add to a query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ...catalogs.errors import QueryError, UnreadableFile, excerpt

if TYPE_CHECKING:
    from ...catalogs.catalog import Catalog
    from ...catalogs.query.query import Query
    from ...dialogs.weighters.evidence.circumstances import Profile
    from ...dialogs.weighters.evidence.events import Event
    from ...engine.answer import Answer

MOST_READ = 1_000_000
"""Bytes of a profile."""


@dataclass(frozen=True)
class ImplicitOptions:
    """Whose history, what profile, when and where; nothing of it without `implicit`."""

    implicit: bool
    user: str | None
    events: str | None
    key: str | None
    about: str | None
    time: str | None
    place: str | None

    @classmethod
    def taken_from(cls, given: dict[str, Any]) -> Self:
        """Take the options out of those given; raise `QueryError` for what does not go together."""
        options = cls(**{part.name: given.pop(part.name) for part in fields(cls)})
        options._check()
        return options

    def _check(self) -> None:
        named = [
            f"--{part.name}" for part in fields(self)[1:] if getattr(self, part.name) is not None
        ]
        if named and not self.implicit:
            raise QueryError(f"{named[0]} without --implicit", hint="add --implicit")
        if self.implicit and not named:
            hint = "give --user, --events and --key, --about, --time or --place"
            raise QueryError("--implicit, and nothing is known of the person", hint=hint)
        history = [name for name in ("--user", "--events", "--key") if name in named]
        if history and len(history) < 3:
            raise QueryError(f"{history[0]} alone", hint="give --user, --events and --key together")

    def asking(self, catalog: Catalog, ask: Callable[[Query], Answer]) -> Callable[[Query], Answer]:
        """Return `ask` with what is known of the person added to each query.

        Raises `UnreadableFile` for a log or a profile that is none, and `QueryError`.
        """
        if not self.implicit:
            return ask
        from ...dialogs.weighters.evidence.circumstances import Context
        from ...dialogs.weighters.evidence.implicit_factors import implicit_factors
        from ...dialogs.weighters.evidence.implicit_repair import with_factors, with_reasons

        context, profile, log = Context.of(self.time, self.place), self._profile(), self._log()
        key = None if self.key is None else catalog.schema.find(self.key).name

        def asked(query: Query) -> Answer:
            said = (*query.base, *query.constraints)
            factors = implicit_factors(catalog, key, log, profile, context, said)
            fuller, added = with_factors(catalog, query, factors)
            return with_reasons(ask(fuller), added)

        return asked

    def _profile(self) -> Profile | None:
        from ...dialogs.transcripts.text_file import parsed
        from ...dialogs.weighters.evidence.circumstances import profile_of
        from .query_options import read_up_to

        if self.about is None:
            return None
        record = parsed(Path(self.about), read_up_to(self.about, MOST_READ), 1, strict=True)
        try:
            return profile_of(record)
        except QueryError as error:
            raise UnreadableFile(self.about, str(error.problem), hint=error.hint) from None

    def _log(self) -> Sequence[Event]:
        from ...dialogs.weighters.evidence.events import Event, read_lines

        if self.events is None:
            return ()
        own: dict[str, Event] = {}
        for _, event in read_lines(Path(self.events), Event):
            if event.user == self.user:
                own.setdefault(event.id, event)
        if not own:
            from .output import complain

            complain(f"no events of {excerpt(self.user)} in {self.events}")
        return list(own.values())
