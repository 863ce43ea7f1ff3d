"""A turn read without a chat model: what each sentence does becomes moves.

The encoder of turns says what a sentence does and what is said of each thing that it names; the
extractor and the index of columns say what these are. What follows is carried out as a model's
moves are. First words, and answers to questions, wish for what was read in them as such.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...catalogs.query.constraint import Constraint
from ..extraction.extracted import (
    Extracted,
    ExtractedObjective,
    Extraction,
    Leaning,
    Unresolved,
)
from ..extraction.offline import OfflineExtractor
from ..transcripts.transcript import Span as Evidence
from . import wished_parts
from .acts import LABELS, Act
from .either_said import with_choices
from .item_answers import naming_columns
from .joined_moves import Asking
from .model_turns import ACTS, Move, ReadTurn
from .named_items import ItemSaid, Ref, last_said
from .naming import named_values, named_wishes
from .negotiation import Negotiation
from .parts import LIKELY, cut, overlaps, place_of
from .preferences import NEGATIVE
from .said import Said, likeliest, role_of, said_in, sentence_at, shortened
from .spoken_moves import MOST, MOVES, OF_ITEMS, moves_said
from .turn import Turn
from .turn_encoder import HeardTurn, Span, TurnEncoder, shipped
from .wished_parts import ITEM_ACTS, FoundPart, Kind

ANSWERING = ("affirm", "negate", "dont_care", "dont_know")
"""Acts of who answers what was asked."""

OF_OFFERS = ("take", "which", "refuse", "cancel")
"""Moves that answers to questions only sound like."""

SURELY_HEARD = (
    "affirm",
    "negate",
    "dont_care",
    "dont_know",
    "affirm select",
)
"""Acts that change something, and are not taken to be done by a turn's words alone."""

_LABELLED = {f"{act} {topic}".strip(): (act, topic) for act, topic in LABELS}


@dataclass(frozen=True)
class OfflineTurns:
    """Reads turns by an encoder that was fitted to what people type."""

    encoder: TurnEncoder

    def read(self, talk: Negotiation, turn: Turn) -> ReadTurn:
        """Return what a turn wishes and does."""
        heard = self.encoder.hear(turn.text, last_said(talk), cut(turn.text))
        turn.take_up(*_more_found(talk, turn, heard))
        turn.take_up(_more_asked(talk, turn, heard), wished=False)
        said = said_in(turn, heard)
        (moves, items), names = moves_said(talk, turn, said), naming_columns(talk)
        if stay := _named_to_stay(talk, turn):
            moves = [(stay, ()), *((move, found) for move, found in moves if move.act != "take")]
        if turn.first or _answers(turn):
            wishes, acts = _as_good(_answered(talk, turn), turn.text, heard), turn.acts
            moves = [asking for asking in moves if not _is_answer(turn, asking[0])]
            if turn.question is not None and _leaves_open(turn):
                moves.append((Move(act="any"), ()))
        else:
            wishes, acts = _wishes(talk, turn, heard, said), _acts(said)
            wishes = _without_names(wishes, items)
            states = wishes.constraints or wishes.objectives or wishes.leanings
            if not states and not moves:
                acts, moves = turn.acts, _by_words(turn, items, names)
            elif states and not any(act in ("inform", "correct") for act in acts):
                acts = (*acts, Act("inform"))
        chosen = with_choices(turn.text, wishes.constraints, talk.catalog)
        wishes = replace(wishes, constraints=chosen)
        waived = [name for name in turn.taken.waived if name not in names]
        moves = _beside(moves, wishes, waived)
        asked = tuple(Extraction(tuple(found)) for _, found in moves)
        return ReadTurn(wishes, tuple(move for move, _ in moves), asked, acts)


def _more_found(
    talk: Negotiation, turn: Turn, heard: HeardTurn
) -> tuple[list[Extracted], list[Leaning]]:
    """Return what words name or lean to of which nothing was found, though they are wished for.

    The encoder knows by the whole turn that these are wishes, the extractor only by the words near
    them. One item by its name is none.
    """
    found, names = turn.found, naming_columns(talk)
    wished = (span for role in ("wish", "also") for span in heard.spans(role))
    again = _found_again(talk, turn, wished)
    columns = {part.constraint.column for part in (*found.constraints, *found.named)}
    aimed = columns | {goal.column for goal in (*found.objectives, *found.leanings)}
    values = [
        part
        for part in again.constraints
        if part.constraint.column not in columns
        and not (part.constraint.column in names and part.constraint.op != "in")
    ]
    return values, [goal for goal in again.leanings if goal.column not in aimed]


def _more_asked(talk: Negotiation, turn: Turn, heard: HeardTurn) -> list[Extracted]:
    """Return the values that words name of which nothing was found, though they are asked about.

    `Do they come with a case`, `how many cellos have you`; not where a column is named there. Of
    what the extractor does not find again, values that are named whole.
    """
    named = [span for spans in turn.named.values() for span in spans]
    asked = [span for span in heard.spans("ask") if not overlaps(span, named)]
    if not asked or turn.settles is not None:
        return []
    again = _found_again(talk, turn, asked)
    found = [
        part
        for part in (*again.constraints, *again.named)
        if part.constraint.op in ("==", "contains", "contains any")
        and all(isinstance(value, str | bool) for value in part.constraint.values)
    ]
    known = [place_of(part) for part in (*turn.found.constraints, *turn.found.named, *found)]
    for start, end in asked:
        words = turn.text[start:end]
        if not overlaps((start, end), known):
            place = Evidence(len(talk.messages) - 1, start, end, words)
            whole = {wish.column: wish for wish in named_values(words, talk.catalog)}
            told = {v for part in turn.found.constraints for v in part.constraint.values}
            wishes = (wish for wish in whole.values() if wish.value not in told)
            found += [Extracted(wish, LIKELY, place, words) for wish in wishes]
    names = naming_columns(talk)
    return [
        part
        for part in found
        if part.constraint.column not in names or talk.count([part.constraint]) > 1
    ]


def _found_again(talk: Negotiation, turn: Turn, said: Iterable[Span]) -> Extraction:
    """Return what is found in some words beside what was found, as they are known to mean it."""
    found = turn.found
    parts = (*found.constraints, *found.named, *found.objectives, *found.leanings)
    known = [place_of(part) for part in parts if place_of(part) != (0, len(turn.text))]
    spans = [left for span in said for left in _beside_known(turn.text, span, known)]
    if not spans or turn.settles is not None:
        return Extraction(())  # What was unclear is answered, and is not among what was found.
    again = OfflineExtractor().extract(turn.text, talk.catalog, wishing=spans)
    again = again.placed(len(talk.messages) - 1)

    def inside(parts: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(part for part in parts if overlaps(place_of(part), spans))

    leanings = inside(again.leanings)
    return Extraction(inside(again.constraints), named=inside(again.named), leanings=leanings)


def _beside_known(text: str, span: Span, known: Sequence[Span]) -> Iterator[Span]:
    """Yield what is left of some words without those of which something was found."""
    start = span[0]
    for a, b in sorted([*known, (span[1], span[1])]):
        if any(map(str.isalpha, text[start : min(a, span[1])])):
            yield start, min(a, span[1])
        start = max(start, b)


def _beside(moves: Sequence[Asking], wishes: Extraction, waived: Sequence[str]) -> list[Asking]:
    """Return the moves beside some wishes, which neither drop nor ask what is wished there.

    Columns that are waived are opened, too. What is asked to be seen is seen once.
    """
    moves = _shown_once(moves, wishes)
    stated = {part.constraint.column for part in wishes.constraints}
    kept = [
        (move, values)
        for move, values in moves
        if move.act not in ("drop", "best") or move.values or not stated & {*move.columns}
    ]
    opening = ("drop", "any")
    dropped = {name for move, _ in kept if move.act == "drop" for name in move.columns}
    kept = [m for m in kept if m[0].act != "any" or not dropped or not dropped >= {*m[0].columns}]
    gone = {name for move, _ in kept if move.act in opening for name in move.columns}
    left = [name for name in waived if name not in gone]
    return [*kept, (Move(act="any", columns=left), ())] if left else kept


def _shown_once(moves: Sequence[Asking], wishes: Extraction) -> list[Asking]:
    """Return moves in which the same is listed once; what is wished for is asked of all of it."""
    wished = [part.constraint for part in wishes.constraints]
    kept: list[Asking] = []
    for move, values in moves:
        left = [part for part in values if move.act != "show" or part.constraint not in wished]
        again = next((at for at, (m, v) in enumerate(kept) if m.act == "show" and v == left), None)
        if move.act != "show" or again is None:
            kept.append((move, left))
            continue
        first = kept[again][0]
        columns = dict.fromkeys([*first.columns, *move.columns])
        kept[again] = (first.model_copy(update={"columns": [*columns][:MOST]}), left)
    return kept


def _answers(turn: Turn) -> bool:
    """Return whether a turn answers what was asked."""
    says = turn.states or any(turn.get(act) for act in ANSWERING)
    return turn.settles is not None or (turn.question is not None and says)


def _answered(talk: Negotiation, turn: Turn) -> Extraction:
    """Return what an answer wishes for: what is looked for it does not change by the way."""
    slot = turn.question.slot if turn.question is not None and not turn.get("correct") else None
    fixed = (
        {wish.column for wish in talk.preferences.base} if slot is not None else set[str | None]()
    )
    if all(part.constraint.column != slot for part in turn.taken.constraints):
        return turn.taken
    kept = (p for p in turn.taken.constraints if p.constraint.column not in fixed - {slot})
    return replace(turn.taken, constraints=tuple(kept))


def _named_to_stay(talk: Negotiation, turn: Turn) -> Move | None:
    """Return which wishes must stay by an answer to which of them that is; None for no answer."""
    soft, asked = talk.preferences.soft, talk.doubtful
    if not asked or turn.states:
        return None
    named = [at for at in named_wishes(turn.text, turn.columns, soft) if at in asked]
    yes = turn.get("affirm") is not None and turn.get("affirm", "select") is None
    those = named or (asked if yes and len(asked) == 1 else ())
    columns = [soft[at].column or "" for at in those]
    return Move(act="keep", columns=columns, quote=shortened(turn.text)) if columns else None


def _is_answer(turn: Turn, move: Move) -> bool:
    """Return whether a move is what an answer to a question only sounds like."""
    if move.act not in ("drop", "any"):
        return move.act in OF_OFFERS
    slot = turn.question.slot if turn.question is not None else None
    stated = {part.constraint.column for part in turn.taken.constraints}
    if move.act == "any" and slot in {*move.columns} - stated:
        return False  # What was asked is left open, whatever else is wished for.
    if turn.states and turn.get("retract" if move.act == "drop" else "dont_care") is None:
        return True  # Beside what it wishes for, it says what it is flexible on.
    return (stated | {slot}).issuperset(move.columns)


def _leaves_open(turn: Turn) -> bool:
    """Return whether a turn says that what was asked does not matter, or is not known."""
    return not turn.states and any(turn.get(act) for act in ("dont_care", "dont_know", "negate"))


def _by_words(turn: Turn, items: Sequence[ItemSaid], names: Collection[str]) -> list[Asking]:
    """Return the moves of a turn in which nothing was heard, by its words as they were learned.

    What is asked is asked of the items that it names; `names` are the columns that name items.
    """
    acts = (f"{act} {act.topic}".strip() for act in turn.acts if act.confidence >= LIKELY)
    found = [MOVES[act] for act in acts if act in MOVES and act not in SURELY_HEARD]
    refs = [item.ref for item in items if item.role != "pass"][:MOST]
    found = [act for act in found if act in OF_ITEMS or not refs]
    columns = list(turn.named) if not {"tell", "values"}.isdisjoint(found) else []
    quote = shortened(turn.text)
    said = {"columns": columns[:MOST], "quote": quote, "items": refs}
    moves = [Move.model_validate(said | {"act": act}) for act in found]
    if turn.get("negate", "keep") and turn.named:
        moves.append(Move(act="keep", columns=list(turn.named)[:MOST], quote=quote))
    refused = [part.constraint for part in turn.found.constraints if part.constraint.op == "!="]
    if gone := [str(wish.value) for wish in refused if wish.column in names]:
        moves.append(Move(act="refuse", items=list[Ref](gone)[:MOST], quote=quote))
    return [(move, ()) for move in moves]


def _acts(said: Sequence[Said]) -> tuple[Act, ...]:
    """Return what sentences likely do, surest first."""
    found: dict[tuple[str, str], float] = {}
    for one in said:
        for name in one.done:
            label = _LABELLED.get(name) or ACTS[MOVES[name]]
            found[label] = max(one.acts[name], found.get(label, 0.0))
    ordered = sorted(found.items(), key=lambda pair: -pair[1])
    return tuple(Act(act, topic, chance) for (act, topic), chance in ordered)


def _wishes(talk: Negotiation, turn: Turn, heard: HeardTurn, said: Sequence[Said]) -> Extraction:
    """Return of what was found what is wished for."""
    found, model, names = turn.found, wished_parts.shipped(), naming_columns(talk)
    about_items = any(sentence.does(*ITEM_ACTS) for sentence in said)

    def is_wished(kind: Kind, part: Extracted | ExtractedObjective | Leaning) -> bool:
        sentence = sentence_at(said, part.evidence.start) or said[0]
        named = isinstance(part, Extracted) and part.constraint.column in names
        roles = heard.role_of(place_of(part))
        if likeliest(roles) == "pass" and isinstance(part, Extracted) and _avoids(talk, part):
            return True
        # What does not matter any more is dropped by a move.
        return likeliest(roles) != "drop" and model.is_wished(
            FoundPart(kind, part.score, named, about_items), roles, sentence.acts
        )

    def is_of_wish(part: Unresolved) -> bool:
        place = place_of(part)
        return any(overlaps(place, sentence.spans.get("wish", ())) for sentence in said)

    wished = replace(
        found,
        constraints=tuple(
            p for p in found.constraints if not p.implied and is_wished("constraint", p)
        ),
        objectives=tuple(p for p in found.objectives if is_wished("objective", p)),
        leanings=tuple(p for p in found.leanings if is_wished("leaning", p)),
        unresolved=tuple(filter(is_of_wish, found.unresolved)),
        not_understood=tuple(filter(is_of_wish, found.not_understood)),
        named=(),
    )
    return _as_good(wished, turn.text, heard)


def _avoids(talk: Negotiation, part: Extracted) -> bool:
    """Return whether what is passed over is a value of several items, `not Halden`, and no item."""
    wish = part.constraint
    if wish.op not in NEGATIVE:
        return False
    held = (Constraint(column=wish.column, op="==", value=value) for value in wish.values)
    return all(
        talk.catalog.profile(w.column or "").kind == "list" or talk.count([w]) > 1 for w in held
    )


def _without_names(wishes: Extraction, items: Sequence[ItemSaid]) -> Extraction:
    """Return wishes but for the words by which items are named that are spoken of."""
    named = [item.span for item in items if item.role in ("wish", "about", "take")]

    def is_of_name(part: Extracted) -> bool:
        start, end = place_of(part)
        return any(a <= start and end <= b for a, b in named)

    kept = tuple(part for part in wishes.constraints if not is_of_name(part))
    return replace(wishes, constraints=kept)


def _as_good(found: Extraction, text: str, heard: HeardTurn) -> Extraction:
    """Return what was found, what is as good as what was said before marked so.

    The first of several values tells: in `oak or ash` the ash is as good as the oak.
    """

    def with_role(part: Extracted) -> Extracted:
        first, *others = part.said.split(" / ")
        at = text.rfind(first, 0, part.evidence.start) if others else -1
        place = place_of(part) if at < 0 else (at, at + len(first))
        return replace(part, also=part.also or role_of(heard, place) == "also")

    return replace(found, constraints=tuple(map(with_role, found.constraints)))


def shipped_reader() -> OfflineTurns:
    """Return the reader that ships with the package."""
    return OfflineTurns(shipped())
