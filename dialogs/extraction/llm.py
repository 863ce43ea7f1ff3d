"""Extraction by a chat model, every column, operator and value checked against the catalog."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from pydantic import BaseModel, Field

from ...catalogs.errors import QueryError, one_line
from ...catalogs.query.constraint import COMPARISONS, LISTS, Constraint, Scalar, spoken
from ...catalogs.query.schema import ColumnProfile
from ...catalogs.versions.reader import CatalogReader
from ..models.chat_model import ChatModel, Request
from ..models.prompt import Prompt, load_prompt
from ..models.structured import ask_for
from ..transcripts.transcript import Span, Transcript
from .decoding import weigh
from .extracted import Extracted, Extraction, Said, Unresolved
from .mentions import find_mentions
from .merging import MAX_ALTERNATIVES, SIDES, in_order
from .network import fitted, softmax
from .quantities import find_quantities
from .reading import Reading
from .value_index import ValueIndex, index_of, nearest_values

MAX_VALUE = 500
"""Characters of a value; longer ones are none."""


@dataclass(frozen=True, slots=True)
class Linked:
    """A value as the column holds it, with a score in [0, 1] and other readings of it.

    `known` is False for a text or yes-or-no value that the column has not.
    """

    value: Scalar
    score: float
    known: bool = True
    others: tuple[tuple[Scalar, float], ...] = ()
    ambiguous: bool = False


def link(
    given: bool | int | float | str, column: str, catalog: CatalogReader, index: ValueIndex
) -> Linked:
    """Return a value linked to a column; `25k` to 25000, `mid-size` to `Midsize`."""
    if column in index.yes_no:
        return _yes_or_no(given, column, index)
    if column in index.numeric:
        return _number(given, column, index)
    if column in index.columns:
        return _text(str(given)[:MAX_VALUE], column, index)
    return Linked(given, 1.0)


def _yes_or_no(given: bool | int | float | str, column: str, index: ValueIndex) -> Linked:
    yes_no = index.yes_no[column]
    word = str(given).casefold().strip()
    if word in ("true", "yes", "y", "1", str(yes_no.yes).casefold()):
        return Linked(yes_no.yes, 1.0)
    if word in ("false", "no", "n", "0", str(yes_no.no).casefold()):
        return Linked(yes_no.no, 1.0)
    return Linked(given, 0.0, known=False)


def _number(given: bool | int | float | str, column: str, index: ValueIndex) -> Linked:
    if isinstance(given, bool):
        return Linked(given, 0.0, known=False)
    if isinstance(given, int | float):
        return Linked(given, 1.0)
    quantities = find_quantities(Reading(given[:MAX_VALUE], 0, index, {column: 1.0}))
    if len(quantities) != 1 or quantities[0].high is not None:
        return Linked(given, 0.0, known=False)
    value = quantities[0].value
    return Linked(int(value) if value.is_integer() else value, 0.95)


def _text(text: str, column: str, index: ValueIndex) -> Linked:
    if text in index.columns[column].ranks:
        return Linked(text, 1.0)
    reading = Reading(text, 0, index, {column: 1.0})
    weighed = [
        (float(item.logits[at]), option)
        for item in (weigh(reading, mention, fitted()) for mention in find_mentions(reading))
        for at, option in enumerate(item.mention.options)
        if option.column == column and item.mention.kind == "value"
    ]
    if not weighed:
        return Linked(text, 0.3, known=False, others=nearest_values(index, column, text))
    gain, best = max(weighed, key=lambda pair: pair[0])
    score = float(softmax(np.array([gain, 0.0], dtype=np.float32))[0])
    others = tuple((value, score) for value in best.values[1 : MAX_ALTERNATIVES + 1])
    return Linked(best.values[0], score, others=others, ambiguous=best.rivals > 0)


MAX_COLUMNS, MAX_VALUES, MAX_SHOWN = 100, 12, 60
"""Columns a model is shown, values of each, and characters of each of these."""

MAX_CONSTRAINTS = 100
"""Constraints of one reply that are looked at."""

MAX_TURN, MAX_MESSAGES = 4_000, 20
"""Characters of a message, and the last messages, that a model is shown."""

SPEAKERS = {"user": "Person", "assistant": "Assistant"}

TRUST = 0.9
"""The score of a constraint whose value is exactly the catalog's: a model may still be wrong."""

ALLOWED = (*COMPARISONS, *LISTS, "between", "contains")

Given = bool | int | float | str


class Claim(BaseModel):
    """One constraint as a model gives it; nothing of it is believed yet."""

    column: str = Field(max_length=500)
    op: str = Field(max_length=20)
    value: Given | list[Given]
    quote: str = Field(default="", max_length=5_000)


class Claims(BaseModel):
    """A model's whole reply."""

    constraints: list[Claim] = Field(max_length=1_000)


@dataclass(frozen=True)
class LLMExtractor:
    """Asks a chat model, and keeps what the person's own words and the catalog bear out."""

    model: ChatModel
    episode: str = ""
    prompt: Prompt = field(default_factory=lambda: load_prompt("extract_constraints"))

    def extract(self, said: Said, catalog: CatalogReader, *, slot: str | None = None) -> Extraction:
        """See `Extractor.extract`.

        Unknown columns, impossible operators or values, and quotes that no message of the user
        holds are reported as unresolved. Raises `UnknownColumn` for an unknown slot and
        `ModelError` where the model gives no usable reply.
        """
        transcript = Transcript.of(said)
        column = catalog.schema.find(slot).name if slot else None
        text = self.prompt.render(
            columns="\n".join(_described(catalog)),
            dialogue=transcript.lines(SPEAKERS, most=MAX_MESSAGES, longest=MAX_TURN),
            slot=f"The first message answers a question about {column}.\n" if column else "",
        )
        request = Request.of(text, role="extractor", episode=self.episode)
        reply = ask_for(self.model, request, Claims)
        return _checked(reply.constraints[:MAX_CONSTRAINTS], transcript, catalog, column)


def _described(catalog: CatalogReader) -> Iterator[str]:
    for profile in catalog.profiles()[:MAX_COLUMNS]:
        yield f"- {_short(profile.name)}: {_holds(profile)}"


def _holds(profile: ColumnProfile) -> str:
    if profile.kind == "boolean":
        return "true or false"
    if profile.values:
        listed = ", ".join(_short(str(value)) for value in profile.values[:MAX_VALUES])
        return f"{listed}, …" if len(profile.values) > MAX_VALUES else listed
    if profile.minimum is None or profile.kind not in ("numeric", "date"):
        return profile.kind
    low, high = (spoken(end, profile.name) for end in (profile.minimum, profile.maximum))
    return f"{profile.kind}, {low} to {high}"


def _short(text: str) -> str:
    return one_line(text)[:MAX_SHOWN]


def _checked(
    claims: Sequence[Claim], transcript: Transcript, catalog: CatalogReader, slot: str | None
) -> Extraction:
    constraints: dict[tuple[str, str], Extracted] = {}
    left: list[Unresolved] = []
    for claim in claims:
        checked = _check(claim, transcript, catalog, slot)
        if isinstance(checked, Unresolved):
            left.append(checked)
        else:
            constraint = checked.constraint
            # The model gives the last word on a column last.
            value = str(constraint.value) if constraint.op == "contains" else ""
            constraints[constraint.column or "", SIDES.get(constraint.op, "") + value] = checked
    return Extraction(in_order(constraints.values()), tuple(left))


def _check(
    claim: Claim, transcript: Transcript, catalog: CatalogReader, slot: str | None
) -> Extracted | Unresolved:
    """Return the claim as a constraint of the catalog, or why it is none."""
    quoted = evidence_of(claim.quote, transcript)
    values = claim.value if isinstance(claim.value, list) else [claim.value]
    evidence = quoted or next(
        (span for value in values if (span := evidence_of(str(value), transcript))), None
    )
    if evidence is None:
        nowhere = Span(0, 0, 0, one_line(claim.quote)[:MAX_SHOWN])
        return Unresolved(nowhere, "the person did not say so")
    try:
        column = catalog.schema.find(claim.column).name
    except QueryError:
        return Unresolved(evidence, "the model named a column that is not there")
    op = " ".join(claim.op.casefold().split())
    op = {"=": "==", "<>": "!="}.get(op, op)
    if op not in ALLOWED:
        return Unresolved(evidence, "the model named an operator that is not there", column)
    linked = [link(value, column, catalog, index_of(catalog)) for value in values]
    unknown = next((part for part in linked if not part.known), None)
    if unknown is not None and column != slot:
        return Unresolved(evidence, "the catalog has no such value", column, unknown.others)
    return _extracted(column, op, linked, evidence, catalog, is_list=isinstance(claim.value, list))


def _extracted(
    column: str,
    op: str,
    linked: Sequence[Linked],
    evidence: Span,
    catalog: CatalogReader,
    *,
    is_list: bool,
) -> Extracted | Unresolved:
    many = op in LISTS or op == "between"
    value = tuple(part.value for part in linked) if many or is_list else linked[0].value
    try:
        constraint = Constraint(column=column, op=op, value=value)
        catalog.bind(constraint)
    except QueryError:
        return Unresolved(evidence, "the column cannot be compared like that", column)
    score = TRUST * min(part.score for part in linked)
    first = linked[0]
    return Extracted(constraint, score, evidence, evidence.text, first.others, first.ambiguous)


def evidence_of(quote: str, transcript: Transcript) -> Span | None:
    """Return where the user says some words, the last time; None where they never do."""
    wanted = quote.strip()
    if not wanted:
        return None
    for number, message in reversed(transcript.by("user")):
        folded = message.content.casefold()
        if len(folded) != len(message.content):
            folded = message.content
        start = max(message.content.rfind(wanted), folded.rfind(wanted.casefold()))
        if start >= 0:
            end = start + len(wanted)
            return Span(number, start, end, message.content[start:end])
    return None
