"""Outcomes written to a transcript and read back are the same outcomes."""

import json

import pytest
from hypothesis import given

from aware_us_outcomes import outcome, outcomes
from concede.bench.aware_us.measures import MEASURES, measure
from concede.bench.aware_us.transcripts import header_of, outcome_of, save_outcome
from concede.catalogs.errors import QueryError
from concede.dialogs.transcripts.episode import Episode


def written(one, **labels):
    """Return the episode as its file would give it back."""
    events = []
    save_outcome(one, lambda kind, /, **fields: events.append({"kind": kind, **fields}))
    header = {"episode": "key", **header_of(one.gold, labels)}
    told = json.loads(json.dumps([header, *events], default=str))
    return Episode(told[0], tuple(told[1:]))


@given(outcomes())
def test_figures_from_transcripts_are_those_of_the_episodes(episodes):
    found = [outcome_of(written(episode)) for episode in episodes]
    assert {name: measure(found, name) for name in MEASURES} == {
        name: measure(episodes, name) for name in MEASURES
    }
    assert [entry.gold.id for entry in found] == [episode.gold.id for episode in episodes]


def test_labels_are_the_headers():
    labels = {"setting": "S1", "model": "none", "method": "session", "weighter": "learned"}
    assert outcome_of(written(outcome(), **labels)).labels == labels


def test_an_episode_that_failed_is_unknown_and_says_why():
    header = {"episode": "key", **header_of(outcome().gold, {})}
    ended = Episode(header, ({"kind": "end", "reason": "failed: no reply"},))
    found = outcome_of(ended)
    assert (found.status, found.failure, found.parsed) == ("UNKNOWN", "no reply", ())


@pytest.mark.parametrize(
    "change",
    [
        {"status": "fine"},
        {"status": 3},
        {"relaxed": [["Year"]]},
        {"parsed": [{"column": "Year", "op": "~", "value": 3}]},
        {"slots": "Year"},
        {"item": [1]},
    ],
)
def test_an_outcome_that_is_none(change):
    whole = written(outcome())
    events = tuple(
        {**event, **change} if event["kind"] == "outcome" else event for event in whole.events
    )
    with pytest.raises(QueryError):
        outcome_of(Episode(whole.header, events))


@pytest.mark.parametrize("instance", [None, 7, {}, {"constraints": "all"}])
def test_an_episode_on_no_instance(instance):
    with pytest.raises(QueryError):
        outcome_of(Episode({"episode": "key", "instance": instance}))
