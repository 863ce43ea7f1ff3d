"""A question takes no longer than it may, whatever it asks of the database."""

import pytest

from concede import Catalog
from problems import problem_of

SLOW = " OR ".join(f"(name || other LIKE '%a%{n}%e%')" for n in range(10))


@pytest.fixture(scope="module")
def many():
    """A catalog over which one condition takes the database long."""
    pandas = pytest.importorskip("pandas")
    rows = range(400_000)
    names = [f"a{n} lamp {n * 7919} e" for n in rows]
    return Catalog.open(pandas.DataFrame({"name": names, "other": names[::-1], "n": rows}))


@pytest.mark.parametrize("path", ["/v1/repair", "/v1/diagnose"])
def test_the_server_stops_what_takes_too_long(service, many, path):
    served = service({"many": many}, limits={"deadline": 60.0, "threads": 1})
    slow = [{"op": "sql", "value": SLOW.replace("%a%", f"%a%{n}%")} for n in range(30)]
    given = served.post(path, json={"constraints": slow, "deadline_ms": 100})
    # What was found by then, or that nothing was.
    if given.status_code != 200:
        problem_of(given, 503, "limit-error")
    else:
        assert given.json()["stopped_by"] == "deadline"
    # The one thread is free again.
    assert served.post("/v1/repair", json={"where": "n >= 10"}).json()["count"] == 399_990
