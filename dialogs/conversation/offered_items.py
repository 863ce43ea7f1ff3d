"""What a turn does with the items it was shown: picks one, refuses one, wants less than one has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint, Objective
from ...catalogs.query.query import Query
from ...engine.answer import Item
from ..extraction.clocks import DAYTIMES
from ..extraction.extracted import Extracted
from ..extraction.value_index import index_of, stems_of
from ..language.tokens import folded
from ..language.wording import sentence
from .agents import parts_of
from .answers import limit_question, tells_apart
from .denied_features import DENIES, clause_of
from .item_answers import (
    Named,
    has,
    item_asked_about,
    named_item,
    naming_columns,
    shown_at,
)
from .naming import (
    LAST,
    ORDINALS,
    Direction,
    graded,
    named_values,
    place_of,
    sorted_by,
    values_meant,
)
from .negotiation import Negotiation
from .parts import LIKELY, Sentence
from .preferences import LOWER, NEGATIVE, UPPER
from .refused_items import first_left
from .sentences import counted
from .turn import Turn

TOO = re.compile(
    r"\btoo\s+(?!and\b|or\b)[a-z]+|\bno good\b|\bnot that one\b|"
    r"(?:\bis|\bare|['’]?s)\s+(?:(?:way|well|just)\s+)?(?:over|above|beyond|out\s+of)\s+"
    r"(?:my|our|the)\s+budget\b",
    re.IGNORECASE,
)
"""Words that refuse what is offered: `too big`, `no good for me`, `that is over my budget`."""


TAKES = re.compile(
    r"\b(?:ill\s+|(?:i|we)(?:['’]ll|['’]d|\s+(?:will|shall|should|would|want\s+to))\s+(?:like\s+to\s+)?|"
    r"let(?:'?s|\s+us)\s+)(?:take|have|book|buy|reserve|do|say|go\s+(?:for|with))\s+"
    r"(?!a\b|an\b|any|some|one\b|to\b|no\b)|"
    r"\b(?:i|we)\s+(?:take|book|buy|reserve|have\s+the|go\s+(?:for|with))\s+(?!a\b|an\b|any|some)|"
    r"(?:^\W*|[,;]\s*)"
    r"(?:(?:yes|yeah|no|ok|okay|right|great|perfect|lovely|then|so|and|please|just|pls)\W+){0,4}"
    r"(?:take|book|buy|reserve|go\s+(?:for|with))\s+(?!a\b|an\b|any|some|out\b|off\b)|"
    r"(?:^|[,;])(?:(?!\b(?:what|how|where|which|as|like|think|hope|sure)\b)[^,;.!?]){1,40}"
    r"\bit\s+is(?=\W*$|[,;.!]|\s+(?:then|please|thanks)\b)",
    re.IGNORECASE,
)
"""Words with which somebody takes what they name: `I'll have the Meadow`, `yes, take CA-043`."""

_PLACE = re.compile(
    r"\b(?:number|no\.|nr|item|option)\s+(?:\d\d?|one|two|three|four|five)\b|"
    rf"\bthe\s+(?:{'|'.join((*ORDINALS, LAST))})(?:\s+(?:one|option))?"
    r"(?=\W*$|[.,!;]|\s+(?:it\s+is|then|please|thanks)\b)|"
    r"(?:^|[,.;]\s*|\bok(?:ay)?\s+)(\d)(?=\s+(?:it\s+is|then|please)\b)",
    re.IGNORECASE,
)
"""The place of an item that is taken: `let's do number 3`, `the second it is`."""

_NUMBER = re.compile(
    r"\b(?:the|take|book|buy|go\s+(?:for|with))\s+[^\w\s]?(\d{2,5})(?=\s+one\b|\W*$|[.,!;])|"
    r"(?:^|[,.;]\s*|\bok(?:ay)?\s+)(\d{2,5})(?=\s+(?:it\s+is|then|please)\b)",
    re.IGNORECASE,
)
"""A number that the item taken bears: `the 907 one`."""

_THE = re.compile(
    r"\b(?:take|have|book|buy|reserve|go\s+(?:for|with))\s+(?:the|this|that)\b", re.IGNORECASE
)
_GRADED_ONE = re.compile(r"\bthe\s+\w+(?:er|est)(?:\s+(?:one|of)\b|\W*$|[.,!;])", re.IGNORECASE)
_NOT_TAKING = re.compile(
    r"\b(?:not|\w+n't|dont|never|if|before|whether|unless|wonder|doubt|should\s+(?:i|we)|until)\b",
    re.IGNORECASE,
)
_THIS_ONE = re.compile(
    r"\b(?:take|have|book|buy|reserve|go\s+(?:for|with))\s+(?:this|that|it)(?:\s+one)?"
    r"(?=\W*$|[.,!;]|\s+(?:then|please|for|thanks|thank|now|instead)\b)",
    re.IGNORECASE,
)

_SAID = re.compile(r"\bi\s+(?:said|meant|wanted|asked\s+for)\b", re.IGNORECASE)
"""Words of somebody for whom another item was taken: `no, I said the Plough`."""

_PROVIDED = re.compile(
    r"\bif\s+(?:it|that|they|there|he|she|the)\b|\b(?:provided|unless|as long as)\b", re.IGNORECASE
)

_BUT_NOT = re.compile(r"\b(?:not|instead\s+of|rather\s+than)\b", re.IGNORECASE)

UNSURE = -1
"""The place of an item that is taken by a name which none that is shown has."""


def takes_by_words(text: str) -> bool:
    """Return whether a sentence takes something by its words, and does not only think of it."""
    found = TAKES.search(text)
    return found is not None and not _NOT_TAKING.search(text[: found.end()].rpartition(",")[2])


def _taking(talk: Negotiation, turn: Turn) -> list[Sentence]:
    """Return the sentences that take something, or say that another item was to be taken."""
    taking = [part for part in turn.sentences if takes_by_words(part.text)]
    if talk.accepted is None or taking:
        return taking
    return [part for part in turn.sentences if _SAID.search(part.text)]


def picked(talk: Negotiation, turn: Turn) -> int | None:
    """Return the place of the item shown that a turn takes by what it has: `the salsa one, then`.

    `UNSURE` where none of them has what it names. None where it names nothing, wishes for more
    than a name, or takes what is offered.
    """
    pick, proposal = turn.get("affirm", "select"), talk.proposal
    sure = pick is not None and pick.confidence >= LIKELY
    taking = _taking(talk, turn)
    if not (sure or taking) or turn.first:
        return None
    said = turn.asking(taking or turn.sentences)
    items = proposal.answer.items if proposal is not None else ()
    stated = [part for part in turn.found.constraints if not part.implied]
    wishes = [p.constraint for p in stated if not taking or p in said.extraction.constraints]
    bounds = any(wish.op in (*LOWER, *UPPER, "between") for wish in wishes)
    asks = any("?" in part.text for part in taking or turn.sentences)
    asks |= not taking and any(part.asks for part in turn.sentences)
    asks |= _PROVIDED.search(said.text) is not None
    if not asks and turn.question is None and (found := _PLACE.search(said.text)):
        place = place_of(found[1] or found[0], len(items))
        denied = _NOT_TAKING.search(said.text[: found.start()].rpartition(",")[2])
        return UNSURE if denied or place is None or place >= len(items) else place
    if not asks and items and (found := _NUMBER.search(said.text)):
        return _bearing(talk, items, found[1] or found[2])
    text = _BUT_NOT.split(said.text, 1)[0]
    meant = values_meant(text, talk.catalog)
    by_name = not meant.keys().isdisjoint(_name_columns(talk))
    if asks or (bounds and not (by_name and taking and _of_days(talk, wishes))):
        return None
    if not items and not (
        taking and by_name and (turn.question is None or turn.question.slot not in meant)
    ):
        return None  # It answers what was asked.
    if items and not by_name and any(_THIS_ONE.search(part.text) for part in taking):
        return _meant_by_this(talk, turn.text[: taking[0].start])
    if not (sure or by_name or _THE.search(said.text)):
        # `We'll have dogs with us` takes nothing.
        return None
    graded_one = taking and not meant and _GRADED_ONE.search(said.text)
    if graded_one and (ways := graded(said.text, talk.catalog)):
        return least(items, ways[0])
    named = [
        at
        for at, item in enumerate(items)
        if meant
        and all(values.intersection(parts_of(item.row[column])) for column, values in meant.items())
    ]
    if len(named) == 1 and not (taking and _several(talk, text)):
        return named[0] if not bounds or has(talk, items[named[0]].row, wishes) else None
    find = named_item if items and talk.accepted is None else item_asked_about
    other = find(talk, text) if taking and not named and not bounds else None
    if other is not None and other.by.column in talk.wording.naming(other.row):
        return _put_forward(talk, other)
    known = {(wish.column, wish.value) for wish in talk.preferences.known}
    held = all((wish.column, wish.value) in known for wish in wishes)
    if sure and wishes and items and (held or has(talk, items[talk.place].row, wishes)):
        return talk.place
    return UNSURE if items and sure and meant and talk.place not in named else None


def _meant_by_this(talk: Negotiation, before: str) -> int | None:
    """Return the place of the item that was named before `take that`, else of the one offered."""
    that = None if TOO.search(before) or _several(talk, before) else named_item(talk, before)
    names = that is not None and that.by.column in talk.wording.naming(that.row)
    return _put_forward(talk, that) if that is not None and names else talk.place


def _of_days(talk: Negotiation, wishes: Sequence[Constraint]) -> bool:
    """Return whether what is bounded are days: who books names the first."""
    bounds = [wish for wish in wishes if wish.op in (*LOWER, *UPPER, "between")]
    return all(wish.column in index_of(talk.catalog).dates for wish in bounds)


def _bearing(talk: Negotiation, items: Sequence[Item], number: str) -> int:
    """Return the place of the item whose name, else another value, bears a number."""
    for of_names in (True, False):
        at = [
            place
            for place, item in enumerate(items)
            for name, value in item.row.items()
            if (name in talk.wording.naming(item.row)) == of_names
            and number in re.findall(r"\d+", str(value))
        ]
        if len(set(at)) == 1:
            return at[0]
    return UNSURE


def _several(talk: Negotiation, text: str) -> bool:
    """Return whether a text names two items: `the Lamb or the Plough`."""
    names = [wish for wish in named_values(text, talk.catalog) if _names_an_item(talk, wish)]
    return len({wish.value for wish in names}) > 1


def least(items: Sequence[Item], way: tuple[str, Direction]) -> int | None:
    """Return the place of the item shown that has the least, or most, of a column."""
    held = [(item.row[way[0]], at) for at, item in enumerate(items) if item.row[way[0]] is not None]
    ends = min(held, default=None) if way[1] == "min" else max(held, default=None)
    return None if ends is None else ends[1]


_DESCRIBES = re.compile(
    r"\W*(?:(?:but|hmm|oh|well|no|aw|and|so|ok)\W+)*(?:(?:that|those|these|this|it|they)(?:\s+ones?)?|"
    r"(the\s+[\w\s'-]{1,30}?\s+ones?))(?:['’]s|['’]re|s|\s+(?:is|are|was|has|have))\b"
    r"(?!\s+(?:to\b|what\b|important|essential|perfect|better|best|fine|ok|good|great|lovely))",
    re.IGNORECASE,
)
"""How a sentence begins that tells what an item is: `those are old`, `the grey one's dear`."""


_NAMED = re.compile(
    r"\W*(?:(?:but|hmm|oh|well|no|and|so)\W+)*(?:that|this|the)((?:\s+[\w-]+){1,3}?)"
    r"(?:['’]s|\s+(?:is|are))\b",
    re.IGNORECASE,
)
"""How a sentence begins that is about an item: `that cube is over my budget`."""


def leave_mentions(talk: Negotiation, turn: Turn) -> None:
    """Take for no wish the name of an item that something is asked of, what to sort by, and what
    is told of the offered item.
    """
    if (way := sorted_by(turn.text, talk.catalog)) is not None:
        goals = [goal for goal in turn.taken.objectives if goal.column != way[0]]
        turn.taken = replace(turn.taken, objectives=tuple(goals))
        turn.leave(lambda wish: wish.column == way[0])
    which = [part for part in turn.sentences if turn.offers and part.asks_which]
    asked = turn.asking(which) if which else None
    ways = graded(asked.text, talk.catalog, ("most",))[:1] if asked is not None else []
    if asked is not None and ways and ways[0][0] in asked.columns:
        # The `fastest to be delivered` is fast in nothing else.
        name = ways[0][0]
        goals = [
            goal
            for goal in turn.taken.objectives
            if goal.column == name or turn.sentence_of(goal) not in which
        ]
        turn.taken = replace(turn.taken, objectives=tuple(goals))
    gone = [*_told_of_offered(talk, turn), *_references(talk, turn)]
    turn.taken = replace(
        turn.taken, constraints=tuple(part for part in turn.taken.constraints if part not in gone)
    )
    about = any(part.asks_of_item or TOO.search(part.text) for part in turn.sentences)
    named = named_item(talk, turn.text) if about and turn.offers else None
    if named is not None:
        turn.leave(lambda wish: wish.value == named.by.value)
        place = shown_at(talk, named.row)
        talk.place = talk.place if place is None else place
    if named is not None and not TOO.search(turn.text):
        talk.passed -= _row_ids(talk, named.by)  # Whoever asks about it may take it after all.


def _told_of_offered(talk: Negotiation, turn: Turn) -> list[Extracted]:
    """Return what a turn only tells of the offered item: `that is in Ashby`, `hm, 287 and no lift`.

    A number that it has is no limit where no word bounds it.
    """
    item = talk.offered
    told: list[Extracted] = []
    if item is None:
        return told
    for part in turn.sentences:
        describes = _DESCRIBES.match(part.text)
        refused = _NAMED.match(part.text) if TOO.search(part.text) else None
        bounded, stating = part.bounds, turn.stated_in(part)
        named = named_item(talk, part.text) if stating else None
        rows = [item.row] if named is None else [item.row, named.row]
        for stated in stating:
            wish = stated.constraint
            number = not bounded and any(wish.value == r.get(wish.column or "", wish) for r in rows)
            least = wish.op == ">=" and _complains(part.text)
            number = number and (wish.op in ("==", "<=") or least) and not stated.implied
            number = number and not isinstance(wish.value, bool | str)
            complains = _complains(part.text) and _holds(item.row, wish)
            if refused is not None and isinstance(wish.value, str):
                complains |= refused.start(1) <= stated.evidence.start - part.start < refused.end(1)
            if number or complains or (describes and (describes[1] or has(talk, item.row, [wish]))):
                told.append(stated)
    return told


_COMPLAINS = re.compile(
    r"(?:\b(?:is|are|does|has|takes?)|['’](?:s|re))\s+only\b|"
    r"\bonly\s+(?:for|does|takes?|has|teach\w*|works?)\b|:\(|"
    r"\b(?:afraid|problem|unfortunately|sadly)\b",
    re.IGNORECASE,
)
"""Words of a complaint of what an item is: `he's only in person :(`."""


_WISHES = re.compile(r"\b(?:need|must|want|has to|have to|should|please)\b", re.IGNORECASE)


def _complains(text: str) -> bool:
    return _COMPLAINS.search(text) is not None and _WISHES.search(text) is None


def _holds(row: Row, wish: Constraint) -> bool:
    """Return whether an item has a value that is named."""
    named = wish.op in ("==", "contains") and isinstance(wish.value, str)
    return named and wish.value in parts_of(row[wish.column or ""])


def _references(talk: Negotiation, turn: Turn) -> list[Extracted]:
    """Return what names single items where some are shown, which is no wish; show what is named.

    An item that somebody will not have is offered no more.
    """
    if talk.proposal is None:
        return []
    named = [part for part in turn.taken.constraints if _names_an_item(talk, part.constraint)]
    wanted = [part for part in named if part.constraint.op not in NEGATIVE]
    for part in named:
        if part.constraint.op in NEGATIVE:
            refused = part.constraint.changed("in", tuple(part.constraint.values))
            talk.passed |= _row_ids(talk, refused)
            talk.place = first_left(talk.proposal.answer, talk.passed)
    if len(wanted) == 1:
        wish = wanted[0].constraint
        talk.passed -= _row_ids(talk, wish.changed("in", tuple(wish.values)))
        meant = values_meant(wanted[0].evidence.text, talk.catalog)
        values = meant.get(wish.column or "", set(wish.values))
        held = [item.row[wish.column or ""] in values for item in talk.proposal.answer.items]
        if sum(held) == 1:
            talk.place = held.index(True)
        elif not any(held) and folded(wanted[0].evidence.text) == folded(str(wish.value)):
            talk.propose_instead(Query(base=(wish,)))
    return named


def _row_ids(talk: Negotiation, wish: Constraint) -> frozenset[int]:
    """Return the ids of all items that meet a wish."""
    return frozenset(map(int, talk.catalog.slice([talk.catalog.bind(wish)]).ids.tolist()))


def wish_for_names(talk: Negotiation, turn: Turn) -> None:
    """Wish for a word that was left over and stands in several items' names: `with unicorns`.

    Beside what is shown, names are of what is shown; beside other wishes the word is a remark.
    """
    read = turn.taken
    if talk.proposal is not None or read.constraints or read.objectives or read.leanings:
        return
    columns = [name for name in _name_columns(talk) if tells_apart(talk, name)]
    for said in turn.taken.not_understood:
        stems = [word for word in stems_of(said.evidence.text) if len(word) > 3]
        stems = [word for word in stems if word not in DAYTIMES] or stems
        meant = values_meant(said.evidence.text, talk.catalog) if len(stems) == 1 else {}
        column = next((name for name in columns if meant.get(name)), None)
        place = said.evidence
        if column is None or DENIES.search(clause_of(turn.text, place.start, place.end)):
            continue  # `weekends don't work` wishes for no `Weekend Course`.
        wish = Constraint(column=column, op="ilike", value=f"%{stems[0]}%")
        if talk.count([wish]) > 1:
            found = Extracted(wish, LIKELY, said.evidence, said.evidence.text)
            left = tuple(part for part in turn.taken.not_understood if part is not said)
            wishes = (*turn.taken.constraints, found)
            turn.taken = replace(turn.taken, constraints=wishes, not_understood=left)
            turn.states = True
            return


def _name_columns(talk: Negotiation) -> list[str]:
    """Return the columns that name the items shown, or any."""
    if talk.proposal is not None and talk.proposal.is_offer:
        rows = [item.row for item in talk.proposal.answer.items[:1]]
        return [name for row in rows for name in talk.wording.naming(row)]
    return naming_columns(talk)


def _names_an_item(talk: Negotiation, wish: Constraint) -> bool:
    """Return whether a wish names items by what tells each from all others."""
    if wish.column is None or wish.op not in ("==", "in", "!=", "not in"):
        return False
    if wish.column not in _name_columns(talk) or not tells_apart(talk, wish.column):
        return False
    return talk.count([wish.changed("in", wish.values)]) <= len(wish.values)


def _put_forward(talk: Negotiation, named: Named) -> int | None:
    """Offer an item that is not shown; return its place."""
    talk.propose_instead(Query(base=(named.by,)))
    return shown_at(talk, named.row)


def refuse_offered(talk: Negotiation, turn: Turn) -> str:
    """Note that the offered item is refused by a turn that says what else is wished."""
    item = talk.offered
    if item is not None and turn.states and TOO.search(turn.text) and not turn.get("affirm"):
        talk.passed |= {item.row_id}
        if talk.proposal is not None:
            talk.place = first_left(talk.proposal.answer, talk.passed)
    return ""


def bound_by_offered(talk: Negotiation, turn: Turn) -> str:
    """Take in that there should be less of something than the offered item has, beside wishes."""
    row = turn.beside
    if row is None or not turn.states or any(part.asks_of_item for part in turn.sentences):
        return ""
    stated = {part.constraint.column for part in turn.taken.constraints}
    for part in turn.sentences:
        for column, direction in graded(part.text, talk.catalog, ("more",))[:1]:
            held = row.get(column)
            if held is None or column in stated or turn.asking([part]).extraction.objectives:
                continue
            bound = Constraint(column=column, op="<" if direction == "min" else ">", value=held)
            question = limit_question(talk, (column, direction))
            if question is not None and not TOO.search(part.text):
                talk.ask_next(question)
            elif counted(talk, [bound]):
                talk.preferences.add([bound])
            else:
                talk.preferences.aim(Objective(column=column, direction=direction))
                return sentence(f"none that fits has {talk.wording.wish(bound)}")
    return ""
