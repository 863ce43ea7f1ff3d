"""Instances of a setting from a catalog: slices, hits, weights, gold items, records, and splits.

At most 2,000 slices are searched and held in memory.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...catalogs.catalog import Catalog
from ...catalogs.errors import QueryError
from ...catalogs.query.constraint import Constraint
from ..progress import Counted, uncounted
from .balanced_sampling import balanced_samples, complete_draw, first_hit_draw, round_robin, seed_of
from .columns import AskedColumn, asked_columns
from .columns import base_columns as chosen_base_columns
from .predicates import candidate_slice, strictness_of
from .records import Draft, Record, draft, record_of, tight_queries
from .settings import Setting, setting_named
from .slices import FEWEST_ROWS, FEWEST_SUPPORT, MOST_ROWS, Slice, Strictness, base_slices

MOST_INSTANCES = 200_000
MOST_SLICES = 2_000
"""Slices that are looked at, a random choice where there are more; they are held in memory."""


@dataclass(frozen=True)
class Plan:
    """What instances are made of."""

    catalog: Catalog
    setting: Setting
    bases: Sequence[tuple[Constraint, ...]]
    columns: Sequence[AskedColumn]
    strictness: Strictness
    support: int

    def parts(self, progress: Counted) -> Iterator[Slice]:
        """Yield the slices that have enough candidates."""
        for base in progress(self.bases, "searching base slices"):
            part = candidate_slice(
                self.catalog, base, self.columns, strictness=self.strictness, support=self.support
            )
            if len(part.constraints) >= self.setting.size:
                yield part


def generate(
    catalog: Catalog,
    setting: str | Setting,
    count: int,
    seed: int = 0,
    *,
    base_columns: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    max_tightness: int | None = None,
    split: float | None = None,
    first_hit: bool = False,
    strictness: Strictness | None = None,
    fewest: int = FEWEST_ROWS,
    most: int = MOST_ROWS,
    support: int = FEWEST_SUPPORT,
    progress: Counted = uncounted,
) -> list[Record]:
    """Return `count` different instances of a setting as records of the published shape.

    Fewer are returned where there are no more. The same arguments give the same records, and
    slices take turns, so that none dominates. `setting` is a name (`setting_named`);
    `base_columns` and `columns` are chosen from the catalog's profile where not given
    (`columns`); `max_tightness` bounds the sum
    of the drop-one counts (AWARE-US, section 2.3); `split` is the share of instances marked
    "train", by whole slices; `first_hit` takes the first hits of random searches, as published,
    instead of a sample of all hits. `strictness`, `support` and the rows of a slice, `fewest`
    to `most`, say what candidates there are (`predicates.candidate_slice`). `progress` wraps
    the sequences that are gone through.

    The gold relaxation is the constraint of lowest weight, the gold item what `RepairEngine`
    ranks first once it is dropped (`gold`). Raises `QueryError` for what cannot be meant, and
    `UnknownColumn`.
    """
    wanted = setting if isinstance(setting, Setting) else setting_named(setting)
    _check(wanted, count, max_tightness, split, first_hit, fewest, most, support)
    base = chosen_base_columns(
        catalog, base_columns, columns, wanted.size, fewest=fewest, most=most
    )
    asked_about = asked_columns(catalog, columns, base)
    _check_columns(wanted, asked_about)
    bases = base_slices(catalog, base, fewest=fewest, most=most)
    random.Random(seed_of(seed, "slices")).shuffle(bases)
    levels = strictness_of(wanted) if strictness is None else strictness
    plan = Plan(catalog, wanted, bases[:MOST_SLICES], asked_about, levels, support)
    drafts = _drafts(plan, count, seed, max_tightness, first_hit, progress)
    records = _records(catalog, drafts, seed, progress)
    return records if split is None else with_split(records, split, seed)


def _drafts(
    plan: Plan, count: int, seed: int, max_tightness: int | None, first_hit: bool, progress: Counted
) -> list[Draft]:
    setting = plan.setting
    make = first_hit_draw if first_hit else complete_draw
    draw = make(setting.sought, seed, max_tightness)
    drawn = balanced_samples(plan.parts(progress), len(plan.bases), draw, count)
    return [
        draft(setting, part, tight, seed)
        for part, hit in round_robin(drawn, count)
        for tight in tight_queries(part, hit, setting.sought)
    ]


def _records(
    catalog: Catalog, drafts: Sequence[Draft], seed: int, progress: Counted
) -> list[Record]:
    numbered = list(enumerate(drafts, start=1))
    return [
        record_of(catalog, draft, number, seed)
        for number, draft in progress(numbered, "ranking what remains")
    ]


def _check(
    setting: Setting,
    count: int,
    max_tightness: int | None,
    split: float | None,
    first_hit: bool,
    fewest: int,
    most: int,
    support: int,
) -> None:
    if not 1 <= count <= MOST_INSTANCES:
        raise QueryError(f"count is {count}", hint=f"ask for 1 to {MOST_INSTANCES:,}")
    if not 1 <= fewest <= most:
        raise QueryError(f"slices of {fewest} to {most} rows", hint="give 1 ≤ fewest ≤ most")
    if support < 1:
        raise QueryError(f"support is {support}", hint="give at least 1")
    if max_tightness is not None and max_tightness < 1:
        raise QueryError(f"tightness of at most {max_tightness}", hint="give at least 1")
    if split is not None and not 0 < split < 1:
        raise QueryError(f"split is {split}", hint="give the training share, such as 0.8")
    if first_hit and setting.sought == "MUS-3":
        raise QueryError("no random first hit for mus:3", hint="leave it to the full search")


def _check_columns(setting: Setting, columns: Sequence[AskedColumn]) -> None:
    if len(columns) < setting.size:
        listed = ", ".join(column.name for column in columns) or "none"
        problem = f"{setting.name} asks about {setting.size} columns, and there are {len(columns)}"
        raise QueryError(f"{problem} besides the base: {listed}", hint="name others")


def with_split(records: Sequence[Record], share: float, seed: int) -> list[Record]:
    """Return the records with a `split` each: about `share` of them "train", the others "test".

    Whole slices go to a part, in random order, so the shares are as near as slices allow, and
    two slices or more give neither part nothing. Raises `QueryError` for a share outside 0..1.
    """
    if not 0 < share < 1:
        raise QueryError(f"split is {share}", hint="give the training share, such as 0.8")
    sizes = Counter(map(_base, records))
    order = sorted(sizes)
    random.Random(seed_of(seed, "split")).shuffle(order)
    train: set[str] = set()
    filled = 0
    # The last slice is left for the test part, and the first taken for training.
    for base in order[:-1] or order:
        if not train or filled + sizes[base] / 2 <= share * len(records):
            train.add(base)
            filled += sizes[base]
    return [
        {**record, "split": "train" if _base(record) in train else "test"} for record in records
    ]


def _base(record: Record) -> str:
    return json.dumps(record["base"], sort_keys=True, ensure_ascii=False)
