"""A small catalog, and a server over it in this process."""

import pytest

from agents import LAMPS
from concede import Catalog
from concede.interfaces.mcp.server import create_server


@pytest.fixture(scope="session")
def lamps_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("mcp") / "lamps.csv"
    path.write_text(LAMPS, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def lamps(lamps_file):
    return Catalog.open(lamps_file)


@pytest.fixture(scope="session")
def server(lamps):
    return create_server(lamps)
