"""Responses of the page: HTML that nothing can be loaded into, and errors as pages."""

from __future__ import annotations

from starlette.responses import Response

from ....catalogs.errors import ConcedeError
from ....rendering.html import Child, Html, tag
from ..problem_details import RETRY_SECONDS, status_of
from .constraints import error_sentence
from .layout import problem_page


def _policy(pictures: str) -> str:
    """Return what a page may load; `pictures` is where its pictures may come from."""
    return "; ".join(
        [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            f"img-src {pictures}",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        ]
    )


WITH_PICTURES = {"Content-Security-Policy": _policy("'self' https: http:")}
"""For a catalog with a column of pictures: a page stays open while its items change, so that their
servers cannot be listed in advance."""

HEADERS = {
    "Content-Security-Policy": _policy("'self'"),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
PATIENCE = 10.0
"""Seconds a visitor is kept waiting where many ask at once."""

FRESH = "private, no-cache"
BUSY = 503


def html_response(body: Html, status: int = 200, *, pictures: bool = False) -> Response:
    """Return a page as a response; `pictures`: with pictures from elsewhere."""
    headers = HEADERS | {"Cache-Control": FRESH} | (WITH_PICTURES if pictures else {})
    if status == BUSY:
        headers["Retry-After"] = str(RETRY_SECONDS)
    return Response(body.encode(), status, headers, media_type="text/html")


def redirect(address: str) -> Response:
    """Return that another address, relative to this one, has what was asked for."""
    headers = HEADERS | {"Location": address, "Cache-Control": "no-store"}
    return Response(status_code=303, headers=headers)


def problem_response(error: ConcedeError, status: int | None = None, *more: Child) -> Response:
    """Return a page that says what went wrong, and `more`."""
    status = status_of(error) if status is None else status
    title = "Just a moment" if status == BUSY else "That did not work"
    return html_response(problem_page(title, tag("p", error_sentence(error)), *more), status)
