"""Extraction by a chat model, every column, operator and value checked against the catalog.

The model is offered what was read without it; nothing it says is believed unless the person's own
words and the catalog bear it out. One call a text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Literal

from ...catalogs.errors import QueryError, one_line
from ...catalogs.query.constraint import COMPARISONS, LISTS, NULL_TESTS, Constraint, spoken
from ...catalogs.query.schema import ColumnProfile, name_words
from ...catalogs.versions.reader import CatalogReader
from ..language.calendar_days import week_day
from ..language.either import either_of
from ..language.packs import Packs, packs_of
from ..language.sums import added_up, sum_of, topic_of
from ..models.chat_model import ChatModel, Request
from ..models.prompt import Prompt, load_prompt
from ..models.structured import ask_for
from ..transcripts.transcript import Span, Transcript
from .claims import Aim, Claim, ClaimOfTurn, Claims, Waiver
from .extracted import (
    Extracted,
    ExtractedObjective,
    Extraction,
    Extractor,
    Leaning,
    Said,
    Unresolved,
)
from .linking import Linked, link
from .merging import SIDES, Wishes, in_order
from .offered import offered_lines
from .offline import OfflineExtractor
from .value_index import index_of

MAX_COLUMNS, MAX_VALUES, MAX_SHOWN = 100, 40, 60
"""Columns a model is shown, values of each, and characters of each of these."""

MAX_DESCRIBED = 8_000
"""Characters of all columns with their values beyond which fewer values are shown."""

FEWER_VALUES = 12

MAX_CLAIMS = 100
"""Claims of each sort of one reply that are looked at."""

MAX_TURN, MAX_MESSAGES = 4_000, 20
"""Characters of a message, and the last messages, that a model is shown."""

SPEAKERS = {"user": "Person", "assistant": "Assistant"}

TRUST = 0.9
"""The score of a constraint whose value is exactly the catalog's: a model may still be wrong."""

OF_SEVERAL = (*LISTS, "between", "contains any")
ALLOWED = (*COMPARISONS, *OF_SEVERAL, "contains", *NULL_TESTS)


@dataclass(frozen=True)
class LLMExtractor:
    """Asks a chat model, and keeps what the person's own words and the catalog bear out."""

    model: ChatModel
    episode: str = ""
    prompt: Prompt = field(default_factory=lambda: load_prompt("extract_constraints"))
    offline: Extractor = field(default_factory=OfflineExtractor)

    def extract(
        self,
        said: Said,
        catalog: CatalogReader,
        *,
        slot: str | None = None,
        today: date | None = None,
    ) -> Extraction:
        """See `Extractor.extract`.

        Unknown columns, impossible operators or values, and quotes that no message of the user
        holds are reported as unresolved. Raises `UnknownColumn` for an unknown slot and
        `ModelError` where the model gives no usable reply.
        """
        offered = self.offline.extract(said, catalog, slot=slot, today=today)
        return self.decide(said, catalog, offered, slot=slot, today=today)

    def decide(
        self,
        said: Said,
        catalog: CatalogReader,
        offered: Extraction,
        *,
        slot: str | None = None,
        today: date | None = None,
    ) -> Extraction:
        """Return what the model makes of what was read without it; raise as `extract` does."""
        transcript = Transcript.of(said).typed()
        if not any(message.content.strip() for _, message in transcript.by("user")):
            return offered
        column = catalog.schema.find(slot).name if slot else None
        text = self.prompt.render(**shown(transcript, catalog, offered, column, today))
        request = Request.of(text, role="extractor", episode=self.episode)
        claims = ask_for(self.model, request, Claims)
        return checked_claims(claims, transcript, catalog, offered, column)


def shown(
    transcript: Transcript,
    catalog: CatalogReader,
    offered: Extraction,
    slot: str | None = None,
    today: date | None = None,
) -> dict[str, str]:
    """Return what a prompt shows of a catalog, a conversation and what was read of it."""
    return {
        "columns": _described(catalog),
        "dialogue": transcript.lines(SPEAKERS, most=MAX_MESSAGES, longest=MAX_TURN),
        "context": "\n".join(_context(catalog, slot, today, offered)),
    }


def checked_claims(
    claims: Claims,
    transcript: Transcript,
    catalog: CatalogReader,
    offered: Extraction,
    slot: str | None = None,
    since: int = 0,
) -> Extraction:
    """Return what holds of a model's claims; what does not is among the unresolved.

    A quote counts that a message of the user holds; without one a value that a message holds, the
    first of them `since`. `offered`: what was read without the model.
    """
    return _Checker(transcript, since, catalog, slot, _scores(offered)).checked(claims)


def _described(catalog: CatalogReader) -> str:
    """Return the columns and what they hold, a line each, with as many values as there is room."""
    profiles = catalog.profiles()[:MAX_COLUMNS]
    for most in (MAX_VALUES, FEWER_VALUES):
        text = "\n".join(f"- {_short(p.name)}: {_holds(p, most)}" for p in profiles)
        if len(text) <= MAX_DESCRIBED:
            break
    return text


def _holds(profile: ColumnProfile, most: int) -> str:
    if profile.kind == "boolean":
        return "true or false"
    if profile.values:
        listed = ", ".join(_short(str(value)) for value in profile.values[:most])
        listed = f"{listed}, …" if len(profile.values) > most else listed
        return f"lists of: {listed}" if profile.kind == "list" else listed
    if profile.minimum is None or profile.kind not in ("numeric", "date"):
        return profile.kind
    low, high = (spoken(end, profile.name) for end in (profile.minimum, profile.maximum))
    return f"{profile.kind}, {low} to {high}"


def _context(
    catalog: CatalogReader, slot: str | None, today: date | None, offered: Extraction
) -> Iterator[str]:
    if slot:
        yield f"The first message answers a question about {slot}."
    # Only where it matters: a prompt that changes every day cannot be replayed.
    if any(profile.kind == "date" for profile in catalog.profiles()):
        day = today or date.today()
        yield f"Today is {week_day(day)}, {day.isoformat()}."
    yield from offered_lines(offered, index_of(catalog))


def _short(text: str) -> str:
    return one_line(text)[:MAX_SHOWN]


def _scores(offered: Extraction) -> dict[tuple[str | None, str, Any], float]:
    """Return how sure each constraint is that was read without the model."""
    return {
        (part.constraint.column, part.constraint.op, part.constraint.value): part.score
        for part in offered.constraints
    }


@dataclass
class _Checker:
    """Checks the claims of one reply against what was said and the catalog."""

    transcript: Transcript
    since: int
    catalog: CatalogReader
    slot: str | None
    scores: dict[tuple[str | None, str, Any], float]
    left: list[Unresolved] = field(default_factory=list[Unresolved])

    def checked(self, claims: Claims) -> Extraction:
        """Return what holds of a reply; what does not is among the unresolved."""
        constraints: dict[tuple[str, str], Extracted] = {}
        for claim in claims.constraints[:MAX_CLAIMS]:
            extracted = self._constraint(claim)
            if extracted is not None:
                wish = extracted.constraint
                # The model gives the last word on a column last.
                apart = wish.op in ("contains", "contains any", "!=", "not in") or extracted.also
                value = f"{wish.op} {wish.value}" if apart else ""
                constraints[topic_of(wish), SIDES.get(wish.op, "") + value] = extracted
        objectives = {aim[0]: aim for aim in self._aims(claims.objectives)}
        leanings = {aim[0]: aim for aim in self._aims(claims.leanings) if aim[0] not in objectives}
        stated = {column for column, _ in constraints} | {*objectives, *leanings}
        waived = [column for column, _ in map(self._place, claims.waived[:MAX_CLAIMS]) if column]
        quotes = (evidence_of(quote, self.transcript) for quote in claims.not_understood)
        wishes = Wishes(self.catalog, index_of(self.catalog))
        return Extraction(
            in_order(constraints.values()),
            tuple(self.left),
            tuple(column for column in dict.fromkeys(waived) if column not in stated),
            tuple(
                ExtractedObjective(
                    column, way, TRUST, span, span.text, wishes.stand_in(column, low=way == "min")
                )
                for column, way, span in objectives.values()
            ),
            tuple(
                Leaning(
                    column, way, wishes.soft_bound(column, low=way == "min"), TRUST, span, span.text
                )
                for column, way, span in leanings.values()
            ),
            tuple(Unresolved(span, "not understood") for span in quotes if span is not None),
        )

    def _aims(self, aims: Sequence[Aim]) -> Iterator[tuple[str, Literal["min", "max"], Span]]:
        """Yield the aims at columns with a more and a less that the person's words bear out."""
        for aim in aims[:MAX_CLAIMS]:
            column, evidence = self._place(aim)
            if column is None:
                continue
            clocks = index_of(self.catalog).clocks
            if not (self.catalog.schema.find(column).ordered or column in clocks):
                self._leave(evidence, "the column has no more and no less", column)
            else:
                yield column, aim.direction, evidence

    def _place(self, claim: Claim | Aim | Waiver) -> tuple[str | None, Span]:
        """Return the column of a claim, None for none of the catalog, and where it was said."""
        values = claim.value if isinstance(claim, Claim) else []
        listed = values if isinstance(values, list) else [] if values is None else [values]
        said = [evidence_of(claim.quote, self.transcript)]
        said += [evidence_of(str(value), self.transcript, self.since) for value in listed]
        evidence = next((span for span in said if span is not None), None)
        if evidence is None:
            nowhere = Span(0, 0, 0, _short(claim.quote))
            self._leave(nowhere, "the person did not say so")
            return None, nowhere
        column = column_named(self.catalog, claim.column)
        if column is None:
            self._leave(evidence, "the model named a column that is not there")
        return column, evidence

    def _constraint(self, claim: Claim) -> Extracted | None:
        """Return a claim as a constraint of the catalog; None for one that is none."""
        column, evidence = self._place(claim)
        if column is None:
            return None
        op = " ".join(claim.op.casefold().split())
        op = {"=": "==", "<>": "!=", "contains_any": "contains any"}.get(op, op)
        if op not in ALLOWED:
            return self._leave(evidence, "the model named an operator that is not there", column)
        if isinstance(claim, ClaimOfTurn) and claim.either:
            return self._either(claim, evidence)
        if isinstance(claim, ClaimOfTurn) and claim.is_sum:
            return self._sum(claim, column, op, evidence)
        values = claim.value if isinstance(claim.value, list) else [claim.value]
        index = index_of(self.catalog)
        linked = [link(value, column, index) for value in values if value is not None]
        unknown = next((part for part in linked if not part.known), None)
        if unknown is not None and column != self.slot:
            return self._leave(evidence, "the catalog has no such value", column, unknown.others)
        value: Any = tuple(part.value for part in linked)
        if op not in OF_SEVERAL and not isinstance(claim.value, list):
            value = linked[0].value if linked else None
        try:
            constraint = Constraint(column=column, op=op, value=value, **_importance(claim))
            self.catalog.bind(constraint)
        except QueryError:
            return self._leave(evidence, "the column cannot be compared like that", column)
        extracted = self._extracted(constraint, linked, evidence)
        also = isinstance(claim, ClaimOfTurn) and claim.also
        return replace(extracted, also=True) if also else extracted

    def _either(self, claim: ClaimOfTurn, evidence: Span) -> Extracted | None:
        """Return a claim that one of several wishes is met; the one there is where it is alone."""
        ways = [claim.model_copy(update={"either": []}), *claim.either]
        found = [self._constraint(_quoting(way, claim.quote)) for way in ways]
        wishes = [part.constraint for part in found if part is not None]
        if len(wishes) < 2:
            return next(filter(None, found), None)
        try:
            constraint = either_of(wishes, self.catalog, **_importance(claim))
            self.catalog.bind(constraint)
        except (QueryError, ValueError):
            return self._leave(evidence, "the columns cannot be compared like that")
        return replace(self._extracted(constraint, [], evidence), also=claim.also)

    def _sum(self, claim: ClaimOfTurn, column: str, op: str, evidence: Span) -> Extracted | None:
        """Return a claim about several columns together, or about one several times."""
        number, packs = claim.value, claim.packs
        terms_of = [] if packs else claim.total
        named = [(column_named(self.catalog, term.column), term.times) for term in terms_of]
        try:
            terms = added_up((name, times) for name, times in named if name is not None)
            if any(name is None for name, _ in named):
                raise ValueError("no such column")
            if isinstance(number, bool) or not isinstance(number, int | float | None):
                raise ValueError("no number")
            more = _importance(claim)
            if packs is not None:
                per = self.catalog.schema.find(column_named(self.catalog, packs.per) or packs.per)
                needed = Packs(packs.times, per.name, column, op, number)
                constraint = packs_of(needed, **more)
            elif number is None or any(term.per for term in claim.total):
                raise ValueError("nothing to compare")
            else:
                constraint = sum_of({column: 1.0} | terms, op, number, **more)
            self.catalog.bind(constraint)
        except (QueryError, ValueError, OverflowError):
            return self._leave(evidence, "the columns cannot be compared like that", column)
        return self._extracted(constraint, [], evidence)

    def _extracted(
        self, constraint: Constraint, linked: Sequence[Linked], evidence: Span
    ) -> Extracted:
        score = TRUST * min((part.score for part in linked), default=1.0)
        same = constraint.column, constraint.op, constraint.value
        others, ambiguous = (linked[0].others, linked[0].ambiguous) if linked else ((), False)
        # What both read alike is no less sure than either.
        score = max(score, self.scores.get(same, 0.0))
        return Extracted(constraint, score, evidence, evidence.text, others, ambiguous)

    def _leave(
        self,
        evidence: Span,
        reason: str,
        column: str | None = None,
        nearest: Iterable[tuple[Any, float]] = (),
    ) -> None:
        self.left.append(Unresolved(evidence, reason, column, tuple(nearest)))


def _importance(claim: Claim) -> dict[str, Any]:
    """Return how much a claim says that a wish matters, as fields of a constraint."""
    more: dict[str, Any] = {"hard": True} if claim.hard else {}
    if isinstance(claim, ClaimOfTurn) and claim.weight is not None:
        more["weight"] = claim.weight
    return more


def _quoting(claim: Claim, quote: str) -> Claim:
    return claim if claim.quote.strip() else claim.model_copy(update={"quote": quote})


def column_named(catalog: CatalogReader, name: str) -> str | None:
    """Return the column of a name, in any case, without its unit or a part of it; None for none.

    A part counts where it is one of a single column.
    """
    try:
        return catalog.schema.find(name.strip()).name
    except QueryError:
        words = set(name_words(name))
        alike = [c for c in catalog.columns if words and words <= set(name_words(c))]
        return alike[0] if len(alike) == 1 else None


def evidence_of(quote: str, transcript: Transcript, since: int = 0) -> Span | None:
    """Return where the user says some words, the last time; None where they never do.

    `since`: the first message that is looked at.
    """
    wanted = quote.strip()
    if not wanted:
        return None
    for number, message in reversed(transcript.by("user")):
        if number < since:
            break
        folded = message.content.casefold()
        if len(folded) != len(message.content):
            folded = message.content
        start = max(message.content.rfind(wanted), folded.rfind(wanted.casefold()))
        if start >= 0:
            end = start + len(wanted)
            return Span(number, start, end, message.content[start:end])
    return None
