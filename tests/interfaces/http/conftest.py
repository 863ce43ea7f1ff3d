"""The service over the built-in sample, in this process."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from starlette.testclient import TestClient

from concede import Catalog
from concede.interfaces.http.app import create_app
from concede.interfaces.http.settings import Limits, Secrets, ServeSettings

Service = Callable[..., TestClient]


@pytest.fixture(scope="session")
def cars() -> Catalog:
    """A catalog that no test writes to."""
    return Catalog.open("sample:cars")


@pytest.fixture
def service() -> Iterator[Service]:
    """Start services: catalogs, limits by name, secrets, and other settings."""
    with ExitStack() as stack:

        def start(
            served: dict[str, Catalog],
            /,
            *,
            admin_token: str | None = None,
            api_key: str | None = None,
            limits: dict[str, Any] | None = None,
            **settings: Any,
        ) -> TestClient:
            app = create_app(
                served,
                ServeSettings(limits=Limits(**(limits or {})), **settings),
                Secrets(admin_token, api_key),
            )
            return stack.enter_context(TestClient(app, raise_server_exceptions=False))

        yield start


@pytest.fixture(scope="module")
def client(cars: Catalog) -> Iterator[TestClient]:
    """A service with everything as it is by default."""
    with TestClient(create_app({"cars": cars}), raise_server_exceptions=False) as client:
        yield client
