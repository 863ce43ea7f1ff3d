"""What every problem of the service has to be."""

from typing import Any


def problem_of(response: Any, status: int, kind: str | None = None) -> dict[str, Any]:
    """Return a response's problem, which has to have this status and type."""
    assert response.status_code == status, response.text[:500]
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == status
    assert problem["title"]
    assert problem["detail"]
    assert problem["request_id"] == response.headers["x-request-id"]
    assert "Traceback" not in response.text
    if kind is not None:
        assert problem["type"] == f"urn:concede:problem:{kind}"
    return problem
