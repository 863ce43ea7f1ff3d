# pyright: basic, reportArgumentType=false, reportOptionalSubscript=false, reportReturnType=false
"""What labelled sentences teach each decision of the reader: features, and what is right.

One pass over the sentences, a millisecond each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

import numpy as np
from numpy.typing import NDArray

from ...catalogs.versions.reader import CatalogReader
from ...dialogs.extraction.features import context, dense, link_context, link_dense
from ...dialogs.extraction.network import GRADES, HEADS, LINKS, POLARITIES, SIDES
from ...dialogs.extraction.reading import Reading, asked_columns
from ...dialogs.extraction.value_index import index_of
from .alignment import Aligned, Label, align, items_of
from .labelled import LabelledSentence

Floats = NDArray[np.float32]


@dataclass
class Examples:
    """One head's examples: rows of features, which of them go together, and what is right.

    Row `i` belongs to group `groups[i]`; group `g` has the words of `words[g]`, and `right[g]`
    is the row's place in its group (option) or the class (other heads); -1 is not meant.
    """

    rows: list[Floats] = field(default_factory=list[Floats])
    words: list[list[int]] = field(default_factory=list[list[int]])
    right: list[int] = field(default_factory=list[int])

    def add(self, rows: Floats, words: list[int], right: int) -> None:
        """Add one group."""
        self.rows.append(rows)
        self.words.append(words)
        self.right.append(right)


@dataclass
class Training:
    """All examples by head, and what of the gold no mention could be found for."""

    heads: dict[str, Examples] = field(default_factory=lambda: {head: Examples() for head in HEADS})
    gold: int = 0
    idle: Counter[str] = field(default_factory=Counter[str])
    missed: list[tuple[str, object]] = field(default_factory=list[tuple[str, object]])

    def add(self, aligned: Aligned) -> None:
        """Add what one sentence teaches."""
        kept: dict[int, Floats] = {}
        for at, label in enumerate(aligned.labels):
            if label is False:
                continue
            mention = aligned.mentions[at]
            rows = dense(aligned.reading, mention)
            words = context(aligned.reading, mention)
            if not isinstance(label, Label):
                self.heads["option"].add(rows, words, -1)
                continue
            self.heads["option"].add(rows, words, label.option)
            self._decisions(label, rows[label.option][None, :], words)
            kept[at] = rows
        for one, other, link in aligned.links():
            self._link(aligned, one, other, link)

    def count_idle(self, reading: Reading, sentence: LabelledSentence) -> None:
        """Count the words that mean nothing of the catalog, and only look as if they did."""
        meant = [item.span for item in items_of(sentence)] + list(sentence.decoys)
        meant += list(sentence.corrected)
        self.idle.update(
            word.folded
            for word in reading.words
            if not any(word.start < end and start < word.end for start, end in meant)
        )

    def _decisions(self, label: Label, row: Floats, words: list[int]) -> None:
        for head, names, value in (
            ("side", SIDES, label.side),
            ("polarity", POLARITIES, label.polarity),
            ("grade", GRADES, label.grade),
        ):
            if value:
                self.heads[head].add(row, words, names.index(value))
        if label.hard is not None:
            self.heads["hard"].add(row, words, int(label.hard))

    def _link(self, aligned: Aligned, one: int, other: int, link: str) -> None:
        pair = aligned.mentions[one], aligned.mentions[other]
        first, second = aligned.labels[one], aligned.labels[other]
        assert isinstance(first, Label)
        assert isinstance(second, Label)
        options = pair[0].options[first.option], pair[1].options[second.option]
        same = (first.polarity == second.polarity, first.side == second.side)
        row = link_dense(aligned.reading, pair, options, same)
        words = link_context(aligned.reading, *pair)
        self.heads["link"].add(row[None, :], words, LINKS.index(link))


def reading_of(
    sentence: LabelledSentence, catalog: CatalogReader, *, by_column: bool = False
) -> Reading:
    """Return a labelled sentence as a reader sees it.

    The column that it answers is told where its question names none; `by_column`: always.
    """
    index = index_of(catalog)
    asked = asked_columns(sentence.before, index) if sentence.before else {}
    if sentence.asked and (by_column or not asked):
        asked = {sentence.asked: 1.0}
    today = date.fromisoformat(sentence.today or "2026-11-22")
    return Reading(sentence.text, 0, index, asked, today, sentence.before)


def gather(
    sentences: Iterable[LabelledSentence], catalogs: Mapping[str, CatalogReader]
) -> Training:
    """Return the examples that labelled sentences give."""
    training = Training()
    for at, sentence in enumerate(sentences):
        reading = reading_of(sentence, catalogs[sentence.catalog], by_column=bool(at % 2))
        aligned = align(reading, sentence)
        training.gold += len(items_of(sentence))
        training.missed.extend((sentence.text, item) for item in aligned.missed)
        training.add(aligned)
        if all(span[1] for item in items_of(sentence) for span in [item.span]):
            training.count_idle(reading, sentence)
    return training
