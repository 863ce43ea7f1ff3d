"""How right what is learned of simulated people is, and how fast events age."""

from dataclasses import replace

import numpy as np
import pytest

from concede.dialogs.weighters.evidence.aging import HALF_LIVES, best_half_life
from concede.dialogs.weighters.evidence.logit import HALF_LIFE, Effects, ages_count
from concede.dialogs.weighters.evidence.population import fit
from simulated_choices import DAY, SETTINGS, Choosers, Setting, gap, judged

FLOORS = {1: 0.68, 3: 0.71, 10: 0.75, 30: 0.78}
SEEDS = range(3)


def right(found):
    for known, least in FLOORS.items():
        assert np.mean(found.ordered[known]) >= least, known
    assert np.mean(found.losses) <= 1.53
    assert gap(found.chances) <= 0.03
    assert gap(found.sure) <= 0.09


@pytest.mark.parametrize("name", ["noisier choices", "strong position effect"])
def test_weights_are_ordered_choices_told_and_both_calibrated(name):
    right(judged(SETTINGS[name], SEEDS))


def test_little_is_lost_to_an_oracle_and_a_year_says_what_a_month_does():
    # One test, since all compare with the same people.
    month, year = (judged(SETTINGS[name], SEEDS) for name in ("as usual", "events over a year"))
    right(month)
    right(year)
    best = judged(SETTINGS["as usual"], SEEDS, oracle=True)
    assert np.mean(month.ordered[30]) >= np.mean(best.ordered[30]) - 0.03
    assert np.mean(year.ordered[30]) >= np.mean(month.ordered[30]) - 0.03


def test_older_events_count_less():
    assert ages_count(np.array([0.0, 360 * DAY]))[0] >= 0.5
    counts = ages_count(np.arange(10) * 30 * DAY)
    assert (np.diff(counts) > 0).all()
    assert counts[-1] == 1


def changed(seed):
    """People whose weights become those of others in the middle of a year."""
    before, after = Choosers(Setting(), seed), Choosers(Setting(), seed + 500)
    log = {}
    for user, choices in before.log.items():
        moved = [
            replace(choice, time=DAY * (start + 180 * at / len(own)), event=f"{start}-{at}")
            for start, own in ((0, choices), (180, after.log[user]))
            for at, choice in enumerate(own)
        ]
        log[user] = moved
    return log


def test_events_age_faster_where_tastes_change():
    assert fit(Choosers(Setting(days=360), 3).log).half_life == HALF_LIFE
    lives = [fit(changed(seed)).half_life for seed in range(2)]
    assert min(lives) < HALF_LIFE
    assert set(lives) <= set(HALF_LIVES)


def test_few_events_tell_nothing_of_how_they_age():
    prior = np.ones(1), np.ones(1)
    assert best_half_life([[]], {"c0": 0}, prior, Effects.start()) == HALF_LIFE


def test_people_alike_are_told_from_people_far_apart():
    alike, apart = (
        fit(Choosers(SETTINGS[name], 1).log) for name in ("people alike", "people far apart")
    )
    assert alike.spread / alike.scale**2 < apart.spread / apart.scale**2
