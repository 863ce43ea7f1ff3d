"""The Schema-Guided Dialogue corpus (Rastogi et al. 2020, CC BY-SA 4.0) as labelled sentences.

Each turn of a user that is about one service becomes a sentence on that service's catalog: its
INFORM acts are constraints with `==` (or, of `dontcare`, waivers), where the slot is a column.
Questions, affirmations and choices wish for nothing by their words. Some 20,000 turns a second.
"""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from zlib import crc32

from ..json_lines import read_records
from ..text_files import naming
from .generation.amounts import number_words
from .labelled import NOWHERE, LabelledConstraint, LabelledSentence, LabelledWaiver, Plain, Span

TODAY = "2019-03-01"
"""The day on which the people of the corpus talk."""

APART_OF = 6
"""One service of so many is apart."""

ACTS = {
    "INFORM": "inform",
    "INFORM_INTENT": "inform",
    "REQUEST": "ask_detail",
    "AFFIRM": "affirm",
    "AFFIRM_INTENT": "affirm",
    "NEGATE": "negate",
    "NEGATE_INTENT": "negate",
    "SELECT": "select",
    "REQUEST_ALTS": "more",
    "THANK_YOU": "thank",
    "GOODBYE": "end",
}


@dataclass(frozen=True, slots=True)
class ServiceCatalog:
    """The catalog of a service: its file and the distinct values of its columns."""

    name: str
    path: Path
    values: Mapping[str, Mapping[str, str]]
    """By column, the values by their small letters."""


def service_catalogs(folder: str | Path) -> dict[str, ServiceCatalog]:
    """Return the catalogs of a folder of the corpus by service; raise `UnreadableFile`."""
    paths = sorted((Path(folder) / "catalogs").glob("*.csv.gz"))
    return {path.name.removesuffix(".csv.gz"): _service_catalog(path) for path in paths}


def _service_catalog(path: Path) -> ServiceCatalog:
    with naming(path), gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = rows[0].keys() if rows else ()
    values = {
        name: {row[name].casefold(): row[name] for row in rows if row[name]} for name in columns
    }
    return ServiceCatalog(f"sgd_{path.name.removesuffix('.csv.gz')}", path, values)


def sgd_sentences(
    folder: str | Path, catalogs: Mapping[str, ServiceCatalog]
) -> Iterator[LabelledSentence]:
    """Yield the users' turns of the corpus that are about one service with a catalog.

    Raises `UnreadableFile`.
    """
    for dialogue in read_records(Path(folder) / "dialogues.jsonl.gz", _as_mapping):
        said_before: Mapping[str, Any] = {}
        state: dict[str, dict[str, list[str]]] = {}
        for turn in cast("list[dict[str, Any]]", dialogue["turns"]):
            if turn["speaker"] == "S":
                said_before = turn
                continue
            frames = cast("list[dict[str, Any]]", turn["frames"])
            if len(frames) == 1 and frames[0]["service"] in catalogs:
                frame = frames[0]
                service = cast("str", frame["service"])
                yield _sentence(
                    turn["text"], frame, said_before, catalogs[service], state.get(service, {})
                )
            state.update({frame["service"]: frame.get("state", {}) for frame in frames})


def _as_mapping(record: object) -> dict[str, Any]:
    if not isinstance(record, dict):
        raise ValueError("no JSON object")
    return cast("dict[str, Any]", record)


def _sentence(
    text: str,
    frame: Mapping[str, Any],
    before: Mapping[str, Any],
    catalog: ServiceCatalog,
    state: Mapping[str, Sequence[str]],
) -> LabelledSentence:
    spans = {slot: (start, end) for slot, start, end in frame.get("spans", ())}
    constraints: list[LabelledConstraint] = []
    waived: list[LabelledWaiver] = []
    acts: list[str] = []
    for act, slot, values, *canonical in cast("list[list[Any]]", frame["acts"]):
        acts.append(ACTS.get(act, ""))
        if act != "INFORM" or slot not in catalog.values:
            continue
        if values == ["dontcare"]:
            waived.append(LabelledWaiver(slot, located(text, slot, "") or NOWHERE))
            acts.append("dont_care")
            continue
        said, meant = str(values[0]), str((canonical[0] if canonical else values)[0])
        if slot in state and not {said.casefold(), meant.casefold()} & _folded(state[slot]):
            acts.append("correct")
        value = _value(catalog, slot, said, meant)
        span = spans.get(slot) or located(text, slot, said) or located(text, slot, meant)
        constraints.append(LabelledConstraint(slot, "==", value, span or NOWHERE, None))
    agreed = {"AFFIRM", "SELECT"} & {act for act, *_ in frame["acts"]}
    taken = _accepted(before, catalog) if agreed else ()
    told = {constraint.column for constraint in constraints}
    constraints += (constraint for constraint in taken if constraint.column not in told)
    return LabelledSentence(
        catalog.name,
        text,
        str(before.get("text", "")),
        _asked(before, catalog),
        constraints=tuple(constraints),
        waived=tuple(waived),
        acts=tuple(dict.fromkeys(act for act in acts if act)),
        phenomena=() if constraints or waived else ("nothing",),
        source="sgd",
        today=TODAY,
        apart=is_apart(catalog),
    )


def _accepted(before: Mapping[str, Any], catalog: ServiceCatalog) -> Iterator[LabelledConstraint]:
    """Yield what the assistant offered or asked to confirm right before."""
    for frame in before.get("frames", ()):
        for act, slot, values, *canonical in frame["acts"]:
            if act in ("OFFER", "CONFIRM") and slot in catalog.values and values:
                meant = str((canonical[0] if canonical else values)[0])
                value = _value(catalog, slot, str(values[0]), meant)
                if isinstance(value, str):
                    yield LabelledConstraint(slot, "==", value, NOWHERE, None)


def is_apart(catalog: ServiceCatalog) -> bool:
    """Return whether a service's sentences are kept for measuring."""
    return crc32(catalog.name.encode()) % APART_OF == 0


def _folded(values: Sequence[str]) -> set[str]:
    return {value.casefold() for value in values}


def _asked(before: Mapping[str, Any], catalog: ServiceCatalog) -> str:
    """Return the one column that the assistant asked about, if it did of one alone."""
    asked = {
        slot
        for frame in before.get("frames", ())
        for act, slot, *_ in frame["acts"]
        if act == "REQUEST" and slot in catalog.values
    }
    return asked.pop() if len(asked) == 1 else ""


def _value(catalog: ServiceCatalog, slot: str, said: str, meant: str) -> Plain:
    """Return what was said as the catalog holds it: its own spelling, a number, a truth."""
    known = catalog.values[slot]
    value = known.get(meant.casefold()) or known.get(said.casefold()) or meant
    if value in ("True", "False"):
        return value == "True"
    if re.fullmatch(r"-?\d+(\.\d+)?", value) and _all_numbers(known.values()):
        return float(value) if "." in value else int(value)
    return value


def _all_numbers(values: Iterator[str] | Any) -> bool:
    return all(re.fullmatch(r"-?\d+(\.\d+)?", value) for value in values)


_WORD = re.compile(r"[A-Za-z0-9]+")
_FILLERS = frozenset("has is of the number type name offers serves allowed in by for".split())


def located(text: str, slot: str, value: str) -> Span | None:
    """Return where a value stands in a text; of yes, no and nothing, where the slot's words do."""
    if value and value not in ("True", "False"):
        forms = [value]
        if value.isdigit() and int(value) < 100:
            forms.append(number_words(int(value)))
        for form in forms:
            found = re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text, re.IGNORECASE)
            if found:
                return found.span()
        return None
    stems = {_stem(word) for word in slot.lower().split("_")} - {_stem(f) for f in _FILLERS}
    places = [found.span() for found in _WORD.finditer(text) if _stem(found[0].lower()) in stems]
    return (places[0][0], places[0][1]) if places else None


def _stem(word: str) -> str:
    return word.removesuffix("s")[:6]
