"""The labelled sentences that readers are trained on, of all sources, with their catalogs.

The made ones, known requests, a sample of those of SGD of which two in three mean something,
ClarQ's, and the training personas of AWARE-US, in an order drawn by the seed. Some hundred
catalogs in memory.
"""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from ...catalogs.catalog import Catalog
from ...dialogs.conversation.agents import OfflineAgent
from ..progress import Counted, uncounted
from ..text_files import naming
from .alignment import items_of
from .clarq import clarq_sentences
from .generation.generate import generate
from .labelled import LabelledSentence
from .labelled_requests import KNOWN, as_sentences, persona_sentences
from .personas import written_personas
from .published_sentences import published_sentences
from .request_records import RequestSet, development, read_requests, written
from .sgd import service_catalogs, sgd_sentences
from .shopper_catalogs import shopper_sentences, wished_texts, write_catalog
from .shoppers import Shopper, written_shoppers
from .supplement import supplement

CARS = "sample:cars"
KNOWN_PREFIX, DEVELOPMENT_PREFIX, WRITTEN_PREFIX = "known_", "development_", "written_"
"""What the catalogs of requests that people wrote begin with."""

SHOPPER_PREFIX = "shopper_"
"""What the catalogs made of shoppers' wishes begin with; their place in the file follows."""

KNOWN_COUNT = 5
"""How often a request that somebody wrote counts, against once for a sentence that is made."""


SUPPLEMENT_OF = 6
"""For so many made sentences there is one of what the generator leaves out."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where sentences come from, and at most how many of each; None leaves a source out.

    `base`: the folder of the model that an encoder begins as; None for the installed one. With
    `further` an encoder begins as the one that ships.
    """

    sgd: Path | None = None
    clarq: Path | None = None
    aware_us: Path | None = None
    seed: int = 0
    made: int = 24_000
    catalogs: int = 300
    most_written: int = 20_000
    most_sgd: int = 14_000
    most_clarq: int = 1_500
    most_aware_us: int = 4_000
    base: Path | None = None
    further: bool = False


@dataclass(frozen=True)
class LabelledSet:
    """Sentences in the order of training, the catalogs that they name, and their files' folder."""

    sentences: Sequence[LabelledSentence]
    catalogs: Mapping[str, Catalog] = field(repr=False)
    folder: Path

    def only(self, keep: Callable[[LabelledSentence], bool]) -> LabelledSet:
        """Return the set with some of its sentences."""
        return LabelledSet([one for one in self.sentences if keep(one)], self.catalogs, self.folder)

    @property
    def sizes(self) -> dict[str, int]:
        """How many sentences there are of each source."""
        return dict(sorted(Counter(one.source for one in self.sentences).items()))


def labelled_set(sources: Sources, folder: Path, counted: Counted = uncounted) -> LabelledSet:
    """Return the sentences of all sources; made catalogs are written to `folder` and opened.

    Raises `UnreadableFile` and `UnreadableCatalog` for what is not there.
    """
    made = generate(sources.seed, sources.made, sources.catalogs, counted)
    catalogs = {
        catalog.name: Catalog.open(catalog.write(folder))
        for catalog in counted(made.catalogs, "opening catalogs")
    }
    sentences = list(made.sentences)
    # Requests that people wrote and everybody may read; what judges the reader is held out.
    by_hand = (
        (read_requests(KNOWN / "requests.jsonl"), KNOWN_PREFIX),
        (development(), DEVELOPMENT_PREFIX),
        (written(), WRITTEN_PREFIX),
    )
    for read, prefix in by_hand:
        sentences += KNOWN_COUNT * _within(as_sentences(read, prefix), sources)
    personas = list(persona_sentences(written_personas(), WRITTEN_PREFIX))
    sentences += KNOWN_COUNT * _within(personas, sources)
    shoppers = written_shoppers()
    sentences += KNOWN_COUNT * _within(list(shopper_sentences(shoppers, SHOPPER_PREFIX)), sources)
    # Those alone that are spoken of: an open catalog takes some megabytes.
    named = {sentence.catalog for sentence in sentences}
    for read, prefix in by_hand:
        catalogs |= _known_catalogs(read, prefix, folder, named)
    catalogs |= _shopper_catalogs(shoppers, folder, named, sources.seed)
    sentences += supplement(catalogs, sources.made // SUPPLEMENT_OF, sources.seed)
    if sources.clarq is not None:
        asked = clarq_sentences(sources.clarq, list(catalogs), sources.seed)
        sentences += _some(asked, sources.most_clarq, sources.seed)
    if sources.sgd is not None:
        services = service_catalogs(sources.sgd)
        sentences += _balanced(sgd_sentences(sources.sgd, services), sources)
        catalogs |= {
            service.name: Catalog.open(_unpacked(service.path, folder / f"{service.name}.csv"))
            for service in services.values()
        }
    if sources.aware_us is not None:
        told = (
            replace(sentence, source="aware_us")
            for sentence in published_sentences(sources.aware_us, CARS)
        )
        sentences += _some(told, sources.most_aware_us, sources.seed)
        catalogs[CARS] = Catalog.open(CARS)
    Random(sources.seed).shuffle(sentences)
    return LabelledSet(asked_by_agent(sentences, catalogs), catalogs, folder)


def asked_by_agent(
    sentences: Iterable[LabelledSentence], catalogs: Mapping[str, Catalog]
) -> list[LabelledSentence]:
    """Return sentences of which half of the answers answer what our own agent asks.

    What the agent asks is what a session's reader sees before an answer; of what was asked in
    other words the other half stays. An answer whose question is not known answers the agent.
    """
    agents: dict[str, OfflineAgent] = {}
    questions: dict[tuple[str, str], str] = {}
    asked = list[LabelledSentence]()
    for place, sentence in enumerate(sentences):
        column = _asked_about(sentence)
        if column and (place % 2 or not sentence.before):
            about = (sentence.catalog, column)
            if about not in questions:
                name = sentence.catalog
                agent = agents.setdefault(name, OfflineAgent(catalogs[name]))
                questions[about] = agent.question(column)
            sentence = replace(sentence, before=questions[about], asked=column)
        asked.append(sentence)
    return asked


FULL_ANSWER = 3
"""Words from which on an answer is taken to say what it means, whatever the question was."""


def _asked_about(sentence: LabelledSentence) -> str:
    """Return the column that a sentence answers a question about, empty for none.

    People's own questions are not kept by column; an answer of some words that means one
    column answers any question about it.
    """
    if sentence.asked or not sentence.before or sentence.source != "known":
        return sentence.asked
    columns = {item.column for item in items_of(sentence)}
    full = len(sentence.text.split()) >= FULL_ANSWER
    return columns.pop() if len(columns) == 1 and full else ""


def _known_catalogs(
    known: RequestSet, prefix: str, folder: Path, named: Collection[str]
) -> dict[str, Catalog]:
    catalogs: dict[str, Catalog] = {}
    for path in sorted(known.catalogs.glob("*.csv")):
        name = path.stem
        if prefix + name not in named:
            continue
        path = folder / f"{prefix}{name}.csv"
        with naming(path):
            path.write_bytes(known.catalog_path(name).read_bytes())
        catalogs[prefix + name] = Catalog.open(path)
    return catalogs


def _shopper_catalogs(
    shoppers: Sequence[Shopper], folder: Path, named: Collection[str], seed: int
) -> dict[str, Catalog]:
    values, catalogs = wished_texts(shoppers), dict[str, Catalog]()
    for place, shopper in enumerate(shoppers):
        if f"{SHOPPER_PREFIX}{place}" not in named:
            continue
        path = folder / f"{SHOPPER_PREFIX}{place}.csv"
        with naming(path):
            write_catalog(shopper, path, values, seed)
        catalogs[f"{SHOPPER_PREFIX}{place}"] = Catalog.open(path)
    return catalogs


def _unpacked(packed: Path, path: Path) -> Path:
    with naming(path):
        path.write_bytes(gzip.decompress(packed.read_bytes()))
    return path


def _within(written: list[LabelledSentence], sources: Sources) -> list[LabelledSentence]:
    most = sources.most_written
    return written if len(written) <= most else _some(written, most, sources.seed)


def _some(sentences: Iterable[LabelledSentence], most: int, seed: int) -> list[LabelledSentence]:
    everything = list(sentences)
    return Random(seed).sample(everything, min(most, len(everything)))


def _balanced(sentences: Iterator[LabelledSentence], sources: Sources) -> list[LabelledSentence]:
    """Return a sample in which two in three say something about the catalog."""
    telling: list[LabelledSentence] = []
    empty: list[LabelledSentence] = []
    for sentence in sentences:
        (telling if sentence.constraints or sentence.waived else empty).append(sentence)
    third = sources.most_sgd // 3
    kept = _some(telling, sources.most_sgd - third, sources.seed)
    return [*kept, *_some(empty, third, sources.seed)]
