"""Keys with scopes, an end and a rate, kept as hashes; and what a server without any refuses."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from concede import Catalog
from concede.catalogs.configuration.config_models import KeyConfig
from concede.catalogs.configuration.key_hashes import hash_of
from concede.interfaces.http.access import Access
from concede.interfaces.http.app import create_app
from concede.interfaces.http.host_names import HostNames
from concede.interfaces.http.problem_details import HttpProblem
from concede.interfaces.http.rate_limit import RateLimit
from concede.interfaces.http.settings import Secrets, ServeSettings
from problems import problem_of

ASKED = {"where": "Year >= 2000"}
ROWS = "/v1/catalogs/cars/rows"


def config(name, *scopes, **more):
    fields = {"name": name, "hash": hash_of(name), "scopes": list(scopes)}
    return KeyConfig.model_validate(fields | more)


KEYS = (
    config("reader", "search"),
    config("writer", "write"),
    config("both", "search", "write"),
    config("boss", "admin"),
    config("old", "search", "admin", expires=datetime(2020, 1, 1).date()),
    config("slow", "search", rate="3/hour"),
)


@pytest.fixture
def served():
    app = create_app({"cars": Catalog.open("sample:cars", key=None)}, secrets=Secrets(keys=KEYS))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def ask(served, key, path="/v1/repair", body=ASKED, how="X-API-Key"):
    return served.post(path, json=body, headers={how: key} if key else {})


@pytest.mark.parametrize("key", ["reader", "both", "boss"])
@pytest.mark.parametrize("how", ["X-API-Key", "Authorization"])
def test_who_may_ask_is_answered(served, key, how):
    told = f"Bearer {key}" if how == "Authorization" else key
    assert ask(served, told, how=how).status_code == 200
    assert served.get("/v1/catalogs", headers={how: told}).status_code == 200


def test_who_may_not_is_told_why(served):
    problem_of(ask(served, None), 401, "api-key")
    problem_of(ask(served, "Reader"), 401, "api-key")
    assert "for search" in problem_of(ask(served, "writer"), 403, "scope")["detail"]
    problem_of(ask(served, "old"), 401, "key-expired")
    problem_of(ask(served, hash_of("reader")), 401, "api-key")


def test_scopes_of_changes(served):
    rows, swap = {"rows": []}, {}
    for key, write, admin in [
        ("reader", 403, 403), ("writer", 200, 403), ("both", 200, 403), ("boss", 200, 200),
        ("old", 401, 401), (None, 401, 401),
    ]:  # fmt: skip
        assert ask(served, key, ROWS, rows).status_code == write, key
        assert ask(served, key, "/v1/catalogs/cars/swap", swap).status_code == admin, key


def test_a_rate_ends_in_429_and_says_how_long(served):
    for _ in range(3):
        assert ask(served, "slow").status_code == 200
    refused = ask(served, "slow")
    problem_of(refused, 429, "rate")
    assert 1 <= int(refused.headers["retry-after"]) <= 1_200
    assert ask(served, "reader").status_code == 200


def test_no_answer_and_no_log_holds_a_key_or_its_hash(served, caplog):
    caplog.set_level("DEBUG")
    texts = [ask(served, key).text for key in ("reader", "writer", "old", "wrong-key", None)]
    told = "".join(texts) + served.get("/openapi.json").text + served.get("/docs").text
    told += "".join(str(record.__dict__) for record in caplog.records)
    for secret in (*(key.hash for key in KEYS), "wrong-key"):
        assert secret not in told


def test_a_server_of_admin_keys_alone_lets_anybody_ask():
    access = Access(Secrets(keys=(config("boss", "write"),)))
    assert access.is_open
    assert not access.is_read_only


@given(
    requests=st.integers(1, 20),
    seconds=st.floats(0.1, 100),
    steps=st.lists(st.tuples(st.floats(0, 50), st.integers(1, 5)), max_size=40),
)
def test_a_rate_is_never_exceeded_and_waiting_suffices(requests, seconds, steps):
    """Any window of time holds at most what was there at once and what came since."""
    now = [0.0]
    limit, taken = RateLimit(requests, seconds, lambda: now[0]), []
    for step, wanted in steps:
        now[0] += step
        wait = limit.wait(wanted)
        wanted = min(wanted, requests)
        if wait:
            now[0] += wait * (1 + 1e-9)
            assert limit.wait(wanted) == 0
        taken.append((now[0], wanted))
    for start in range(len(taken)):
        for end in range(start, len(taken)):
            spent = sum(count for _, count in taken[start : end + 1])
            since = taken[end][0] - taken[start][0]
            assert spent <= requests + since * requests / seconds + 1e-6


def test_an_end_counts_from_the_clock():
    key = config("day", "search", expires=datetime(2030, 1, 1).date())
    now = [datetime(2030, 1, 1, 23, 59, tzinfo=UTC)]
    access = Access(Secrets(keys=(key,)), today=lambda: now[0])
    assert access.check_search({"x-api-key": "day"}).name == "day"
    now[0] += timedelta(minutes=2)
    with pytest.raises(HttpProblem, match="expired"):
        access.check_search({"x-api-key": "day"})


OWN = ["localhost", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST:1", "shop.localhost", "127.0.0.2"]
FOREIGN = ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil.example",
           "10.0.0.1", "[::ffff:10.0.0.1]", "", "[", ":", "0x7f000001", "a b", "x@e"]  # fmt: skip


def test_names_of_a_server_on_this_machine():
    names = HostNames("127.0.0.1", ["shop.example"])
    for own in [*OWN, "shop.example", "Shop.Example:443"]:
        names.check("/v1/repair", own)
    for foreign in [*FOREIGN, None]:
        with pytest.raises(HttpProblem):
            names.check("/v1/repair", foreign)
        names.check("/healthz", foreign)


def test_a_server_on_every_address_takes_addresses_and_no_names():
    names = HostNames("0.0.0.0", [])
    for own in [*OWN, "10.0.0.1:80", "[2001:db8::1]"]:
        names.check("/", own)
    for foreign in ("evil.example", "", None):
        with pytest.raises(HttpProblem):
            names.check("/", foreign)


@pytest.mark.parametrize("path", ["/", "/v1/repair", "/v1/catalogs", "/metrics", "/docs", "/chat"])
def test_without_a_key_a_foreign_host_is_refused_and_with_one_let_in(cars, path):
    for secrets, expected in [(Secrets(), True), (Secrets(api_key="key-key-key"), False),
                              (Secrets(admin_token="tok-tok-tok"), False)]:  # fmt: skip
        app = create_app({"cars": cars}, ServeSettings(hosts=()), secrets)
        with TestClient(app) as client:
            given = client.get(path, headers={"Host": "evil.example"})
            assert (given.status_code == 421) is expected
            if expected:
                problem_of(given, 421, "foreign-host")
            assert client.get("/healthz", headers={"Host": "evil.example"}).status_code == 200
            assert client.get("/v1/catalogs", headers={"Host": "localhost"}).status_code != 421
