"""Sixty ways to write opening hours at eight moments, each truth written down by hand."""

from datetime import datetime, timedelta

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.query.opening_hours import is_open, moved_moment

MOMENTS = (
    "2026-11-23 09:30",  # Monday
    "2026-11-23 12:30",
    "2026-11-23 22:30",
    "2026-11-24 01:15",  # Tuesday
    "2026-11-28 10:00",  # Saturday
    "2026-11-29 20:00",  # Sunday
    "2026-12-25 11:00",  # Friday
    "2026-07-15 17:59",  # Wednesday
)
YES, NO, UNKNOWN = "1", "0", "?"

SHOPS = {
    "24/7": "11111111",
    "Mo-Su 00:00-24:00": "11111111",
    "Mo-Fr 08:00-18:00": "11000011",
    "Mo-Fr 08:00-12:00,14:00-18:00": "10000011",
    "Mo-Fr 08:00-12:00, 14:00-18:00; Sa 09:00-13:00": "10001011",
    "Mo-Sa 10:00-20:00": "01001011",
    "Mo-Sa 10:00-20:00; Su off": "01001011",
    "Mo-Su 10:00-20:00; We off": "01001010",
    "10:00-22:00": "01001111",
    "18:00-02:00": "00110100",
    "Mo-Su 18:00-26:00": "00110100",
    "Fr,Sa 18:00-02:00": "00000000",
    "Su 18:00-02:00": "00000100",
    "Mo 20:00-03:00": "00110000",
    "Mo,We,Fr 09:00-17:00": "11000010",
    "Tu-Th 00:00-06:00": "00010000",
    "Sa-Su 08:00-21:00": "00001100",
    "Sa-Mo 09:00-12:31": "11001000",
    "Mo 09:30-12:30": "10000000",
    "Mo 09:31-12:31": "01000000",
    "Mo-Fr 09:00-17:00; PH off": "11000010",
    "Mo-Sa,PH 09:00-18:00": "11001011",
    "PH,Mo-Fr 09:00-18:00": "11000011",
    "Mo-Fr 09:00-18:00; Sa,PH 10:00-14:00": "11001011",
    "Mo-Fr 09:00-18:00, Sa 09:00-14:00": "11001011",
    "Mo-Fr 09:00-18:00; Mo off": "00000011",
    "Mo off; Tu-Su 09:00-23:00": "00001111",
    "Mo-Su 09:00-23:00; Mo 12:00-13:00": "01001111",
    "Apr-Sep 09:00-18:00": "00000001",
    "Apr-Sep: Mo-Fr 09:00-18:00; Oct-Mar: Mo-Fr 10:00-16:00": "01000011",
    "Nov-Feb Mo-Su 09:00-21:00": "11001110",
    "Jul 09:00-18:00": "00000001",
    "Mo-Fr 08:00-18:00; Dec 25 off": "11000001",
    "Mo-Fr 08:00-18:00; Dec 24-26 off": "11000001",
    "24/7; Dec 24-Jan 2 off": "11111101",
    "Dec 25 10:00-12:00": "00000010",
    "Mo-Su 09:00-21:00; Jul-Aug off": "11001110",
    "Jul 16-Aug 31 off; Mo-Su 09:00-21:00": "11001111",
    "January-June 09:00-18:00; July-December 12:00-18:00": "01000001",
    "Mon-Fri 9am-5pm": "11000010",
    "Monday to Friday 9:00 am - 6 pm": "11000011",
    "Mon-Thu 11am-11pm, Fri-Sun 11am-1am": "01100111",
    "Sat & Sun only": "????????",
    "Mo-Fr sunrise-sunset": "????????",
    "18:00+": "????????",
    "by appointment": "????????",
    "off": "00000000",
    "closed": "00000000",
    "周一至周五09:30-22:00": "11000011",
    "周一至周五09:30-22:00；周六至周日10:00-23:00": "11001111",
    "周一至周日 10:00-22:00": "01001111",
    "24小时营业": "11111111",
    "全天": "11111111",
    "09:00-12:0014:00-18:00": "10001011",
    "每日18:00-次日02:00": "00110100",
    "周末10:00-21:00": "00001100",
    "工作日09:00-17:00；周末休息": "11000010",
    "周一休息；周二至周日11:00-22:00": "00000111",
    "星期一、三、五 09:00-18:00": "11000011",
    "4月-10月 09:00-18:00；11月-3月 10:00-16:00": "01001011",
    "4月1日至10月31日 每天 08:00-18:30": "00000001",
    "明周日09:00-18:00": "????????",
}


@pytest.mark.parametrize("text", SHOPS)
def test_open_at_eight_moments(text: str) -> None:
    truths = [is_open(text, datetime.fromisoformat(moment)) for moment in MOMENTS]
    found = "".join(UNKNOWN if t is None else YES if t else NO for t in truths)
    assert found == SHOPS[text]


@pytest.mark.parametrize("nulls", ["reject", "match"])
@pytest.mark.parametrize("place", range(len(MOMENTS)))
def test_a_catalog_says_the_same_in_sql_that_runs(place: int, nulls: str) -> None:
    texts = [*SHOPS, None]
    catalog = Catalog.open(pa.table({"hours": texts}))
    wanted = YES if nulls == "reject" else YES + UNKNOWN
    said = [SHOPS.get(text or "", UNKNOWN * 8)[place] for text in texts]
    for asked, meant in (
        (Constraint(op="open at", value=MOMENTS[place], nulls=nulls), YES),
        (Constraint(op="sql", value=f"NOT open_at('{MOMENTS[place]}')", nulls=nulls), NO),
    ):
        among = wanted.replace(YES, meant)
        expected = [row for row, truth in enumerate(said) if truth in among]
        predicate = catalog.bind(asked)
        assert catalog.rows(predicate).ids.tolist() == expected
        shown = f'SELECT * FROM "{catalog.name}" WHERE {predicate.text}'
        assert len(catalog.query(shown)) == len(expected)


@pytest.mark.parametrize("text", SHOPS)
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_moment_moves_to_the_nearest_quarter_that_is_open(text: str, moment: str) -> None:
    asked = datetime.fromisoformat(moment)
    moved = moved_moment(text, asked)
    steps = sorted(range(-672, 673), key=lambda step: (abs(step), step))
    near = (asked + timedelta(minutes=15 * step) for step in steps)
    assert moved == next((at for at in near if is_open(text, at)), None)
