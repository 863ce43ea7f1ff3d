"""Personas that we write ourselves are understood, in domains that nothing was made for."""

import duckdb
import pytest

from concede.bench.aware_us.conversation import Components, converse
from concede.bench.aware_us.gold import gold_of
from concede.bench.generation import generate
from concede.catalogs.catalog import Catalog
from concede.dialogs import get_weighter

PLANTS = """
SELECT 'Plant ' || i AS name,
       ['indoor', 'balcony', 'garden'][1 + (hash(i * 5) % 3)::INT] AS place,
       ['shade', 'half shade', 'sun'][1 + (hash(i * 7) % 3)::INT] AS light,
       ['red', 'white', 'blue', 'yellow'][1 + (hash(i * 11) % 4)::INT] AS blossom,
       5 + (hash(i * 13) % 60)::INT AS price,
       10 + (hash(i * 17) % 190)::INT AS height_cm,
       1 + (hash(i * 19) % 12)::INT AS "weeks between watering"
FROM range(900) t(i)
"""


@pytest.fixture(scope="module")
def plants():
    return Catalog.open(duckdb.sql(PLANTS))


@pytest.mark.slow
@pytest.mark.parametrize(("setting", "least"), [("S2", 0.9), ("S3", 0.9)])
@pytest.mark.parametrize("weighter", ["learned", "lexical", "ensemble"])
def test_the_wish_written_to_give_way_gives_way(plants, setting, least, weighter):
    records = generate(plants, setting, 20, seed=3)
    assert len(records) == 20
    components = Components(plants, get_weighter(weighter), "fewest")
    found = [converse(components, gold_of(one, at)) for at, one in enumerate(records)]
    assert sum(entry.relax_match for entry in found) >= least * len(found)
