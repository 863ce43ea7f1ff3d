"""A dictionary written once for a catalog: from headers, or by a model whose words are checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import BadReply
from concede.dialogs.extraction.column_dictionary import described_by, dictionary_of_headers
from concede.dialogs.models.chat_model import Reply, Request


class Describer:
    """Gives one reply, and keeps what it was asked."""

    name = "describer"

    def __init__(self, reply: object) -> None:
        self.reply = json.dumps(reply)
        self.requests: list[Request] = []

    def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        return Reply(self.reply)


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    path = tmp_path / "a.csv"
    rows = "".join(f"{900 + n} kg,{'SUV' if n % 2 else 'Hatch'},{n}\n" for n in range(8))
    path.write_text(f"curbWt,body,seatCount\n{rows}")
    return Catalog.open(path)


def test_headers_say_what_they_can(catalog: Catalog) -> None:
    words = dictionary_of_headers(catalog)
    assert words["curbWt"].label == "curb wt"
    assert words["curbWt"].unit == "kg"
    assert words["seatCount"].label == "seat count"


def test_a_models_words_are_kept_where_the_catalog_bears_them_out(catalog: Catalog) -> None:
    model = Describer(
        {
            "columns": [
                {
                    "column": "CURBWT",
                    "label": "weight",
                    "unit": "lb",
                    "synonyms": ["how heavy\nit is", "", "heaviness", "heaviness"],
                },
                {
                    "column": "body",
                    "label": "body style",
                    "values": [
                        {"value": "suv", "synonyms": ["off-roader"]},
                        {"value": "Tank", "synonyms": ["armoured"]},
                    ],
                },
                {"column": "horsepower", "label": "power"},
            ]
        }
    )
    words = described_by(catalog, model)
    # The cells say kilograms, whatever a model thinks.
    assert (words["curbWt"].label, words["curbWt"].unit) == ("weight", "kg")
    assert words["curbWt"].synonyms == ("how heavy it is", "heaviness")
    assert words["body"].values == {"SUV": ("off-roader",)}
    assert words["seatCount"].label == "seat count"
    assert "horsepower" not in words
    shown = model.requests[0].messages[-1].content
    assert "- body: Hatch, SUV" in shown
    assert "900 to 907 kg" in shown
    # And the catalog takes it as it is.
    assert Catalog.open("sample:cars").dictionary == {}


def test_a_model_that_makes_no_sense(catalog: Catalog) -> None:
    with pytest.raises(BadReply):
        described_by(catalog, Describer(["nothing"]))
