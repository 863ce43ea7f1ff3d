"""A turn read by a chat model: one structured call says what the person wants and does.

Everything it says of wishes is checked as `extraction.llm` checks claims: the last message has to
hold the words, the catalog the column and the value. Items are those that are shown, by number.
Nothing of the reply to the person is the model's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from ...catalogs.errors import ModelError, one_line
from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint, condition
from ..extraction.assisted import AssistedExtractor
from ..extraction.claims import Aim, ClaimOfTurn, Claims, Lenient, Term
from ..extraction.extracted import Extraction, Extractor
from ..extraction.llm import LLMExtractor, checked_claims, column_named, shown
from ..models.chat_model import Request
from ..models.prompt import Prompt, load_prompt
from ..models.structured import ask_for
from ..transcripts.transcript import Message, Transcript
from .acts import Act
from .negotiation import Negotiation
from .parts import LIKELY
from .turn import Turn

MAX_ITEMS, MAX_CELLS, MAX_CELL = 10, 24, 120
"""Items that a model is shown, columns of each, and characters of each of these."""

MAX_MOVES = 20
"""Moves of one turn that are carried out."""

MOST_TAKEN = 1_000_000
"""How many of an item can be taken."""

PLAIN = ("inform", "affirm", "negate", "dont_care", "thanks", "greet")
"""Acts of a turn that needs no model, where it is read surely."""

Doing = Literal[
    "drop", "any", "keep", "may_go", "take", "note", "which", "cancel", "refuse", "more",
    "differ", "tell", "compare", "best", "show", "count", "values", "why", "reason", "explain",
    "summary", "help", "undo", "restart", "thanks", "greet", "bye", "request", "beyond",
]  # fmt: skip

ACTS: dict[str, tuple[str, str]] = {
    "drop": ("retract", ""),
    "any": ("dont_care", ""),
    "keep": ("negate", "keep"),
    "may_go": ("weigh", ""),
    "take": ("affirm", "select"),
    "note": ("affirm", ""),
    "which": ("ask", "items"),
    "refuse": ("negate", ""),
    "cancel": ("retract", ""),
    "more": ("ask_more", ""),
    "differ": ("ask_better", ""),
    "tell": ("ask", "value"),
    "compare": ("ask", "value"),
    "best": ("ask", "items"),
    "show": ("ask", "items"),
    "count": ("ask", "count"),
    "values": ("ask", "values"),
    "why": ("ask", "why"),
    "reason": ("ask", "reason"),
    "explain": ("ask", "meaning"),
    "summary": ("ask", "state"),
    "help": ("ask", "help"),
    "undo": ("undo", ""),
    "restart": ("retract", "all"),
    "thanks": ("thanks", ""),
    "greet": ("greet", ""),
    "bye": ("end", ""),
    "request": ("ask", "help"),
    "beyond": ("ask", "meaning"),
}
"""What each move is called among the acts of a turn (`acts.LABELS`)."""


class TermOfItem(Term):
    """A part of a sum that is asked for: of an item, or of each.

    `by`: the column that it is multiplied by, which no model is asked for.
    """

    item: int | Annotated[str, Field(max_length=500)] | None = None
    by: SkipJsonSchema[str] = Field(default="", max_length=500)


class Move(Lenient):
    """One thing that a turn does, as a model gives it; nothing of it is believed yet."""

    act: Doing
    items: list[int | Annotated[str, Field(max_length=500)]] = Field(
        default_factory=list[int | str], max_length=20
    )
    columns: list[str] = Field(default_factory=list[str], max_length=20)
    values: list[bool | int | float | str] = Field(
        default_factory=list[bool | int | float | str], max_length=20
    )
    direction: Literal["min", "max"] | None = None
    total: list[TermOfItem] = Field(default_factory=list[TermOfItem], max_length=20)
    limit: float | None = Field(default=None, allow_inf_nan=False)
    number: int | None = Field(default=None, ge=1, le=MOST_TAKEN)
    all: bool = False
    average: bool = False
    where: list[ClaimOfTurn] = Field(default_factory=list[ClaimOfTurn], max_length=20)
    quote: str = Field(default="", max_length=5_000)


class TurnClaims(Lenient):
    """A model's whole reply about a turn."""

    constraints: list[ClaimOfTurn] = Field(default_factory=list[ClaimOfTurn], max_length=1_000)
    objectives: list[Aim] = Field(default_factory=list[Aim], max_length=1_000)
    leanings: list[Aim] = Field(default_factory=list[Aim], max_length=1_000)
    not_understood: list[str] = Field(default_factory=list[str], max_length=1_000)
    moves: list[Move] = Field(default_factory=list[Move], max_length=100)


@dataclass(frozen=True)
class ReadTurn:
    """What a model made of a turn: its wishes, and what it does besides.

    `asked`: for each move, what is asked for in `where`, as far as the catalog bears it out;
    `heard`: the acts that were heard, where moves were made of them.
    """

    extraction: Extraction
    moves: tuple[Move, ...]
    asked: tuple[Extraction, ...]
    heard: tuple[Act, ...] | None = None

    @property
    def acts(self) -> tuple[Act, ...]:
        """What the turn does, in its order."""
        if self.heard is not None:
            return self.heard
        found = self.extraction
        states = found.constraints or found.objectives or found.leanings
        acts = [Act("inform")] if states else []
        return (*acts, *(Act(*ACTS[move.act]) for move in self.moves))


@dataclass(frozen=True)
class TurnReader:
    """Asks a chat model about a turn: about every one, or where it is not read surely without."""

    extractor: LLMExtractor
    offline: Extractor
    threshold: float | None = None
    on_failure: Callable[[ModelError], None] | None = None
    prompt: Prompt = field(default_factory=lambda: load_prompt("read_turn"))

    @classmethod
    def of(cls, extractor: Extractor) -> TurnReader | None:
        """Return the reader of turns of an extractor that asks a model; None for any other."""
        if isinstance(extractor, AssistedExtractor):
            asks = extractor.model
            return cls(asks, extractor.offline, extractor.threshold, extractor.on_failure)
        if isinstance(extractor, LLMExtractor):
            return cls(extractor, extractor.offline)
        return None

    def needs(self, turn: Turn) -> bool:
        """Return whether a model is asked about a turn that was read without one."""
        if turn.unreadable or not turn.text.strip():
            return False
        if turn.settles is not None and self.threshold is not None:
            return False  # It answers what was unclear.
        if self.threshold is None:
            return True
        sure = turn.found.chance >= self.threshold and not turn.found.not_understood
        plain = all(act in PLAIN and act.confidence >= LIKELY for act in turn.acts)
        return not (sure and plain) or turn.offers or any(part.asks for part in turn.sentences)

    def read(self, talk: Negotiation, turn: Turn) -> ReadTurn | None:
        """Return what a model makes of a turn that was read without one.

        None where none is needed, and where it may fail and does. Raises `ModelError` where a model
        is asked about every turn and gives no usable reply.
        """
        if not self.needs(turn):
            return None
        try:
            return self._read(talk, turn.text, turn.found)
        except ModelError as error:
            if self.on_failure is None:
                raise
            self.on_failure(error)
            return None

    def _read(self, talk: Negotiation, text: str, offered: Extraction) -> ReadTurn:
        last = Message("user", text)
        said = Transcript((*talk.messages, last)).typed()
        prompt = self.prompt.render(
            **shown(said, talk.catalog, offered),
            state="\n".join(map(one_line, _state(talk))),
        )
        request = Request.of(prompt, role="extractor", episode=self.extractor.episode)
        claims = ask_for(self.extractor.model, request, TurnClaims)
        moves = tuple(claims.moves[:MAX_MOVES])

        def checked(claims: Claims) -> Extraction:
            found = checked_claims(claims, said, talk.catalog, offered, since=len(talk.messages))
            # What nobody said is told to nobody.
            held = tuple(part for part in found.unresolved if part.evidence.end)
            return replace(found, unresolved=held)

        asked = tuple(checked(Claims(constraints=[*move.where])) for move in moves)
        wishes = Claims(
            constraints=[*claims.constraints],
            objectives=claims.objectives,
            leanings=claims.leanings,
            not_understood=claims.not_understood,
        )
        return ReadTurn(checked(wishes), moves, asked)


def _state(talk: Negotiation) -> Iterator[str]:
    """Yield what is wished, asked, shown and taken, a line each."""
    known = talk.preferences
    wishes = [_wish(wish) for wish in known.known]
    wishes += [f"{goal.column}: {goal.direction}" for goal in known.objectives]
    yield f"- Wished so far: {'; '.join(wishes) or 'nothing'}."
    if talk.question is not None:
        yield f"- Asked last: {one_line(talk.question.text)[:300]} (about {talk.question.slot})"
    if talk.doubtful:
        unsure = [talk.wording.wish(w) for at, w in enumerate(known.soft) if at in talk.doubtful]
        yield f"- Asked last: which of these must not give way: {'; '.join(unsure)}?"
    for place, item in enumerate(talk.basket[:MAX_ITEMS], 1):
        number = talk.taken_numbers[place - 1]
        yield f"- Taken, t{place}{f' ({number} of it)' if number > 1 else ''}: {_told(item.row)}."
    for place, item in enumerate(talk.shortlist[:MAX_ITEMS], 1):
        yield f"- Kept in mind, k{place}: {_told(item.row)}."
    if talk.proposal is None:
        yield "- No item is shown."
        return
    gives = talk.wording.gives_way(talk.proposal.answer.relaxed)
    fit = f"{talk.proposal.answer.count:,} fit" + (f", if {gives}" if gives else "")
    yield f"- Items shown, the best of those that fit ({fit}):"
    first = max(0, talk.place + 1 - MAX_ITEMS)
    items = talk.proposal.answer.items[first : first + MAX_ITEMS]
    for place, item in enumerate(items, first + 1):
        passed = " (was refused)" if item.row_id in talk.passed else ""
        yield f"- {place}. {_told(item.row)}{passed}"
    yield f"- Number {talk.place + 1} is the one offered and spoken of last."


def _wish(wish: Constraint) -> str:
    column = f"{one_line(wish.column)} " if wish.column else ""
    return f"{column}{condition(wish)}{' (must be)' if wish.hard else ''}"


def _told(row: Row) -> str:
    cells = [(name, value) for name, value in row.items() if value is not None][:MAX_CELLS]
    return "; ".join(f"{one_line(name)[:MAX_CELL]}: {_cell(value)}" for name, value in cells)


def _cell(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)
    return one_line(text)[:MAX_CELL]


def columns_of(talk: Negotiation, names: Sequence[str]) -> list[str]:
    """Return those of some names that are columns of the catalog, as it spells them."""
    found = (column_named(talk.catalog, name) for name in names)
    return list(dict.fromkeys(name for name in found if name is not None))
