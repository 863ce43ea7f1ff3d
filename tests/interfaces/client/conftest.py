"""A running service with a catalog that may be written, for the tests of clients."""

import pytest

from running_server import running

TOKEN = "token-of-the-tests"
LAMPS = "sku,colour,price\n" + "".join(
    f"L{n},{('red', 'green', 'blue')[n % 3]},{10 + n}\n" for n in range(60)
)


@pytest.fixture(scope="module", params=["1", "2"], ids=["one worker", "two workers"])
def served(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    (folder / "lamps.csv").write_text(LAMPS, encoding="utf-8")
    arguments = ("--catalog", str(folder / "lamps.csv"), "--key", "sku")
    arguments += ("--workers", request.param)
    with running(folder, *arguments, CONCEDE_ADMIN_TOKEN=TOKEN) as server:
        yield server
