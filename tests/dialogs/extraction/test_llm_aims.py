"""What a model may say besides constraints, each checked; and what it is offered."""

import json
from datetime import date

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import ModelError
from concede.catalogs.query.constraint import Constraint
from concede.dialogs.extraction.extracted import (
    Extracted,
    ExtractedObjective,
    Extraction,
    Unresolved,
)
from concede.dialogs.extraction.llm import LLMExtractor
from concede.dialogs.models.scripted import ScriptedModel
from concede.dialogs.transcripts.transcript import Span

SAID = (
    "The cheapest flat, fairly new, two bathrooms and that is a must; the district is all the "
    "same to me, but some zing."
)


def found(catalog, said=SAID, **reply):
    model = ScriptedModel([json.dumps({"constraints": []} | reply)])
    return LLMExtractor(model).extract(said, catalog)


def aim(column, direction, quote):
    return {"column": column, "direction": direction, "quote": quote}


@pytest.fixture(scope="module")
def tagged():
    return Catalog.open(
        pa.table(
            {
                "name": ["a", "b", "c", "d"],
                "extras": pa.array(
                    [["pool", "sauna"], ["pool"], ["garden", "sauna"], ["gym"]],
                    pa.list_(pa.string()),
                ),
            }
        )
    )


def test_aims_vague_wishes_hardness_and_indifference_are_taken(catalog):
    got = found(
        catalog("flats"),
        constraints=[
            {"column": "bathrooms", "op": "==", "value": 2, "quote": "two bathrooms", "hard": True}
        ],
        objectives=[aim("monthly_rent", "min", "cheapest")],
        leanings=[aim("year_built", "max", "fairly new")],
        waived=[{"column": "district", "quote": "the district is all the same"}],
        not_understood=["some zing", "never said"],
    )
    (wish,) = got.constraints
    assert wish.constraint.hard
    (objective,) = got.objectives
    assert (objective.column, objective.direction) == ("monthly_rent", "min")
    assert SAID[objective.evidence.start : objective.evidence.end] == "cheapest"
    (leaning,) = got.leanings
    assert leaning.constraint is not None
    assert (leaning.constraint.column, leaning.constraint.op) == ("year_built", ">=")
    assert got.waived == ("district",)
    assert [part.evidence.text for part in got.not_understood] == ["some zing"]
    assert got.unresolved == ()


@pytest.mark.parametrize("kind", ["objectives", "leanings"])
@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (aim("swimming_pool", "min", "cheapest"), "column that is not there"),
        (aim("district", "min", "cheapest"), "no more and no less"),
        (aim("monthly_rent", "min", "as dear as can be"), "did not say"),
        (aim("monthly_rent", "min", ""), "did not say"),
    ],
)
def test_aims_that_cannot_be_are_reported_and_left_out(catalog, kind, bad, reason):
    got = found(catalog("flats"), **{kind: [bad]})
    assert got.objectives == got.leanings == ()
    (left,) = got.unresolved
    assert reason in left.reason


def test_one_column_has_one_aim_and_what_is_wished_is_not_waived(catalog):
    got = found(
        catalog("flats"),
        objectives=[aim("monthly_rent", "min", "cheapest"), aim("monthly_rent", "max", "must")],
        leanings=[aim("monthly_rent", "min", "cheapest")],
        waived=[{"column": "monthly_rent", "quote": "all the same"}],
    )
    assert [(part.column, part.direction) for part in got.objectives] == [("monthly_rent", "max")]
    assert got.leanings == got.waived == ()


@pytest.mark.parametrize(
    "reply",
    [
        {"objectives": [aim("monthly_rent", "sideways", "cheapest")]},
        {"objectives": "all"},
        {"waived": ["district"]},
        {"not_understood": [5]},
        {"constraints": [{"column": "bathrooms", "op": "==", "value": {"a": 1}, "quote": "two"}]},
    ],
)
def test_replies_of_another_shape_are_a_model_error(catalog, reply):
    model = ScriptedModel([json.dumps({"constraints": []} | reply)] * 3)
    with pytest.raises(ModelError):
        LLMExtractor(model).extract(SAID, catalog("flats"))


@pytest.mark.parametrize("op", ["contains any", "contains_any"])
def test_any_of_several_entries_of_a_list(tagged, op):
    claim = {"column": "extras", "op": op, "value": ["Pool", "garden"], "quote": "a pool or garden"}
    (wish,) = found(tagged, "with a pool or garden", constraints=[claim]).constraints
    assert (wish.constraint.op, wish.constraint.value) == ("contains any", ("pool", "garden"))
    unknown = claim | {"value": ["pool", "moat"]}
    assert found(tagged, "with a pool or garden", constraints=[unknown]).constraints == ()


def test_presence_needs_no_value(catalog):
    claim = {"column": "year_built", "op": "is not null", "quote": "fairly new"}
    (wish,) = found(catalog("flats"), constraints=[claim]).constraints
    assert (wish.constraint.op, wish.constraint.value) == ("is not null", None)
    comparison = claim | {"op": "<=", "value": None}
    assert found(catalog("flats"), constraints=[comparison]).constraints == ()


def span(text):
    at = SAID.index(text)
    return Span(0, at, at + len(text), text)


OFFERED = Extraction(
    (
        Extracted(
            Constraint(column="bathrooms", op="==", value=2, hard=True),
            0.97,
            span("two bathrooms"),
            "two bathrooms",
            alternatives=((3, 0.2),),
        ),
    ),
    (Unresolved(span("fairly"), "the catalog has no such value", "district", (("Harbour", 0.4),)),),
    ("district",),
    (ExtractedObjective("monthly_rent", "min", 0.8, span("cheapest"), "cheapest"),),
    not_understood=(Unresolved(span("zing"), "not understood"),),
)


class Fixed:
    """A reader that always reads the same."""

    def extract(self, said, catalog, *, slot=None, today=None):
        return OFFERED


def asked(catalog, reply, **options):
    prompts = []

    def answer(request):
        prompts.append(request.messages[-1].content)
        return json.dumps(reply)

    model = LLMExtractor(ScriptedModel(answer), offline=Fixed())
    return model.extract(SAID, catalog, **options), prompts[0]


def test_the_model_is_offered_what_was_read_with_its_chances(catalog):
    _, prompt = asked(catalog("flats"), {"constraints": []})
    for line in (
        "- “two bathrooms”: bathrooms == 2, hard (0.97); or else: 3",
        "- “cheapest”: objective monthly_rent min (0.80)",
        "- “fairly” about district: the catalog has no such value; nearest: Harbour",
        "- “zing”: not understood",
        "- no wish about district",
    ):
        assert line in prompt


def test_words_left_over_come_with_the_values_most_like_them(catalog):
    def answer(request):
        assert (
            "- “harbuor”: not understood; perhaps: district Harbour" in request.messages[-1].content
        )
        return '{"constraints": []}'

    left = Unresolved(Span(0, 0, 7, "harbuor"), "not understood")
    reader = LLMExtractor(ScriptedModel(answer))
    reader.decide("harbuor", catalog("flats"), Extraction((), not_understood=(left,)))


def test_what_both_read_alike_is_as_sure_as_the_surer(catalog):
    claim = {"column": "bathrooms", "op": "==", "value": 2, "quote": "two bathrooms"}
    got, _ = asked(catalog("flats"), {"constraints": [claim]})
    assert got.constraints[0].score == 0.97
    got, _ = asked(catalog("flats"), {"constraints": [claim | {"op": ">="}]})
    assert got.constraints[0].score == pytest.approx(0.9)


def test_the_day_is_named_where_a_column_holds_dates(catalog, tagged):
    day = date(2026, 3, 1)
    _, prompt = asked(catalog("flats"), {"constraints": []}, today=day)
    assert "Today is Sunday, 2026-03-01." in prompt
    _, prompt = asked(tagged, {"constraints": []}, today=day)
    assert "Today" not in prompt
