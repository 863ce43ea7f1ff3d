"""Choices of people of known weights, without a catalog: many settings in little time.

    python tests/support/simulated_choices.py        # the table of docs/behaviour.md

What an oracle gets knows all but each person's weights: the noise, the effect of positions, mean
and spread of the weights over people.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from concede.dialogs.weighters.evidence.choices import CLICK, Choice
from concede.dialogs.weighters.evidence.logit import Effects
from concede.dialogs.weighters.evidence.person import Person, fit_person
from concede.dialogs.weighters.evidence.population import Population, fit

DAY = 86_400.0
SHOWN, PROBES = 6, 3
KNOWN = (1, 3, 10, 30)
FORMS = {
    "line": lambda at: at * 1.0,
    "log": lambda at: np.log2(1.0 + at),
    "first": lambda at: (at > 0) * 1.0,
}


@dataclass(frozen=True)
class Setting:
    """How people choose: `noise` of a utility, `slope` and form of the effect of positions.

    `apart` is the standard deviation of people's weights, None for uniform independent ones;
    `days` is the time over which a person's events are spread.
    """

    noise: float = 1 / 3
    slope: float = 0.5
    form: str = "line"
    ranked: bool = False
    people: int = 80
    apart: float | None = 0.2
    features: int = 5
    asked: tuple[int, int] = (3, 4)
    days: float = 28.0


SETTINGS: dict[str, Setting] = {
    "as usual": Setting(),
    "noisier choices": Setting(noise=0.5),
    "surer choices": Setting(noise=0.2),
    "no position effect": Setting(slope=0.0),
    "noisy, no position effect": Setting(slope=0.0, noise=0.6),
    "strong position effect": Setting(slope=1.0, form="log"),
    "first place alone": Setting(slope=1.0, form="first"),
    "best items on top": Setting(ranked=True),
    "24 people": Setting(people=24),
    "300 people": Setting(people=300),
    "9 columns, 4 to 6 asked": Setting(features=9, asked=(4, 6)),
    "events over a year": Setting(days=360),
    "people alike": Setting(apart=0.1),
    "people far apart": Setting(apart=0.3, noise=0.4),
    "uniform, independent weights": Setting(apart=None),
}


@dataclass(frozen=True)
class Asked:
    """A list that somebody saw after their log: what it met, what they took, the true weights."""

    user: str
    names: tuple[str, ...]
    weights: Any
    met: Any
    picked: int
    known: int


@dataclass
class Choosers:
    """A log, and lists to be judged by."""

    setting: Setting
    seed: int
    log: dict[str, list[Choice]] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random, setting = np.random.default_rng(1000 + self.seed), self.setting
        shape = setting.people, setting.features
        if setting.apart is None:
            self.weights = self.random.uniform(0, 1, shape)
        else:
            usual = self.random.uniform(0.15, 0.85, setting.features)
            apart = setting.apart * self.random.standard_normal(shape)
            self.weights = np.clip(usual + apart, 0, 1)
        for user in range(setting.people):
            known = KNOWN[user % len(KNOWN)]
            self.log[f"u{user}"] = [self._choice(user, at, known) for at in range(known)]
            self.asked += [self._asked(user, known) for _ in range(PROBES)]

    def _asked(self, user: int, known: int) -> Asked:
        setting, draw = self.setting, self.random
        low, high = setting.asked
        places = draw.choice(setting.features, draw.integers(low, high + 1), replace=False)
        met = (draw.random((SHOWN, len(places))) < draw.random(len(places))) * 1.0
        if setting.ranked:
            met = met[np.argsort(-met.sum(axis=1), kind="stable")]
        weights = self.weights[user, places]
        utility = met @ weights / setting.noise
        utility -= setting.slope * FORMS[setting.form](np.arange(SHOWN))
        chances = np.exp(utility - utility.max())
        picked = int(draw.choice(SHOWN, p=chances / chances.sum()))
        names = tuple(f"c{place}" for place in places)
        return Asked(f"u{user}", names, weights, met, picked, known)

    def _choice(self, user: int, at: int, known: int) -> Choice:
        asked = self._asked(user, known)
        others = [place for place in range(SHOWN) if place != asked.picked]
        order = [asked.picked, *others]
        time = DAY * self.setting.days * at / known
        rows = asked.met[order]
        return Choice(f"e{user}-{at}", time, CLICK, asked.names, rows, np.array(order), 0)


def learned(choosers: Choosers) -> Callable[[str], Person]:
    """Return what is learned of each person from the log."""
    return _people(choosers.log, fit(choosers.log))


def known_to_an_oracle(choosers: Choosers) -> Callable[[str], Person]:
    """Return what could be learned by whoever knew everything but each person's weights."""
    setting, weights = choosers.setting, choosers.weights
    effects = Effects.start()
    effects.positions[:] = 0
    place, unit = {"log": (0, 1), "line": (1, 5), "first": (2, 1)}[setting.form]
    effects.positions[CLICK, place] = setting.slope * unit
    names = [f"c{at}" for at in range(setting.features)]
    means = dict(zip(names, weights.mean(axis=0) / setting.noise, strict=True))
    spreads = dict(zip(names, weights.var(axis=0) / setting.noise**2, strict=True))
    population = Population(means, spreads, 0.5 / setting.noise, 0.3, effects)
    return _people(choosers.log, replace(population, half_life=1e6 * DAY))


def _people(log: Mapping[str, Sequence[Choice]], population: Population) -> Callable[[str], Person]:
    fitted = {user: fit_person(choices, population) for user, choices in log.items()}
    return fitted.__getitem__


@dataclass
class Judgements:
    """Pairs in the right order by events known; said and true of weights, and of choices."""

    ordered: dict[int, list[float]] = field(default_factory=dict)
    losses: list[float] = field(default_factory=list)
    sure: list[tuple[float, bool]] = field(default_factory=list)
    chances: list[tuple[float, bool]] = field(default_factory=list)

    def judge(self, choosers: Choosers, person: Callable[[str], Person]) -> None:
        """Add what is right and wrong of people."""
        for asked in choosers.asked:
            known = person(asked.user)
            judged = [known.judged(name) for name in asked.names]
            for one, truth in enumerate(asked.weights):
                near = abs(truth - judged[one].weight) <= 0.2
                self.sure.append((judged[one].confidence, near))
                for other in range(one):
                    if abs(truth - asked.weights[other]) >= 0.1:
                        right = (truth - asked.weights[other]) * (
                            judged[one].weight - judged[other].weight
                        )
                        own = self.ordered.setdefault(asked.known, [])
                        own.append(float(right > 0) + (right == 0) / 2)
            chances = known.choice(asked.names, asked.met, list(range(SHOWN)))
            self.losses.append(-np.log(chances[asked.picked]))
            self.chances += [(said, at == asked.picked) for at, said in enumerate(chances)]


def gap(said: list[tuple[float, bool]]) -> float:
    """Return the expected calibration error over ten bins."""
    pairs = np.array(said, dtype=float)
    bins = np.minimum((pairs[:, 0] * 10).astype(int), 9)
    return float(
        sum(
            (bins == one).mean() * abs(np.diff(pairs[bins == one].mean(axis=0))[0])
            for one in set(bins.tolist())
        )
    )


def judged(setting: Setting, seeds: Sequence[int], oracle: bool = False) -> Judgements:
    """Return how right what is learned of several worlds is."""
    found = Judgements()
    for seed in seeds:
        choosers = Choosers(setting, seed)
        found.judge(choosers, known_to_an_oracle(choosers) if oracle else learned(choosers))
    return found


def main() -> None:
    """Write the table of docs/behaviour.md."""
    for name, setting in SETTINGS.items():
        found, best = (judged(setting, range(200, 206), oracle) for oracle in (False, True))
        shares = [
            f"{100 * np.mean(found.ordered[known]):.0f} ({100 * np.mean(best.ordered[known]):.0f})"
            for known in KNOWN
        ]
        numbers = [
            f"{np.mean(found.losses):.2f} ({np.mean(best.losses):.2f})",
            f"{gap(found.chances):.3f}",
            f"{gap(found.sure):.3f} ({gap(best.sure):.3f})",
        ]
        print("|", " | ".join([name, *shares, *numbers]), "|", flush=True)


if __name__ == "__main__":
    main()
