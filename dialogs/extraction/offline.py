"""Extraction without a model: every message is read by rules over the catalog's own values.

A catalog's words are indexed once a version; the rest is linear in what was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...catalogs.errors import QueryError
from ...catalogs.query.constraint import character_problem
from ...catalogs.versions.reader import CatalogReader
from ..transcripts.transcript import Message, Transcript
from .english import CONCESSION, CONSEQUENCE, NO, SUPPOSITION, WAIVER, YES
from .extracted import Extraction, Finding, Said, Unresolved, ValueFinding
from .merging import merged
from .numeric_findings import number_findings
from .polarity import answer_finding, polarity, yes_no_findings
from .reading import Reading, asked_columns
from .unknown_values import placeholders, unknown_answer
from .value_index import Entry, index_of, values_with
from .value_mentions import ValueMention, find_values

MAX_SAID = 100_000
"""Characters that one person says; ten times a long conversation."""

SLOT_STRENGTH = 0.9
"""How surely a column is meant that a caller names as the slot."""


@dataclass
class Gathered:
    """What the messages read so far state."""

    findings: list[Finding] = field(default_factory=list[Finding])
    unresolved: list[Unresolved] = field(default_factory=list[Unresolved])
    waived: list[str] = field(default_factory=list[str])


class OfflineExtractor:
    """Finds constraints by rules; deterministic, and linear in what was said."""

    def extract(self, said: Said, catalog: CatalogReader, *, slot: str | None = None) -> Extraction:
        """Return the constraints that the user's messages state, grounded in the catalog.

        `slot` names the column that the first user message answers. The question before every
        later answer tells its column. Assistant messages are never evidence.

        Raises `UnknownColumn` for an unknown slot, `QueryError` for more than `MAX_SAID`
        characters.
        """
        transcript = Transcript.of(said)
        _check_length(transcript)
        index = index_of(catalog)
        first = {catalog.schema.find(slot).name: SLOT_STRENGTH} if slot else {}
        gathered = Gathered()
        for number, message, question in _answers(transcript):
            asked_about = first or asked_columns(question, index)
            first = {}
            reading = Reading(_readable(message.content), number, index, asked_about)
            _read(reading, catalog, gathered)
        return Extraction(
            merged(gathered.findings),
            tuple(gathered.unresolved),
            tuple(dict.fromkeys(gathered.waived)),
        )


def extract(said: Said, catalog: CatalogReader, *, slot: str | None = None) -> Extraction:
    """Return the constraints that a text or conversation states, without a model."""
    return OfflineExtractor().extract(said, catalog, slot=slot)


def _check_length(transcript: Transcript) -> None:
    length = sum(len(message.content) for _, message in transcript.by("user"))
    if length > MAX_SAID:
        raise QueryError(
            f"a person who says {length:,} characters", hint=f"give at most {MAX_SAID:,}"
        )


def _answers(transcript: Transcript) -> Iterator[tuple[int, Message, str]]:
    """Yield every user message with its number and the question right before it."""
    question = ""
    for number, message in enumerate(transcript):
        if message.role == "user":
            yield number, message, question
            question = ""
        elif message.role == "assistant":
            question = message.content


def _readable(text: str) -> str:
    """Return the text with what no database can hold as spaces, every place kept."""
    if character_problem(text) is None:
        return text
    return re.sub("[\0\ud800-\udfff]", " ", text)


def _read(reading: Reading, catalog: CatalogReader, gathered: Gathered) -> None:
    waives = _waives(reading)
    mentions = sorted(
        [*placeholders(reading), *find_values(reading, catalog)], key=lambda mention: mention.first
    )
    reading.settle()
    findings = [
        *_value_findings(reading, mentions, gathered),
        *number_findings(reading, catalog, gathered.unresolved),
        *yes_no_findings(reading, gathered.waived),
    ]
    if not findings and len(reading.asked_about) == 1:
        findings.extend(answer_finding(reading))
    if not findings and waives:
        gathered.waived.extend(reading.asked_about)
    elif not findings and not (NO.match(reading.text) or YES.match(reading.text)):
        unknown = unknown_answer(reading)
        findings.extend(unknown.findings)
        gathered.unresolved.extend(unknown.unresolved)
    if waives:
        gathered.waived.extend(_named_in_waivers(reading, findings))
    gathered.findings.extend(sorted(findings, key=lambda finding: finding.evidence.start))


def _waives(reading: Reading) -> bool:
    return bool(WAIVER.search(reading.text))


def _named_in_waivers(reading: Reading, findings: list[Finding]) -> list[str]:
    """Return the columns named where the person says that something is all the same."""
    stated = {finding.column for finding in findings}
    waived: list[str] = []
    for number, clause in enumerate(reading.clauses):
        if not WAIVER.search(clause.text):
            continue
        waived.extend(
            naming.column
            for naming in reading.namings
            if reading.clause(naming.first) == number
            and naming.strength >= 0.6
            and naming.column not in stated
        )
    return waived


def _value_findings(
    reading: Reading, mentions: list[ValueMention], gathered: Gathered
) -> list[Finding]:
    findings: list[Finding] = []
    latest: ValueMention | None = None
    for mention in mentions:
        wish = polarity(reading, mention.first, mention.last)
        if wish == "unneeded":
            gathered.waived.append(mention.column)
        if wish == "unneeded" or _is_supposed(reading, mention):
            continue
        findings.append(_value_finding(reading, mention, latest, wanted=wish == "wanted"))
        latest = mention
    return findings


def _value_finding(
    reading: Reading, mention: ValueMention, latest: ValueMention | None, *, wanted: bool
) -> ValueFinding:
    is_phrase = mention.best.match == "phrase"
    if not wanted and mention.best.op == "contains":
        return _without_part(reading, mention)
    category = is_phrase and len(mention.ranked) > 1 and all(e.ends for e, _ in mention.ranked)
    return ValueFinding(
        mention.column,
        mention.ranked,
        wanted,
        category or (is_phrase and not wanted),
        latest is not None and _is_list(reading, latest, mention),
        reading.span(mention.first, mention.last),
        bool(CONCESSION.search(_clause_before(reading, mention))),
    )


def _without_part(reading: Reading, mention: ValueMention) -> ValueFinding:
    """Return that every list with a part is unwanted: no operator says so of the part itself."""
    lists = values_with(reading.index, mention.column, mention.best.value)
    ranked = tuple((Entry(mention.column, value, "whole"), mention.score) for value in lists)
    span = reading.span(mention.first, mention.last)
    return ValueFinding(mention.column, ranked, False, True, False, span)


def _clause_before(reading: Reading, mention: ValueMention) -> str:
    """Return what stands before a value in its clause, as far as it matters."""
    start = reading.words[mention.first].start
    floor = reading.clauses[reading.clause(mention.first)].start
    return reading.text[max(floor, start - 80) : start]


def _is_supposed(reading: Reading, mention: ValueMention) -> bool:
    """Return whether a value only occurs in an `if`: what would be, not what is wished for."""
    before = _clause_before(reading, mention)
    supposed = SUPPOSITION.search(before)
    return supposed is not None and not CONSEQUENCE.search(before, supposed.end())


def _is_list(reading: Reading, latest: ValueMention, mention: ValueMention) -> bool:
    """Return whether two values of a column stand in one list: `red, blue or green`."""
    if latest.column != mention.column or mention.first - latest.last > 4:
        return False
    between = reading.text[reading.words[latest.last].end : reading.words[mention.first].start]
    filler = re.sub(
        r"\b(?:or|and|nor|either|an?|the|maybe|also|even)\b|[\s,/&+]", "", between, flags=re.I
    )
    return not filler
