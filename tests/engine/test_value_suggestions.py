"""What may have been meant by a text that no row has, judged by comparing every text."""

from rapidfuzz import fuzz, utils

from concede import Catalog, Constraint
from concede.engine.value_suggestions import ALIKE, nearest_texts, suggestions


def test_the_nearest_come_first_and_none_is_nearer():
    catalog = Catalog.open("sample:cars").snapshot()
    makes = catalog.texts("Make")
    for typed in ("forrd", "Tyota", "mercedes benz", "bwm", "CHEVROLETT"):
        found = nearest_texts(typed, makes)
        alike = {
            make: fuzz.ratio(utils.default_process(typed), utils.default_process(make))
            for make in makes
        }
        best = sorted((-score, make) for make, score in alike.items() if score >= ALIKE)
        assert [alike[make] for make in found] == [-score for score, _ in best[:3]]


def test_texts_in_memory_and_from_the_database_suggest_the_same():
    asked = [Constraint(column="Make", op="in", value=["Ford", "forrd"])]
    cold, warm = Catalog.open("sample:cars"), Catalog.open("sample:cars")
    warm.warm(["Make"])
    found = [
        suggestions(each.snapshot(), "constraints", asked, [0])[0].record() for each in (cold, warm)
    ]
    assert found[0] == found[1]
    assert (found[0]["value"], found[0]["nearest"]) == ("forrd", ["Ford"])


def test_deleted_texts_are_not_suggested():
    catalog = Catalog.open("sample:cars", key=None)
    catalog.warm(["Make"])
    fords = catalog.row_ids(
        catalog.rows(catalog.bind(Constraint(column="Make", op="==", value="Ford"))).ids
    )
    catalog.delete(fords)
    assert "Ford" not in catalog.snapshot().texts("Make")


def test_numbers_patterns_and_long_texts_are_left_alone():
    catalog = Catalog.open("sample:cars").snapshot()
    asked = [
        Constraint(column="Year", op="==", value=1234),
        Constraint(column="Make", op="like", value="forrd"),
        Constraint(column="Make", op="==", value="f" * 5_000),
        Constraint(column="Make", op="==", value=""),
    ]
    assert suggestions(catalog, "base", asked, range(4)) == []
