"""The service with its page, on a loopback port of this process, and plain requests to it."""

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlsplit

import uvicorn
from fastapi import FastAPI

from concede import Catalog
from concede.interfaces.http.app import create_app


@contextmanager
def page_server(catalogs: Mapping[str, Catalog]) -> Iterator[str]:
    """Serve catalogs, and give the address of the page."""
    with app_server(create_app(catalogs)) as address:
        yield address


@contextmanager
def app_server(app: FastAPI) -> Iterator[str]:
    """Serve an application, and give its address."""
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="on"))
    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        # The listener accepts already: a request waits until the server has started.
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        listener.close()


def get(address: str, *, method: str = "GET") -> tuple[HTTPResponse, str]:
    """Return the response to a request and its text; the address goes out as it is."""
    parts = urlsplit(address)
    connection = HTTPConnection(parts.netloc, timeout=30)
    target = address.removeprefix(f"{parts.scheme}://{parts.netloc}")
    try:
        connection.putrequest(method, "/", skip_accept_encoding=True)
        # Written by hand, since http.client refuses bytes that browsers of old would send.
        connection._buffer[0] = f"{method} {target} HTTP/1.1".encode("latin-1")
        connection.endheaders()
        response = connection.getresponse()
        return response, response.read().decode()
    finally:
        connection.close()
