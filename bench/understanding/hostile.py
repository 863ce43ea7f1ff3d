"""Turns without any wish: nonsense, insults, questions, other scripts, control characters, floods.

Each is said to a session of its own, as the first words or in place of an answer. Nothing may
be understood of it, something has to be said to it, and the conversation goes on: a plain
wish after it is heard as before. Cost: one short conversation a turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...catalogs.catalog import Catalog
from ...catalogs.errors import ConcedeError
from ...dialogs.conversation.session import Session
from ..json_lines import read_records
from .personas import OpenSession, Persona, held_out_personas, open_session
from .request_records import HELD_OUT, Strict
from .wilson import Share, share

LONGEST = 100_000
"""Characters of a turn that is made by rule."""


class HostileTurn(Strict):
    """A text, or one repeated `times` up to `LONGEST` characters; `first`: it opens."""

    catalog: str
    kind: str
    text: str
    times: int = 1
    first: bool = False

    def said(self) -> str:
        """Return what is said."""
        return (self.text * self.times)[:LONGEST]


@dataclass(frozen=True, slots=True)
class HostileScores:
    """Turns of which nothing was understood, after which a wish is heard, and that got a reply.

    `kinds`: turns of a kind that are right in all three ways.
    """

    turns: int
    no_constraint: Share
    goes_on: Share
    replied: Share
    kinds: dict[str, Share]

    def record(self) -> dict[str, Any]:
        """Return the scores as a JSON object."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Reception:
    """What became of one turn."""

    no_constraint: bool
    goes_on: bool
    replied: bool

    @property
    def right(self) -> bool:
        """Whether nothing is wrong."""
        return self.no_constraint and self.goes_on and self.replied


def held_out_hostile() -> tuple[HostileTurn, ...]:
    """Return the turns that judge a session."""
    return read_hostile(HELD_OUT / "hostile.jsonl")


def read_hostile(file: str | Path) -> tuple[HostileTurn, ...]:
    """Read a file of turns. Raises `UnreadableFile` that names the line of what is wrong."""
    return tuple(read_records(file, HostileTurn.model_validate))


def score_hostile(
    turns: Sequence[HostileTurn],
    begin: OpenSession = open_session,
    catalogs: Path = HELD_OUT / "catalogs",
    personas: Sequence[Persona] | None = None,
) -> HostileScores:
    """Say every turn to a session of its own and return the figures.

    The first persona of a turn's catalog gives the plain words around it.
    """
    people = {one.catalog: one for one in reversed(personas or held_out_personas())}
    pairs = list(_receptions(turns, begin, catalogs, people))

    def shared(judged: Callable[[Reception], bool], kind: str | None = None) -> Share:
        chosen = [found for turn, found in pairs if kind in (None, turn.kind)]
        return share(sum(map(judged, chosen)), len(chosen))

    return HostileScores(
        len(pairs),
        shared(lambda found: found.no_constraint),
        shared(lambda found: found.goes_on),
        shared(lambda found: found.replied),
        {
            kind: shared(lambda found: found.right, kind)
            for kind in dict.fromkeys(turn.kind for turn in turns)
        },
    )


def _receptions(
    turns: Sequence[HostileTurn],
    begin: OpenSession,
    catalogs: Path,
    people: dict[str, Persona],
) -> Iterator[tuple[HostileTurn, Reception]]:
    for name in dict.fromkeys(turn.catalog for turn in turns):
        with Catalog.open(catalogs / f"{name}.csv") as catalog:
            for turn in (one for one in turns if one.catalog == name):
                yield turn, _reception(turn, begin(catalog), people[name].opening)


def _reception(turn: HostileTurn, session: Session, plain: str) -> Reception:
    """Say a turn; any error of ours on the way means that the conversation does not go on."""
    no_constraint = replied = False
    try:
        if not turn.first:
            session.hear(plain)
            session.next_question()
        before = _held(session)
        heard = session.hear(turn.said())
        no_constraint = _held(session) == before
        replied = bool(str(getattr(heard, "reply", "")).strip())
        session.hear(plain)
        goes_on = bool(_held(session)) and session.ended is None
    except ConcedeError:
        goes_on = False
    return Reception(no_constraint, goes_on, replied)


def _held(session: Session) -> set[str]:
    query = session.query
    return {f"{part}, hard: {part.hard}" for part in (*query.base, *query.constraints)}
