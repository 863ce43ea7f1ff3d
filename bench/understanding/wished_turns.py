"""Turns that wish for something and turns that name a catalog's words and mean nothing.

Requests and answers that people wrote, remarks (`remarks/learned.jsonl`), turns of the
Schema-Guided Dialogue corpus, templates of remarks and of code filled with values of catalogs, and
bare answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from ...catalogs.catalog import Catalog
from ...dialogs.extraction.value_index import index_of
from ..json_lines import read_records
from .generation import act_sentences
from .labelled import LabelledSentence
from .labelled_requests import KNOWN, persona_sentences
from .labelled_set import DEVELOPMENT_PREFIX, KNOWN_PREFIX, WRITTEN_PREFIX
from .personas import written_personas
from .request_records import RequestSet, Strict, development, read_requests, written
from .sgd import service_catalogs, sgd_sentences

REMARKS = Path(__file__).parent / "remarks"
QUESTIONS = (
    "Which {c} would you like?",
    "What {c} do you have in mind?",
    "Is there a {c} you prefer?",
    "What should the {c} be?",
)
ANSWERS = (
    *("{v}", "{v}", "{v}", "{v} please", "{v} or {v}", "{n}", "{n}", "under {n}", "{v}, {v}"),
    *("{v} i guess", "the {v} one", "max {n}", "not {v}", "yes, {v}", "{v} lol", "{v}!"),
)
SEARCHES = (
    *("{v}", "{v} {v}", "{v} under {n}", "{v} {v} under {n}", "{v}, {v}", "{v} max {n}"),
    *("{v} {v} {v}", "cheap {v}", "{v} please", "any {v}?", "{v} with {v}", "need {v}"),
)
EMPTY = "ask_why ask_meaning ask_value ask_reason ask_state ask_help ask_values dont_know".split()
POLITE = ("thanks", "end", "greet", "undo")
"""Acts of templates that wish for nothing."""

MADE_EACH, REMARKS_EACH, BARE_EACH = 6, 40, 40
"""Fillings of a template of acts and of one of remarks; bare answers, searches of a catalog."""

REMARK_KINDS = {
    "remark": ("made", False, 0.2),
    "answered remark": ("made", False, 1.0),
    "wish": ("made", True, 0.2),
    "code": ("code", False, 0.5),
    "code wish": ("code", True, 0.5),
}
"""Of each kind of template: its source, whether it wishes, the share behind a question."""


class Remark(Strict):
    """A turn over a catalog of `written`, and whether it wishes for something."""

    catalog: str
    text: str
    before: str = ""
    meant: bool


@dataclass(frozen=True, slots=True)
class Said:
    """A turn over a catalog by name; `asked` is the column it answers, if any is known."""

    catalog: str
    text: str
    meant: bool
    source: str
    before: str = ""
    asked: str = ""


def remarks(half: str = "learned") -> Iterator[Said]:
    """Yield remarks and wishes that look like them; the half that is `judged` judges."""
    for one in read_records(REMARKS / f"{half}.jsonl", Remark.model_validate):
        yield Said(WRITTEN_PREFIX + one.catalog, one.text, one.meant, "remarks", one.before)


def written_turns() -> Iterator[Said]:
    """Yield requests and answers that people wrote, but for those nobody can be sure about."""
    for records, prefix in (
        (written(), WRITTEN_PREFIX),
        (development(), DEVELOPMENT_PREFIX),
        (read_requests(KNOWN / "requests.jsonl"), KNOWN_PREFIX),
    ):
        yield from _requests(records, prefix)
    for one in persona_sentences(written_personas(), WRITTEN_PREFIX):
        yield _labelled(one, "answers")


def _requests(records: RequestSet, prefix: str) -> Iterator[Said]:
    for one in records.requests:
        gold = one.gold
        meant = bool(gold.constraints or gold.objectives or gold.leanings or gold.waived)
        if meant or not (gold.optional or gold.not_understood):
            yield Said(prefix + one.catalog, one.text, meant, "written", one.before or "")


def _labelled(one: LabelledSentence, source: str) -> Said:
    meant = bool(one.constraints or one.waived or one.perhaps)
    return Said(one.catalog, one.text, meant, source, one.before, one.asked)


def sgd_turns(folder: Path, most: int, seed: int) -> list[Said]:
    """Return as many turns that inform as turns that only ask, thank or say goodbye."""
    empty = {"ask_detail", "thank", "end", "more"}
    kept: dict[bool, list[Said]] = {True: [], False: []}
    for one in sgd_sentences(folder, service_catalogs(folder)):
        said = _labelled(one, "sgd")
        if said.meant or set(one.acts) <= empty:
            kept[said.meant].append(said)
    dice = Random(seed)
    return [said for part in kept.values() for said in dice.sample(part, min(most // 2, len(part)))]


def made_turns(catalogs: Mapping[str, Catalog], seed: int) -> Iterator[Said]:
    """Yield templates, bare answers and searches, filled with what catalogs hold."""
    dice = Random(seed)
    people = sorted(name for name in catalogs if name.startswith(WRITTEN_PREFIX))
    fillers = {name: _Filler(catalogs[name], dice) for name in people}
    for one in act_sentences.written(seed, MADE_EACH):
        acts = set(one.acts)
        meant = bool(acts & {"inform", "correct", "dont_care"})
        if meant or acts <= {*EMPTY, *POLITE}:
            name = dice.choice(people)
            text, before = map(fillers[name].filled, (one.text, one.before))
            yield Said(name, text, meant, "templates", before)
    for kind, line in _remark_templates():
        source, meant, asked = REMARK_KINDS[kind]
        for _ in range(REMARKS_EACH):
            name = dice.choice(people)
            text = fillers[name].filled(act_sentences.expanded(line, dice))
            said = Said(name, text, meant, source)
            yield fillers[name].asked(said) if dice.random() < asked else said
    for name, filler in fillers.items():
        for _ in range(BARE_EACH):
            yield Said(name, filler.filled(dice.choice(SEARCHES)), meant=True, source="bare")
            yield filler.answer(Said(name, "", meant=True, source="bare"))


def _remark_templates() -> Iterator[tuple[str, str]]:
    """Yield templates of remarks and of wishes that look like them, with which they are."""
    kind = ""
    for line in (REMARKS / "templates.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            kind = line[3:]
        else:
            yield kind, line


class _Filler:
    """Fills templates with values, names of columns and numbers of a catalog."""

    def __init__(self, catalog: Catalog, dice: Random) -> None:
        index = index_of(catalog)
        self.dice = dice
        self.values = {name: list(held.parts or held.ranks) for name, held in index.columns.items()}
        self.numbers = {name: catalog.numbers(name)[:50].tolist() for name in sorted(index.numeric)}

    def asked(self, said: Said) -> Said:
        """Return a turn behind a question about one column."""
        column = self.dice.choice([*self.values, *self.numbers])
        before = self.dice.choice(QUESTIONS).replace("{c}", _spoken(column))
        return replace(said, before=before, asked=column)

    def answer(self, said: Said) -> Said:
        """Return a bare answer to a question about one column."""
        column = self.dice.choice([*self.values, *self.numbers])
        number = column in self.numbers
        plain = [text for text in ANSWERS if ("{n}" in text) == number]
        text = self._of(self.dice.choice(plain), [column])
        before = self.dice.choice(QUESTIONS).replace("{c}", _spoken(column))
        return replace(said, text=text, before=before, asked=column)

    def filled(self, text: str) -> str:
        """Return a template's text."""
        return self._of(text, [*self.values, *self.numbers])

    def _of(self, text: str, columns: list[str]) -> str:
        while "{c}" in text:
            text = text.replace("{c}", _spoken(self.dice.choice(columns)), 1)
        texts = [name for name in columns if name in self.values]
        for mark, held in (("{v}", self.values), ("{n}", self.numbers)):
            while mark in text:
                column = self.dice.choice([name for name in columns if name in held] or texts)
                value = self.dice.choice(held.get(column) or [7])
                plain = f"{value:g}" if isinstance(value, float) else str(value)
                text = text.replace(mark, plain.lower() if self.dice.random() < 0.6 else plain, 1)
        return text


def _spoken(column: str) -> str:
    return column.replace("_", " ").lower()


def with_remarked(catalogs: Mapping[str, Catalog]) -> dict[str, Catalog]:
    """Return catalogs, and those of `written` besides that remarks alone speak of."""
    people, opened = written(), dict(catalogs)
    for name in sorted({said.catalog for said in remarks()} - catalogs.keys()):
        opened[name] = Catalog.open(people.catalog_path(name.removeprefix(WRITTEN_PREFIX)))
    return opened


def all_turns(
    catalogs: Mapping[str, Catalog], sgd: Path, most_sgd: int, seed: int
) -> Iterable[Said]:
    """Return the turns of all sources."""
    told = [*written_turns(), *remarks(), *made_turns(catalogs, seed)]
    return [*told, *sgd_turns(sgd, most_sgd, seed)]
