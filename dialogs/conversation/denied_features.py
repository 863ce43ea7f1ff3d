"""What a turn denies of a feature or value: that it is needed, or what the offered item has.

Who says `no wi-fi in that one` of an item without complains, and who wished for a bath tub and now
says `no bath tub then` needs none: neither wishes for an item without. Who asks `only in fair
condition?` of an item in fair condition does not wish for that either.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint
from ..extraction.admitted import allowing
from ..extraction.extracted import Extracted
from ..extraction.value_index import index_of
from ..language.tokens import folded, folded_words
from .item_answers import has
from .negotiation import Negotiation
from .preferences import LOWER, NEGATIVE, PARTS, UPPER
from .turn import Turn

_BANS = re.compile(
    r"\b(?:(?:do(?:es)?|wo|ca)(?:n['’]?t| not)|never|cannot|would(?:n['’]?t| not))\s+"
    r"(?:really\s+)?(?:want|need|like|have|stand|bear|take|be)\b|\bhates?\b|\ballerg|"
    r"\bmust(?:n['’]?t| not)\b|\b(?:absolutely|definitely|really) no\b|\bkeep\b",
    re.IGNORECASE,
)
"""Words that surely want something away, or kept."""

_REFUSES = re.compile(r"\b(?:no good|a no|no from|not keen|not for me)\b", re.IGNORECASE)
"""Words that refuse an item for what it lacks."""

_NOTICES = re.compile(
    r"\b(?:then|shame|pity|that one|this one|there(?:['’]s| is| are)|"
    r"(?<!must )(?<!should )(?<!to )ha(?:s|ve))\b",
    re.IGNORECASE,
)
"""Words of somebody who sees that an item lacks something: `no burner then`, `it has no lift`."""

DENIES = re.compile(r"\b(?:no|not|without|never|neither|nor)\b|n['’]t\b", re.IGNORECASE)

_DESCRIBES = re.compile(
    r"\b(?:ha(?:s|ve|d)|'s got|got|is|are|isn['’]?t|aren['’]?t|does|do)\b", re.IGNORECASE
)

_TWICE = re.compile(
    r"\b(?:not?|without)\s[\w'-]+(?:\s[\w'-]+){0,4}?(?:\s(?:is|are|would be)|['’]s)\s"
    r"(?:an?\s)?(?:(?!no\b|not\b)\w+\s)?(?:no(?=\W*$|\s(?:for|from|to)\b)|no.?go|deal.?breaker|"
    r"problem|out|useless|no good|no use)\b",
    re.IGNORECASE,
)
"""Words that refuse what lacks something: `not insured is a no from me`."""

_NEEDLESS = re.compile(
    r"\b(?:not|isn['’]?t|aren['’]?t|wasn['’]?t|never)\s(?:(?:an?|really|so|that|strictly)\s)*"
    r"(?:must|necessary|necessarily|essential|needed|required|important|deal.?breaker|"
    r"requirement)\b|"
    r"\b(?:do(?:es)?(?:n['’]?t| not)|need(?:n['’]?t| not))\s(?:really\s)?"
    r"(?:have to|need to|be|need\s(?:it|this|that|them)\sto)\b|"
    r"\balso\s(?:(?!want|need|like|be)\w+\s)?without\b",
    re.IGNORECASE,
)
"""Words that something need not be: `nice but not necessary`, `it isn't a must`."""

_NO_NEED = re.compile(
    r"\b(?:do(?:es)?(?:n['’]?t| not)|no)\s(?:real(?:ly)?\s)?need\b(?:\s(?:an?|the|any|for)\b)*",
    re.IGNORECASE,
)
"""Words right before what is not needed."""

FINE = re.compile(
    r"(?:\?\s?(?:that(?:['’]s| is)\s)?|(?:is|are|would be|['’]s)\s)(?:(?:also|totally|perfectly|"
    r"quite|absolutely)\s)?(?:fine|ok|okay|all right|alright|no problem|not a problem)\b"
    r"(?!\s?\?)",
    re.IGNORECASE,
)
"""Words right behind what may as well be denied: `no dogs? fine`, `no lift is ok`."""

_VERDICT = re.compile(
    r"(?:\bno|\bnot|n['’]?t)\s(?:(?:really|quite|even)\s)?(\w+)\senough\b|\bno\s(good)\b",
    re.IGNORECASE,
)
"""Words that judge what is named, and name no value themselves: `fair isn't good enough`."""

_ONLY = re.compile(r"\b(?:only|just|merely)\b", re.IGNORECASE)

_FOR = re.compile(r"\bfor(?:\s(?:the|our|my|his|her|their|an?))?$", re.IGNORECASE)
"""Words right before whom something is for: `a garden for the dog is not essential`."""

_NEEDS_ONE = re.compile(
    r"\b(?:need|want|require|must\shave|have\sto\shave)\s(?:one|that)\b"
    r"(?!\s(?:with|without|that|which|where|in|at|near)\b)",
    re.IGNORECASE,
)
"""Words that want what was named right before: `no garden, and we do need one`."""

_DISLIKES = re.compile(
    r"(?<!\bi\s)(?<!\bwe\s)\bhates?\b|\ballergic\b|\bafraid\sof\b", re.IGNORECASE
)
_STILL = re.compile(r"\bstill\b|\b(?:i|we)\s(?:do\s)?have\b(?!\sto\b)", re.IGNORECASE)
_BUT_FOR = re.compile(
    r"\b(?:but|except|avoid|other|than|rather|instead|nothing|lacks?|gone|rid)\b", re.IGNORECASE
)

STEM = 4
"""Letters by which words of what is named are known again."""

_CLAUSE = re.compile(
    r"[,.;!?()]|\b(?:but|and)\s+(?!not\b|isn|aren)|\b(?:as long as|provided|if|though|because)\b",
    re.IGNORECASE,
)


def read_denials(talk: Negotiation, turn: Turn) -> None:
    """Take what a turn denies for what it means beside what is wished and offered."""
    taken = list[Extracted]()
    for part in filter(None, (_complaint(talk, turn, part) for part in turn.taken.constraints)):
        if _is_needless(turn.text, part):
            _forget(talk, _contrary(talk, part.constraint) or part.constraint)
            continue
        wished, said = _contrary(talk, part.constraint), _plain(turn.sentence_of(part).text)
        if still := _still_wished(talk, part, said):
            left = allowing(part.constraint, still)
            taken += [] if left is None else [replace(part, constraint=left)]
            continue
        if wished is not None and needs_one(turn.text, part):
            taken.append(replace(part, constraint=wished))
        elif wished is None or _BANS.search(said) or _is_contrast(talk, turn, part):
            taken.append(part)
        elif (twice := _TWICE.search(_plain(turn.text))) and _stems(twice[0]) & _named(part):
            taken.append(replace(part, constraint=wished))
        elif _forget(talk, wished):
            pass  # It was wished, and is open again.
        elif not _lacks(talk, turn, part.constraint):
            taken.append(part)
        elif _REFUSES.search(said) or _is_sought(turn, part):
            taken.append(replace(part, constraint=wished))
        elif not _NOTICES.search(said):
            taken.append(part)
    turn.taken = replace(turn.taken, constraints=tuple(taken))


def unneeded(clause: str) -> re.Match[str] | None:
    """Return the words of a clause which say that something need not be."""
    return _NO_NEED.search(clause) or _NEEDLESS.search(clause)


def _complaint(talk: Negotiation, turn: Turn, part: Extracted) -> Extracted | None:
    """Return what a wish is where words judge what it names; None where they name nothing.

    A value that the offered item has is refused by whoever asks whether that is all.
    """
    wish, said = part.constraint, _plain(turn.sentence_of(part).text)
    judged = {folded(a or b) for a, b in _VERDICT.findall(said)}
    if judged and (wish.op in NEGATIVE or wish.value is False):
        named = [value for value in wish.values if folded(str(value)) in judged]
        if named and wish.op in NEGATIVE:
            left = allowing(wish, named)
            return None if left is None else replace(part, constraint=left)
        if folded(part.evidence.text) in judged:
            return None
    only, item = _ONLY.search(said), talk.offered
    doubts = only is not None and "?" in said[only.end() :]
    if doubts and item is not None and wish.op == "==" and isinstance(wish.value, str):
        held = wish.value == item.row.get(wish.column or "")
        return replace(part, constraint=wish.changed("!=", wish.value)) if held else part
    return part


def _plain(text: str) -> str:
    return " ".join(text.split())


def _still_wished(talk: Negotiation, part: Extracted, said: str) -> tuple[Any, ...]:
    """Return what was wished and is only named by a sentence that denies something else.

    `Our big dog hates cats` and `I still have a big dog` deny nothing of a big dog.
    """
    wish, known = part.constraint, talk.preferences.known
    held = [k for k in known if k.column == wish.column and k.op not in NEGATIVE]
    values = tuple(v for k in held for v in k.values if v in wish.values)
    if wish.op not in NEGATIVE or DENIES.search(said):
        return ()
    if (dislikes := _DISLIKES.search(said)) is not None:
        before = folded(said[: dislikes.start()])
        names = len(wish.values) == 1 and folded(part.evidence.text) in before
        return tuple(value for value in values if names or folded(str(value)) in before)
    return values if _STILL.search(said) and not _BUT_FOR.search(said) else ()


def needs_one(text: str, part: Extracted) -> bool:
    """Return whether the clause behind the one that denies something wants it."""
    end = _CLAUSE.search(text, part.evidence.end)
    clause = "" if end is None else clause_of(text, end.end(), end.end() + 1)
    return _NEEDS_ONE.search(_plain(clause)) is not None and not DENIES.search(clause)


def _is_sought(turn: Turn, part: Extracted) -> bool:
    """Return whether a clause names what is denied, and denies nothing: `I need wi-fi`."""
    return any(
        _named(part) & _stems(clause) and not DENIES.search(clause)
        for clause in _CLAUSE.split(turn.text)
    )


def _named(part: Extracted) -> set[str]:
    return {word for word in _stems(part.evidence.text) if len(word) == STEM}


def _stems(text: str) -> set[str]:
    return {word[:STEM] for word in folded_words(text)}


def clause_of(text: str, start: int, end: int) -> str:
    """Return the clause of a text that some of its characters stand in."""
    before = max((m.end() for m in _CLAUSE.finditer(text, 0, start)), default=0)
    behind = _CLAUSE.search(text, end)
    return text[before : behind.start() if behind else len(text)]


def _is_needless(text: str, part: Extracted) -> bool:
    """Return whether the clause that names a value says that it need not be."""
    if part.implied or not isinstance(part.constraint.value, str | bool | tuple):
        return False
    clause = clause_of(text, part.evidence.start, part.evidence.end)
    lead = _plain(clause[: clause.find(part.evidence.text)])
    if (spared := _NO_NEED.search(lead)) and lead.endswith(spared[0]):
        return True
    if _FOR.search(lead) and not _NEEDLESS.search(lead):
        return False
    if DENIES.search(f"{lead} {part.evidence.text}") and FINE.match(
        _plain(text[part.evidence.end :])
    ):
        return True
    return _NEEDLESS.search(_plain(clause)) is not None


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


def _forget(talk: Negotiation, wished: Constraint) -> bool:
    """Forget what is known of a wish for a feature; return whether it was known."""
    ops = PARTS if wished.op == "contains" else ("==",)
    ops = next((side for side in (LOWER, UPPER) if wished.op in side), ops)
    held = [
        known
        for known in talk.preferences.known
        if known.column == wished.column and known.op in ops and known.values == wished.values
    ]
    talk.preferences.forget(held)
    talk.close_slots([wished.column or ""] if held else ())
    return bool(held)


def _lacks(talk: Negotiation, turn: Turn, denied: Constraint) -> bool:
    """Return whether the offered item lacks a feature; one shown where items are described."""
    if talk.offered is None or talk.proposal is None:
        return False
    rows: list[Row] = [talk.offered.row]
    if _DESCRIBES.search(turn.text):
        rows += [item.row for item in talk.proposal.answer.items]
    return any(has(talk, row, [denied]) for row in rows)
