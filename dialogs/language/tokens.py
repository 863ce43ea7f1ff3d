"""Split a text into sentences, clauses and words with their character offsets, by patterns.

What a pattern looks back at is bounded, so that the work is linear in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Piece:
    """Characters `start` to `end` (excluded) of the text it was cut from."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Token(Piece):
    """A word or number as written."""

    @cached_property
    def folded(self) -> str:
        """The word without case, accents or typographic apostrophes."""
        return folded(self.text)


LONGEST_PARENTHESIS = 300
"""Characters; a parenthesis that does not close within them is a stray bracket."""

_WORD = re.compile(
    r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?[^\W\d_]*"  # 24,515
    r"|\d+\.\d+[^\W\d_]*"  # 3.5
    r"|[^\W\d_]+['’][^\W\d_]+"  # don't
    r"|[^\W_]+"
)
_SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]]{0,3}+(?=\s|$)|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|approx|vs|mr|mrs|ms|dr|st|no|nr|max|min|ca|incl|excl|est|sq|ft|mi)"
    r"|(?:^|[\s(.])[A-Z])\.$",
    re.IGNORECASE,
)
_SUBJECT = (
    r"(?:i|i['’]\w+|it|it['’]\w+|we|we['’]\w+|he|she|they|they['’]\w+|you|my|our|the|that|that['’]s"
    r"|this|there|there['’]s|please|if|when|not|don['’]t|would|could)\b"
)
_CONNECTIVE = (
    r"(?:but|though|although|while|whereas|however|except|unless|because|since|yet|still"
    r"|otherwise|plus|provided|as long as|even if|even though|so long as)\b"
)
# No run of spaces is scanned twice: an unbounded `\s*` in front would be quadratic.
_CLAUSE_BREAK = re.compile(
    r";|—|(?<=\s)[–-]{1,2}(?=\s)"
    rf"|,(?=\s{{0,4}}(?:{_CONNECTIVE}|(?:and\s{{1,4}})?{_SUBJECT}))"
    rf"|(?<=\s)(?=(?:and|or)\s{{1,4}}{_SUBJECT})"
    r"|(?<=\s)(?=(?:but|though|although|whereas|however|even\s{1,4}if|even\s{1,4}though|unless"
    r"|while)\s)",
    re.IGNORECASE,
)
_AROUND = " \t\r\n\v\f\u00a0,;—–"
_BUT_IS_EXCEPT = re.compile(
    r"\b(?:any(?:thing|where|one)|nothing|every(?:thing|where)|all|none|any\s+\w+)$", re.IGNORECASE
)


def folded(word: str) -> str:
    """Return text without case, accents or typographic apostrophes."""
    if word.isascii():
        return word.casefold()
    parts = unicodedata.normalize("NFKD", word)
    plain = "".join(character for character in parts if not unicodedata.combining(character))
    return plain.replace("’", "'").casefold()


def tokens(text: str) -> tuple[Token, ...]:
    """Return the words and numbers of a text; `24,515`, `3.5`, `25k` and `don't` are one each."""
    return tuple(Token(match.start(), match.end(), match[0]) for match in _WORD.finditer(text))


def folded_words(text: str) -> list[str]:
    """Return the words and numbers of a text without case or accents, not where they stand."""
    if text.isascii():
        return _WORD.findall(text.casefold())
    return [folded(word) for word in _WORD.findall(text)]


def sentences(text: str) -> tuple[Piece, ...]:
    """Return the sentences of a text, in order, without the space around them."""
    return tuple(_pieces(text, 0, len(text), _sentence_breaks(text)))


def clauses(text: str) -> tuple[Piece, ...]:
    """Return the clauses of a text: sentences, split where another thought begins.

    A connective (`but`, `though`, `and I`) opens the clause that it leads in.
    """
    pieces: list[Piece] = []
    for sentence in sentences(text):
        cut = _pieces(text, sentence.start, sentence.end, _clause_breaks(sentence))
        pieces.extend(cut)
    return tuple(pieces)


def _sentence_breaks(text: str) -> Iterator[tuple[int, int]]:
    closed = _parentheses(text)
    for end in _SENTENCE_END.finditer(text):
        before = text[max(0, end.start() - 8) : end.start() + 1]
        if (
            end[0] == "."
            and _ABBREVIATION.search(before)
            and text[end.end() : end.end() + 40].strip()
        ):
            continue
        if end[0].startswith("\n") or not closed.holds(end.start()):
            yield end.end(), end.end()


def _clause_breaks(sentence: Piece) -> Iterator[tuple[int, int]]:
    closed = _parentheses(sentence.text)
    for match in _CLAUSE_BREAK.finditer(sentence.text):
        start, end = match.span()
        if closed.holds(start) or _is_exception(sentence.text, start, end):
            continue
        yield sentence.start + start, sentence.start + end


def _is_exception(text: str, start: int, end: int) -> bool:
    """Return whether a `but` means except: `anything but red`."""
    led_in = text[end : end + 8].lstrip().casefold().startswith("but")
    return led_in and bool(_BUT_IS_EXCEPT.search(text[max(0, start - 40) : start].rstrip()))


def _pieces(text: str, start: int, end: int, breaks: Iterator[tuple[int, int]]) -> Iterator[Piece]:
    """Yield what lies between the breaks, stripped, leaving out what is empty."""
    for stop, resume in (*breaks, (end, end)):
        piece = text[start:stop]
        body = piece.strip(_AROUND)
        if body and any(character.isalnum() for character in body):
            first = start + len(piece) - len(piece.lstrip(_AROUND))
            yield Piece(first, first + len(body), body)
        start = max(start, resume)


@dataclass(frozen=True)
class _Parentheses:
    inside: bytearray

    def holds(self, place: int) -> bool:
        return bool(self.inside[place]) if place < len(self.inside) else False


def _parentheses(text: str) -> _Parentheses:
    """Mark the characters between brackets that close soon enough."""
    inside = bytearray(len(text))
    opened: int | None = None
    for match in re.finditer(r"[()\n]", text):
        place = match.start()
        if match[0] == "(":
            opened = place if opened is None or place - opened > LONGEST_PARENTHESIS else opened
        elif match[0] == "\n":
            opened = None
        elif opened is not None:
            if place - opened <= LONGEST_PARENTHESIS:
                inside[opened:place] = b"\1" * (place - opened)
            opened = None
    return _Parentheses(inside)
