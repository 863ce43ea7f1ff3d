"""Made sentences: spans are the words of what is meant, everything binds, a seed is a text."""

from __future__ import annotations

from collections import Counter

import pytest

from concede.bench.understanding.generation.amounts import number_words, say_money
from concede.bench.understanding.generation.generate import Generated, generate
from concede.bench.understanding.generation.vocabulary import cues, domains, notions, sections
from concede.bench.understanding.labelled import LabelledConstraint, LabelledSentence
from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import OPERATORS, Constraint

KINDS = ("constraints", "objectives", "leanings", "waived")


@pytest.fixture(scope="module")
def made() -> Generated:
    return generate(5, 3000, 70)


@pytest.fixture(scope="module")
def catalogs(made: Generated, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Catalog]:
    folder = tmp_path_factory.mktemp("catalogs")
    return {made.name: Catalog.open(made.write(folder)) for made in made.catalogs}


def spoken(sentence: LabelledSentence, constraint: LabelledConstraint) -> str:
    start, end = constraint.span
    return sentence.text[start:end]


def test_every_constraint_binds_on_its_catalog(
    made: Generated, catalogs: dict[str, Catalog]
) -> None:
    for sentence in made.sentences:
        snapshot = catalogs[sentence.catalog].snapshot()
        for wish in sentence.constraints:
            value = tuple(wish.value) if isinstance(wish.value, list) else wish.value
            if wish.op in OPERATORS:
                snapshot.bind(Constraint(column=wish.column, op=wish.op, value=value))
            else:
                assert wish.op == "contains any"
                for part in wish.value if isinstance(wish.value, list) else ():
                    snapshot.bind(Constraint(column=wish.column, op="contains", value=part))


def test_columns_of_directions_and_waivers_exist(
    made: Generated, catalogs: dict[str, Catalog]
) -> None:
    for sentence in made.sentences:
        schema = catalogs[sentence.catalog].schema
        for wish in (*sentence.objectives, *sentence.leanings, *sentence.waived):
            schema.find(wish.column)


def test_spans_lie_in_the_text_and_end_at_words(made: Generated) -> None:
    for sentence in made.sentences:
        spans = [wish.span for kind in KINDS for wish in getattr(sentence, kind)]
        for start, end in (*spans, *sentence.decoys, *sentence.corrected):
            assert 0 <= start < end <= len(sentence.text), sentence
            assert sentence.text[start:end].strip() == sentence.text[start:end]


def test_spans_are_the_words_of_the_value(made: Generated) -> None:
    """Of sentences without slips of the finger, a value's span holds the value's words."""
    checked = 0
    for sentence in made.sentences:
        if {"typos", "inflected", "partial name", "dates", "times"} & set(sentence.phenomena):
            continue
        for wish in sentence.constraints:
            if wish.op in ("==", "!=", "contains") and isinstance(wish.value, str):
                words = "".join(filter(str.isalnum, spoken(sentence, wish).casefold()))
                value = "".join(filter(str.isalnum, wish.value.casefold()))
                checked += words.replace("and", "") == value.replace("and", "")
    total = sum(
        wish.op in ("==", "!=", "contains") and isinstance(wish.value, str)
        for sentence in made.sentences
        if not {"dates", "times"} & set(sentence.phenomena)
        for wish in sentence.constraints
    )
    # The rest are yes and no as texts, and sentences with slips.
    assert checked > 0.65 * total


def test_a_refused_part_of_a_list_refuses_every_list_with_it(made: Generated) -> None:
    by_name = {catalog.name: catalog for catalog in made.catalogs}
    for sentence in made.sentences:
        for wish in sentence.constraints:
            column = next(c for c in by_name[sentence.catalog].columns if c.name == wish.column)
            if column.kind == "list" and wish.op == "not in":
                assert isinstance(wish.value, list)
                assert wish.value
                assert set(wish.value) < set(column.cells)


def test_the_same_seed_is_the_same_text(made: Generated) -> None:
    again = generate(5, 3000, 70)
    assert again == made
    assert generate(6, 50, 70).sentences != made.sentences[:50]


def test_what_is_apart_is_nowhere_else(made: Generated) -> None:
    apart = [s for s in made.sentences if s.apart]
    usual = [s for s in made.sentences if not s.apart]
    assert 0.07 < len(apart) / len(made.sentences) < 0.13
    held = {domain.key for domain in domains() if domain.apart}
    assert len(held) >= 5
    assert not any(sentence.catalog.rsplit("_", 1)[0] in held for sentence in usual)
    kept_cues = {cue.name for section in sections() for cue in cues(section) if cue.apart}
    assert not kept_cues & {cue for sentence in usual for cue in sentence.cues}
    assert len(kept_cues) > 100


def test_there_are_many_domains_notions_and_phrases() -> None:
    assert len(domains()) >= 40
    assert len(notions()) >= 40
    by_table = Counter[str]()
    for section in sections():
        file, table, _ = section.split(".")
        by_table[f"{file}.{table}"] += len(set(cues(section)))
    assert by_table["values.refuse"] >= 150
    assert by_table["bounds.number"] >= 150
    assert by_table["tendencies.correct"] >= 60
    assert by_table["framing.chat"] + by_table["framing.ask"] >= 200


def test_the_sentences_use_most_phrases_and_show_every_phenomenon(made: Generated) -> None:
    used = {cue for sentence in made.sentences for cue in sentence.cues}
    assert len(used) > 1500
    shown = Counter(name for sentence in made.sentences for name in sentence.phenomena)
    for name in (
        "bounds ranges approximations dates times units money negation alternatives correction "
        "retraction waivers objectives leanings hardness presence answers keywords voice typos "
        "decoys nothing questions comparatives retraction"
    ).split():
        assert shown[name] >= 10, name
    assert len({sentence.text for sentence in made.sentences}) > 0.85 * len(made.sentences)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "zero"),
        (14, "fourteen"),
        (85, "eighty five"),
        (120, "one hundred and twenty"),
        (1500, "one thousand five hundred"),
        (2_000_000, "two million"),
        (4.5, "four and a half"),
        (2.7, "two point seven"),
        (-3, "minus three"),
    ],
)
def test_numbers_in_words(number: float, words: str) -> None:
    assert number_words(number) == words


def test_an_amount_of_money_is_said_in_many_ways() -> None:
    from random import Random

    said = {say_money(12000, Random(seed)) for seed in range(300)}
    assert {"12k", "£12,000", "12000"} <= said
    assert len(said) > 15
