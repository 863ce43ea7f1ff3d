"""A page is of one version of its catalog, whatever is written meanwhile."""

import re
import threading

import pyarrow as pa
import pytest

from concede import Catalog
from page_server import get, page_server
from parsed_html import Markup

QUERY = "?is.grade=a&max.price=10&prefer=low.price"


def generation(number: int) -> list[dict[str, object]]:
    """Rows of one version: as many match as its number says, and all of them name it."""
    rows: list[dict[str, object]] = [
        {"id": i, "grade": "a" if i < 200 else "b", "price": 100, "made": f"run {number}"}
        for i in range(400)
    ]
    for row in rows[: number + 1]:
        row["price"] = 5
    return rows


def versions_of(page: Markup) -> set[str]:
    return set(re.findall(r"run \d+", page.one("main").text))


@pytest.mark.slow
def test_no_page_mixes_versions():
    catalog = Catalog.open(pa.Table.from_pylist(generation(0)), key="id")
    done = threading.Event()

    def write() -> None:
        number = 0
        while not done.is_set() and number < 150:
            number += 1
            catalog.upsert(generation(number))

    writer = threading.Thread(target=write)
    seen: set[str] = set()
    with page_server({"live": catalog}) as address:
        writer.start()
        try:
            for _ in range(25):
                response, text = get(address + QUERY)
                assert response.status == 200
                page = Markup(text)
                (run,) = versions_of(page)
                matches = int(run.removeprefix("run ")) + 1
                heading = page.one("h2", id="items").text
                assert heading == ("1 item matches" if matches == 1 else f"{matches} items match")
                seen.add(run)
        finally:
            done.set()
            writer.join(timeout=30)
    assert len(seen) > 1, "nothing was written meanwhile"
