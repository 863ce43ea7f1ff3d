"""What a turn denies of a feature: that it is still needed, or that the offered item has it.

Who says `no wi-fi in that one` of an item without complains, and who wished for a bath tub and now
says `no bath tub then` needs none: neither wishes for an item without.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint
from ..extraction.extracted import Extracted
from ..extraction.value_index import index_of
from ..language.tokens import folded_words
from ..language.wording import listed, quoted
from .item_answers import has
from .negotiation import Negotiation
from .preferences import NEGATIVE, PARTS
from .turn import Turn

_BANS = re.compile(
    r"\b(?:(?:do(?:es)?|wo|ca)(?:n['’]?t| not)|never|cannot|would(?:n['’]?t| not))\s+"
    r"(?:really\s+)?(?:want|need|like|have|stand|bear|take|be)\b|\bhates?\b|\ballerg|"
    r"\bmust(?:n['’]?t| not)\b|\b(?:absolutely|definitely|really) no\b|\b(?:keep|stays?)\b",
    re.IGNORECASE,
)
"""Words that surely want something away, or kept."""

_WITHOUT = re.compile(r"\b(?:without|free|no \w[\w -]* please)\b", re.IGNORECASE)
"""Words for an item that lacks something, and no complaint that one does."""

_MISSED = re.compile(
    r"\b(?:no good|a no|no from|not keen|not for me|need|want|wish|must|has to|have to|should|"
    r"with)\b",
    re.IGNORECASE,
)
"""Words of somebody who will have what is missing: `that's a no`, `anything with wi-fi?`."""

_SEEKS = re.compile(r"\b(?:any\w*|some\w*|others?|else|instead)\b|\?", re.IGNORECASE)
"""Words of somebody who looks for other items, of whom it is unclear what is wrong with one:
`no smoking, anything else?`"""

_DESCRIBES = re.compile(
    r"\b(?:ha(?:s|ve|d)|'s got|got|is|are|isn['’]?t|aren['’]?t|does|do)\b", re.IGNORECASE
)

_TWICE = re.compile(
    r"\b(?:not?|without)\s+[\w\s'-]{1,30}?(?:\s+(?:is|are|would be)|['’]s)\s+"
    r"(?:an?\s+)?(?:\w+\s+)?(?:no(?=\W*$|\s+(?:for|from|to)\b)|no.?go|deal.?breaker|problem|"
    r"out|useless|no good|no use)\b",
    re.IGNORECASE,
)
"""Words that refuse what lacks something: `not insured is a no from me`."""

_NEEDLESS = re.compile(
    r"\b(?:not|isn['’]?t|aren['’]?t|wasn['’]?t|never)\s+(?:(?:an?|really|so|that|strictly)\s+)*"
    r"(?:must|necessary|necessarily|essential|needed|required|important|deal.?breaker|"
    r"requirement)\b|"
    r"\b(?:do(?:es)?(?:n['’]?t| not)|need(?:n['’]?t| not))\s+(?:really\s+)?"
    r"(?:have to|need to|be)\b|\balso\b[\w\s]*\bwithout\b",
    re.IGNORECASE,
)
"""Words that something need not be: `nice but not necessary`, `it isn't a must`."""

_NO_NEED = re.compile(
    r"\bdo(?:es)?(?:n['’]?t| not)\s+(?:really\s+)?need\s+(?:(?:an?|the|any)\s+)?$", re.IGNORECASE
)
"""Words right before what is not needed."""

STEM = 4
"""Letters by which words of what is named are known again."""

_CLAUSE = re.compile(r"[,.;!?()]|\b(?:but|and)\s+(?!not\b|isn|aren)")


def read_denials(talk: Negotiation, turn: Turn) -> str:
    """Take what a turn denies for what it means beside what is wished and offered.

    Returns what is to be said where that is unclear.
    """
    taken, unclear = list[Extracted](), list[str]()
    for part in turn.taken.constraints:
        if _is_needless(turn.text, part):
            named = part.constraint
            held = [known for known in talk.preferences.known if _is_of(known, named)]
            talk.preferences.forget(held)
            talk.close_slots([named.column or ""] if held else [])
            continue
        wished = _contrary(talk, part.constraint)
        if wished is None or _BANS.search(turn.text) or _is_contrast(talk, turn, part):
            taken.append(part)
            continue
        if _TWICE.search(turn.text):
            taken.append(replace(part, constraint=wished))
            continue
        held = [known for known in talk.preferences.known if _says(known, wished)]
        if held:
            talk.preferences.forget(held)
            talk.close_slots([wished.column or ""])
        elif not _WITHOUT.search(turn.text) and _lacks(talk, turn, part.constraint):
            said = _said_of(turn, part)
            if _MISSED.search(said):
                taken.append(replace(part, constraint=wished))
            elif _SEEKS.search(said):
                unclear.append(quoted(part.evidence.text))
        else:
            taken.append(part)
    turn.taken = replace(turn.taken, constraints=tuple(taken))
    if not unclear:
        return ""
    return f"What is offered lacks {listed(unclear)}: say “with” or “without” if that matters."


def _said_of(turn: Turn, part: Extracted) -> str:
    """Return the sentences of a turn that speak of what a part of it names."""
    named = {word[:STEM] for word in folded_words(part.evidence.text) if len(word) >= STEM}
    return " ".join(
        sentence.text
        for sentence in turn.sentences
        if sentence.holds(part.evidence.start)
        or named & {word[:STEM] for word in folded_words(sentence.text)}
    )


def _is_needless(text: str, part: Extracted) -> bool:
    """Return whether the clause that names a value says that it need not be."""
    if part.implied or not isinstance(part.constraint.value, str | bool | tuple):
        return False
    start, end = part.evidence.start, part.evidence.end
    before = max((m.end() for m in _CLAUSE.finditer(text, 0, start)), default=0)
    if _NO_NEED.search(text[before:start]):
        return True
    behind = _CLAUSE.search(text, end)
    return _NEEDLESS.search(text[before : behind.start() if behind else len(text)]) is not None


def _is_of(known: Constraint, named: Constraint) -> bool:
    """Return whether a wish known is for what is named, whichever way."""
    return known.column == named.column and not set(known.values).isdisjoint(named.values)


def _is_contrast(talk: Negotiation, turn: Turn, denied: Extracted) -> bool:
    """Return whether what is denied was denied before, or is told from what is wished instead."""
    column = denied.constraint.column
    positive = (p.constraint for p in turn.taken.constraints if p.constraint.column == column)
    instead = any(wish.op not in NEGATIVE and wish != denied.constraint for wish in positive)
    known = any(
        wish.column == column
        and (wish.op, wish.values) == (denied.constraint.op, denied.constraint.values)
        for wish in talk.preferences.known
    )
    return instead or known


def _contrary(talk: Negotiation, denied: Constraint) -> Constraint | None:
    """Return the wish for the feature that a constraint denies; None where it denies none."""
    index, column = index_of(talk.catalog), denied.column or ""
    answers, texts = index.yes_no.get(column), index.columns.get(column)
    if answers is not None and denied.op == "==" and denied.value == answers.no:
        return denied.changed("==", answers.yes)
    if texts is None or not texts.parts or denied.op not in NEGATIVE or len(denied.values) > 1:
        return None
    return denied.changed("contains", next(iter(denied.values)))


def _says(known: Constraint, wished: Constraint) -> bool:
    """Return whether a wish known is the one for a feature."""
    ops = PARTS if wished.op == "contains" else ("==",)
    return known.column == wished.column and known.op in ops and known.values == wished.values


def _lacks(talk: Negotiation, turn: Turn, denied: Constraint) -> bool:
    """Return whether the offered item lacks a feature; one shown where items are described."""
    if talk.offered is None or talk.proposal is None:
        return False
    rows: list[Row] = [talk.offered.row]
    if _DESCRIBES.search(turn.text):
        rows += [item.row for item in talk.proposal.answer.items]
    return any(has(talk, row, [denied]) for row in rows)
