"""Spots with labels, from written requests: which were unclear, and which only might have been.

A request with gold is clear but for its leanings. The same request is unclear on a catalog without
one of its columns, on one with the column twice, and where the words that name a number's column
are cut out. Some 100 seconds of one core for the 62 written catalogs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from ...catalogs.catalog import Catalog
from ...dialogs.clarification.look import CLOSE, Look
from ...dialogs.clarification.spots import Spot, find_spots
from ...dialogs.extraction.judged import Judged, Weighed
from ...dialogs.extraction.network import Network
from ..understanding.generation.made_catalogs import TODAY
from ..understanding.request_records import GoldConstraint, Request, RequestSet
from .leave_out import half
from .variants import doubled, opened, read_table, without

COLUMNS, USES, MOST = 6, 5, 25
"""Columns of a catalog that are left out and doubled, and requests about each, least and most."""

NEAR = 5
"""Words from a number in which its column's name is cut out."""


@dataclass(frozen=True)
class Example:
    """A spot's features and whether it is unclear; `text` tells the requests apart.

    `text_unclear`: whether any spot of the text was marked, found or not.
    """

    spot: Spot
    unclear: bool
    catalog: str
    text: int
    source: str
    text_unclear: bool = False


@dataclass
class Examples:
    """Gathers examples; `readers` are two networks, each fitted without a half of the catalogs."""

    requests: RequestSet
    readers: Sequence[Network]
    folder: Path
    examples: list[Example] = field(default_factory=list[Example])
    idle: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    texts: int = 0

    def gather(self) -> None:
        """Gather the examples of all catalogs."""
        by_catalog: defaultdict[str, list[Request]] = defaultdict(list)
        for request in self.requests.requests:
            if request.before is None and "nothing meant" not in request.phenomena:
                by_catalog[request.catalog].append(request)
        read: dict[str, list[tuple[Request, Look]]] = {}
        for name, requests in by_catalog.items():
            catalog = Catalog.open(self.requests.catalog_path(name))
            read[name] = [(one, self._look(one.text, catalog, name)) for one in requests]
            self.idle[name] = Counter(w for _, look in read[name] for w in idle_words(look))
        for name, pairs in read.items():
            _OfCatalog(self, name, pairs, self.idle_elsewhere(name)).gather()

    def idle_elsewhere(self, name: str) -> Counter[str]:
        """Return in how many texts about other catalogs a word meant nothing."""
        every: Counter[str] = Counter()
        for other, words in self.idle.items():
            if other != name:
                every.update(words)
        return every

    def _look(self, text: str, catalog: Catalog, name: str) -> Look:
        # The reader that was not fitted on this catalog.
        reader = self.readers[half(name)]
        return Look.at(text, catalog, today=TODAY, network=reader)

    def look(self, text: str, catalog: Catalog, name: str) -> Look:
        """Return a look by the reader that was not fitted on a catalog; a new text."""
        self.texts += 1
        return self._look(text, catalog, name)


def idle_words(look: Look) -> set[str]:
    """Return the words of a text that nothing meant accounts for."""
    reading = look.reading
    places = set(range(len(reading.words))) - look.used - reading.naming_words
    return {reading.folded[at] for at in places}


@dataclass
class _OfCatalog:
    whole: Examples
    name: str
    pairs: list[tuple[Request, Look]]
    idle: Counter[str]

    def gather(self) -> None:
        random = Random(self.name)
        for request, look in self.pairs:
            self.whole.texts += 1
            self._as_written(request, look)
        table = read_table(self.whole.requests.catalog_path(self.name))
        columns = [column for column in table[0] if column]
        for source in ("without", "doubled"):
            random.shuffle(columns)
            for at, column in enumerate(columns[:COLUMNS]):
                self._changed(source, table, column, at, random)
        whole = Catalog.open(self.whole.requests.catalog_path(self.name))
        for request, look in self.pairs:
            if not request.gold.leanings:
                self._bare_numbers(request, look, whole)

    def _put(self, spot: Spot, source: str, *, unclear: bool) -> None:
        example = Example(spot, unclear, self.name, self.whole.texts, source)
        self.whole.examples.append(example)

    def _as_written(self, request: Request, look: Look) -> None:
        gold = request.gold
        leaning = {wish.column for wish in gold.leanings}
        perhaps = leaning | {wish.column for wish in gold.optional}
        spots = list(find_spots(look, self.idle))
        vague = [spot for spot in spots if spot.kind == "vague"]
        meant = {id(max(own, key=lambda pair: pair[0])[1]) for own in _claims(vague, leaning)}
        for spot in vague:
            columns = {o.column for i in _grades(spot) for o in i.mention.options}
            if id(spot) in meant or not columns & perhaps:
                self._put(spot, "written", unclear=id(spot) in meant)
        for spot in spots if not perhaps else ():
            if spot.kind not in ("vague", "alternatives"):
                # What has several meanings to anybody, however well the gold's writer guessed.
                several = any(spot.features.get(name) for name in ("shared", "open"))
                self._put(spot, "written", unclear=several)

    def _changed(
        self, source: str, table: list[list[str]], column: str, at: int, random: Random
    ) -> None:
        uses = [pair for pair in self.pairs if _is_clear_about(pair[0], column)]
        if len(uses) < USES:
            return
        path = self.whole.folder / f"{self.name}~{source}{at}.csv"
        rows = without(table, column) if source == "without" else doubled(table, column, random)
        catalog = opened(rows, path)
        if catalog is None:
            return
        kinds = ("unlinked",) if source == "without" else ("number", "ambiguous")
        for request, before in random.sample(uses, min(MOST, len(uses))):
            said = words_of(request, before, column)
            if not said:
                continue
            names = {
                word
                for naming in before.reading.namings.get(column, ())
                for word in range(naming.first, naming.last + 1)
            }
            look = self.whole.look(request.text, catalog, self.name)
            for spot in find_spots(look, self.idle):
                if spot.kind not in kinds:
                    continue
                if spot.words & said:
                    self._put(spot, source, unclear=True)
                elif source == "without" and not spot.words & names:
                    self._put(spot, source, unclear=False)

    def _bare_numbers(self, request: Request, look: Look, catalog: Catalog) -> None:
        for item in look.judged:
            cut = _named_beside(look, item)
            if cut is None:
                continue
            said = look.reading.span(item.mention.first, item.mention.last).text
            text = request.text[: cut[0]] + request.text[cut[1] :]
            changed = self.whole.look(text, catalog, self.name)
            for spot in find_spots(changed, self.idle):
                words = changed.reading.span(spot.first, spot.last).text
                if spot.kind == "number" and words == said:
                    logits = sorted(map(float, spot.readings[0].logits), reverse=True)
                    if len(logits) > 1 and logits[0] - logits[1] < CLOSE:
                        self._put(spot, "bare", unclear=True)


def _grades(spot: Spot) -> Iterator[Weighed]:
    return (item for item in spot.readings if item.mention.kind == "grade")


def _claims(vague: Sequence[Spot], leaning: set[str]) -> Iterator[list[tuple[float, Spot]]]:
    """Yield the vague spots that a leaning of the gold may stand for, with their log-odds."""
    for column in sorted(leaning):
        own = [
            (float(logit), spot)
            for spot in vague
            for item in spot.readings
            if item.mention.kind == "grade"
            for option, logit in zip(item.mention.options, item.logits, strict=True)
            if option.column == column
        ]
        if own:
            yield own


def _is_clear_about(request: Request, column: str) -> bool:
    about = any(wish.column == column for wish in request.gold.constraints)
    return about and not request.gold.leanings


def words_of(request: Request, look: Look, column: str) -> frozenset[int]:
    """Return the words by which a request says what its gold wishes of a column."""
    wishes = [wish for wish in request.gold.constraints if wish.column == column]
    return frozenset(
        word
        for item in look.judged
        if item.column == column and any(_agrees(item, wish) for wish in wishes)
        for word in item.mention.places
    )


def _agrees(item: Judged, wish: GoldConstraint) -> bool:
    values = wish.value if isinstance(wish.value, list) else [wish.value]
    if item.mention.kind == "name":
        return True
    return not {_known(v) for v in item.option.values}.isdisjoint(map(_known, values))


def _known(value: object) -> object:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return str(value).casefold()


def _named_beside(look: Look, item: Judged) -> tuple[int, int] | None:
    """Return the characters that name a number's column beside it, if it has no unit."""
    reading, mention = look.reading, item.mention
    quantity = mention.quantity
    if mention.kind != "number" or quantity is None or quantity.unit or quantity.currency:
        return None
    clause = reading.clause_of[mention.first]
    near = [
        (reading.words[naming.first].start, reading.words[naming.last].end)
        for naming in reading.namings.get(item.column, ())
        if abs(naming.first - mention.last) < NEAR
        and reading.clause_of[naming.first] == clause
        and (naming.last < mention.first or naming.first > mention.last)
    ]
    return max(near, default=None)
