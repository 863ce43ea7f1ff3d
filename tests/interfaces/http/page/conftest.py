"""One browser and one server for the tests that look at the page as a visitor does."""

from collections.abc import Iterator

import pyarrow as pa
import pytest

from chromium import Browser, chromium, pictures_folder
from concede import Catalog
from hostile_markup import PAYLOADS
from lamp_shop import lamp_shop
from page_server import page_server
from shop_window import shop_window


def hostile_catalog() -> Catalog:
    """Columns named by payloads, which hold payloads."""
    written = [payload for payload in PAYLOADS if "\x00" not in payload]
    columns: dict[str, object] = {
        f"{payload} {i}": [f"{payload} {row % 3}" for row in range(12)]
        for i, payload in enumerate(written)
    }
    columns |= {"name": list(PAYLOADS[:12]), "price": range(12)}
    return Catalog.open(pa.table(columns))


@pytest.fixture(scope="package")
def address() -> Iterator[str]:
    """The page over a shop, a catalog of hostile values, and one with a hostile name."""
    catalogs = {
        "shop": shop_window(),
        "hostile": hostile_catalog(),
        PAYLOADS[0]: shop_window(3),
        "cars": Catalog.open("sample:cars"),
        "lamps": lamp_shop(),
    }
    with page_server(catalogs) as found:
        yield found


@pytest.fixture(scope="package")
def _chromium() -> Iterator[Browser]:
    with chromium() as one:
        yield one


@pytest.fixture
def browser(_chromium: Browser) -> Browser:
    """The browser, on a desk, in light, with scripts."""
    _chromium.scripts(allowed=True)
    _chromium.look()
    _chromium.log()
    return _chromium


@pytest.fixture(scope="package")
def pictures(tmp_path_factory: pytest.TempPathFactory):
    """The folder that pictures are kept in."""
    return pictures_folder(tmp_path_factory.mktemp("pictures"))
