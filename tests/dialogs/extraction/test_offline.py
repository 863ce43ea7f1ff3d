"""What offline extraction understands, one thing at a time."""

from datetime import date

import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import UnknownColumn
from concede.dialogs.extraction.offline import OfflineExtractor, extract

pa = pytest.importorskip("pyarrow")


def stated(catalog, text, **options):
    constraints = extract(text, catalog, **options).constraints
    return [
        (extracted.constraint.column, extracted.constraint.op, extracted.constraint.value)
        for extracted in constraints
    ]


def conversation(*turns):
    roles = ("assistant", "user")
    return [{"role": roles[at % 2], "content": said} for at, said in enumerate(turns)]


@pytest.mark.parametrize(
    ("text", "op", "value"),
    [
        ("rent under 1.2k", "<", 1200),
        ("a rent of $1,150 at most", "<=", 1150),
        ("rent: no more than 950", "<=", 950),
        ("rent less than 950", "<", 950),
        ("I can't pay more than nine hundred", "<=", 900),
        ("rent not under 800", ">=", 800),
        ("rent between 800 and 1,200", "between", (800, 1200)),
        ("rent 0.8-1.2k", "between", (800, 1200)),
        ("cheaper than 1400", "<", 1400),
        ("rent of eight hundred to two thousand", "between", (800, 2000)),
        ("rent of one to two thousand", "between", (1000, 2000)),
        ("my budget is 1400", "<=", 1400),
    ],
)
def test_bounds_on_a_price(catalog, text, op, value):
    assert stated(catalog("flats"), text) == [("monthly_rent", op, value)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("built in 2008 or later", ("year_built", ">=", 2008)),
        ("not older than 1974", ("year_built", ">=", 1974)),
        ("built from 1950 to 1970", ("year_built", "between", (1950, 1970))),
        ("three bedrooms", ("bedrooms", "==", 3)),
        ("3+ bedrooms", ("bedrooms", ">=", 3)),
        ("at least 60 square metres", ("area_sqm", ">=", 60)),
        ("within 500 m of the station", ("distance_to_station_km", "<=", 0.5)),
        ("available from 1 March 2026", ("available_from", ">=", "2026-03-01")),
        ("available before May 2026", ("available_from", "<", "2026-05-01")),
    ],
)
def test_bounds_on_other_columns(catalog, text, expected):
    assert stated(catalog("flats"), text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in the old town", [("district", "==", "Old Town")]),
        ("Old-Town or WEST END", [("district", "in", ("Old Town", "West End"))]),
        ("anywhere but Harbour", [("district", "!=", "Harbour")]),
        ("not Harbour", [("district", "!=", "Harbour")]),
        ("neither Harbour nor Northgate", [("district", "not in", ("Harbour", "Northgate"))]),
        ("in Kingsbrige", [("district", "==", "Kingsbridge")]),
        ("unfurnished", [("furnished", "==", "unfurnished")]),
        ("with a garden", [("garden", "==", True)]),
        ("without a garden", [("garden", "==", False)]),
        ("we don't need a garden", []),
        ("pet friendly", [("pets_allowed", "==", True)]),
    ],
)
def test_values_and_features(catalog, text, expected):
    assert stated(catalog("flats"), text) == expected


def test_the_longest_value_wins(catalog):
    laptops = catalog("laptops")
    assert stated(laptops, "a thinkpad x1 carbon gen 9") == [
        ("model", "==", "ThinkPad X1 Carbon Gen 9")
    ]
    assert stated(laptops, "a thinkpad x1 carbon") == [("model", "==", "ThinkPad X1 Carbon")]


def test_a_number_in_a_value_is_no_bound(catalog):
    assert stated(catalog("laptops"), "an XPS 13 under 1300 dollars") == [
        ("model", "==", "XPS 13"),
        ("price", "<", 1300),
    ]


def test_initials_stand_for_a_value():
    frame = [{"drive": "all wheel drive"}, {"drive": "rear wheel drive"}] * 8
    assert stated(opened(frame), "AWD please") == [("drive", "==", "all wheel drive")]


def test_a_category_stands_for_all_its_values():
    styles = [{"style": style} for style in ("2dr SUV", "4dr SUV", "Sedan", "Wagon")] * 5
    catalog = opened(styles)
    assert stated(catalog, "an SUV") == [("style", "in", ("2dr SUV", "4dr SUV"))]
    assert stated(catalog, "no SUVs") == [("style", "not in", ("2dr SUV", "4dr SUV"))]
    assert stated(catalog, "a four-door SUV") == [("style", "==", "4dr SUV")]


def test_a_word_that_two_values_share_means_both():
    fuels = ("premium (required)", "premium (recommended)", "regular", "diesel")
    catalog = opened([{"fuel": fuel} for fuel in fuels] * 5)
    (extracted,) = extract("premium gas", catalog).constraints
    assert extracted.constraint.op == "in"
    assert set(extracted.constraint.value) == set(fuels[:2])


def test_lists_in_a_column_are_searched_by_their_parts():
    kinds = ("Tea, Pizza, Indian", "Indian, Seafood", "Pizza", "Tea, Seafood", "Pizza, Indian")
    catalog = opened([{"cuisines": kind} for kind in kinds] * 5)
    assert stated(catalog, "Indian food") == [("cuisines", "contains", "Indian")]


def test_the_question_tells_the_column_of_an_answer(catalog):
    said = conversation("How many bathrooms do you need?", "two")
    assert stated(catalog("flats"), said) == [("bathrooms", "==", 2)]
    assert stated(catalog("flats"), "two", slot="bedrooms") == [("bedrooms", "==", 2)]


def test_what_the_assistant_says_is_no_wish(catalog):
    said = conversation("Would Harbour or a rent under 900 do?", "I am not sure yet.")
    extraction = extract(said, catalog("flats"))
    assert extraction.constraints == ()


def test_the_later_statement_wins_and_two_sides_are_kept(catalog):
    flats = catalog("flats")
    said = conversation(
        "Budget?", "rent at most 900", "And else?", "make it a rent of 1,100 at most"
    )
    assert stated(flats, said) == [("monthly_rent", "<=", 1100)]
    assert stated(flats, "rent at least 500 and at most 900") == [
        ("monthly_rent", ">=", 500),
        ("monthly_rent", "<=", 900),
    ]


def test_having_no_preference_waives_the_column(catalog):
    extraction = extract(conversation("Which district?", "no preference"), catalog("flats"))
    assert extraction.constraints == ()
    assert extraction.waived == ("district",)


def test_an_asked_value_that_the_catalog_lacks_is_reported_and_no_constraint(catalog):
    extraction = extract("Southgate", catalog("flats"), slot="district")
    assert extraction.constraints == ()
    reported = [*extraction.unresolved, *extraction.not_understood]
    assert [statement.evidence.text for statement in reported] == ["Southgate"]


def test_words_that_no_reading_accounts_for_are_reported(catalog):
    extraction = extract("somewhere with a flux capacitor", catalog("flats"))
    assert extraction.constraints == ()
    left = [statement.evidence.text for statement in extraction.not_understood]
    assert any("flux capacitor" in text for text in left)


def test_around_is_a_soft_range(catalog):
    (extracted,) = extract("rent around 1,000", catalog("flats")).constraints
    assert extracted.approximate
    assert extracted.constraint.value == (900, 1100)


def test_evidence_stands_where_it_says(catalog):
    said = conversation("Hello?", "Hm — in Harbour, with 2 bathrooms, rent up to 1.4k.")
    extraction = extract(said, catalog("flats"))
    assert len(extraction.constraints) == 3
    for extracted in extraction.constraints:
        span = extracted.evidence
        assert said[span.message]["content"][span.start : span.end] == span.text
        assert extracted.said in span.text


def test_every_constraint_binds(catalog):
    flats = catalog("flats")
    for extracted in extract(
        "Harbour, built after 1990, from May 2026, no pets", flats
    ).constraints:
        assert flats.count([flats.bind(extracted.constraint)]) >= 0


def test_an_unknown_slot_is_an_error(catalog):
    with pytest.raises(UnknownColumn):
        OfflineExtractor().extract("two", catalog("flats"), slot="bedroms")


def test_a_record_is_json(catalog):
    record = extract("in Harbour", catalog("flats")).record()
    (constraint,) = record["constraints"]
    assert (constraint["column"], constraint["op"], constraint["value"]) == (
        "district",
        "==",
        "Harbour",
    )
    assert constraint["evidence"] == {"message": 0, "start": 3, "end": 10, "text": "Harbour"}
    assert 0.9 < constraint["score"] <= 1.0


def opened(rows):
    import pandas as pd

    return Catalog.open(pd.DataFrame(rows))


def test_a_part_that_is_unwanted_rules_out_every_list_that_holds_it():
    kinds = ("Tea, Pizza", "Indian, Seafood", "Pizza", "Tea, Seafood", "Pizza, Indian")
    catalog = opened([{"cuisines": kind} for kind in kinds] * 5)
    ((column, op, value),) = stated(catalog, "no Pizza please")
    assert (column, op) == ("cuisines", "not in")
    assert set(value) == {"Tea, Pizza", "Pizza", "Pizza, Indian"}


def test_a_second_choice_and_a_supposition_do_not_replace_the_wish(catalog):
    flats = catalog("flats")
    said = "I want Harbour, though I could also live with Northgate."
    assert stated(flats, said) == [("district", "==", "Harbour")]
    assert stated(flats, "Harbour. If it were in Northgate I would hardly come.") == [
        ("district", "==", "Harbour")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "I'm not willing to compromise on black",
        "I won't budge on the colour black",
        "I'd never give up black",
        "no flexibility about black, please",
    ],
)
def test_who_does_not_give_a_value_up_wants_it(text: str) -> None:
    catalog = Catalog.open(pa.table({"colour": ["black", "silver", "red"], "price": [1, 20, 300]}))
    (extracted,) = extract(text, catalog).constraints
    assert (extracted.constraint.column, extracted.constraint.op, extracted.constraint.value) == (
        "colour",
        "==",
        "black",
    )


@pytest.mark.parametrize(
    "text",
    [
        "I care about all three.",
        "Both two matter.",
        "These three do.",
    ],
)
def test_a_number_that_counts_what_was_named_is_no_bound(text: str) -> None:
    catalog = Catalog.open(pa.table({"rating": [1, 3, 5], "price": [1, 20, 300]}))
    assert extract(f"The price and the rating, {text}", catalog).constraints == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("If something has to give, let it be Harbour.", [("district", "==", "Harbour")]),
        ("If I have to choose, I'd take the old town.", [("district", "==", "Old Town")]),
        ("I'd be glad if it were Harbour one day.", []),
    ],
)
def test_what_follows_from_a_supposition_is_wished_for(catalog, text, expected):
    assert stated(catalog("flats"), text) == expected


@pytest.mark.parametrize(
    ("text", "column", "direction"),
    [
        ("the cheapest one", "monthly_rent", "min"),
        ("as many bedrooms as possible", "bedrooms", "max"),
        ("lowest rent first", "monthly_rent", "min"),
        ("the biggest flat you have", "area_sqm", "max"),
    ],
)
def test_superlatives_are_objectives(catalog, text, column, direction):
    extraction = extract(text, catalog("flats"))
    assert [(aim.column, aim.direction) for aim in extraction.objectives] == [(column, direction)]
    assert extraction.constraints == ()


def test_a_vague_wish_is_a_leaning_with_a_bound_that_holds_for_some_rows(catalog):
    flats = catalog("flats")
    (leaning,) = extract("something cheap", flats).leanings
    assert (leaning.column, leaning.direction) == ("monthly_rent", "min")
    assert leaning.constraint is not None
    assert 0 < flats.count([flats.bind(leaning.constraint)]) < flats.row_count


def test_what_must_not_give_way_is_hard(catalog):
    (extracted,) = extract("absolutely no more than 900 rent", catalog("flats")).constraints
    assert extracted.constraint.hard


def test_relative_dates_count_from_today(catalog):
    today = date(2026, 2, 20)
    said = "it has to be available before the 1st of March"
    (extracted,) = extract(said, catalog("flats"), today=today).constraints
    assert str(extracted.constraint.value) == "2026-03-01"


def test_one_of_several_parts_of_a_list_will_do(tmp_path):
    file = tmp_path / "sites.csv"
    rows = ["Lake,wifi; shop", "Hill,showers; wifi", "Wood,shop; playground", "Dale,showers"] * 3
    file.write_text("name,extras\n" + "\n".join(rows) + "\n", encoding="utf-8")
    sites = Catalog.open(str(file))
    assert stated(sites, "with wifi or a playground") == [
        ("extras", "contains any", ("wifi", "playground"))
    ]
    assert stated(sites, "with showers and wifi") == [
        ("extras", "contains", "showers"),
        ("extras", "contains", "wifi"),
    ]


def test_words_of_a_column_dictionary_name_columns_and_values():
    rows = [{"x1": colour, "x2": number} for number, colour in enumerate(("blue", "red") * 10)]
    words = {
        "x1": {"label": "colour", "values": {"red": ["crimson"]}},
        "x2": {"label": "weight", "unit": "kg"},
    }
    import pandas as pd

    catalog = Catalog.open(pd.DataFrame(rows), dictionary=words)
    assert stated(catalog, "crimson please") == [("x1", "==", "red")]
    assert stated(catalog, "a weight of at most 12 kg") == [("x2", "<=", 12)]
