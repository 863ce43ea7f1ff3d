"""The leaderboard: figures of all sources by kind of episode and setting, ranked by relax match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..aware_us.rows import ALL, setting_place
from ..aware_us.transcripts import LABELS
from ..runs.result_file import Figures, Interval
from .sources import Source

KIND_LABELS = LABELS[1:]
NONE = "none"
MOST_SETTINGS = 24
"""The most settings that have a table; the published benchmark has three."""

PARTS = ("weighter", "policy")

Kind = tuple[str, ...]
"""One way to hold conversations: the source's name, then a value of each of `KIND_LABELS`."""


@dataclass(frozen=True)
class Line:
    """The figures of one kind of episode on one setting; `where` names its source."""

    where: str
    figures: Figures

    @property
    def setting(self) -> str:
        """The setting, `all` over several."""
        return self.figures.labels.get("setting", ALL)

    @property
    def kind(self) -> Kind:
        """What stands behind the figures."""
        return kind_of(self.where, self.figures.labels)

    def value(self, name: str) -> float | None:
        """Return a metric; None where it is not defined."""
        return self.figures.values.get(name)

    def interval(self, name: str) -> Interval | None:
        """Return the 95 % interval of a metric where there is one."""
        return self.figures.intervals.get(name)


def kind_of(where: str, labels: Mapping[str, str]) -> Kind:
    """Return the kind of an episode or a row."""
    return (where, *(labels.get(name, NONE) for name in KIND_LABELS))


def lines_of(sources: Iterable[Source]) -> list[Line]:
    """Return the rows of all sources as lines."""
    return [Line(source.name, row) for source in sources for row in source.figures]


def settings_of(lines: Iterable[Line]) -> list[str]:
    """Return the settings: the instances' own by name, then `all`, then the runs of Table 5."""
    return sorted({line.setting for line in lines}, key=setting_place)


def settings_shown(settings: Sequence[str]) -> list[str]:
    """Return the settings worth a table: of one alone, not `all` as well; not too many."""
    own = [setting for setting in settings if setting != ALL]
    if len(own) < 2:
        return own or list(settings)
    kept = own[:MOST_SETTINGS]
    return [setting for setting in settings if setting in kept or setting == ALL]


def ranked(lines: Iterable[Line], setting: str) -> list[Line]:
    """Return the lines of a setting, by relax match, car match and then name."""
    return sorted((line for line in lines if line.setting == setting), key=_rank)


def _rank(line: Line) -> tuple[float, float, Kind]:
    return -(line.value("relax_match") or 0), -(line.value("car_match") or 0), line.kind


def kind_name(kind: Kind) -> str:
    """Return how a kind is called, beside its source: `qwen global`, `session learned fewest`."""
    return " ".join(label for label in kind[1:] if label != NONE) or NONE


def names_of(kinds: Sequence[Kind]) -> dict[Kind, str]:
    """Return what tells each kind from the others: with its source where there are several.

    A weighter or policy that is the only one is left out.
    """
    several = len({kind[0] for kind in kinds}) > 1
    places = [at for at, name in enumerate(KIND_LABELS, start=1) if name in PARTS]
    alike = [at for at in places if len({kind[at] for kind in kinds} - {NONE}) == 1]
    full = {kind: _named(kind, several) for kind in kinds}
    short = {
        kind: _named(tuple(NONE if at in alike else kind[at] for at in range(len(kind))), several)
        for kind in kinds
    }
    return short if len(set(short.values())) == len(kinds) else full


def _named(kind: Kind, several: bool) -> str:
    return f"{kind[0]}: {kind_name(kind)}" if several else kind_name(kind)


def by_kind(lines: Iterable[Line]) -> dict[Kind, dict[str, Line]]:
    """Return the lines of each kind by setting, the best over all settings first."""
    kinds: dict[Kind, dict[str, Line]] = {}
    for line in lines:
        kinds.setdefault(line.kind, {})[line.setting] = line
    return dict(sorted(kinds.items(), key=lambda pair: _overall_rank(pair[1])))


def _overall_rank(lines: Mapping[str, Line]) -> tuple[bool, tuple[float, float, Kind]]:
    """Rank by the line over all settings; what has none comes last."""
    return ALL not in lines, _rank(lines.get(ALL) or next(iter(lines.values())))


def colours(lines: Iterable[Line], count: int) -> dict[str, int]:
    """Return a colour's number for each method, the same wherever it is drawn."""
    methods = sorted({method_of(line.kind) for line in lines})
    return {name: at % count for at, name in enumerate(methods)}


def method_of(kind: Kind) -> str:
    """Return the method of a kind."""
    return kind[1 + KIND_LABELS.index("method")]
