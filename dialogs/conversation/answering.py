"""Answers to all that a turn asks, by what it is about: items, an end of a column, one item."""

from __future__ import annotations

import re

from ...catalogs.query.constraint import Constraint
from ...catalogs.versions.sorted_rows import SortKey
from ..extraction.value_index import index_of
from ..language.column_phrases import column_topics
from ..language.wording import sentence
from .acts import Act
from .answers import ANSWERS, better, limit_question, more, sorted_items
from .asked import Asked, together
from .comparisons import compared
from .item_answers import best, item_value
from .naming import Direction, graded, sorted_by
from .negotiation import Negotiation
from .offered_items import TOO, least, takes_by_words
from .parts import LIKELY, asks_how, compares
from .sentences import SHALL_IT, at_end, counted, offer, understood, wished
from .turn import Turn

UNCLEAR = "Better in what?"

CANNOT = "I only look things up in the catalog; I cannot book, buy or bargain for you."

_WHICH = re.compile(r"\bwhich\b", re.IGNORECASE)

_OF_THOSE = re.compile(r"\bof\s+(?:the|those|these|them)\b", re.IGNORECASE)

_OF_IT = re.compile(r"\b(?:it|its|he|his|she|her|they|their|included)\b", re.IGNORECASE)

OF_WORDS = ("why", "count", "meaning", "reason")
"""Topics of questions that are not about an item, whatever end of a column they name."""

_MEANS = re.compile(r"\b(?:mean\w*|stands?\s+for|explain|define|what(?:'s|\s+is)\s+an?)\b", re.I)


def beside_taking(talk: Negotiation, turn: Turn) -> list[str]:
    """Return the answers to what is asked of the item that is taken: `yes. When is it free?`."""
    takes = [part.takes or takes_by_words(part.text) for part in turn.sentences]
    after = turn.sentences[takes.index(True) + 1 :] if any(takes) else turn.sentences
    later = [part.text for part in after if part.asks]
    told = [
        item_value(talk, about)
        for act, about in _questions(talk, turn)
        if (act, act.topic) in (("ask", "value"), ("ask", "meaning"))
        and any(text in about.text for text in later)
    ]
    return [*told, *_to_requests(turn)]


def _to_requests(turn: Turn) -> list[str]:
    """Return what is said to whoever wants something done that no catalog can do."""
    return [CANNOT] if any(part.requests for part in turn.sentences) else []


def answers_to(talk: Negotiation, turn: Turn, changed: bool) -> list[str]:
    """Return the answers to all that is asked, and what is polite.

    `changed`: the turn changed what is wished, and its reply says what there is now.
    """
    if (way := sorted_by(turn.text, talk.catalog)) is not None:
        told = [sorted_items(talk, way)]
    else:
        told = [_answer(talk, turn, asked, act, changed) for act, asked in _questions(talk, turn)]
        if len(told) > 1:
            told = [text for text in told if not text.startswith(UNCLEAR)]
    if requests := _to_requests(turn):
        standing = talk.proposal if talk.accepted is None and not changed else None
        again = [] if standing is None or any(told) else [offer(talk, standing)]
        told += [*requests, *again]
    for act in turn.acts:
        if act == "weigh" and not turn.get("negate"):
            told.append(_weighed(talk))
        elif act == "thanks":
            told.append("You are welcome.")
        elif act == "greet" and (act.confidence >= LIKELY or not turn.taken.not_understood):
            told.append("Hello.")
        elif act == "end" and not turn.states and not any(told):
            told.append(f"Goodbye. {understood(talk)}")
            talk.end("said goodbye")
    return told


def _questions(talk: Negotiation, turn: Turn) -> list[tuple[Act, Asked]]:
    """Return what is asked; all that is asked of items is one question, of several sentences."""
    asked: dict[tuple[str, str], tuple[Act, Asked]] = {}
    for act, about in turn.questions:
        act = Act("ask", "value", act.confidence) if _is_of_item(talk, act, about) else act
        if (before := asked.get((act, act.topic))) is not None:
            about = together([*before[1].sentences, *about.sentences])
        asked[act, act.topic] = act, about
    return list(asked.values())


def _answer(talk: Negotiation, turn: Turn, asked: Asked, act: Act, changed: bool) -> str:
    """Return the answer to a question or to a wish for other items."""
    if act != "ask_better" and act.topic not in OF_WORDS and not compares(asked.text):
        forms = ("most", "more") if _WHICH.search(asked.text) else ("most",)
        stated = {part.constraint.column for part in turn.taken.constraints}
        ways: list[tuple[str, Direction]] = [
            (goal.column, "min" if goal.direction == "min" else "max")
            for goal in asked.extraction.objectives
        ]
        if not ways or ways[0][0] not in asked.columns:
            ways = _named_ways(ways, graded(asked.text, talk.catalog, forms), asked)
        ways = [way for way in ways if way[0] not in stated]
        if ways and not changed:
            if _OF_THOSE.search(asked.text) and (told := _of_shown(talk, ways[0])):
                return told
            if _is_disliked(talk, turn, ways[0]):
                return better(talk, ways[0])
        if ways and ways[0][0] in {goal.column for goal in turn.taken.objectives}:
            return "" if talk.proposal is not None else best(talk, ways[0])
        if ways:
            return best(talk, ways[0])
    # What is asked before other wishes are said is asked of what was offered until then.
    beside = turn.beside if changed and turn.asks_first(asked) else None
    if act == "ask":
        if compares(asked.text):
            told = compared(talk, asked)
        elif beside is not None and act.topic == "value":
            told = item_value(talk, asked, beside)
        else:
            told = ANSWERS[act.topic](talk, asked)
        open_still = talk.question is not None and act.topic != "items"
        leaves = turn.get("dont_care") or turn.get("dont_know")
        turn.keeps_question = open_still and turn.leaves_question_open and not leaves
        return told
    if act == "ask_more":
        return "" if turn.states or changed else more(talk, asked)
    ways = graded(asked.text, talk.catalog)
    if ways and not turn.states:
        question = None if TOO.search(asked.text) else limit_question(talk, ways[0])
        if question is not None:
            talk.ask_next(question)
            return "Of course."
        return better(talk, ways[0], turn.beside) if talk.proposal is not None else ""
    return "" if turn.states else f"{UNCLEAR} {understood(talk)}"


def _is_of_item(talk: Negotiation, act: Act, asked: Asked) -> bool:
    """Return whether a question is about the offered item, or each of a few that fit.

    `How many seats?`, `has it a lift?`, `what time is check-in?`.
    """
    names = asked.columns
    if act.topic == "count":
        ordered = any(talk.catalog.schema.find(name).ordered for name in names)
        return ordered and not asked.extraction.constraints
    if act.topic in ("values", "items") and talk.offered is not None:
        lists = index_of(talk.catalog).columns
        parts = bool(names) and all(name in lists and lists[name].parts for name in names)
        if parts and _OF_IT.search(asked.text):
            return True
    if act.topic in ("meaning", "values", "items", "help"):
        flags = any(talk.catalog.schema.find(name).family == "boolean" for name in names)
        when = bool(names) and asks_how(asked.text) and not asked.extraction.constraints
        flags &= act.topic != "items"
        return (flags or when) and not _MEANS.search(asked.text)
    return False


def _named_ways(
    ways: list[tuple[str, Direction]], words: list[tuple[str, Direction]], asked: Asked
) -> list[tuple[str, Direction]]:
    """Return what should be little or much, by the wish, or by the column of its kind named.

    `The cheapest for a cleaning` has the lowest price of cleanings.
    """
    if not ways:
        return words
    topics, among = set(column_topics(ways[0][0])), _OF_THOSE.search(asked.text) is not None
    named = [way for way in words if way[0] in asked.columns]
    return [w for w in named if among or topics.intersection(column_topics(w[0]))] or ways


def _of_shown(talk: Negotiation, way: tuple[str, Direction]) -> str:
    """Return which of the items shown has the least, or most; empty where not all are shown."""
    answer = None if talk.proposal is None else talk.proposal.answer
    if answer is None or not 1 < answer.count <= len(answer.items):
        return ""
    if (place := least(answer.items, way)) is None:
        return ""
    talk.place = place
    item = talk.wording.item(answer.items[place].row, [way[0], *wished(talk)])
    told = at_end(talk, SortKey(way[0], way[1] == "max"), item)
    return f"{sentence(told)} {SHALL_IT}"


def _is_disliked(talk: Negotiation, turn: Turn, way: tuple[str, Direction]) -> bool:
    """Return whether what is offered has too much of something, and nothing that fits has less."""
    name, direction = way
    held = None if talk.offered is None else talk.offered.row[name]
    other = (name, "max" if direction == "min" else "min")
    if held is None or other not in graded(turn.text, talk.catalog, ("plain",)):
        return False
    less = Constraint(column=name, op="<" if direction == "min" else ">", value=held)
    return not counted(talk, [less])


def _weighed(talk: Negotiation) -> str:
    """Weigh anew, and say what gives way first."""
    if not talk.preferences.soft or talk.proposal is None:
        return ""
    proposal = talk.propose()
    least = min(talk.preferences.soft, key=lambda wish: (wish.hard, wish.importance))
    return (
        f"{sentence(f'{talk.wording.wish(least)} gives way first, then')} {offer(talk, proposal)}"
    )
