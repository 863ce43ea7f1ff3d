"""Words for much or little of something."""

from concede.dialogs.language.grades import GRADE_WORDS


def test_words_for_slips_stand_in_one_order():
    """Of two words as near to a slip the first is taken, whatever the order of sets."""
    assert all(list(words) == sorted(words) for words in GRADE_WORDS.values())
