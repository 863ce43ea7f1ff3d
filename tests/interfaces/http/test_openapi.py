"""What the OpenAPI document promises, asked by schemathesis with requests of its own making."""

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings

from concede import Catalog
from concede.interfaces.http.app import create_app
from concede.interfaces.http.settings import Limits, Secrets, ServeSettings
from example_counts import examples

schemathesis = pytest.importorskip("schemathesis")

TOKEN = "token-of-the-tests"
EXAMPLES = examples(20)
# A body of the right shape may still name a column that the catalog does not have.
EXCLUDED = [pytest.importorskip("schemathesis.specs.openapi.checks").positive_data_acceptance]
OPERATIONS = [
    ("DELETE", "/v1/catalogs/{name}"),
    ("DELETE", "/v1/catalogs/{name}/rows"),
    ("DELETE", "/v1/chat/{identity}"),
    ("DELETE", "/v1/users/{user}"),
    ("GET", "/healthz"),
    ("GET", "/metrics"),
    ("GET", "/readyz"),
    ("GET", "/v1/catalogs"),
    ("GET", "/v1/catalogs/{name}"),
    ("GET", "/v1/catalogs/{name}/rows"),
    ("GET", "/v1/chat/{identity}"),
    ("POST", "/v1/batch"),
    ("POST", "/v1/catalogs"),
    ("POST", "/v1/catalogs/{name}/rows"),
    ("POST", "/v1/catalogs/{name}/rows/delete"),
    ("POST", "/v1/catalogs/{name}/swap"),
    ("POST", "/v1/chat"),
    ("POST", "/v1/chat/{identity}/accept"),
    ("POST", "/v1/chat/{identity}/forget"),
    ("POST", "/v1/chat/{identity}/messages"),
    ("POST", "/v1/chat/{identity}/refuse"),
    ("POST", "/v1/chat/{identity}/reweigh"),
    ("POST", "/v1/chat/{identity}/undo"),
    ("POST", "/v1/clarify"),
    ("POST", "/v1/diagnose"),
    ("POST", "/v1/events"),
    ("POST", "/v1/extract"),
    ("POST", "/v1/repair"),
]
POSITIVE, NEGATIVE = (
    schemathesis.GenerationMode.POSITIVE,
    schemathesis.GenerationMode.NEGATIVE,
)


@pytest.fixture(scope="module")
def app() -> FastAPI:
    return create_app(
        {"cars": Catalog.open("sample:cars")},
        ServeSettings(
            limits=Limits(conversations=100_000, deadline=2.0), catalog_folder="/nonexistent"
        ),
        Secrets(admin_token=TOKEN),
    )


@pytest.fixture(scope="module")
def document(app: FastAPI):
    return schemathesis.openapi.from_asgi("/openapi.json", app)


def test_every_operation_is_tested(document):
    operations = [operation.ok() for operation in document.get_all_operations()]
    assert sorted((element.method.upper(), element.path) for element in operations) == OPERATIONS


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_answer_is_as_promised(document, method, path):
    ask(document[path][method], POSITIVE)


@pytest.mark.parametrize("path", [path for method, path in OPERATIONS if method == "POST"])
def test_every_bad_body_is_refused(document, path):
    ask(document[path]["POST"], NEGATIVE)


def ask(operation, mode):
    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def one(case):
        headers = {"Authorization": f"Bearer {TOKEN}"}
        case.call_and_validate(headers=headers, excluded_checks=EXCLUDED)

    one()
