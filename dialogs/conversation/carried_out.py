"""Carry out what a chat model read in a turn, its wishes and its moves, and reply to it.

The model says only what the person wants and does; what changes is said from the difference
between the wishes before and after, and every answer is looked up in the catalog. Items are those
of the moment the person spoke, whatever the turn changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ...catalogs.query.constraint import Objective
from ..extraction.extracted import Extraction
from ..extraction.value_index import index_of
from ..language.wording import listed, quoted, sentence
from .answering import CANNOT
from .answers import (
    better,
    count,
    help_words,
    items,
    limit_question,
    listing,
    meaning,
    more,
    sorted_items,
    state,
    values,
)
from .asked import Asked
from .item_answers import FEW, best, reason
from .items_meant import (
    ItemsMeant,
    compared_items,
    given_back,
    meant,
    refused,
    taken_item,
    told_of_items,
    why_of,
)
from .model_turns import Move, ReadTurn, columns_of
from .moves import after_change, changes, stays, taken_back
from .naming import Direction
from .negotiation import Negotiation
from .opening import open_with
from .sentences import counted, fitting, left_over, offer, understood, wished
from .turn import Turn

EXACT = ("==", "in", "between")
"""Operators of wishes that take the place of all that is known of their column."""

SHOWING = ("show", "best", "more", "differ", "take")
"""Moves whose answer says what there is now, or what is taken."""

LOOKING = (
    "tell",
    "compare",
    "count",
    "values",
    "explain",
    "reason",
    "summary",
    "help",
    "beyond",
    "cancel",
)
"""Moves that leave the question open that was asked before."""

NOTED_ONLY = "It is noted here only: I cannot book, buy or bargain for you."

SHALL_IT = " Shall it be that one?"

LIGHT = 0.1
"""The weight of a wish that somebody says may give way."""


@dataclass(frozen=True)
class _Doing:
    """A move, what it asks for, the columns it names, and the items."""

    move: Move
    asked: Extraction
    columns: tuple[str, ...]
    items: ItemsMeant

    @property
    def about(self) -> Asked:
        """What it is about, without its words."""
        return Asked("", self.asked, self.columns, "")


def carry_out(talk: Negotiation, turn: Turn, read: ReadTurn) -> str:
    """Change the conversation as a turn asks that a model read, and return the reply."""
    acts = [move.act for move in read.moves]
    if "undo" in acts and not turn.states:
        return taken_back(talk)
    if "restart" in acts:
        talk.begin_anew()
        if not turn.states:
            return "All of it is forgotten. What are you looking for?"
        turn.first = True
    before, shown = talk.query, talk.proposal is not None
    doings = _joined(talk, read)
    told: list[str] = ["Hello."] if "greet" in acts else []
    told += [_let_go(talk, turn, doing) for doing in doings]
    _want(talk, turn)
    told += [_hold(talk, doing) for doing in doings]
    told.append(_fix(talk, turn))
    told += changes(talk, before)
    changed = talk.query != before
    if changed:
        told.append(_changed(talk, turn, doings, shown=shown))
    told += [_answer(talk, doing, changed=changed) for doing in doings]
    stands = talk.proposal is not None and talk.accepted is None and not changed
    if stands and talk.proposal and (turn.states or (acts and {*acts} <= {"any", "drop", "keep"})):
        told.append(offer(talk, talk.proposal))  # All of it was known.
    told.append(left_over(turn.taken))
    told += ["You are welcome."] if "thanks" in acts else []
    told += [_goodbye(talk)] if "bye" in acts else []
    open_still = turn.question is not None and turn.leaves_question_open
    turn.keeps_question |= open_still and any(act in LOOKING for act in acts)
    # What asks something back stands last.
    told = sorted(filter(None, dict.fromkeys(told)), key=lambda text: text.endswith("?"))
    told = [*(text.removesuffix(SHALL_IT) for text in told[:-1]), *told[-1:]]
    return " ".join(told) or _nothing(talk, turn)


def _changed(talk: Negotiation, turn: Turn, doings: Sequence[_Doing], *, shown: bool) -> str:
    """Return what there is after a change, where no move says so itself.

    An item that is still offered, and that something is asked of, is not offered once more.
    """
    talk.doubtful = ()
    talk.accepted = talk.ended = None
    offered = talk.offered
    for doing in doings:
        if doing.move.act == "refuse":
            talk.passed |= doing.items.ids or ({offered.row_id} if offered else set())
    if any(doing.move.act in SHOWING for doing in doings):
        return ""
    whole = offered is not None and not offered.misses
    told = after_change(talk, shown, {part.constraint.column for part in turn.taken.constraints})
    same = offered is not None and talk.offered is not None and talk.offered.row == offered.row
    same = same and whole and not (talk.offered and talk.offered.misses)
    return "" if same and any(doing.move.act == "tell" for doing in doings) else told


def _joined(talk: Negotiation, read: ReadTurn) -> list[_Doing]:
    """Return what a turn does; what is told or compared of the same items is one question."""
    doings: list[_Doing] = []
    for move, asked in zip(read.moves, read.asked, strict=True):
        columns = tuple(columns_of(talk, move.columns))
        last = doings[-1] if doings else None
        same = last is not None and (last.move.act, last.move.items) == (move.act, move.items)
        if last is not None and same and move.act in ("tell", "compare"):
            both = (*last.asked.constraints, *asked.constraints)
            asked = replace(asked, constraints=both)
            columns = tuple(dict.fromkeys((*last.columns, *columns)))
            doings[-1] = replace(last, asked=asked, columns=columns)
        else:
            doings.append(_Doing(move, asked, columns, meant(talk, move.items)))
    return doings


def _nothing(talk: Negotiation, turn: Turn) -> str:
    """Return the reply to a turn that changes nothing and asks nothing."""
    turn.keeps_question = turn.question is not None
    if turn.states:
        return f"{understood(talk)} {fitting(talk)}."
    return f"I did not understand that. {understood(talk)}"


def _let_go(talk: Negotiation, turn: Turn, doing: _Doing) -> str:
    """Forget wishes that matter no more; close what was asked about."""
    if doing.move.act == "drop":
        _drop(talk, doing)
    if doing.move.act != "any":
        return ""
    slot = turn.question.slot if turn.question is not None else None
    stated = {part.constraint.column for part in turn.taken.constraints}
    about = [name for name in doing.columns or filter(None, [slot]) if name not in stated]
    known = [wish for wish in talk.preferences.known if wish.column in about]
    talk.preferences.forget(known)
    talk.close_slots(about)
    if slot in about:
        turn.question = None  # It is answered.
    if known or not about:
        return ""
    return f"Fine, {listed(map(talk.wording.label, about))} stays open."


def _drop(talk: Negotiation, doing: _Doing) -> None:
    """Forget the wishes of some columns, of all where none is named, or some of their values."""
    wishes = talk.preferences
    gone = {wish.column for wish in wishes.known} if not doing.move.columns else {*doing.columns}
    said = {str(value).casefold() for value in doing.move.values}
    for wish in [wish for wish in wishes.known if wish.column in gone]:
        left_out = [value for value in wish.values if str(value).casefold() in said]
        if left_out or not said:
            wishes.leave_out(wish, left_out or wish.values)
    if not said:
        goals = [*wishes.objectives]
        wishes.objectives = [
            goal for goal in goals if doing.move.columns and goal.column not in gone
        ]
        talk.close_slots(name for name in gone if name)


def _want(talk: Negotiation, turn: Turn) -> None:
    """Take in the wishes that a turn states."""
    wishes = turn.taken.constraints
    if turn.first:
        open_with(talk, [part.constraint for part in wishes])
    else:
        new = [part.constraint for part in wishes if not part.also]
        # Any of several entries of a list allows the one that had to be there.
        several = {w.column: w.values for w in new if w.op == "contains any"}
        talk.preferences.forget(
            wish
            for wish in talk.preferences.known
            if wish.op == "contains" and {*wish.values} <= {*several.get(wish.column, ())}
        )
        # Bounds of both sides, parts of lists and values to avoid stand together.
        talk.preferences.add(wish for wish in new if wish.op not in EXACT)
        talk.preferences.add((wish for wish in new if wish.op in EXACT), instead=True)
        talk.preferences.add((part.constraint for part in wishes if part.also), also=True)
        if not talk.count(talk.preferences.base):
            talk.preferences.unfix()
    limited = {wish.column for wish in talk.preferences.known}
    vague = [goal for goal in turn.taken.leanings if goal.column not in limited]
    # What is said outright says more than "cheap" does.
    for goal in (*turn.taken.objectives, *vague):
        if goal.constraint is not None and counted(talk, [goal.constraint]) >= FEW:
            talk.preferences.add([goal.constraint])
        else:
            talk.preferences.aim(Objective(column=goal.column, direction=goal.direction))


def _hold(talk: Negotiation, doing: _Doing) -> str:
    """Let wishes never give way, or before the others."""
    soft = talk.preferences.soft
    positions = [at for at, wish in enumerate(soft) if wish.column in doing.columns]
    if not positions or doing.move.act not in ("keep", "may_go"):
        return ""
    if doing.move.act == "keep":
        return stays(talk, positions, ())
    talk.set_weights(dict.fromkeys(positions, LIGHT))
    return sentence(f"{listed(talk.wording.wish(soft[at]) for at in positions)} gives way first")


def _fix(talk: Negotiation, turn: Turn) -> str:
    """Let wishes never give way that the person says must be, unless nothing is left then."""
    must = {part.constraint.column for part in turn.taken.constraints if part.constraint.hard}
    positions = [at for at, w in enumerate(talk.preferences.soft) if w.column in must]
    if not positions:
        return ""
    soft = [
        w.model_copy(update={"hard": False}) if w.column in must else w
        for w in talk.preferences.soft
    ]
    talk.preferences.soft = soft
    return stays(talk, positions, ())


def _answer(talk: Negotiation, doing: _Doing, *, changed: bool) -> str:
    """Return the answer to a move, from the catalog."""
    about, those, move = doing.about, doing.items, doing.move
    ways = _ways(talk, doing)
    answers: dict[str, Callable[[], str]] = {
        "take": lambda: taken_item(talk, those),
        "refuse": lambda: "" if changed else refused(talk, those, about),
        "tell": lambda: told_of_items(talk, those, about, move.times),
        "compare": lambda: compared_items(talk, those, about, ways if move.direction else ()),
        "why": lambda: why_of(talk, those, about),
        "more": lambda: "" if changed else more(talk, about),
        "differ": lambda: _differ(talk, ways, those),
        "best": lambda: best(talk, ways[0]) if ways else items(talk, about),
        "show": lambda: (
            sorted_items(talk, ways[0]) if move.direction and ways else _shown(talk, about)
        ),
        "cancel": lambda: given_back(talk, those),
        "count": lambda: count(talk, about),
        "values": lambda: values(talk, about),
        "explain": lambda: meaning(talk, replace(about, text=move.quote, turn=move.quote)),
        "reason": lambda: reason(talk, about),
        "summary": lambda: state(talk, about),
        "help": lambda: help_words(talk, about),
        "request": lambda: CANNOT if talk.accepted is None else NOTED_ONLY,
        "beyond": lambda: _beyond(talk, move.quote),
    }
    return answers[move.act]() if move.act in answers else ""


def _ways(talk: Negotiation, doing: _Doing) -> list[tuple[str, Direction]]:
    """Return the columns with a less and a more that a move names, and which of these it means."""
    direction = doing.move.direction or "min"
    find, clocks = talk.catalog.schema.find, index_of(talk.catalog).clocks
    return [(n, direction) for n in doing.columns if find(n).ordered or n in clocks]


def _differ(talk: Negotiation, ways: Sequence[tuple[str, Direction]], those: ItemsMeant) -> str:
    """Look for less or more of something than what is offered has."""
    if not ways:
        return f"Better in what? {understood(talk)}"
    if talk.proposal is None and (question := limit_question(talk, ways[0])) is not None:
        talk.ask_next(question)
        return "Of course."
    beside = those.rows[0] if those.rows else those.offered
    return better(talk, ways[0], beside)


def _shown(talk: Negotiation, about: Asked) -> str:
    """Return what there is, and where nothing is that is asked for, what would have to give way."""
    extra = [part.constraint for part in about.extraction.constraints]
    if not extra:
        return items(talk, about)
    must = [wish.model_copy(update={"hard": True}) for wish in extra]
    own = [wish.column for wish in extra if wish.column]
    rest = [wish for wish in talk.query.constraints if wish.column not in own]
    proposal = talk.propose_instead(talk.query.replace([*rest, *must]))
    if proposal is None:
        return sentence(f"there is none with {listed(map(talk.wording.wish, extra))}")
    return listing(talk, proposal, [*about.columns, *own, *wished(talk)])


def _beyond(talk: Negotiation, quote: str) -> str:
    """Return that the catalog says nothing of what a person asks, in their own words."""
    said = [message.content for message in talk.messages if message.role == "user"]
    words = quote.strip(" ?!.")
    if words and said and words.casefold() in said[-1].casefold():
        return f"Of {quoted(words)} the catalog says nothing."
    return "The catalog does not say that."


def _goodbye(talk: Negotiation) -> str:
    talk.end("said goodbye")
    return f"Goodbye. {understood(talk)}"
