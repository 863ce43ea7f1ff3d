"""The log of events in one object: kept, bounded, forgotten, read again after a kill."""

import json
import os
import signal
import subprocess
import sys
import textwrap

import pytest

from concede import Catalog
from concede.catalogs.errors import QueryError, UnknownColumn, UnreadableFile
from concede.dialogs.weighters.evidence.behaviour import Behaviour
from concede.dialogs.weighters.evidence.events import DAY, Probe
from concede.dialogs.weighters.evidence.store import Retention
from concede.dialogs.weighters.evidence.weighter import EvidenceWeighter, beside_words

THINGS = "id,price,brand\n1,10,Ada\n2,20,Bo\n3,30,Ada\n4,40,Bo\n"
WISHES = [
    {"column": "price", "op": "<=", "value": 20},
    {"column": "brand", "op": "==", "value": "Ada"},
]


@pytest.fixture
def catalog(tmp_path):
    (tmp_path / "things.csv").write_text(THINGS)
    return Catalog.open(tmp_path / "things.csv")


@pytest.fixture
def log(tmp_path):
    return tmp_path / "events.jsonl"


class Clock:
    now = 1_800_000_000.0

    def __call__(self):
        return self.now


def event(identity, user="ann", *, clicked=(3,), **more):
    """Somebody sees a cheap thing of the wrong brand, and a dear one of the right brand."""
    shown = {"constraints": WISHES, "shown": [2, 3], "clicked": list(clicked), "time": 0}
    return {"id": identity, "user": user} | shown | more


def weights(behaviour, user="ann"):
    return EvidenceWeighter(behaviour, user).weigh("", WISHES).weights


def test_what_is_taken_matters(catalog):
    behaviour = Behaviour(catalog, "id")
    assert weights(behaviour) == (0.5, 0.5)
    for number in range(5):
        assert behaviour.add(event(f"e{number}"))
    price, brand = weights(behaviour)
    assert brand > 0.5 > price


def test_an_event_sent_again_is_taken_once(catalog, log):
    with Behaviour.open(catalog, "id", log) as behaviour:
        assert [behaviour.add(event("e1")) for _ in range(3)] == [True, False, False]
        assert behaviour.add(event("e1", "bob"))
    assert len(log.read_text().splitlines()) == 2


def test_what_was_put_back_matters(catalog):
    behaviour = Behaviour(catalog, "id")
    shown = {"shown": [4], "clicked": [], "put_back": [0]}
    for number in range(4):
        behaviour.add(event(f"e{number}", **shown))
    price, brand = weights(behaviour)
    assert price > brand


def test_the_log_is_read_again(catalog, log):
    with Behaviour.open(catalog, "id", log) as behaviour:
        for number in range(5):
            behaviour.add(event(f"e{number}"))
        behaviour.learn()
        known = weights(behaviour)
    with Behaviour.open(catalog, "id", log) as behaviour:
        assert weights(behaviour) == known
        assert not behaviour.add(event("e1"))


def test_a_forgotten_person_is_gone_from_weights_and_disk(catalog, log):
    with Behaviour.open(catalog, "id", log) as behaviour:
        for number in range(4):
            behaviour.add(event(f"a{number}", "ann-of-ours"))
            behaviour.add(event(f"b{number}", "bob"))
        assert behaviour.forget("ann-of-ours") == 4
        assert weights(behaviour, "ann-of-ours") == (0.5, 0.5)
        assert b"ann-of-ours" not in log.read_bytes()
        assert behaviour.forget("ann-of-ours") == 0
        assert behaviour.is_due
        behaviour.learn()
        assert behaviour.population.people == 1
        behaviour.add(event("a0", "carl"))
    assert sorted(path.name for path in log.parent.iterdir()) == ["events.jsonl", "things.csv"]
    with Behaviour.open(catalog, "id", log) as behaviour:
        assert not behaviour.knows("ann-of-ours")
        assert behaviour.knows("bob")
        assert behaviour.knows("carl")


def test_events_go_when_they_were_kept_long_enough(catalog, log):
    clock = Clock()
    with Behaviour.open(catalog, "id", log, Retention(days=30), clock) as behaviour:
        behaviour.add(event("old", "old-one"))
        clock.now += 29 * DAY
        behaviour.add(event("new", "new-one"))
        assert behaviour.knows("old-one")
        clock.now += 2 * DAY
        behaviour.add(event("newer", "new-one"))
        assert not behaviour.knows("old-one")
        assert behaviour.knows("new-one")
        assert "old-one" not in log.read_text()
        clock.now += 31 * DAY
        assert behaviour.expire() == 2
    assert log.read_bytes() == b""


@pytest.mark.parametrize(
    "read",
    [
        lambda behaviour: behaviour.knows("ann"),
        lambda behaviour: weights(behaviour) != (0.5, 0.5),
        lambda behaviour: behaviour.stored(),
        lambda behaviour: [
            factor for factor in behaviour.implicit("ann") if "e1" in factor.evidence
        ],
        lambda behaviour: behaviour.learn() or behaviour.population.people,
        lambda behaviour: not behaviour.add(event("e1")),
    ],
    ids=["knows", "weights", "stored", "implicit", "learn", "add"],
)
@pytest.mark.parametrize("hours", [0, 20 * 24])
def test_what_was_kept_long_enough_is_not_served(catalog, log, read, hours):
    clock = Clock()
    retention = Retention(days=30)
    with Behaviour.open(catalog, "id", log, retention, clock) as behaviour:
        for number in range(8):
            behaviour.add(event(f"e{number}", shown=[2, 4, 3]))
        assert weights(behaviour) != (0.5, 0.5)
        clock.now += 30 * DAY - hours * 3600
        # A look an hour before the events grow too old, or long before.
        assert behaviour.expire() == 0
        clock.now += hours * 3600 + 60
        assert not read(behaviour)
    assert "e2" not in log.read_text()


def test_the_log_follows_what_expired_within_an_hour(catalog, log):
    clock = Clock()
    with Behaviour.open(catalog, "id", log, Retention(days=30), clock) as behaviour:
        behaviour.add(event("e1"))
        behaviour.learn()
        clock.now += 30 * DAY
        behaviour.expire()
        clock.now += 60
        assert not behaviour.knows("ann")
        assert "e1" in log.read_text()
        assert not behaviour.knows("ann")
        clock.now += 3_600
        behaviour.add(event("e2"))
        assert "e1" not in log.read_text()


def test_what_expired_leaves_what_is_usual_within_an_hour(catalog, log):
    clock = Clock()
    with Behaviour.open(catalog, "id", log, Retention(days=30), clock) as behaviour:
        behaviour.add(event("e1"))
        clock.now += 30 * DAY - 60
        behaviour.add(event("e2", "bob"))
        behaviour.learn()
        clock.now += 120
        assert not behaviour.knows("ann")
        assert (behaviour.population.people, behaviour.is_due) == (2, False)
        clock.now += 3_600
        assert behaviour.is_due
        behaviour.learn()
        assert (behaviour.population.people, behaviour.is_due) == (1, False)


def test_a_log_made_elsewhere_is_kept_from_its_first_reading(catalog, log):
    clock = Clock()
    log.write_text(json.dumps(event("e1")) + "\n")
    for days in (0, 20):
        clock.now += days * DAY
        with Behaviour.open(catalog, "id", log, Retention(days=30), clock) as behaviour:
            assert behaviour.knows("ann")
    clock.now += 20 * DAY
    with Behaviour.open(catalog, "id", log, Retention(days=30), clock) as behaviour:
        assert not behaviour.knows("ann")


def test_memory_alone_is_bounded_too(catalog):
    clock = Clock()
    behaviour = Behaviour.open(catalog, "id", retention=Retention(days=30, of_one=20), clock=clock)
    for number in range(100):
        behaviour.add(event(f"e{number:03}"))
    assert 10 <= behaviour.count <= 20
    clock.now += 31 * DAY
    behaviour.add(event("last", "bob"))
    assert behaviour.count == 1


def test_learning_is_due_once_somebody_is_forgotten(catalog):
    behaviour = Behaviour(catalog, "id")
    behaviour.add(event("e1"))
    behaviour.learn()
    assert (behaviour.is_due, behaviour.population.people) == (False, 1)
    behaviour.forget("ann")
    assert behaviour.is_due
    behaviour.learn()
    assert (behaviour.is_due, behaviour.population.people) == (False, 0)


@pytest.mark.parametrize("bounds", [{"events": 20}, {"of_one": 20}, {"bytes": 6_000}])
def test_the_oldest_make_room(catalog, log, bounds):
    with Behaviour.open(catalog, "id", log, Retention(**bounds)) as behaviour:
        for number in range(100):
            behaviour.add(event(f"e{number:03}"))
        kept = [one.id for one in behaviour.stored()]
        assert kept[-1] == "e099"
        assert kept == sorted(kept)
        assert 10 <= len(kept) <= 40
        assert behaviour.count == len(kept)
        assert [json.loads(line)["id"] for line in log.read_text().splitlines()] == kept


def test_an_unfinished_last_line_is_cut_off(catalog, log):
    with Behaviour.open(catalog, "id", log) as behaviour:
        behaviour.add(event("e1"))
    whole = log.read_bytes()
    log.write_bytes(whole + whole[: len(whole) // 2])
    with Behaviour.open(catalog, "id", log) as behaviour:
        behaviour.add(event("e2"))
    assert [json.loads(line)["id"] for line in log.read_text().splitlines()] == ["e1", "e2"]


@pytest.mark.parametrize("content", ["id,user\n1,ann\n", '{"id": 1}\n', "[]\n"])
def test_a_foreign_file_is_refused_and_left_as_it_is(catalog, log, content):
    log.write_text(content)
    with pytest.raises(UnreadableFile, match="line 1"):
        Behaviour.open(catalog, "id", log)
    assert log.read_text() == content


def test_two_processes_do_not_write_to_one_log(catalog, log):
    with Behaviour.open(catalog, "id", log), pytest.raises(UnreadableFile):
        Behaviour.open(catalog, "id", log)


@pytest.mark.parametrize(
    "wrong",
    [
        event("e1", clicked=[9]),
        event("e1", constraints=[{"column": "x", "op": "==", "value": 1}]),
        event("e1", time="yesterday"),
        event(""),
        {"id": "e1"},
    ],
)
def test_what_is_no_event_is_refused_and_not_written(catalog, log, wrong):
    with Behaviour.open(catalog, "id", log) as behaviour:
        with pytest.raises(QueryError):
            behaviour.add(wrong)
        assert behaviour.count == 0
    assert log.read_bytes() == b""


def test_an_unknown_key_is_refused(catalog):
    with pytest.raises(UnknownColumn):
        Behaviour(catalog, "sku")


def test_chances_add_up_and_vanished_items_have_none(catalog):
    behaviour = Behaviour(catalog, "id")
    behaviour.add(event("e1"))
    probe = Probe.model_validate(
        {"id": "p", "user": "ann", "constraints": WISHES, "shown": [1, 77, 2]}
    )
    chances = behaviour.chances(probe)
    assert chances[1] == 0
    assert sum(chances) == pytest.approx(1)
    assert behaviour.skipped.items == 1


def test_words_and_events_count_as_far_as_they_are_sure(catalog):
    behaviour = Behaviour(catalog, "id")
    for number in range(20):
        behaviour.add(event(f"e{number}"))
    said = "The price has to be under 20, no way around it."
    words = beside_words(behaviour, "stranger").weigh(said, WISHES)
    both = beside_words(behaviour, "ann").weigh(said, WISHES)
    events = EvidenceWeighter(behaviour, "ann").weigh(said, WISHES)
    assert words.weighter == "learned"
    assert events[0].weight < both[0].weight < words[0].weight
    assert words[1].weight < both[1].weight <= events[1].weight
    assert both[1].because


KILLED = """
    import sys
    from concede import Catalog
    from concede.dialogs.weighters.evidence.behaviour import Behaviour
    sys.path.insert(0, sys.argv[3])
    behaviour = Behaviour.open(Catalog.open(sys.argv[1]), "id", sys.argv[2])
    number = 0
    while True:
        shown = {"constraints": [], "shown": [1, 2], "clicked": [1], "time": 0}
        behaviour.add({"id": f"e{number}", "user": f"u{number % 3}"} | shown)
        if number % 7 == 6:
            behaviour.forget("u2")
        print(number, flush=True)
        number += 1
"""


@pytest.mark.slow
def test_what_was_taken_in_survives_a_kill(catalog, log, tmp_path):
    command = [sys.executable, "-c", textwrap.dedent(KILLED), str(tmp_path / "things.csv")]
    with subprocess.Popen(
        [*command, str(log), str(tmp_path)], stdout=subprocess.PIPE, text=True, env=os.environ
    ) as process:
        assert process.stdout is not None
        last = 0
        for line in process.stdout:
            last = int(line)
            if last >= 100:
                break
        process.send_signal(signal.SIGKILL)
        last = max([last, *map(int, process.stdout.read().split())])
    with Behaviour.open(catalog, "id", log) as behaviour:
        known = {one.id for one in behaviour.stored()}
    # The ids of u2 until it was forgotten last are gone, the others are all there.
    assert {f"e{number}" for number in range(last + 1) if number % 3 != 2} <= known
    assert all(f"e{number}" not in known for number in range(last - 14) if number % 3 == 2)
