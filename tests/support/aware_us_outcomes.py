"""Outcomes of AWARE-US episodes: random ones, and the metrics of Table 6 written out plainly."""

from hypothesis import strategies as st

from concede.bench.aware_us.gold import gold_of
from concede.bench.aware_us.outcome import Outcome
from concede.catalogs.query.constraint import Constraint
from concede.engine.answer import Status

SLOTS = ("Year", "MSRP", "fuel")
ASKED = {
    "Year": {"column": "Year", "op": ">=", "value": 2015, "weight": 0.2},
    "MSRP": {"column": "MSRP", "op": "<=", "value": 30000, "weight": 0.5},
    "fuel": {"column": "fuel", "op": "==", "value": "diesel", "weight": 0.3},
}
ITEMS = (
    {"Make": "Audi", "Model": "A4", "Year": 2016, "MSRP": 28000},
    {"Make": "Audi", "Model": "A6", "Year": 2016, "MSRP": 29000},
)
STATUSES = (
    Status.SAT_NO_RELAXATION,
    Status.SAT_AFTER_RELAXATION,
    Status.UNSAT_EVEN_AFTER_RELAXATION,
    Status.UNKNOWN,
)


def record(number=0, *, relaxed="Year", item=0, **fields):
    """Return a record of the published shape; `relaxed` and `item` may be None."""
    record = {
        "id": f"S-{number}",
        "setting": "S1",
        "base": {"Make": "Audi"},
        "constraints": [dict(constraint) for constraint in ASKED.values()],
        "recommended_car": None if item is None else ITEMS[item],
    }
    if relaxed:
        record["chosen_relaxation"] = ASKED[relaxed]
    else:
        record["constraints"] = [
            {key: value for key, value in constraint.items() if key != "weight"}
            for constraint in ASKED.values()
        ]
    return record | fields


def outcome(number=0, *, parsed=SLOTS, status=Status.SAT_AFTER_RELAXATION, relaxed=("Year",),
            item=ITEMS[0], questions=3, slots=SLOTS, gold=None, tokens=None):  # fmt: skip
    """Return one episode; what is parsed and relaxed are named by column."""
    constraints = tuple(Constraint.model_validate(ASKED[column]) for column in parsed)
    gone = tuple((ASKED[column]["column"], ASKED[column]["op"], str(ASKED[column]["value"]))
                 for column in relaxed)  # fmt: skip
    gold = gold_of(record(number), 0) if gold is None else gold
    return Outcome(gold, slots, constraints, status, gone, item, questions,
                   tokens=tokens)  # fmt: skip


@st.composite
def outcomes(draw, most=7, distinct=True):
    """Draw episodes, each on an instance of its own unless told otherwise."""
    episodes = []
    for number in range(draw(st.integers(0, most))):
        gold = record(
            number if distinct else draw(st.integers(0, 2)),
            relaxed=draw(st.sampled_from([*SLOTS, None])),
            item=draw(st.sampled_from([0, 1, None])),
        )
        episodes.append(
            outcome(
                parsed=draw(st.lists(st.sampled_from(SLOTS), unique=True)),
                status=draw(st.sampled_from(STATUSES)),
                relaxed=draw(st.lists(st.sampled_from(SLOTS), max_size=2, unique=True)),
                item=draw(st.sampled_from([*ITEMS, None])),
                questions=draw(st.sampled_from([None, 0, 2, 4])),
                tokens=draw(st.sampled_from([None, 0, 900])),
                slots=tuple(draw(st.lists(st.sampled_from(SLOTS), unique=True))),
                gold=gold_of(gold, 0),
            )
        )
    return episodes


def plain_measures(episodes):
    """Return the metrics of Table 6 as it words them: the slow twin."""
    with_slots = [episode for episode in episodes for slot in episode.slots]
    filled = [
        slot
        for episode in episodes
        for slot in episode.slots
        if any(constraint.column == slot for constraint in episode.parsed)
    ]
    comparable = [episode for episode in episodes if episode.gold.relaxed is not None]
    cars = [episode for episode in episodes if episode.gold.item is not None]
    both = [episode for episode in comparable if episode.gold.item is not None]
    asking = [episode.questions for episode in episodes if episode.questions is not None]

    def relaxes_gold(episode):
        return list(episode.relaxed) == [episode.gold.relaxed]

    def offers_gold(episode):
        return episode.item is not None and episode.item == episode.gold.item

    def rate(these, of):
        return len(list(these)) / len(list(of)) if of else None

    def ended(status):
        return rate([episode for episode in episodes if episode.status == status], episodes)

    def mean(numbers):
        return sum(numbers) / len(numbers) if numbers else None

    return {
        "avg_slots": mean([len(episode.slots) for episode in episodes]),
        "avg_constraints": mean([len(episode.parsed) for episode in episodes]),
        "slot_completion": rate(filled, with_slots),
        "sat_no_relaxation": ended("SAT_no_relaxation"),
        "sat_after_relaxation": ended("SAT_after_relaxation"),
        "unsat": ended("UNSAT_even_after_relaxation"),
        "unknown": ended("UNKNOWN"),
        "recommended": rate([episode for episode in episodes if episode.item], episodes),
        "relax_match": rate(
            [episode for episode in comparable if relaxes_gold(episode)], comparable
        ),
        "car_match": rate(
            [episode for episode in both if relaxes_gold(episode) and offers_gold(episode)], both
        ),
        "car_match_ungated": rate([episode for episode in cars if offers_gold(episode)], cars),
        "questions": mean(asking),
        "tokens": mean([episode.tokens for episode in episodes if episode.tokens is not None]),
    }
