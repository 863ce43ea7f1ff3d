"""How alike texts are: small rewordings above the threshold, other wishes well below it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.tools.sandbox import THRESHOLD
from concede.dialogs.tools.text_vectors import LONGEST, similarity, vector

NEAR = [
    ("charging station near MixC", "Charging  stations, near the mixc!"),
    ("charging station near MixC", "please find me a charging station near MixC"),
    ("quiet coffee shop with wifi", "a quiet cafe that has wifi"),
    ("vegetarian restaurant open late", "late open vegetarian restaurants"),
    ("coffee shop", "cofee shop"),
    ("charging station near MixC", "charging stations near Mix C"),
    ("coffee shop", "Coffeeshop"),
    ("hotel near the railway station", "hotel near train station"),
    ("museum of modern art", "modern art museum"),
    ("kid friendly park", "kids-friendly park"),
    ("sushi restaurant", "sushi place"),
    ("fast charging station near MixC", "charging station near MixC"),
    ("充电站", "附近的充电站。"),
    ("特来电充电站", "特来电 充电站"),
    ("去万象城附近的充电站", "万象城充电站"),
    ("宁波万象城", "万象城 宁波"),
    ("渔具店", "渔具"),
    ("咖啡店", "咖啡馆"),
    ("公共厕所", "厕所"),
    ("帮我找通勤方便的小区", "通勤方便的小区"),
    ("广州塔夜景门票预约", "广州塔,夜景,门票,预约"),
    ("\uff37\uff49fi 咖啡", "wifi咖啡"),
]

FAR = [
    ("charging station near MixC", "museum of modern art"),
    ("charging station", "gas station"),
    ("train station", "training station"),
    ("italian restaurant", "indian restaurant"),
    ("hotel", "hostel"),
    ("park", "parking"),
    ("station 12", "station 13"),
    ("line 1 23", "line 12 3"),
    ("hotel under 300", "hotel under 500"),
    ("hotel with parking", "hotel without parking"),
    ("east gate", "west gate"),
    ("vegan bakery", "vegan restaurant"),
    ("充电站", "加油站"),
    ("加油站", "加气站"),
    ("酒店", "酒吧"),
    ("停车场", "广场"),
    ("北京天气", "上海天气"),
    ("川菜馆", "粤菜馆"),
    ("地铁站", "火车站"),
    ("", ""),
    ("?!", "?!"),
]


@pytest.mark.parametrize(("first", "second"), NEAR)
def test_a_small_rewording_is_near(first, second):
    assert similarity(first, second) >= THRESHOLD


@pytest.mark.parametrize(("first", "second"), FAR)
def test_another_wish_is_not(first, second):
    assert similarity(first, second) < THRESHOLD - 0.05


TEXTS = st.text(st.sampled_from("ab 充电站的店1,?é"), max_size=20)


@given(TEXTS, TEXTS)
def test_likeness_is_a_cosine_whichever_comes_first(first, second):
    got = similarity(first, second)
    assert 0 <= got <= 1
    assert got == similarity(second, first)
    one, other = vector(first), vector(second)
    names = sorted({*one, *other})
    # Words that are only put together otherwise are the same.
    together = sum(one.get(n, 0) * other.get(n, 0) for n in names)
    assert got == pytest.approx(together) or got == 1


@given(TEXTS)
def test_a_vector_has_length_one_and_is_like_itself(text):
    found = vector(text)
    if found:
        assert math.fsum(w * w for w in found.values()) == pytest.approx(1)
        assert similarity(text, f"  {text}?! ".upper()) == pytest.approx(1)
    else:
        assert not any(character.isalnum() for character in text)


def test_words_without_a_meaning_of_their_own_are_words_where_there_are_no_others():
    assert similarity("near me", "near me!") == pytest.approx(1)
    assert similarity("near me", "museum") < 0.5


def test_no_more_than_the_beginning_is_read():
    assert similarity("a b " * LONGEST, "a b " * LONGEST + "x") == pytest.approx(1)
