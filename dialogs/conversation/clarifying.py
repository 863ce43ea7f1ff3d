"""What is unclear in a turn, asked before any open slot; and what the answers to that say.

What a turn may have meant is taken in as a guess. An answer puts a wish in the guess's place; who
answers something else leaves it standing. One reading of the turn, one row set for each option.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...catalogs.query.constraint import NULL_TESTS, Constraint
from ...catalogs.versions.reader import CatalogReader
from ..clarification.clarify import clarify
from ..clarification.nearest import nearest_values
from ..clarification.offers import either
from ..clarification.questions import option_text, question
from ..clarification.stakes import Stakes
from ..clarification.unknowns import Possibility, Unknown
from ..extraction.extracted import Extracted, Extraction
from ..extraction.offline import OfflineExtractor
from ..extraction.to_query import light_bound
from ..extraction.value_index import index_of
from ..language.tokens import folded_words
from ..language.wording import Wording
from ..transcripts.transcript import Message, Transcript
from .acts import ActReading
from .naming import column_mentions, place_of
from .parts import SURE
from .roles import Choice, Question

MOST = 2
"""Questions about what is unclear in one turn."""

CLARIFYING = 3
"""Such questions in one conversation with a person."""

LEAST = 0.1
"""The share of the rows found that an answer must decide about, to be worth a question."""

EITHER = frozenset("both either any all whichever".split())
WHATEVER = frozenset(
    "whatever any anything nothing none skip drop leave ignore irrelevant immaterial".split()
)


@dataclass(frozen=True)
class Doubt:
    """An unknown of a turn, and the wishes that were taken in for it meanwhile."""

    unknown: Unknown
    guesses: tuple[Constraint, ...]

    def question(self) -> Question:
        """Return the question that settles it."""
        choices = tuple(Choice(option.text, option.rows) for option in self.unknown.options)
        return Question(self.unknown.columns[0], self.unknown.question, choices)

    def among(self, wishes: Iterable[Constraint]) -> list[Constraint]:
        """Return those of some wishes that are its guesses, whatever they weigh now."""
        known = {_key(guess) for guess in self.guesses}
        return [wish for wish in wishes if _key(wish) in known]

    def recounted(self, catalog: CatalogReader, wishes: Sequence[Constraint]) -> Doubt | None:
        """Return it with rows counted under the wishes there are now; None if it is settled."""
        guesses = self.among(wishes)
        rest = tuple(wish for wish in wishes if wish not in guesses)
        stakes, options = Stakes(catalog, rest), self.unknown.options
        rows = [stakes.rows(option.constraint) for option in options]
        effect = stakes.effect(rows)
        found = any(len(ids) for ids in rows)
        if effect < LEAST and (
            found or not stakes.repairs_differ([option.constraint for option in options])
        ):
            return None
        counted = tuple(
            replace(option, rows=len(ids)) for option, ids in zip(options, rows, strict=True)
        )
        return replace(self, unknown=replace(self.unknown, options=counted, effect=effect))


@dataclass(frozen=True)
class Settled:
    """What an answer says of a doubt: the wishes that take the place of the guesses, or none."""

    doubt: Doubt
    wishes: tuple[Constraint, ...]


def _key(wish: Constraint) -> tuple[object, ...]:
    return (wish.column, wish.op, wish.value)


def doubts_of(
    text: str, found: Extraction, catalog: CatalogReader, known: Sequence[Constraint]
) -> tuple[list[Doubt], list[str]]:
    """Return what is unclear in a turn and worth asking, and the words that link to nothing.

    What matters most comes first.
    """
    clear = clarify(text, catalog, extraction=_placed_at_start(found), known=known)
    unlinked = [unknown.said for unknown in clear.unknowns if unknown.kind == "unlinked"]
    doubts = [
        Doubt(unknown, tuple(_guesses(found, unknown)))
        for unknown in clear.unknowns
        if unknown.columns
        and (unknown.effect >= LEAST or not any_rows(unknown))
        and not _goes_without(text, unknown, found, catalog)
        and not _is_limited(unknown, found, known)
    ]
    return doubts[:MOST], unlinked


def _goes_without(text: str, unknown: Unknown, found: Extraction, catalog: CatalogReader) -> bool:
    """Return whether a conversation goes on better without a question.

    Nothing in the catalog is like the words; who says `whichever` minds neither; or a number is
    surely read of the only column.
    """
    if unknown.kind == "unlinked":
        return next(nearest_values(index_of(catalog), unknown.said), None) is None
    if unknown.kind == "alternatives":
        return not EITHER.isdisjoint(folded_words(text))
    if unknown.kind != "number" or len(unknown.columns) > 1:
        return False
    return any(
        part.constraint.column in unknown.columns
        and part.score >= SURE
        and unknown.is_about(part.evidence)
        for part in found.constraints
    )


def _is_limited(unknown: Unknown, found: Extraction, known: Sequence[Constraint]) -> bool:
    """Return whether what is said outright says more than a vague word does: `cheap`, under 300."""
    said = [part.constraint for part in found.constraints if not unknown.is_about(part.evidence)]
    limited = {wish.column for wish in (*known, *said)}
    return unknown.kind == "vague" and limited.issuperset(unknown.columns)


BARE = 3
"""Words of an answer that only names something, and asks nothing: `the pub?`."""

_NOT_BEFORE = re.compile(r"\bnot\s(?:(?:the|to|from)\s)*$", re.IGNORECASE)
"""Words right before what is not meant: `not the pub`."""

_ENDS = re.compile(r"\s*(?:$|[.,;!])")

HALF_HEARD = 4.0
"""Log-odds under what is taken for a wish from which on it is asked about: 15 of 843 fresh requests
of which a wish was read are lost so, and 13 of these asked about."""

REFUSALS = ("!=", "not in", *NULL_TESTS)
"""What nobody is asked about who did not plainly say it."""


def half_heard(found: Extraction, wording: Wording) -> list[Doubt]:
    """Return what a turn names and does not plainly wish for, to be asked: `do you mean …?`."""
    doubts: list[Doubt] = []
    for part in (*found.constraints, *(found.named if found.nearness >= -HALF_HEARD else ())):
        wish, said = part.constraint, part.evidence
        if wish.column is not None and wish.op not in REFUSALS and not part.implied:
            asked = question("ambiguous", said.text, [wish], wording)
            options = tuple(
                Possibility(option, 0, option_text("ambiguous", at, option, wording))
                for at, option in enumerate((wish, None))
            )
            about = Unknown(
                "ambiguous", said.text, (wish.column,), asked, options, said, (said,), 0.0, 0.5
            )
            doubts.append(Doubt(about, ()))
    return doubts[:MOST]


def any_rows(unknown: Unknown) -> bool:
    """Return whether some answer leaves rows."""
    return any(option.rows for option in unknown.options)


def _placed_at_start(found: Extraction) -> Extraction:
    """Return an extraction without what an answer to a question implies."""
    return replace(found, constraints=tuple(p for p in found.constraints if not p.implied))


def _guesses(found: Extraction, unknown: Unknown) -> Iterable[Constraint]:
    for part in (*found.constraints, *found.objectives, *found.leanings):
        wish = part.constraint if isinstance(part, Extracted) else light_bound(part)
        if wish is not None and unknown.is_about(part.evidence):
            yield wish


def without_words(found: Extraction, doubts: Sequence[Doubt]) -> Extraction:
    """Return an extraction of which the words in doubt are not told as not understood."""
    left = tuple(
        words
        for words in found.not_understood
        if not any(doubt.unknown.is_about(words.evidence) for doubt in doubts)
    )
    return replace(found, not_understood=left)


def answers_it(found: Extraction, slot: str, doubt: Doubt) -> bool:
    """Return whether a doubt is about what plainly answers the question about a slot.

    The question says what a number is about and which way it bounds; its words alone do not.
    """
    return doubt.unknown.kind in ("number", "ambiguous") and any(
        part.constraint.column == slot and doubt.unknown.is_about(part.evidence)
        for part in found.constraints
    )


def without_questions(found: Extraction, doubts: Sequence[Doubt]) -> Extraction:
    """Return an extraction whose own questions about what is in doubt are left out."""

    def quiet(part: Extracted) -> Extracted:
        asked = any(doubt.unknown.is_about(part.evidence) for doubt in doubts)
        return replace(part, question=None) if asked else part

    return replace(found, constraints=tuple(map(quiet, found.constraints)))


def settled(doubt: Doubt, text: str, reading: ActReading, catalog: CatalogReader) -> Settled | None:
    """Return what an answer says of a doubt; None where it says nothing of it.

    In this order: an option's own words, a place ("the first"), a value or number of its columns
    ("around 200"), all of it or none ("both", "doesn't matter"), yes or no to a single option, a
    column's name.
    """
    unknown = doubt.unknown
    if (option := _worded(unknown, text, catalog)) is not None:
        return _of(doubt, option)
    place = place_of(text, len(unknown.options))
    if place is not None and 0 <= place < len(unknown.options):
        return _of(doubt, unknown.options[place])
    said = _said(doubt, text, catalog)
    if said:
        return Settled(doubt, said)
    for pick in (_all_or_none, _yes_or_no, _by_column):
        option = pick(unknown, text, reading, catalog)
        if option is not None:
            return _of(doubt, option)
    return None


def _worded(unknown: Unknown, text: str, catalog: CatalogReader) -> Possibility | None:
    """Return the option whose own words an answer holds, the longest; None for none."""
    wording, answer = Wording(catalog), f" {' '.join(folded_words(text))} "
    named = column_mentions(text, catalog)
    found: list[tuple[int, int, Possibility]] = []
    for at, option in enumerate(unknown.options):
        if (wish := option.constraint) is not None:
            words = " ".join(folded_words(wording.condition(wish)))
            about = wish.column in named or not set(named) & set(unknown.columns)
            if about and f" {words} " in answer:
                found.append((len(words), -at, option))
    return max(found, key=lambda known: known[:2])[2] if found else None


def _of(doubt: Doubt, option: Possibility) -> Settled:
    return Settled(doubt, () if option.constraint is None else (option.constraint,))


def _said(doubt: Doubt, text: str, catalog: CatalogReader) -> tuple[Constraint, ...]:
    """Return the wishes on the columns in doubt that an answer states."""
    unknown = doubt.unknown
    named = _named(unknown, text, catalog)
    slot = named[0] if len(named) == 1 else unknown.columns[0]
    exchange = [Message("assistant", unknown.question), Message("user", text)]
    found = OfflineExtractor().extract(Transcript.of(exchange), catalog, slot=slot)
    wishes = [
        part.constraint
        for part in found.constraints
        if not part.implied and part.constraint.column in unknown.columns
    ]
    if unknown.kind == "number" and named and not _has_number(text):
        return ()
    return tuple(wishes)


def _named(unknown: Unknown, text: str, catalog: CatalogReader) -> list[str]:
    """Return the columns in doubt that an answer names, by more than a word they share.

    What it denies leaves the others: `not the pub`.
    """
    mentions = column_mentions(text, catalog)
    said = {name: {*mentions[name]} for name in mentions if name in unknown.columns}
    named = [name for name in said if not any(said[name] < other for other in said.values())]
    denied = {
        name
        for name in named
        if all(
            _NOT_BEFORE.search(text[:start]) and _ENDS.match(text, end) for start, end in said[name]
        )
    }
    left = [name for name in named if name not in denied]
    return left or [name for name in unknown.columns if denied and name not in denied]


def _has_number(text: str) -> bool:
    return any(map(str.isdigit, text))


def _all_or_none(
    unknown: Unknown, text: str, reading: ActReading, catalog: CatalogReader
) -> Possibility | None:
    words = set(folded_words(text))
    free = next((option for option in unknown.options if option.constraint is None), None)
    if unknown.kind == "alternatives":
        minds = not (words & EITHER or reading.get("dont_care"))
        return None if minds else unknown.options[0]
    both = words & {"both", "either"} or {"any", "them"} <= words
    if both and (joined := _joined(unknown.options)) is not None:
        return joined
    if reading.get("dont_care") or reading.get("dont_know") or words & WHATEVER:
        return free
    return None


def _joined(options: Sequence[Possibility]) -> Possibility | None:
    """Return that either of two options is fine, where one constraint can say it."""
    wishes = [option.constraint for option in options if option.constraint is not None]
    several = [wish for wish in wishes if isinstance(wish.value, tuple) and wish.op != "between"]
    if several:
        return Possibility(several[0], 0, "")
    if len(wishes) != 2:
        return None
    wish = either(*wishes)
    return None if wish is None else Possibility(wish, 0, "")


def _yes_or_no(
    unknown: Unknown, text: str, reading: ActReading, catalog: CatalogReader
) -> Possibility | None:
    meant = [option for option in unknown.options if option.constraint is not None]
    free = next((option for option in unknown.options if option.constraint is None), None)
    if reading.get("negate") and len(meant) == 1:
        return free
    if reading.get("affirm") and (len(meant) == 1 or unknown.kind == "alternatives"):
        return meant[0]
    return None


def _by_column(
    unknown: Unknown, text: str, reading: ActReading, catalog: CatalogReader
) -> Possibility | None:
    bare = len(folded_words(text)) <= BARE
    named = _named(unknown, text, catalog) if bare or "?" not in text else []
    about = [
        o for o in unknown.options if o.constraint is not None and o.constraint.column in named
    ]
    return about[0] if len({o.constraint.column for o in about if o.constraint}) == 1 else None
