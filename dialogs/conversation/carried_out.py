"""Carry out what was read in a turn, its wishes and its moves, and reply to it.

Whoever read it, the encoder of turns or a chat model, says only what the person wants and does;
what changes is said from the difference between the wishes before and after, and every answer is
looked up in the catalog. Items are those of the moment the person spoke, whatever the turn changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...engine.answer import Item
from ..extraction.extracted import Extraction, Unresolved
from ..extraction.llm import evidence_of
from ..extraction.value_index import index_of
from ..language.wording import listed, quoted, sentence
from ..transcripts.transcript import Transcript
from .acts import NOT_UNDERSTOOD
from .answers import (
    better,
    count,
    help_words,
    limit_question,
    meaning,
    more,
    state,
    values,
)
from .averages import average
from .changes import after_change, changes, clarified, taken_back
from .item_answers import best, has, ranked, reason, shown_at, stay_with, why_not
from .item_moves import (
    ALL_THE_SAME,
    NO_SUCH,
    NOTHING,
    compared_items,
    given_back,
    held_of,
    kept_in_mind,
    meant_now,
    refused,
    taken_items,
    taken_so_far,
    told_of_items,
    which,
    why_of,
)
from .left_words import left_words
from .model_turns import ReadTurn
from .moves_meant import MoveMeant, moves_meant
from .naming import Direction, graded
from .negotiation import Negotiation
from .preferences import Preferences
from .proposal import Proposal
from .sentences import (
    SHALL_IT,
    counted,
    fitting,
    left_over,
    offer,
    understood,
    wished,
    would_be_nice,
)
from .shown_items import what_there_is
from .totals import best_total, total_of
from .turn import Turn
from .wish_moves import EXACT, fix, hold, let_go, want

OF_ALL = ("best", "show", "count", "values")
"""Moves that may be about all there is, whatever is wished."""

ALL_OR_NONE = (*OF_ALL, "take")
"""Moves that are not carried out where a part of what is asked for is not known."""

NOT_TAKEN = "So I have not taken it."

SETTLING = ("any", "take", "bye", "restart")
"""Moves after which the question that was asked before is not asked again."""

CANNOT = "I only look things up in the catalog; I cannot book, buy or bargain for you."

NOTED_ONLY = "It is noted here only: I cannot book, buy or bargain for you."


def carry_out(talk: Negotiation, turn: Turn, read: ReadTurn) -> str:
    """Change the conversation as a turn asks, and return the reply."""
    acts = [move.act for move in read.moves]
    if "undo" in acts and not turn.states:
        return taken_back(talk)
    moves = moves_meant(talk, read)
    if "restart" in acts:
        talk.begin_anew()
        if not turn.states:
            parts = ("All of it is forgotten.", taken_so_far(talk), "What are you looking for?")
            return " ".join(filter(None, parts))
        turn.first = True
    before, shown, held = talk.query, talk.proposal, (talk.accepted, talk.ended)
    told: list[str] = ["Hello."] if "greet" in acts else []
    told.append(clarified(talk, turn))
    told += ["You are welcome."] if "thanks" in acts else []
    told += [let_go(talk, turn, doing) for doing in moves]
    vague = want(talk, turn, moves)
    told += [hold(talk, doing) for doing in moves]
    # What an extractor calls a must is weighed as one.
    told += [fix(talk, turn) if turn.by_model else "", *changes(talk, before), *vague]
    changed = talk.query != before
    if changed:
        talk.doubtful = ()
        talk.accepted = talk.ended = None
    # Who says what they want, names items or sees what there is, is not shown the next one.
    restated = turn.states and shown is not None and shown.query != talk.query
    passes = changed or restated or "show" in acts or any(doing.is_of_named for doing in moves)
    passes |= _asks_of_offered(moves)
    had = talk.basket
    if passes:
        _pass_over(talk, turn, moves)
    turns = turn.states and ("drop" in acts or _turns(before, turn))
    answers = _answers(talk, turn, moves, had=had, changed=passes, turns=turns)
    if not changed and {*acts}.isdisjoint(("take", "cancel", "refuse")):
        talk.accepted, talk.ended = held  # Looking on gives nothing back.
    told += answers
    if not any(text.endswith(ALL_THE_SAME) for text in answers):
        told.append(
            _standing(talk, turn, moves, shown, changed=changed, told=any(answers), turns=turns)
        )
    told.append(_unknown(turn, moves))
    told += [_goodbye(talk)] if "bye" in acts else []
    open_still = turn.question is not None and turn.leaves_question_open
    turn.keeps_question |= open_still and bool(acts) and {*acts}.isdisjoint(SETTLING)
    if not turn.by_model and (turn.states or not any(told)):
        told.append(left_over(left_words(talk, turn, all_of_them=not any(told))))
    return _in_order(talk, told) or _nothing(talk, turn)


def _in_order(talk: Negotiation, told: Iterable[str]) -> str:
    """Return what is told in its order, but for what asks something back, which stands last.

    Who took something, or takes leave, is not asked whether it shall be another.
    """
    texts = [text for text in dict.fromkeys(told) if text]
    plain = [text.removesuffix(f" {SHALL_IT}") for text in texts]
    ordered = sorted(plain, key=lambda text: text.endswith("?"))
    goes_on = talk.accepted is None and talk.ended is None
    if plain != texts and goes_on and not ordered[-1].endswith("?"):
        ordered.append(SHALL_IT)
    return " ".join(ordered)


def _answers(talk: Negotiation, turn: Turn, moves: Sequence[MoveMeant], **more: Any) -> list[str]:
    """Return the answers to moves.

    What has most of something comes before what is told of it, behind what is refused.
    """
    ends = [doing for doing in moves if doing.move.act == "best" and not doing.items.named]
    order = dict.fromkeys(("refuse", "cancel"), -2) | ({"best": -1} if ends else {})
    answers = list[str]()
    for doing in sorted(moves, key=lambda doing: order.get(doing.move.act, 0)):
        nameless = doing.move.act in ("tell", "take") and not doing.items.named
        those = doing.of(talk.offered) if ends and nameless else doing
        answers.append(_answer(talk, turn, those, **more))
    if any(text not in ("", NO_SUCH) for text in answers):
        answers = [text for text in answers if text != NO_SUCH]
    # What one answer says whole another need not say.
    return [
        text
        for at, text in enumerate(answers)
        if not any(text in other for other in (*answers[:at], *answers[at + 1 :]) if other != text)
    ]


def _pass_over(talk: Negotiation, turn: Turn, moves: Sequence[MoveMeant]) -> None:
    """Note what is refused by a turn that says what comes in its place.

    What is offered is not where it is asked about, or where a new wish does without it.
    """
    wishes = [part.constraint for part in turn.taken.constraints]
    for doing in moves:
        if doing.move.act == "refuse":
            row = doing.items.offered_row
            stays = _asks_of_offered(moves) or (row is not None and not has(talk, row, wishes))
            talk.passed |= doing.items.ids if stays else doing.items.refused
            if gone := [item for item in talk.basket if item.row_id in doing.items.ids]:
                talk.give_back(gone)


def _asks_of_offered(moves: Sequence[MoveMeant]) -> bool:
    """Return whether a turn goes on asking about what is offered, and names nothing else."""
    asks = ("tell", "compare", "why")
    return any(doing.move.act in asks and not doing.items.named for doing in moves)


def _standing(
    talk: Negotiation,
    turn: Turn,
    moves: Sequence[MoveMeant],
    shown: Proposal | None,
    *,
    changed: bool,
    told: bool,
    turns: bool,
) -> str:
    """Return what is offered now, where no answer has said so.

    After a change what fits, or what is offered in place of what was shown; an item of which
    something was asked stays offered where it has what was said now, or lacks only what would be
    nice. Who took one and drops what was wished of it, or `turns` to another thing, goes on.
    """
    proposal, acts = talk.proposal, {doing.move.act for doing in moves}
    beside = _spoken_of(talk, moves, told=told)
    is_shown = proposal is shown or (turns and "take" in acts)
    if changed and is_shown and turns:
        talk.accepted = talk.ended = None
    if changed and is_shown and talk.accepted is None:
        before = talk.offered
        wishes = [part.constraint for part in turn.taken.constraints]
        latest = {wish.column for wish in wishes if not would_be_nice(talk, wish)}
        text = after_change(talk, shown is not None, latest)
        if beside is not None and not turns:
            lacks = [wish for wish in wishes if not has(talk, beside, [wish])]
            if all(would_be_nice(talk, w) for w in lacks) and stay_with(
                talk, beside, anyway=bool(lacks)
            ):
                return f"{why_not(talk, beside, lacks)} {ALL_THE_SAME}" if lacks else ""
        if told and not wishes and not acts.isdisjoint(("compare", "best")):
            return ""  # It is answered which has the most of what there should be most of.
        is_told = told and before is not None and before.row == beside
        misses = "" if turns or is_told or "refuse" in acts else _misses(talk, turn, before)
        return f"{misses} {text}".strip()
    knew = turn.states or (acts and acts <= {"any", "drop", "keep"})
    if changed or told or proposal is None or talk.accepted is not None or not knew:
        return ""
    if proposal.query != talk.query and wished(talk):
        proposal = talk.propose()  # What was shown answered something else.
    if beside is not None:
        stay_with(talk, beside)
    return offer(talk, talk.proposal or proposal)  # All of it was known.


def _spoken_of(talk: Negotiation, moves: Sequence[MoveMeant], *, told: bool) -> Row | None:
    """Return the one item that a turn is about: that is named, or of which it is told."""
    of_named = [doing for doing in moves if doing.is_of_named]
    rows = [row for doing in of_named for row in doing.items.rows]
    if not rows and told and any(doing.move.act == "tell" for doing in moves):
        rows = [] if talk.offered is None else [talk.offered.row]
    refused = {at for doing in moves if doing.move.act == "refuse" for at in doing.items.refused}
    passed = refused & {at for doing in of_named for at in doing.items.ids}
    return rows[0] if rows and not passed and all(row == rows[0] for row in rows) else None


def _turns(before: Query, turn: Turn) -> bool:
    """Return whether a turn says that something else is wished than was: another kind, or town."""
    exact = {w.column: w.values for w in (*before.base, *before.constraints) if w.op in EXACT}
    new = [p.constraint for p in turn.taken.constraints if p.constraint.op in EXACT and not p.also]
    return any(not {*w.values} & {*exact.get(w.column, w.values)} for w in new if w.column)


def _misses(talk: Negotiation, turn: Turn, item: Item | None) -> str:
    """Return what an item misses that was offered and is not shown any more.

    Empty where it misses nothing that was stated now, and where it was refused.
    """
    taken = {had.row_id for had in talk.basket}
    if item is None or item.row_id in taken | talk.passed or shown_at(talk, item.row) is not None:
        return ""
    wishes = [part.constraint for part in turn.taken.constraints]
    misses = [wish for wish in wishes if not has(talk, item.row, [wish])]
    return why_not(talk, item.row, misses) if misses else ""


def _nothing(talk: Negotiation, turn: Turn) -> str:
    """Return the reply to a turn that changes nothing and asks nothing."""
    unheard = turn.by_model or turn.get(NOT_UNDERSTOOD) is not None
    turn.keeps_question = turn.question is not None and unheard
    if turn.states:
        return f"{understood(talk)} {fitting(talk)}."
    fit = f" {counted(talk):,} fit." if talk.preferences.known else ""
    return f"{_not_understood(turn)}{understood(talk)}{fit}"


def _not_understood(turn: Turn) -> str:
    """Return what is said to a turn of which nothing was understood, before all else."""
    if turn.unreadable:
        return "That holds characters that nobody types. "
    return "I did not understand that. " if turn.text.strip() else "I heard nothing. "


def _answer(
    talk: Negotiation,
    turn: Turn,
    doing: MoveMeant,
    *,
    had: Sequence[Item],
    changed: bool,
    turns: bool,
) -> str:
    """Return the answer to a move, from the catalog."""
    about, those, move = doing.about, doing.items, doing.move
    if doing.unknown and move.act in ALL_OR_NONE and not doing.total.parts:
        return NOT_TAKEN if move.act == "take" else ""
    if doing.unknown and not doing.wishes and not doing.total.parts:
        return ""
    # Of several columns a direction is of none in particular.
    one = int(len(doing.columns) == 1)
    ways, in_words = _ways(talk, doing), replace(about, text=move.quote)
    answers: dict[str, Callable[[], str]] = {
        "take": lambda: _taken(talk, turn, doing, turns=turns),
        "note": lambda: kept_in_mind(talk, those),
        "which": lambda: which(talk, those),
        "refuse": lambda: "" if changed else refused(talk, those, about),
        "tell": lambda: told_of_items(talk, those, about, doing.total),
        "compare": lambda: compared_items(
            talk, those, about, ways[:one] if move.direction else _graded(talk, doing), doing.total
        ),
        "why": lambda: why_of(talk, those, about),
        "more": lambda: more(talk, about) if not changed or talk.accepted is not None else "",
        "differ": lambda: _differ(talk, doing, ways),
        "best": lambda: _best(talk, turn, doing, ways),
        "show": lambda: _shown(talk, turn, doing, ways[:1] if move.direction else ()),
        "cancel": lambda: given_back(talk, those, had),
        # How many fit is said with what is new, anyway.
        "count": lambda: "" if turn.taken.constraints and about == NOTHING else count(talk, about),
        "values": lambda: _values(talk, doing),
        "explain": lambda: meaning(talk, in_words),
        "reason": lambda: reason(talk, about),
        "summary": lambda: held_of(talk, those, doing.quote) or state(talk, about),
        "help": lambda: help_words(talk, about),
        "request": lambda: CANNOT if talk.accepted is None else NOTED_ONLY,
    }
    if move.act not in answers:
        return ""
    of_all = move.all and move.act in OF_ALL
    return _of_all(talk, answers[move.act]) if of_all else answers[move.act]()


def _shown(
    talk: Negotiation, turn: Turn, doing: MoveMeant, ways: Sequence[tuple[str, Direction]]
) -> str:
    """Return what there is, and what a sum comes to for each of it."""
    told = what_there_is(talk, doing.about, ways, turn, doing.move.number)
    rows = [] if talk.proposal is None else [item.row for item in talk.proposal.answer.items]
    return f"{told} {total_of(talk, rows, doing.total)}".strip()


def _of_all(talk: Negotiation, answer: Callable[[], str]) -> str:
    """Return an answer of all there is, whatever is wished; what is wished stays so."""
    known, talk.preferences = talk.preferences, Preferences()
    try:
        return answer()
    finally:
        talk.preferences = known


def _best(
    talk: Negotiation, turn: Turn, doing: MoveMeant, ways: Sequence[tuple[str, Direction]]
) -> str:
    """Return what has the least or most of a column, or of a sum."""
    if doing.items.named:
        return compared_items(talk, doing.items, doing.about, ways, doing.total)
    if doing.total.is_worked_out and not doing.unknown:
        way = doing.move.direction or "min"
        return best_total(talk, doing.total, way, within=doing.wishes)
    if ways and not doing.move.where:
        return best(talk, ways[0], doing.wishes)
    return what_there_is(talk, doing.about, ways, turn)


def _taken(talk: Negotiation, turn: Turn, doing: MoveMeant, *, turns: bool) -> str:
    """Take items; say what they have not that must be by what is said just now of them."""
    had = talk.basket
    told = [taken_items(talk, doing.items, doing.wishes, doing.move.number)]
    must = [p.constraint for p in turn.taken.constraints if p.constraint.hard and not turns]
    new = [item.row for item in talk.basket if item not in had]
    told += [why_not(talk, row) for row in new if must and not has(talk, row, must)]
    return " ".join(filter(None, [*told, total_of(talk, new or doing.items.rows, doing.total)]))


def _values(talk: Negotiation, doing: MoveMeant) -> str:
    """Return what there is in a column, or what it is on average."""
    mean = ""
    if doing.move.average:
        cost = [talk.catalog.cost_column] if talk.catalog.cost_column else []
        rows = meant_now(talk, doing.items) if not doing.wishes else []
        if doing.items.named and not doing.wishes and not rows:
            return NO_SUCH
        mean = average(talk, doing.columns or cost, doing.wishes, rows)
    return mean or values(talk, doing.about, doing.wishes)


def _graded(talk: Negotiation, doing: MoveMeant) -> list[tuple[str, Direction]]:
    """Return by which of its columns a question asks which of some items has more, by its words."""
    ways = graded(doing.move.quote, talk.catalog, worded=True)
    return [way for way in ways if way[0] in doing.columns]


def _ways(talk: Negotiation, doing: MoveMeant) -> list[tuple[str, Direction]]:
    """Return the columns with a less and a more that a move names, and which of these it means."""
    direction = doing.move.direction or "min"
    find, clocks = talk.catalog.schema.find, index_of(talk.catalog).clocks
    known = (n for n in doing.columns if find(n).ordered or n in clocks or ranked(talk, n))
    return [(name, direction) for name in known]


def _differ(talk: Negotiation, doing: MoveMeant, ways: Sequence[tuple[str, Direction]]) -> str:
    """Look for less or more of something, or of a sum, than what is offered has."""
    beside = (*doing.items.rows, doing.items.offered_row)[0]
    if doing.total.is_worked_out:
        return best_total(talk, doing.total, doing.move.direction or "min", beside)
    if not ways:
        return f"Better in what? {understood(talk)}"
    if talk.proposal is None and (question := limit_question(talk, ways[0])) is not None:
        talk.ask_next(question)
        return "Of course."
    name, direction = ways[0]
    if talk.catalog.schema.find(name).ordered:
        return better(talk, ways[0], beside)
    if beside is None or beside[name] is None:
        return f"Better in what? {understood(talk)}"
    # By times of day rows are not ranked, but bounded.
    bound = Constraint(column=name, op="<" if direction == "min" else ">", value=beside[name])
    talk.preferences.add([bound])
    return f"{sentence(talk.wording.wish(bound))} {offer(talk, talk.propose())}"


def _unknown(turn: Turn, moves: Sequence[MoveMeant]) -> str:
    """Return what the catalog says nothing of, in the person's own words, and what it has not."""
    transcript = Transcript.of(turn.text)
    asked = [words for doing in moves for words in doing.unknown]
    quotes = [evidence_of(words.strip(" ?!."), transcript) for words in asked]
    spans = [span for span in quotes if span is not None]
    spans += [] if not turn.by_model else [part.evidence for part in turn.taken.not_understood]
    said = dict.fromkeys(quoted(span.text) for span in spans)
    told = "The catalog does not say that." if len(quotes) > len(spans) else ""
    if said:
        told = sentence(f"of {listed(said)} the catalog says nothing")
    # What the model made wrong is no fault of the person's words.
    ours = tuple(p for p in turn.taken.unresolved if not p.reason.startswith("the model"))
    lost = [p.evidence for p in turn.taken.unresolved if p not in ours]
    misread = Extraction((), ours, not_understood=tuple(Unresolved(s, "misread") for s in lost))
    return " ".join(filter(None, [told, left_over(misread)]))


def _goodbye(talk: Negotiation) -> str:
    talk.end("said goodbye")
    return f"Goodbye. {taken_so_far(talk) or understood(talk)}"
