"""A model is asked only where the reading without it is unsure; where it fails, that stands."""

import json

import pytest

from concede.catalogs.errors import ModelError
from concede.catalogs.query.constraint import Constraint
from concede.dialogs.extraction.assisted import THRESHOLD, AssistedExtractor
from concede.dialogs.extraction.extracted import Extracted, Extraction, Unresolved
from concede.dialogs.extraction.llm import LLMExtractor
from concede.dialogs.models.opening import open_model
from concede.dialogs.models.scripted import ScriptedModel
from concede.dialogs.transcripts.transcript import Span
from loopback_chat import LoopbackChat, says, sends

SAID = "two bathrooms, and zing"
SPAN = Span(0, 0, 13, "two bathrooms")
REPLY = json.dumps(
    {"constraints": [{"column": "bathrooms", "op": ">=", "value": 2, "quote": "two bathrooms"}]}
)


def reading(score, **fields):
    wish = Constraint(column="bathrooms", op="==", value=2)
    return Extraction((Extracted(wish, score, SPAN, "two bathrooms", **fields),))


class Fixed:
    """A reader that always reads the same."""

    def __init__(self, found):
        self.found = found

    def extract(self, said, catalog, *, slot=None, today=None):
        return self.found


def assisted(found, model, **options):
    return AssistedExtractor(LLMExtractor(model), Fixed(found), **options)


def silent(request):
    raise AssertionError("asked all the same")


def ops(extraction):
    return [part.constraint.op for part in extraction.constraints]


@pytest.mark.parametrize("found", [reading(THRESHOLD), reading(1.0), Extraction(())])
def test_a_sure_reading_costs_no_call(catalog, found):
    reader = assisted(found, ScriptedModel(silent))
    assert reader.extract(SAID, catalog("flats")) == found


@pytest.mark.parametrize(
    "found",
    [
        reading(THRESHOLD - 0.01),
        reading(1.0, ambiguous=True),
        Extraction((), (Unresolved(SPAN, "the catalog has no such value"),)),
        Extraction((), not_understood=(Unresolved(SPAN, "not understood"),)),
    ],
)
def test_an_unsure_one_is_put_to_the_model(catalog, found):
    reader = assisted(found, ScriptedModel([REPLY]))
    assert ops(reader.extract(SAID, catalog("flats"))) == [">="]


def test_the_threshold_decides(catalog):
    reader = assisted(reading(0.5), ScriptedModel(silent), threshold=0.4)
    assert ops(reader.extract(SAID, catalog("flats"))) == ["=="]


@pytest.mark.parametrize("reply", ["no JSON", '{"constraints": "all"}', "[" * 50_000])
def test_where_the_model_fails_the_first_reading_stands_and_it_is_told(catalog, reply):
    errors: list[ModelError] = []
    reader = assisted(reading(0.1), ScriptedModel([reply] * 3), on_failure=errors.append)
    assert ops(reader.extract(SAID, catalog("flats"))) == ["=="]
    assert len(errors) == 1


def test_one_call_over_the_wire_and_none_where_it_is_sure(catalog):
    with LoopbackChat(lambda request: says(REPLY)) as server:
        model = open_model("tiny", base_url=server.url, api_key="sk-test", timeout_s=10.0)
        for score, op in ((0.1, ">="), (0.99, "==")):
            assert ops(assisted(reading(score), model).extract(SAID, catalog("flats"))) == [op]
        assert len(server.asked) == 1


def test_a_broken_server_leaves_the_first_reading(catalog):
    with LoopbackChat(lambda request: sends({"choices": "none"})) as server:
        model = open_model("tiny", base_url=server.url, api_key="sk-test", timeout_s=10.0)
        assert ops(assisted(reading(0.1), model).extract(SAID, catalog("flats"))) == ["=="]
