"""Small catalogs of flats, laptops, hotels, bikes and courses, opened once."""

from functools import cache

import pytest

from concede.catalogs.catalog import Catalog
from extraction_corpus import write_catalog


@pytest.fixture(scope="session")
def catalog(tmp_path_factory):
    """Open an inline catalog of the corpus by its name."""
    folder = tmp_path_factory.mktemp("catalogs")

    @cache
    def opened(name):
        return Catalog.open(str(write_catalog(name, folder)))

    return opened
