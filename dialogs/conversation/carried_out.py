"""Carry out what a chat model read in a turn, its wishes and its moves, and reply to it.

The model says only what the person wants and does; what changes is said from the difference
between the wishes before and after, and every answer is looked up in the catalog. Items are those
of the moment the person spoke, whatever the turn changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ...catalogs.query.constraint import Constraint, Objective
from ...catalogs.query.query import Query
from ...catalogs.versions.sorted_rows import SortKey
from ...engine.answer import Item
from ..extraction.extracted import Extraction
from ..extraction.llm import evidence_of
from ..extraction.value_index import index_of
from ..language.sums import Terms, concerns, is_total, topic_of
from ..language.wording import listed, quoted, sentence
from ..transcripts.transcript import Transcript
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
from .item_answers import FEW, best, has, reason, shown_at, why_not
from .item_moves import (
    compared_items,
    given_back,
    refused,
    taken_item,
    told_of_items,
    why_of,
)
from .items_meant import ItemsMeant, meant
from .model_turns import Move, ReadTurn, columns_of
from .moves import after_change, changes, stays, taken_back
from .naming import Direction
from .negotiation import Negotiation
from .opening import open_with
from .preferences import NEGATIVE, PARTS
from .proposal import Proposal
from .sentences import counted, fitting, left_over, offer, understood, wished
from .totals import best_total
from .turn import Turn

EXACT = ("==", "in", "between")
"""Operators of wishes that take the place of all that is known of their column."""

SETTLING = ("any", "take", "bye", "restart")
"""Moves after which the question that was asked before is not asked again."""

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
    total: Terms

    @property
    def about(self) -> Asked:
        """What it is about, without its words; the parts of a sum where nothing else is named."""
        where = self.asked.constraints or self.move.where
        return Asked("", self.asked, self.columns or (() if where else tuple(self.total)), "")

    @property
    def wishes(self) -> list[Constraint]:
        """What is asked for in `where`."""
        return [part.constraint for part in self.asked.constraints]


def carry_out(talk: Negotiation, turn: Turn, read: ReadTurn) -> str:
    """Change the conversation as a turn asks that a model read, and return the reply."""
    acts = [move.act for move in read.moves]
    if "undo" in acts and not turn.states:
        return taken_back(talk)
    doings = _joined(talk, read)
    if "restart" in acts:
        talk.begin_anew()
        if not turn.states:
            return "All of it is forgotten. What are you looking for?"
        turn.first = True
    before, shown, held = talk.query, talk.proposal, (talk.accepted, talk.ended)
    told: list[str] = ["Hello."] if "greet" in acts else []
    told += [_let_go(talk, turn, doing) for doing in doings]
    _want(talk, turn)
    told += [_hold(talk, doing) for doing in doings]
    told.append(_fix(talk, turn))
    told += changes(talk, before)
    changed = talk.query != before
    if changed:
        _pass_over(talk, doings)
    answers = [_answer(talk, turn, doing, changed=changed) for doing in doings]
    if not changed and {*acts}.isdisjoint(("take", "cancel", "refuse")):
        talk.accepted, talk.ended = held  # Looking on gives nothing back.
    told += [*answers, _standing(talk, turn, acts, shown, changed=changed, told=any(answers))]
    told.append(left_over(turn.taken))
    told += ["You are welcome."] if "thanks" in acts else []
    told += [_goodbye(talk)] if "bye" in acts else []
    open_still = turn.question is not None and turn.leaves_question_open
    turn.keeps_question |= open_still and bool(acts) and {*acts}.isdisjoint(SETTLING)
    # What asks something back stands last.
    told = sorted(filter(None, dict.fromkeys(told)), key=lambda text: text.endswith("?"))
    told = [*(text.removesuffix(SHALL_IT) for text in told[:-1]), *told[-1:]]
    return " ".join(told) or _nothing(talk, turn)


def _pass_over(talk: Negotiation, doings: Sequence[_Doing]) -> None:
    """Note what is refused by a turn that changes what is wished, which answers it."""
    talk.doubtful = ()
    talk.accepted = talk.ended = None
    for doing in doings:
        if doing.move.act == "refuse":
            talk.passed |= doing.items.refused


def _standing(
    talk: Negotiation,
    turn: Turn,
    acts: Sequence[str],
    shown: Proposal | None,
    *,
    changed: bool,
    told: bool,
) -> str:
    """Return what is offered now, where no answer has said so.

    After a change what fits, or what is offered in place of what was shown; an item that is still
    offered, and of which something was asked, is not offered once more.
    """
    proposal = talk.proposal
    if changed and proposal is shown and talk.accepted is None:
        before = talk.offered
        latest = {part.constraint.column for part in turn.taken.constraints}
        text = after_change(talk, shown is not None, latest)
        now = talk.offered
        text = f"{_misses(talk, turn, before)} {text}".strip()
        same = before is not None and now is not None and before.row_id == now.row_id
        whole = same and not (before and before.misses) and not (now and now.misses)
        return "" if whole and told and "tell" in acts else text
    knew = turn.states or (acts and {*acts} <= {"any", "drop", "keep"})
    if changed or told or proposal is None or talk.accepted is not None or not knew:
        return ""
    return offer(talk, proposal)  # All of it was known.


def _misses(talk: Negotiation, turn: Turn, item: Item | None) -> str:
    """Return what an item misses that was offered and is not shown any more.

    Empty where it misses nothing that was stated now, and where it was refused.
    """
    if item is None or item.row_id in talk.passed or shown_at(talk, item.row) is not None:
        return ""
    wishes = [part.constraint for part in turn.taken.constraints]
    meets = all(has(talk, item.row, [wish]) for wish in wishes)
    return "" if meets else why_not(talk, item.row)


def _joined(talk: Negotiation, read: ReadTurn) -> list[_Doing]:
    """Return what a turn does; what is told or compared of the same items is one question.

    So is all that is taken.
    """
    doings: list[_Doing] = []
    for move, asked in zip(read.moves, read.asked, strict=True):
        columns = tuple(columns_of(talk, move.columns))
        total = _total(talk, move)
        last = doings[-1] if doings else None
        if last is not None and move.act == last.move.act == "take":
            doings[-1] = replace(last, items=last.items.beside(meant(talk, move.items)))
        elif last is not None and _asks_more(last.move, move):
            both = (*last.asked.constraints, *asked.constraints)
            asked = replace(asked, constraints=both)
            columns = tuple(dict.fromkeys((*last.columns, *columns)))
            doings[-1] = replace(last, asked=asked, columns=columns)
        else:
            doings.append(_Doing(move, asked, columns, meant(talk, move.items), total))
    return doings


def _total(talk: Negotiation, move: Move) -> Terms:
    """Return the sum that a move asks about, of columns that hold numbers."""
    terms = {name: t.times for t in move.total for name in columns_of(talk, [t.column])}
    find = talk.catalog.schema.find
    return {name: times for name, times in terms.items() if find(name).family == "numeric"}


def _asks_more(one: Move, other: Move) -> bool:
    """Return whether two moves ask for different columns of the same items, in the same way."""
    ways = [(move.act, move.items, move.total, move.direction) for move in (one, other)]
    some = all(move.columns or move.where for move in (one, other))
    return ways[0] == ways[1] and some and one.act in ("tell", "compare")


def _nothing(talk: Negotiation, turn: Turn) -> str:
    """Return the reply to a turn that changes nothing and asks nothing."""
    turn.keeps_question = turn.question is not None
    if turn.states:
        return f"{understood(talk)} {fitting(talk)}."
    return f"I did not understand that. {understood(talk)}"


def _let_go(talk: Negotiation, turn: Turn, doing: _Doing) -> str:
    """Forget wishes that matter no more; close what was asked about."""
    if doing.move.act == "drop":
        return _drop(talk, doing)
    if doing.move.act != "any":
        return ""
    slot = turn.question.slot if turn.question is not None else None
    stated = {part.constraint.column for part in turn.taken.constraints}
    about = [name for name in doing.columns or filter(None, [slot]) if name not in stated]
    known = [wish for wish in talk.preferences.known if concerns(wish, about)]
    # What must be, or must not, still must.
    held = [wish for wish in known if wish.hard or wish.op in NEGATIVE]
    talk.preferences.forget(wish for wish in known if wish not in held)
    goals = talk.preferences.objectives
    talk.preferences.objectives = [goal for goal in goals if goal.column not in about]
    talk.close_slots(about)
    if slot in about:
        turn.question = None  # It is answered.
    if held:
        return sentence(f"{listed(map(talk.wording.wish, held))} stays")
    if known or not about:
        return ""
    return f"Fine, {listed(map(talk.wording.label, about))} stays open."


def _drop(talk: Negotiation, doing: _Doing) -> str:
    """Forget the wishes of some columns, of all where none is named, or some of their values."""
    wishes, named = talk.preferences, bool(doing.move.columns)
    said = {str(value).casefold() for value in doing.move.values}
    for wish in [w for w in wishes.known if not named or concerns(w, doing.columns)]:
        left_out = [value for value in wish.values if str(value).casefold() in said]
        if left_out or not said:
            wishes.leave_out(wish, left_out or wish.values)
    if said:
        return ""
    goals = [goal for goal in wishes.objectives if not named or goal.column in doing.columns]
    wishes.objectives = [goal for goal in wishes.objectives if goal not in goals]
    talk.close_slots(doing.columns)
    labels = listed(talk.wording.label(goal.column) for goal in goals)
    return sentence(f"{labels} matters no more") if labels else ""


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
        ranks = talk.catalog.schema.find(goal.column).ordered
        few = goal.constraint is None or counted(talk, [goal.constraint]) < FEW
        if goal.constraint is not None and not (few and ranks):
            talk.preferences.add([goal.constraint])
        elif ranks:
            talk.preferences.aim(Objective(column=goal.column, direction=goal.direction))


def _hold(talk: Negotiation, doing: _Doing) -> str:
    """Let wishes never give way, or before the others."""
    soft = talk.preferences.soft
    positions = [at for at, wish in enumerate(soft) if concerns(wish, doing.columns)]
    if not positions or doing.move.act not in ("keep", "may_go"):
        return ""
    if doing.move.act == "keep":
        return stays(talk, positions, ())
    talk.preferences.unharden(positions)
    talk.set_weights(dict.fromkeys(positions, LIGHT))
    return sentence(f"{listed(talk.wording.wish(soft[at]) for at in positions)} gives way first")


def _fix(talk: Negotiation, turn: Turn) -> str:
    """Let wishes never give way that the person says must be, unless nothing is left then."""
    must = {topic_of(p.constraint) for p in turn.taken.constraints if p.constraint.hard}
    positions = [at for at, w in enumerate(talk.preferences.soft) if topic_of(w) in must]
    if not positions:
        return ""
    talk.preferences.unharden(positions)
    return stays(talk, positions, ())


def _answer(talk: Negotiation, turn: Turn, doing: _Doing, *, changed: bool) -> str:
    """Return the answer to a move, from the catalog."""
    about, those, move = doing.about, doing.items, doing.move
    if move.where and not doing.asked.constraints and move.act in ("count", "show", "tell"):
        return _beyond(turn, move.where[0].quote)
    ways, in_words = _ways(talk, doing), replace(about, text=move.quote, turn=move.quote)
    answers: dict[str, Callable[[], str]] = {
        "take": lambda: taken_item(talk, those, doing.wishes),
        "refuse": lambda: "" if changed else refused(talk, those, about),
        "tell": lambda: told_of_items(talk, those, about, doing.total),
        "compare": lambda: compared_items(
            talk,
            those,
            about if move.direction else in_words,
            ways if move.direction else (),
            doing.total,
        ),
        "why": lambda: why_of(talk, those, about),
        "more": lambda: "" if changed else more(talk, about),
        "differ": lambda: _differ(talk, ways, those),
        "best": lambda: _best(talk, doing, ways),
        "show": lambda: _shown(talk, about, ways if move.direction else ()),
        "cancel": lambda: given_back(talk, those),
        "count": lambda: count(talk, about),
        "values": lambda: values(talk, about, doing.wishes),
        "explain": lambda: meaning(talk, in_words),
        "reason": lambda: reason(talk, about),
        "summary": lambda: state(talk, about),
        "help": lambda: help_words(talk, about),
        "request": lambda: CANNOT if talk.accepted is None else NOTED_ONLY,
        "beyond": lambda: _beyond(turn, move.quote),
    }
    return answers[move.act]() if move.act in answers else ""


def _best(talk: Negotiation, doing: _Doing, ways: Sequence[tuple[str, Direction]]) -> str:
    """Return what has the least or most of a column, or of a sum."""
    if is_total(doing.total) and not doing.move.where:
        return best_total(talk, doing.total, doing.move.direction or "min")
    if ways and not doing.move.where:
        return best(talk, ways[0])
    return _shown(talk, doing.about, ways)


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
    beside = those.rows[0] if those.rows else those.offered_row
    name, direction = ways[0]
    if talk.catalog.schema.find(name).ordered:
        return better(talk, ways[0], beside)
    if beside is None or beside[name] is None:
        return f"Better in what? {understood(talk)}"
    # By times of day rows are not ranked, but bounded.
    bound = Constraint(column=name, op="<" if direction == "min" else ">", value=beside[name])
    talk.preferences.add([bound])
    return f"{sentence(talk.wording.wish(bound))} {offer(talk, talk.propose())}"


def _shown(talk: Negotiation, about: Asked, ways: Sequence[tuple[str, Direction]]) -> str:
    """Return what there is, and where nothing is that is asked for, what would have to give way."""
    extra = [part.constraint for part in about.extraction.constraints]
    if not extra:
        return sorted_items(talk, ways[0]) if ways else items(talk, about)
    must = [wish.model_copy(update={"hard": True}) for wish in extra]
    own = [wish.column for wish in extra if wish.column]

    def instead(known: Constraint) -> Constraint | None:
        """What is asked for in place of a wish; a list may have to hold both."""
        asks = (wish for wish in must if wish.column == known.column)
        return next((w for w in asks if not (w.op in PARTS and known.op in PARTS)), None)

    # Those known keep their positions, by which they may have to stay.
    soft = [instead(wish) or wish for wish in talk.query.constraints]
    base = tuple(wish for wish in talk.query.base if instead(wish) is None)
    new = [wish for wish in must if wish not in soft]
    query = Query(base=base, constraints=(*soft, *new), objectives=talk.query.objectives)
    sort = [SortKey(name, direction == "max") for name, direction in ways]
    proposal = talk.propose_instead(query, sort)
    if proposal is None:
        return sentence(f"there is none with {listed(map(talk.wording.wish, extra))}")
    return listing(talk, proposal, [*about.columns, *own, *wished(talk)])


def _beyond(turn: Turn, quote: str) -> str:
    """Return that the catalog says nothing of what a person asks, in their own words."""
    said = evidence_of(quote.strip(" ?!."), Transcript.of(turn.text))
    if said is not None:
        return f"Of {quoted(said.text)} the catalog says nothing."
    return "The catalog does not say that."


def _goodbye(talk: Negotiation) -> str:
    talk.end("said goodbye")
    return f"Goodbye. {understood(talk)}"
