"""Simulated user without a model: writes a persona, and answers from it.

A persona is written from seeded templates by the bands of AWARE-US, appendix B. It is extracted
once; an answer looks for the phrases of the slot asked for in each of its sentences. A model may
answer instead, one call each.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...catalogs.query.constraint import Constraint, spoken, words
from ...catalogs.query.place_values import PLACE_TESTS
from ...catalogs.query.query import Query
from ...catalogs.versions.reader import CatalogReader
from ..language.column_phrases import column_phrases, mentions
from ..language.tokens import Piece, sentences
from ..models.chat_model import MAX_ANSWER, ChatModel, Request, spoken_reply
from ..models.prompt import Prompt, load_prompt
from ..transcripts.transcript import Message, Transcript
from .roles import Question

NO_PREFERENCE = "I have no preference about that."

NAMED = 0.8
"""A sentence names a slot outright from this strength of a mention on (`column_phrases`)."""


class OfflineRolePlayer:
    """Answers with the sentences of a persona that say something about the slot asked for.

    Those are the sentences that state a value of the column, those that name the column, and
    one that follows them without a subject of its own ("I could bend a little there").
    Nothing is invented: what the persona does not mention is no preference.
    """

    def __init__(self, persona: str, catalog: CatalogReader) -> None:
        from ..extraction.offline import OfflineExtractor

        self.catalog = catalog
        self.sentences = sentences(persona)
        extraction = OfflineExtractor().extract(persona, catalog)
        self._stated = _by_sentence(
            self.sentences,
            [
                (extracted.constraint.column, extracted.evidence.start)
                for extracted in (*extraction.constraints, *extraction.named)
            ],
        )

    def answer(self, question: Question, transcript: Transcript) -> str:
        """See `RolePlayer.answer`. Raises `UnknownColumn` for a slot the catalog has not."""
        slot = self.catalog.schema.find(question.slot).name
        about = [at for at, columns in enumerate(self._stated) if slot in columns]
        named = [at for at in range(len(self.sentences)) if self._names(at, slot)]
        chosen = sorted({*about, *named} | {at + 1 for at in about if self._goes_on(at + 1)})
        return " ".join(self.sentences[at].text for at in chosen) or NO_PREFERENCE

    def _names(self, at: int, slot: str) -> bool:
        family = self.catalog.schema.find(slot).family
        namings = mentions(self.sentences[at].text, slot, family)
        return any(mention.strength >= NAMED for mention in namings)

    def _goes_on(self, at: int) -> bool:
        """Return whether a sentence says nothing of any column itself."""
        if at >= len(self.sentences) or self._stated[at]:
            return False
        return not any(self._names(at, name) for name in self.catalog.columns)


def _by_sentence(
    pieces: Sequence[Piece], statements: Sequence[tuple[str | None, int]]
) -> list[set[str]]:
    """Return for each sentence the columns whose values it states."""
    stated: list[set[str]] = [set() for _ in pieces]
    for column, start in statements:
        for at, piece in enumerate(pieces):
            if column and piece.start <= start < piece.end:
                stated[at].add(column)
    return stated


HIGH, MEDIUM = 0.30, 0.12
"""Weights from which on a constraint matters much, and somewhat (appendix B); less is little."""

OPENINGS = (
    "I'm on the lookout for {wanted}, and it should suit my everyday life.",
    "I'd like to find {wanted}; nothing fancy, it just has to fit.",
    "After thinking it over for a while, I know I want {wanted}.",
    "I'm shopping for {wanted} at the moment, mostly for practical reasons.",
)
BANDS: dict[str, tuple[str, ...]] = {
    "top": (
        "What counts most is {phrase}, and I won't budge there.",
        "Above everything else I need {phrase}; that one is settled.",
        "{Phrase} comes first for me and is not up for discussion.",
    ),
    "high": (
        "{Phrase} matters a great deal to me too, so I'd hate to give it up.",
        "I'm also quite set on {phrase}.",
        "I feel strongly about {phrase} as well.",
    ),
    "medium": (
        "I'm hoping for {phrase}, though I could give a little if all else is right.",
        "{Phrase} would be good to have; I can live with slightly less.",
        "I care about {phrase} to a point, with a bit of room.",
    ),
    "low": (
        "{Phrase} would be a bonus, but I can easily do without.",
        "I'd enjoy {phrase}, yet I'd drop that without a second thought.",
        "As for {phrase}, take it or leave it.",
    ),
    "softest": (
        "{Phrase} is the first thing I'd let go of.",
        "If anything has to give, let it be {phrase}.",
        "I mention {phrase} only as a wish; change it freely.",
    ),
}
MAX_SENTENCES = 5


class OfflinePersonaWriter:
    """Writes personas from templates; the same seed and query give the same text."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def write(self, query: Query, *, softest: int | None = None) -> str:
        """Return a persona of three to five sentences in the first person.

        Every additional constraint of the query is mentioned, how much it matters by its
        weight; `softest` is described as the one that gives way most easily. Raises
        `IndexError` for a position the query has not.
        """
        if softest is not None:
            _ = query.constraints[softest]
        records = [constraint.model_dump_json() for constraint in (*query.base, *query.constraints)]
        dice = random.Random(f"{self.seed} {softest} {records}")
        opening = dice.choice(OPENINGS).format(wanted=_wanted(query.base))
        sentences = [
            self._sentence(query, group, softest, dice) for group in _grouped(query, softest)
        ]
        return " ".join([opening, *sentences])

    def _sentence(
        self, query: Query, group: Sequence[int], softest: int | None, dice: random.Random
    ) -> str:
        phrases = [phrase_of(query.constraints[at]) for at in group]
        *others, last = phrases
        phrase = f"{', '.join(others)} and {last}" if others else last
        template = dice.choice(BANDS[_band(query, group[0], softest)])
        return template.format(phrase=phrase, Phrase=phrase[0].upper() + phrase[1:])


def _wanted(base: Sequence[Constraint]) -> str:
    if not base:
        return "something"
    return "something with " + " and ".join(phrase_of(constraint) for constraint in base)


def _band(query: Query, position: int, softest: int | None) -> str:
    if position == softest:
        return "softest"
    weights = [constraint.importance for constraint in query.constraints]
    top = max(range(len(weights)), key=lambda at: (at != softest, weights[at]))
    if position == top:
        return "top"
    if weights[position] >= HIGH:
        return "high"
    return "medium" if weights[position] >= MEDIUM else "low"


def _grouped(query: Query, softest: int | None) -> list[list[int]]:
    """Return positions by weight, heaviest first and the softest last, a sentence each.

    Neighbours of one band share a sentence where there would be more than five.
    """
    order = sorted(
        range(len(query.constraints)),
        key=lambda at: (at == softest, -query.constraints[at].importance, at),
    )
    groups = [[at] for at in order]
    while len(groups) >= MAX_SENTENCES:
        bands = [_band(query, group[0], softest) for group in groups]
        same = [at for at in range(len(groups) - 1) if bands[at] == bands[at + 1]]
        if not same:
            break
        joined = same[-1]
        groups[joined : joined + 2] = [groups[joined] + groups[joined + 1]]
    return groups


def phrase_of(constraint: Constraint) -> str:
    """Return a constraint in plain words: `rent of at most 900`, `the district Nord`."""
    if constraint.column is None:
        is_placed = constraint.op in PLACE_TESTS
        return words(constraint) if is_placed else f"that {constraint.value}"
    thing = column_phrases(constraint.column)[0]
    value = constraint.value
    if isinstance(value, tuple):
        ends = [spoken(part, constraint.column) for part in value]
        if constraint.op == "between":
            return f"{thing} between {ends[0]} and {ends[1]}"
        joined = " or ".join(ends)
        return f"{thing} {joined}" if constraint.op == "in" else f"{thing} other than {joined}"
    if isinstance(value, bool):
        return thing if value == (constraint.op == "==") else f"no {thing}"
    spoken_value = spoken(value, constraint.column)
    wording = {
        "==": f"{thing} {spoken_value}",
        "!=": f"{thing} other than {spoken_value}",
        "<=": f"{thing} of at most {spoken_value}",
        "<": f"{thing} below {spoken_value}",
        ">=": f"{thing} of at least {spoken_value}",
        ">": f"{thing} above {spoken_value}",
        "is null": f"no {thing}",
        "is not null": f"some {thing}",
    }
    return wording.get(constraint.op, f"{thing} with {spoken_value} in it")


@dataclass(frozen=True)
class LLMRolePlayer:
    """Answers from a persona in a model's words (AWARE-US, appendix D)."""

    model: ChatModel
    persona: str
    episode: str = ""
    prompt: Prompt = field(default_factory=lambda: load_prompt("answer_as_persona"))

    def answer(self, question: Question, transcript: Transcript) -> str:
        """See `RolePlayer.answer`. Raises `ModelError` where the model gives no answer."""
        messages = (
            Message("system", self.prompt.render(persona=self.persona)),
            Message("user", question.text),
        )
        request = Request(messages, role="role-player", episode=self.episode)
        return spoken_reply(self.model, request, MAX_ANSWER)
