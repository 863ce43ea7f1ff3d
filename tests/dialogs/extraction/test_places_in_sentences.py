"""Sentences about places and hours, English and Chinese, over two catalogs: what each asks for."""

from __future__ import annotations

from datetime import date
from typing import Any

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.offline import extract

MONDAY = date(2026, 11, 23)
SHOPS = Catalog.open(
    pa.table(
        {
            "name": ["Fig", "Owl", "Tea"],
            "lat": [40.7512, 40.7587, 40.748],
            "lon": [-73.979, -73.9787, -73.985],
            "opening_hours": ["Mo-Fr 07:00-18:00", "18:00-02:00", "10:00-22:00"],
            "price": [4.5, 6.0, 5.25],
            "wifi": ["yes", "no", "yes"],
        }
    )
)
FOOD = Catalog.open(
    pa.table(
        {
            "restaurant": ["A", "B", "C"],
            "latitude": [39.9, 39.95, 39.92],
            "longitude": [116.3, 116.4, 116.41],
            "business_hours": ["10:00-22:00", "24小时营业", "周一至周五09:30-22:00"],
            "cuisine": ["thai", "italian", "sichuan"],
            "rating": [4.1, 4.5, 3.9],
            "cost": [60, 120, 80],
        }
    )
)
P, Q = (40.75, -73.98), (39.91, 116.4)
Point = tuple[float, float]
Asked = tuple[str, Any]


def near(point: Point, km: float) -> Asked:
    return "within", (*point, km)


def reach(point: Point, mode: str, minutes: float) -> Asked:
    return "reachable", (*point, mode, minutes)


def opened(moment: str) -> Asked:
    return "open at", moment


SENTENCES: list[tuple[Catalog, str, list[Asked]]] = [
    (SHOPS, "a cafe within a ten minute walk of 40.75, -73.98", [reach(P, "walk", 10)]),
    (SHOPS, "somewhere no more than 500 m from 40.75, -73.98", [near(P, 0.5)]),
    (SHOPS, "I'm at 40.75, -73.98 and want coffee within half a mile", [near(P, 0.804672)]),
    (SHOPS, "open at half past ten tonight", [opened("2026-11-23 22:30")]),
    (SHOPS, "it has to be open at 7 am tomorrow", [opened("2026-11-24 07:00")]),
    (SHOPS, "is anything open on Saturday at noon?", [opened("2026-11-28 12:00")]),
    (SHOPS, "cheap, with wifi, at most 2 km away from 40.75, -73.98", [near(P, 2)]),
    (SHOPS, "a fifteen-minute bike ride from 40.75, -73.98", [reach(P, "bike", 15)]),
    (SHOPS, "I am at 40.75, -73.98. Something less than a kilometre away please", [near(P, 1)]),
    (
        SHOPS,
        "within two kilometres of 40.75, -73.98 and open at 8 tonight",
        [near(P, 2), opened("2026-11-23 20:00")],
    ),
    (SHOPS, "near the station", []),
    (SHOPS, "open now", []),
    (SHOPS, "near Times Square, under 5 dollars", []),
    (SHOPS, "10 minutes on foot from 40.75, -73.98", [reach(P, "walk", 10)]),
    (SHOPS, "a place I can walk to in 12 minutes from 40.75, -73.98", [reach(P, "walk", 12)]),
    (SHOPS, "within 20 minutes by car of 40.75, -73.98", [reach(P, "drive", 20)]),
    (SHOPS, "not further than 3 km from 40.75, -73.98", [near(P, 3)]),
    (SHOPS, "should still be open at 11pm", [opened("2026-11-23 23:00")]),
    (SHOPS, "that opens before 8", []),
    (SHOPS, "open tomorrow at quarter to nine in the evening", [opened("2026-11-24 20:45")]),
    (SHOPS, "I'm at 40.75, -73.98, within walking distance", []),
    (SHOPS, "a 5 min walk from 40.75, -73.98, price below 6", [reach(P, "walk", 5)]),
    (SHOPS, "around 40.75, -73.98, not more than one mile", [near(P, 1.609344)]),
    (SHOPS, "in a radius of 800 metres around 40.75, -73.98", [near(P, 0.8)]),
    (SHOPS, "open on 2026-12-01 at 21:30", [opened("2026-12-01 21:30")]),
    (SHOPS, "open till late", []),
    (SHOPS, "something open at midnight", [opened("2026-11-24 00:00")]),
    (SHOPS, "I'm now at 40.75, -73.98; five minutes' walk at most", [reach(P, "walk", 5)]),
    (SHOPS, "400 meters or less from 40.75, -73.98", [near(P, 0.4)]),
    (FOOD, "thai within 3 km of 39.91, 116.4", [near(Q, 3)]),
    (FOOD, "an italian place a twenty minute drive from 39.91, 116.4", [reach(Q, "drive", 20)]),
    (FOOD, "距离39.91，116.4 2公里以内的川菜", [near(Q, 2)]),
    (FOOD, "我在39.91,116.4，附近500米以内", [near(Q, 0.5)]),
    (FOOD, "明晚9点还营业", [opened("2026-11-24 21:00")]),
    (FOOD, "今晚十点半还营业的餐厅", [opened("2026-11-23 22:30")]),
    (FOOD, "从39.91，116.4步行15分钟以内", [reach(Q, "walk", 15)]),
    (FOOD, "从39.91，116.4开车半小时以内", [reach(Q, "drive", 30)]),
    (FOOD, "周六中午12点营业", [opened("2026-11-28 12:00")]),
    (FOOD, "39.91,116.4附近1公里，评分4分以上", [near(Q, 1)]),
    (FOOD, "离39.91, 116.4不超过3公里", [near(Q, 3)]),
    (FOOD, "骑车十分钟能到39.91,116.4的地方", [reach(Q, "bike", 10)]),
    (FOOD, "rated above 4 and open at 9:30 pm on Sunday", [opened("2026-11-29 21:30")]),
    (FOOD, "open this evening at 7", [opened("2026-11-23 19:00")]),
    (
        FOOD,
        "I need sichuan food near 39.91, 116.4, at most a kilometer and a half away",
        [near(Q, 1.5)],
    ),
    (FOOD, "open tonight at ten", [opened("2026-11-23 22:00")]),
    (FOOD, "it's open at 10 in the morning on Wednesday", [opened("2026-11-25 10:00")]),
    (FOOD, "half an hour by bike from 39.91, 116.4", [reach(Q, "bike", 30)]),
    (FOOD, "I am near 39.91, 116.4 - anything within 1.5 km of me?", [near(Q, 1.5)]),
    (FOOD, "a quarter of an hour's walk from 39.91, 116.4", [reach(Q, "walk", 15)]),
    (FOOD, "how about italian, 700m from 39.91, 116.4 at most", [near(Q, 0.7)]),
    (
        FOOD,
        "my hotel is at 39.91, 116.4 and I want to walk no more than 8 minutes",
        [reach(Q, "walk", 8)],
    ),
    (FOOD, "open Tuesday 8pm", [opened("2026-11-24 20:00")]),
    (FOOD, "later than usual", []),
    (FOOD, "more than 5 km from 39.91, 116.4", [("distance_km(39.91, 116.4) >", 5)]),
    (FOOD, "at least 2 km away from 39.91, 116.4", [("distance_km(39.91, 116.4) >=", 2)]),
    (FOOD, "between 1 and 3 km from 39.91, 116.4", [("distance_km(39.91, 116.4) between", (1, 3))]),
    (FOOD, "not open on Sunday at 8 pm", [("sql", "NOT open_at('2026-11-29 20:00')")]),
    (FOOD, "reachable in 25 minutes on foot from 39.91, 116.4", [reach(Q, "walk", 25)]),
    (
        SHOPS,
        "I'd like a bakery that's at most a 7 minute walk from 40.75, -73.98",
        [reach(P, "walk", 7)],
    ),
    (SHOPS, "anything up to 1.2 kilometers from 40.75, -73.98 with wifi", [near(P, 1.2)]),
    (SHOPS, "must be open on Thursday at 17:45", [opened("2026-11-26 17:45")]),
    (
        SHOPS,
        "we're staying at 40.75, -73.98, so nothing over three miles away",
        [near(P, 4.828032)],
    ),
    (SHOPS, "can you find one within 300m of 40.75, -73.98?", [near(P, 0.3)]),
    (SHOPS, "a twelve minute drive from 40.75, -73.98 is fine", [reach(P, "drive", 12)]),
    (SHOPS, "close to 40.75, -73.98, fifteen minutes on foot at most", [reach(P, "walk", 15)]),
    (SHOPS, "still open tonight at 9:30", [opened("2026-11-23 21:30")]),
    (SHOPS, "open this afternoon at 3", [opened("2026-11-23 15:00")]),
    (SHOPS, "it should be open at noon", [opened("2026-11-23 12:00")]),
    (SHOPS, "no farther than 2.5 km from 40.75, -73.98 and under 5", [near(P, 2.5)]),
    (
        SHOPS,
        "at least 10 minutes by bike from 40.75, -73.98",
        [("travel_minutes(40.75, -73.98, 'bike') >=", 10)],
    ),
    (
        SHOPS,
        "we should be able to cycle there within 20 minutes from 40.75, -73.98",
        [reach(P, "bike", 20)],
    ),
    (SHOPS, "within walking distance of the museum", []),
    (SHOPS, "open every day", []),
    (FOOD, "rating over 4, a 25-minute drive or less from 39.91, 116.4", [reach(Q, "drive", 25)]),
    (FOOD, "cost under 100 and within 1500 metres of 39.91, 116.4", [near(Q, 1.5)]),
    (FOOD, "does it open on Sunday at 8 in the morning", [opened("2026-11-29 08:00")]),
    (FOOD, "open at a quarter past six this evening", [opened("2026-11-23 18:15")]),
    (FOOD, "the place isn't open tomorrow at 5 pm", [("sql", "NOT open_at('2026-11-24 17:00')")]),
    (FOOD, "距离39.91，116.4不超过800米", [near(Q, 0.8)]),
    (FOOD, "离39.91,116.4步行20分钟以内，泰国菜", [reach(Q, "walk", 20)]),
    (FOOD, "后天晚上7点开门", [opened("2026-11-25 19:00")]),
    (FOOD, "星期五下午两点半营业", [opened("2026-11-27 14:30")]),
    (FOOD, "39.91, 116.4周边三公里", [near(Q, 3)]),
    (FOOD, "I am at 39.91, 116.4, ten minutes by car", [reach(Q, "drive", 10)]),
    (
        FOOD,
        "between two and four kilometres from 39.91, 116.4",
        [("distance_km(39.91, 116.4) between", (2, 4))],
    ),
    (
        FOOD,
        "more than half an hour's drive from 39.91, 116.4",
        [("travel_minutes(39.91, 116.4, 'drive') >", 30)],
    ),
    (FOOD, "open Saturday night at 11", [opened("2026-11-28 23:00")]),
    (FOOD, "something italian, ideally 1 km from me; I'm at 39.91, 116.4", [near(Q, 1)]),
]


@pytest.mark.parametrize(
    ("catalog", "text", "expected"),
    SENTENCES,
    ids=lambda given: "" if isinstance(given, Catalog) else str(given)[:60],
)
def test_what_a_sentence_asks(catalog: Catalog, text: str, expected: list[Asked]) -> None:
    columns = {"lat", "lon", "latitude", "longitude", "opening_hours", "business_hours"}
    found: list[Asked] = []
    for part in extract(text, catalog, today=MONDAY).constraints:
        asked = part.constraint
        if asked.column is None:
            found.append((asked.op, asked.value))
        elif "(" in asked.column:
            found.append((f"{asked.column} {asked.op}", asked.value))
        else:
            assert asked.column not in columns
    assert found == expected


def test_a_place_beside_a_remark_is_no_wish_either():
    story = "my gran sold an italian bakery once, she lived within 5 km of 39.91, 116.4"
    found = extract(story, FOOD)
    assert found.constraints == ()
    wish = extract("an italian place within 5 km of 39.91, 116.4", FOOD)
    assert {part.constraint.op for part in wish.constraints} == {"==", "within"}
