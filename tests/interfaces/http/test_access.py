"""Who may ask, who may change, and whose pages may."""

import pytest

from problems import problem_of

KEY, TOKEN = "key-of-the-tests", "token-of-the-tests"
ASKED = {"where": "Year >= 2000"}
ORIGIN = "https://shop.example"


def test_without_a_key_anybody_asks(client):
    assert client.post("/v1/repair", json=ASKED).status_code == 200


@pytest.mark.parametrize("headers", [{}, {"X-API-Key": KEY + "x"}, {"X-API-Key": "schlüssel"}])
def test_the_key_is_asked_for(service, cars, headers):
    served = service({"cars": cars}, api_key=KEY)
    encoded = {name: text.encode("latin-1") for name, text in headers.items()}
    problem_of(served.post("/v1/repair", json=ASKED, headers=encoded), 401, "api-key")
    problem_of(served.get("/v1/catalogs", headers=encoded), 401, "api-key")


def test_the_key_opens_and_health_needs_none(service, cars):
    served = service({"cars": cars}, api_key=KEY)
    assert served.post("/v1/repair", json=ASKED, headers={"X-API-Key": KEY}).status_code == 200
    assert served.get("/healthz").status_code == 200


CHANGES = [
    ("POST", "/v1/catalogs"),
    ("DELETE", "/v1/catalogs/cars"),
    ("POST", "/v1/catalogs/cars/rows"),
    ("POST", "/v1/catalogs/cars/rows/delete"),
    ("POST", "/v1/catalogs/cars/swap"),
]


@pytest.mark.parametrize(("method", "path"), CHANGES)
def test_without_a_token_nothing_changes(client, method, path):
    problem_of(client.request(method, path, json={}), 403, "admin-off")


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {KEY}"])
@pytest.mark.parametrize(("method", "path"), CHANGES)
def test_the_token_is_asked_for(service, cars, method, path, given):
    served = service({"cars": cars}, admin_token=TOKEN)
    response = served.request(method, path, json={}, headers={"Authorization": given})
    problem_of(response, 401, "admin-token")
    assert response.headers["www-authenticate"] == "Bearer"


def test_other_sites_are_told_nothing_by_default(client):
    preflight = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}
    assert client.options("/v1/repair", headers=preflight).status_code == 405
    given = client.post("/v1/repair", json=ASKED, headers={"Origin": ORIGIN})
    assert "access-control-allow-origin" not in given.headers


def test_a_named_site_may_ask_and_no_other(service, cars):
    served = service({"cars": cars}, cors_origins=(ORIGIN,), api_key=KEY)
    preflight = {
        "Origin": ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,x-api-key",
    }
    assert served.options("/v1/repair", headers=preflight).status_code == 200
    given = served.post("/v1/repair", json=ASKED, headers={"Origin": ORIGIN, "X-API-Key": KEY})
    assert given.headers["access-control-allow-origin"] == ORIGIN
    refused = preflight | {"Origin": "https://else.example"}
    assert served.options("/v1/repair", headers=refused).status_code == 400
