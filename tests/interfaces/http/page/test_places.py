"""Places and hours on the page: filters, chips, what moves, and what is said in words."""

from urllib.parse import parse_qs

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.dialogs.extraction.offline import OfflineExtractor
from concede.engine.repair_engine import RepairEngine
from concede.interfaces.http.page.constraints import question_of
from concede.interfaces.http.page.form_model import form_model
from concede.interfaces.http.page.heard import criteria_of, hear
from concede.interfaces.http.page.layout import app
from concede.interfaces.http.page.query_string import parse_query_string
from concede.interfaces.http.page.view_model import ask_engine
from concede.interfaces.http.page.wording import plain_text

SHOPS = Catalog.open(
    pa.table(
        {
            "name": ["Fig", "Owl", "Tea"],
            "lat": [40.7512, 40.7587, 40.748],
            "lon": [-73.979, -73.9787, -73.985],
            "opening_hours": ["Mo-Fr 07:00-18:00", "Mo-Su 18:00-02:00", "10:00-22:00"],
            "price": [4.5, 6.0, 5.25],
        }
    )
)
FORM = form_model(SHOPS)
NEAR = "near.place=40.75,-73.98,0.5"
LATE = "open.hours=2026-05-01T22:30"


def shown(address: str):
    search = parse_query_string(address.encode())
    question = question_of(search, FORM, SHOPS)
    return ask_engine(RepairEngine(SHOPS), search, question, None)


def test_filters_become_constraints():
    address = (
        f"{NEAR}&{LATE}&reach.place=40.75, -73.98, walk, 15&weight.near.place=90&must=open.hours"
    )
    question = question_of(parse_query_string(address.encode()), FORM, SHOPS)
    assert question.faults == {}
    assert [(each.op, each.weight, each.hard) for each in question.query.constraints] == [
        ("within", 0.9, False),
        ("open at", 0.5, True),
        ("reachable", 0.5, False),
    ]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("near.place=91,0,1", "latitude"),
        ("near.place=1,2", "lat, lon, km"),
        ("near.place=here", "is no number"),
        ("near.place=nan,0,1", "latitude"),
        ("open.hours=later", "no moment"),
        ("reach.place=1,2,fly,3", "travel"),
    ],
)
def test_what_cannot_be_is_a_fault_and_stands_in_its_field(address, said):
    outcome = shown(address)
    (fault,) = outcome.question.faults.values()
    assert said in fault
    assert fault in plain_text(app(outcome, FORM))


def test_what_moves_is_a_link_that_leads_there():
    outcome = shown(f"{NEAR}&{LATE}&policy=closest")
    page = plain_text(app(outcome, FORM))
    assert "within 0.5 km of 40.75, -73.98" in page
    assert "open at 2026-05-01 21:45" in page
    moved = [each for each in outcome.alternatives if each.shifted]
    moved = moved or [outcome._alternative(outcome.answer.repairs[0])]
    for alternative in moved:
        named = parse_qs(alternative.search.address.removeprefix("?"))
        assert set(named) >= {"near.place", "open.hours"}
        assert shown(alternative.search.address.removeprefix("?")).answer.count == alternative.count


def test_controls_stand_where_there_are_columns_and_keep_what_was_given():
    html = str(app(shown(f"{NEAR}&{LATE}"), FORM))
    assert 'value="40.75,-73.98,0.5"' in html
    assert 'type="datetime-local"' in html
    assert 'value="2026-05-01T22:30"' in html
    plain = Catalog.open(pa.table({"name": ["a"], "price": [1]}))
    search = parse_query_string(b"")
    form = form_model(plain)
    outcome = ask_engine(RepairEngine(plain), search, question_of(search, form, plain), None)
    assert "near.place" not in str(app(outcome, form))


def test_what_is_said_becomes_filters_and_the_last_word_counts():
    said = parse_query_string(
        f"{NEAR}&{LATE}&say=within 2 km of 40.75, -73.98 and open at 2026-05-01 23:00".encode()
    )
    search, heard = hear(said, SHOPS, OfflineExtractor())
    assert heard.without_filter == ()
    assert {each.key: each.values for each in search.criteria} == {
        "near.place": ("40.75, -73.98, 2",),
        "open.hours": ("2026-05-01 23:00",),
    }


def test_a_constraint_comes_back_from_its_filter():
    for constraint in (
        Constraint(op="within", value=[40.75, -73.98, 1.5], hard=True),
        Constraint(op="reachable", value=[40.75, -73.98, "bike", 10]),
        Constraint(op="open at", value="2026-05-01 22:30"),
    ):
        (criterion,) = criteria_of(constraint, SHOPS)
        search = parse_query_string(f"{criterion.key}={criterion.values[0]}".encode())
        (again,) = question_of(search, FORM, SHOPS).query.constraints
        assert (again.op, again.value) == (constraint.op, constraint.value)


def test_a_bound_on_what_is_measured_is_a_filter():
    outcome = shown("over.distance_km(40.75, -73.98)=0.5&max.price=5")
    assert outcome.question.faults == {}
    markup = plain_text(app(outcome, FORM))
    assert "distance from 40.75, -73.98 >\u00a00.5 km" in markup
    far = Constraint(column="distance_km(40.75, -73.98)", op=">", value=0.5)
    assert [each.key for each in criteria_of(far, SHOPS)] == ["over.distance_km(40.75, -73.98)"]
    bad = shown("over.distance_km(91, 0)=0.5")
    assert "latitude" in bad.question.faults["over.distance_km(91, 0)"]
