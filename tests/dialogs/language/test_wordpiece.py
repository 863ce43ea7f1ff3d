"""Words are cut as BERT cuts them, with the places they stand at, in linear time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.language.encoder import PIECES, embeddings
from concede.dialogs.language.wordpiece import LONGEST_WORD, WordPieces, plain

KNOWN = ("[UNK]", "[CLS]", "[SEP]", "a", "b", "ab", "##a", "##b", "##ab", "##ba", ",", "£", "2")
SMALL = WordPieces({piece: at for at, piece in enumerate(KNOWN)})


def cut(text: str) -> list[str]:
    return [KNOWN[piece] for piece, _, _ in SMALL.cut(text)]


def obvious(word: str) -> list[str]:
    """The longest known front, then the same of what is left; unknown where that fails."""
    pieces: list[str] = []
    left = word
    while left:
        marked = [f"##{piece}" if pieces else piece for piece in _fronts(left)]
        known = [piece for piece in marked if piece in KNOWN]
        if not known:
            return ["[UNK]"]
        pieces.append(max(known, key=len))
        left = left[len(pieces[-1].removeprefix("##")) :]
    return pieces


def _fronts(text: str) -> list[str]:
    return [text[:end] for end in range(1, len(text) + 1)]


@given(st.text("abcAB", min_size=1, max_size=12))
def test_words_are_cut_into_the_longest_known_pieces(word: str):
    assert cut(word) == obvious(word.lower())


@given(st.text())
def test_pieces_stand_where_their_words_are(text: str):
    places = [(start, end) for _, start, end in SMALL.cut(text)]
    assert places == sorted(places)
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert not any(letter.isspace() for start, end in places for letter in text[start:end])


def test_case_accents_and_marks():
    assert cut("Ab, áB") == ["ab", ",", "ab"]
    assert cut("a\u0301b") == ["ab"]
    assert cut("£2") == ["£", "2"]
    assert plain("Crème") == "creme"


def test_what_is_unknown_or_too_long_is_one_unknown_piece():
    assert cut("abc") == ["[UNK]"]
    assert cut("a" * LONGEST_WORD) != ["[UNK]"]
    assert cut("a" * (LONGEST_WORD + 1)) == ["[UNK]"]
    assert len(cut("\x00" * 100_000)) == 100_000


def test_the_shipped_pieces_are_those_of_a_published_tokenizer():
    """But for what has no piece of its own here, and currency, which stands apart."""
    tokenizers = pytest.importorskip("tokenizers")
    pieces = embeddings().pieces
    names = list(pieces.numbers)
    tokenizer = tokenizers.BertWordPieceTokenizer({name: at for at, name in enumerate(names)})
    for text in (
        "I'd really love a south-facing balcony; it isn't essential, though!",
        "At most 1,250.50 (or so), 3-bed flat... crème brûlée & co_op #1",
        "antidisestablishmentarianism qwrtzpsdfg 'tis — “quoted” words",
    ):
        published = tokenizer.encode(text, add_special_tokens=False).ids
        assert [piece for piece, _, _ in pieces.cut(text)] == published
    assert PIECES.stat().st_size < 15_000_000
