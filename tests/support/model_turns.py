"""Conversations in which a chat model reads the turns, its replies written down."""

from __future__ import annotations

import json
from datetime import date

import pytest

from concede import Catalog
from concede.dialogs import Session
from concede.dialogs.extraction.llm import LLMExtractor
from concede.dialogs.models.scripted import ScriptedModel

pa = pytest.importorskip("pyarrow")

ROOMS = Catalog.open(
    pa.table(
        {
            "room": ["Ash Loft", "Birch Attic", "Cedar Studio", "Dale Cellar", "Elm House"],
            "district": ["North", "North", "South", "South", "West"],
            "rent (EUR)": [500, 620, 700, 450, 900],
            "size (m2)": [20, 31, 38, 18, 60],
            "free from": ["2031-03-01", "2031-04-01", "2031-05-01", "2031-03-15", "2031-06-01"],
            "viewing": ["17:00", "18:30", "09:00", "12:00", "20:00"],
            "balcony": [False, True, True, False, True],
            "extras": ["bath; desk", "desk", "bath; oven", "oven", "bath; desk; oven"],
        }
    )
)
RENT, SIZE = "rent (EUR)", "size (m2)"


def talk(*turns, extractor=LLMExtractor, catalog=ROOMS, **options):
    """Return a session, the replies, and the prompts, after turns with what a model made of them.

    Each turn is what was said and the model's reply as an object.
    """
    prompts: list[str] = []
    replies = [json.dumps(said[1]) for said in turns]

    def answer(request):
        prompts.append(request.messages[-1].content)
        return replies[len(prompts) - 1]

    model = ScriptedModel(answer)
    session = Session(catalog, weighter="lexical", extractor=extractor(model), **options)
    return session, [session.respond(said[0]).text for said in turns], prompts


def wish(column, op, value, quote, **more):
    return {"column": column, "op": op, "value": value, "quote": quote, **more}


def does(act, **more):
    return {"moves": [{"act": act, **more}]}


CHEAP = ("at most 700, what is there?", {
    "constraints": [wish(RENT, "<=", 700, "at most 700")],
    "moves": [{"act": "show", "columns": [RENT], "direction": "min"}],
})  # fmt: skip
"""Shows Dale Cellar, Ash Loft, Birch Attic and Cedar Studio."""


DESK = wish("extras", "contains", "desk", "desk")
NORTH = wish("district", "==", "North", "north")


def known(session):
    return [(part.column, part.op, part.value) for part in session.preferences.known]


FLATS = Catalog.open(
    pa.table(
        {
            "flat": ["Ash", "Birch", "Cedar"],
            'rent "cold" (EUR)': [500, 620, 700],
            "utilities (EUR)": [150, 90, 60],
        }
    )
)


TRIPS = Catalog.open(
    pa.table(
        {
            "trip": ["Castle Wald", "Zoo Berg", "Island See", "Mine Alt", "Baths Tal"],
            "theme": ["culture", "family", "nature", "culture", "wellness"],
            "transport": ["coach", "train", "boat", "coach", "boat"],
            "departure": ["09:45", "10:15", "08:00", "11:30", "09:00"],
            "duration (hours)": [7.0, 5.5, 9.0, 4.0, 6.0],
            "adult price (EUR)": [46, 43, 60, 39, 75],
            "child price (EUR)": [23, 10, 30, 35, 75],
            "date": [date(2031, 8, day) for day in range(16, 21)],
            "days": [["Mon", "Tue"], ["Tue"], ["Wed", "Fri"], ["Tue", "Sat"], ["Sun"]],
        }
    )
)
ADULT, CHILD, LASTS = "adult price (EUR)", "child price (EUR)", "duration (hours)"
CULTURE, BOAT = wish("theme", "==", "culture", "culture"), wish("transport", "==", "boat", "boat")
EITHER = {"constraints": [CULTURE | {"either": [BOAT]}], **does("show")}


PAINTS = Catalog.open(
    pa.table(
        {
            "paint": ["Silk", "Matt", "Cover"],
            "price per pack (£)": [48.95, 46.95, 40.95],
            "covers (m2)": [31.0, 40.0, 25.0],
            "weeks": [2, 6, 1],
            "from": [date(2031, 3, 18), date(2031, 4, 1), date(2031, 5, 30)],
            "kind": ["paint", "paint", "primer"],
        }
    )
)
PACK, COVERS = "price per pack (£)", "covers (m2)"


PIANOS = Catalog.open(
    pa.table(
        {
            "piano": ["Ada", "Bea", "Cid", "Dot"],
            "condition": ["good", "like new", "very good", "fair"],
            "maker": ["Acme", "Acme", "Bolt", "Bolt"],
            "price": [10, 40, 30, 20],
        }
    )
)
