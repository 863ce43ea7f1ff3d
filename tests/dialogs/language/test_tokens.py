"""Sentences, clauses and words of free text, each with where it stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.language.tokens import clauses, folded_words, sentences, tokens


def texts(pieces):
    return [piece.text for piece in pieces]


def test_sentences_end_at_full_stops_and_lines_but_not_inside_numbers():
    said = "At most $24,515.50, e.g. a 3.5 litre. Not red!\nWhat else?"
    assert texts(sentences(said)) == [
        "At most $24,515.50, e.g. a 3.5 litre.",
        "Not red!",
        "What else?",
    ]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Cheap is nice, but it must be new", ["Cheap is nice", "but it must be new"]),
        ("The price matters; the rest is open", ["The price matters", "the rest is open"]),
        ("I want two rooms and I need a garden", ["I want two rooms", "and I need a garden"]),
        ("Red though blue would do", ["Red", "though blue would do"]),
        ("Anything but red", ["Anything but red"]),
        ("Quiet and bright rooms", ["Quiet and bright rooms"]),
        ("Cheap (nice, but not vital) and new", ["Cheap (nice, but not vital) and new"]),
        ("A stray ( bracket; then more", ["A stray ( bracket", "then more"]),
        ("It is central — the view can go", ["It is central", "the view can go"]),
    ],
)
def test_clauses_split_where_another_thought_begins(said, expected):
    assert texts(clauses(said)) == expected


def test_numbers_and_contractions_are_one_word_each():
    words = texts(tokens("don't pay 24,515 or 25k for the F-150, 3.5 stars"))
    assert words == "don't pay 24,515 or 25k for the F 150 3.5 stars".split()


def test_folding_leaves_out_case_accents_and_typographic_apostrophes():
    assert [token.folded for token in tokens("Café DON’T")] == ["cafe", "don't"]


@given(st.text(alphabet=st.sampled_from("ab1 .,;()-—\n’but and I"), max_size=60))
def test_every_piece_stands_where_it_says_in_order(said):
    for split in (sentences, clauses, tokens):
        end = 0
        for piece in split(said):
            assert piece.start >= end
            assert said[piece.start : piece.end] == piece.text
            assert piece.text.strip()
            end = piece.end


@pytest.mark.slow
@pytest.mark.parametrize("piece", [" ", ".", ". ", "(", "but ", "a, but ", "1,111", "e.g. ", "a'"])
def test_a_megabyte_of_anything_is_read(piece):
    said = (piece * 10**6)[: 10**6 - 1] + "x"
    assert clauses(said)[-1].text.endswith("x")


@given(st.text())
def test_words_without_places_are_the_same_words(text):
    assert folded_words(text) == [word.folded for word in tokens(text)]
