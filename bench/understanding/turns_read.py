"""Turns as a reader reads them that did not learn from their catalog.

Two readers are trained, each without half of the catalogs of `written` and half of the services of
the corpus; each reads the half it never saw, as a reader meets any catalog. Both know the few
catalogs of `known` and `development`. Training takes some ten minutes each, a turn some
milliseconds.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from random import Random
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ...catalogs.catalog import Catalog
from ...dialogs.extraction.decoding import has_context, judge
from ...dialogs.extraction.network import Floats, Network
from ...dialogs.extraction.phrasing import WHOLE, Phrasing, Span, span_of
from ...dialogs.extraction.reading import Reading, asked_columns
from ...dialogs.extraction.value_index import index_of
from ...dialogs.extraction.wished import buckets, decides, numbers
from ..progress import Counted, uncounted
from .labelled_set import DEVELOPMENT_PREFIX, KNOWN_PREFIX, WRITTEN_PREFIX, LabelledSet
from .phrasing_examples import PhrasedTurn
from .train_reader import train as train_reader
from .wished_turns import Said, all_turns, with_remarked

TODAY = date(2026, 1, 5)
EPOCHS = 10
SHIFTS = {"written": (0.0, 1.0, 2.0), "remarks": (0.0, 1.0, 2.0, 3.0)}
"""By how much readings are taken more lightly, for more that looks like a wish."""

MOST_SGD = 16_000
"""Turns of the corpus that are read, half of them wishes."""

MOST = {
    "written": 4_500,
    "answers": 2_000,
    "bare": 500,
    "made": 1_000,
    "code": 1_000,
    "templates": 300,
    "sgd": 500,
}
"""At most so many turns of a source teach the encoder, of wishes and of others each; of remarks
all do."""

COPIES = 2
"""How often a remark comes, what looks like one, and what was written and wishes nothing."""

APART = 3
"""The turns of one catalog in so many do not teach the encoder."""


_OTHER_PREFIX = re.compile(f"(?:{KNOWN_PREFIX}|{DEVELOPMENT_PREFIX})")


@dataclass(frozen=True, slots=True)
class Example:
    """A turn of which something was read; `shift` says how lightly.

    `spans` are the characters of what was read, `WHOLE` where no words say it, none where too
    little is said around it for the encoder to be asked; `heard` are its log-odds of a wish.
    """

    said: Said
    shift: float
    buckets: NDArray[np.int64]
    numbers: Floats
    heard: float | None
    spans: Sequence[Span]


def half_of(catalog: str) -> int:
    """Return the half that a catalog belongs to, 0 or 1."""
    return crc32(catalog.removeprefix(WRITTEN_PREFIX).encode()) % 2


def teaches_encoder(catalog: str) -> bool:
    """Return whether the turns of a catalog teach the encoder which of them wish."""
    # A catalog that two folders have is one.
    return crc32(f"{_OTHER_PREFIX.sub(WRITTEN_PREFIX, catalog)}enc".encode()) % APART != 0


def half_readers(labelled: LabelledSet, phrasing: Callable[[], Phrasing] | None) -> list[Network]:
    """Train a reader for each half, on the other."""
    networks: list[Network] = []
    beside = labelled.folder / "half_a_reader.npz"
    for half in (0, 1):
        apart = labelled.only(
            lambda one, half=half: (
                not one.catalog.startswith((WRITTEN_PREFIX, "sgd_")) or half_of(one.catalog) != half
            )
        )
        network = train_reader(
            apart.sentences, apart.catalogs, beside, epochs=EPOCHS, members=1, tell=False
        )
        networks.append(replace(network, phrasing=phrasing))
    beside.unlink()
    return networks


def read_all(
    labelled: LabelledSet,
    sgd: Path,
    seed: int,
    phrasing: Callable[[], Phrasing] | None,
    shifts: Mapping[str, Sequence[float]] = SHIFTS,
    counted: Counted = uncounted,
) -> Iterator[Example]:
    """Train the readers and yield what they read of the turns of all sources; see `read`."""
    networks = half_readers(labelled, phrasing)
    catalogs = with_remarked(labelled.catalogs)
    turns = list(all_turns(catalogs, sgd, MOST_SGD, seed))
    yield from read(counted(turns, "reading turns"), catalogs, networks, shifts)


def read(
    turns: Iterable[Said],
    catalogs: Mapping[str, Catalog],
    networks: Sequence[Network],
    shifts: Mapping[str, Sequence[float]] = SHIFTS,
) -> Iterator[Example]:
    """Yield the turns of which something was read that is decided about."""
    for said in turns:
        index = index_of(catalogs[said.catalog])
        asked = {said.asked: 1.0} if said.asked in index.profiles else {}
        asked = asked or asked_columns(said.before, index)
        reading = Reading(said.text, 0, index, asked, TODAY, said.before)
        for shift in shifts.get(said.source, (0.0,)):
            network = lighter(networks[half_of(said.catalog) % len(networks)], shift)
            judged = judge(reading, network)
            if decides(reading, judged):
                told = buckets(reading, judged), numbers(reading, judged)
                mentions = [item.mention for item in judged]
                heard = mentions if has_context(reading, mentions) else []
                spans = [span_of(reading, mention) for mention in heard]
                named = [span for span in spans if span != WHOLE] or spans[:1]
                yield Example(said, shift, *told, judged[0].wished, named)


def lighter(network: Network, shift: float) -> Network:
    """Return a network that takes more for a wish, by so much of log-odds."""
    end = network.weights["option.end"] + np.float32(shift * network.temperatures["option"])
    return replace(network, weights={**network.weights, "option.end": end}) if shift else network


def phrased_turns(examples: Iterable[Example], seed: int) -> list[PhrasedTurn]:
    """Return what teaches the encoder which turns wish: each once, some of each source.

    What somebody wrote and does not wish, and all that looks like a remark, comes `COPIES` times.
    """
    found: defaultdict[tuple[str, bool], dict[tuple[str, str], PhrasedTurn]] = defaultdict(dict)
    for one in examples:
        said = one.said
        if one.spans and teaches_encoder(said.catalog):
            turn = PhrasedTurn(said.text, said.before, one.spans, said.meant)
            found[said.source, said.meant].setdefault((said.text, said.before), turn)
    dice, turns = Random(seed), list[PhrasedTurn]()
    for (source, meant), distinct in found.items():
        every = list(distinct.values())
        most = MOST.get(source, len(every))
        odd = source == "remarks" or (source == "written" and not meant)
        turns += dice.sample(every, min(most, len(every))) * (COPIES if odd else 1)
    return turns
