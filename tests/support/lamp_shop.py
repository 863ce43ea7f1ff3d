"""A shop of lamps with pictures, labels and units; made to conflict in known ways."""

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pyarrow as pa

from concede import Catalog
from concede.catalogs.query.presentation import Presentation

NAMES = ("Aurora", "Boreas", "Ceres", "Dione", "Elara", "Faro", "Gaia", "Halo", "Iris", "Juno")
KINDS = ("table", "floor", "ceiling", "wall")
COLOURS = {"black": "#2b2b2b", "white": "#dcdcd6", "red": "#b3362b", "brass": "#b08d3a"}
STYLES = ("reading lamp", "night light", "desk lamp", "lantern")

SHAPES = {
    "table": '<path d="M92 150h56v8H92zM117 96h6v56h-6z"/><path d="M84 100l14-44h44l14 44z"/>',
    "floor": '<path d="M94 160h52v7H94zM117 66h6v96h-6z"/><path d="M88 70l10-40h44l10 40z"/>',
    "ceiling": '<path d="M118 0h4v66h-4z"/><path d="M78 118q0-54 42-54t42 54z"/>',
    "wall": '<path d="M60 60h10v60H60zM70 86h34v6H70z"/><path d="M96 92l12-38h40l12 38z"/>',
}


def drawing(kind: str, colour: str) -> bytes:
    """Return a picture of a lamp as SVG."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 180" width="480" height="360">'
        '<rect width="240" height="180" fill="#f3efe6"/>'
        '<circle cx="120" cy="104" r="62" fill="#fbe9b0"/>'
        f'<g fill="{COLOURS[colour]}">{SHAPES[kind]}</g></svg>'
    ).encode()


def rows(pictures: str) -> list[dict[str, object]]:
    """Return lamps: whatever is dimmable costs 59 or more, and floor lamps cost most.

    `pictures` is where their pictures are; every tenth lamp has none.
    """
    return [_row(i, pictures) for i in range(60)]


def _row(i: int, pictures: str) -> dict[str, object]:
    kind, colour = KINDS[i % 4], tuple(COLOURS)[(i // 4) % 4]
    dimmable = i % 3 == 0
    return {
        "sku": f"L{i:02}",
        "name": f"{NAMES[i % 10]} {STYLES[(i // 10) % 4]}",
        "kind": kind,
        "colour": colour,
        "price": float(19 + (i * 7) % 40 + 40 * dimmable + 30 * (kind == "floor")),
        "watts": 4 + (i * 5) % 21,
        "height_cm": {"table": 38, "floor": 150, "ceiling": 60, "wall": 25}[kind] + i % 9,
        "dimmable": dimmable,
        "photo": None if i % 10 == 9 else f"{pictures}{kind}-{colour}.svg",
        "page": f"https://lamps.example/{i}",
    }


def lamp_shop(pictures: str = "/page/icon.svg?", *, addresses: bool = True) -> Catalog:
    """Return the catalog of these lamps, as a shop would present it; with or without addresses."""
    shown = Presentation(title=("name",), price="price")
    return Catalog.open(
        pa.Table.from_pylist(rows(pictures)),
        key="sku",
        cost_column="price",
        dictionary={
            "price": {"unit": "€"},
            "watts": {"label": "power", "unit": "W", "synonyms": ["consumption"]},
            "height_cm": {"label": "height", "unit": "cm"},
        },
        presentation=replace(shown, image="photo", link="page") if addresses else shown,
    )


class _Drawings(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        kind, _, colour = self.path.strip("/").removesuffix(".svg").partition("-")
        content = drawing(kind, colour)
        self.send_response(200)
        self.send_header("Content-Type", "image/svg+xml")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def picture_server() -> Iterator[str]:
    """Serve the lamps' pictures, and give the address that they begin with."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Drawings)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
