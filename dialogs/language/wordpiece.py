"""Cut English text into WordPieces, the subwords that a language encoder knows, with their places.

Words lose case and accents; each is cut into the longest known pieces from its front (Schuster and
Nakajima 2012; as in BERT, Devlin et al. 2019, arXiv 1810.04805). Linear in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

LONGEST_WORD = 100
"""Characters of a word that is cut; a longer one is unknown as a whole."""

_WORD = re.compile(r"(?:[^\W_]|[\u0300-\u036f])+|[^\w\s]|_")
"""A run of letters, digits and accents, or a mark; BERT leaves `£` and `°` at the number."""

_CACHED = 50_000
"""Words whose pieces are remembered."""


@dataclass(frozen=True)
class WordPieces:
    """The known pieces by their numbers; those inside a word begin with `##`."""

    numbers: Mapping[str, int]

    @cached_property
    def unknown(self) -> int:
        """The piece for what is not known."""
        return self.numbers["[UNK]"]

    @cached_property
    def first(self) -> int:
        """The piece that a sequence begins with."""
        return self.numbers["[CLS]"]

    @cached_property
    def end(self) -> int:
        """The piece that a part of a sequence ends with."""
        return self.numbers["[SEP]"]

    @cached_property
    def mask(self) -> int:
        """The piece that stands for words which are not to be seen."""
        return self.numbers["[MASK]"]

    @cached_property
    def digest(self) -> int:
        """A number that tells these pieces, in this order, from others."""
        return crc32("\n".join(self.numbers).encode())

    @cached_property
    def _known(self) -> dict[str, tuple[int, ...]]:
        return {}

    def cut(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield a text's pieces, each with the characters of the word that it is of."""
        for word in _WORD.finditer(text):
            for piece in self.of_word(word.group()):
                yield piece, word.start(), word.end()

    def of_word(self, word: str) -> tuple[int, ...]:
        """Return the pieces of a word without spaces."""
        pieces = self._known.get(word)
        if pieces is None:
            pieces = tuple(self._cut(plain(word)))
            if len(self._known) < _CACHED and len(word) <= LONGEST_WORD:
                self._known[word] = pieces
        return pieces

    def _cut(self, word: str) -> list[int]:
        if len(word) > LONGEST_WORD:
            return [self.unknown]
        pieces: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((e for e in ends if mark + word[start:e] in self.numbers), None)
            if end is None:
                return [self.unknown]
            pieces.append(self.numbers[mark + word[start:end]])
            start = end
        return pieces


def plain(word: str) -> str:
    """Return a word in small letters and without accents."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFD", word.lower())
    return "".join(part for part in parts if unicodedata.category(part) != "Mn")
