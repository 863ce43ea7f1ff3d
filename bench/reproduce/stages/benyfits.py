"""BeNYfits: what the data hold, and conversations that decide who is eligible, without a model."""

from __future__ import annotations

from functools import partial
from statistics import fmean
from typing import Any, cast

from ....catalogs.errors import QueryError
from ...benyfits.building import build, limits_of
from ...benyfits.components import Components, recorded_programs
from ...benyfits.feature_counts import feature_counts
from ...benyfits.person_session import STUDY_PAIRS, study_households
from ...benyfits.published_data import BenyfitsData, read_benyfits
from ...benyfits.report import report_of, run_conversations
from ...benyfits.sampling import Sampler
from ...progress import uncounted
from ..stage import Context, Found, Input, Stage

FOLDER = "benyfits"
INPUTS = (
    Input(f"{FOLDER}/features.jsonl", 124),
    Input(f"{FOLDER}/programs.jsonl", 82),
    Input(f"{FOLDER}/households.jsonl.gz", 82),
    Input(f"{FOLDER}/eligibility_labels.jsonl.gz", 4_674),
)
DRAWN = 1_000
"""Households that the builder draws; the document draws 10,000."""

LEFT_OUT = ("per_program", "failures", "unfaithful")
RUNS = (
    ("diverse", "joint", True),
    ("diverse", "joint-topics", False),
    ("diverse", "published-together", False),
    ("diverse", "published", False),
    ("diverse", "random", True),
    ("representative", "joint", True),
    ("representative", "joint-topics", False),
    ("representative", "published-together", False),
    ("representative", "published", False),
    ("representative", "random", True),
    ("user_study", "joint", True),
)
"""Households, planner (`random`: a coin for each pair), and whether `--quick` runs it."""


def counts(context: Context) -> Found:
    """Count what the document tells of its programs, features, households and labels."""
    data = read_benyfits(context.folder(FOLDER))
    try:
        features = feature_counts(data, recorded_programs(data)).record()
    except QueryError:
        # The data may be of a kind that does not name them.
        features = None
    return {
        "features": features,
        "sets": {name: _set(data, name) for name in ("diverse", "representative")},
    }


def _spread(values: list[int]) -> dict[str, float]:
    return {"min": min(values), "max": max(values), "mean": round(fmean(values), 4)}


def _set(data: BenyfitsData, name: str) -> dict[str, Any]:
    """Return a set's households and pairs, and its labels by program where there are any."""
    households = data.of(cast("Any", name))
    pairs = [(h.household, program) for h in households for program in h.target_programs]
    labels = {pair: data.labels[pair].eligible for pair in pairs if pair in data.labels}
    programs: dict[str, dict[str, int]] = {}
    for household, program in pairs:
        if (household, program) in labels:
            eligible = labels[household, program]
            found = programs.setdefault(program, {"positive": 0, "negative": 0})
            found["positive" if eligible else "negative"] += 1
    return {
        "households": len(households),
        "pairs": len(pairs),
        "labelled": sum(pair in labels for pair in pairs),
        "targets": _spread([len(household.target_programs) for household in households]),
        "programs": dict(sorted(programs.items())),
    }


def conversations(
    dataset: str, planner: str, context: Context, *, pairs: int | None = None
) -> Found:
    """Hold the conversations of a set of households, or of drawn pairs of it; return figures."""
    data = read_benyfits(context.folder(FOLDER))
    programs = recorded_programs(data)
    method = {"method": "random"} if planner == "random" else {"planner": planner}
    components = Components(data, programs, **cast("Any", method))
    households = data.of(cast("Any", dataset))
    households = study_households(households, pairs) if pairs else households
    dialogues = run_conversations(components, households, uncounted)
    setting = {"dataset": dataset, **components.setting}
    record = report_of(dialogues, data, programs, setting).record()
    return {name: value for name, value in record.items() if name not in LEFT_OUT}


def built(context: Context) -> Found:
    """Draw households and keep few that run every line of the checkers."""
    data = read_benyfits(context.folder(FOLDER))
    programs = recorded_programs(data)
    sampler = Sampler(data.features, "uniform", limits_of(programs, programs.keys))
    drawn = sampler.households(DRAWN, 0)
    return dict(build(drawn, programs, data.features, uncounted).record())


def _command(dataset: str, planner: str) -> str:
    start = f"concede bench benyfits --data DIR/{FOLDER} --dataset {dataset} --offline"
    if planner == "random":
        return f"{start} --method random"
    return start if planner == "joint" else f"{start} --planner {planner}"


STAGES = (
    Stage("benyfits-counts", counts, INPUTS, f"concede bench benyfits-build --data DIR/{FOLDER}"),
    *(
        Stage(
            f"benyfits-{dataset.replace('_', '-')}-{planner}",
            partial(conversations, dataset, planner),
            INPUTS,
            _command(dataset, planner),
            quick=quick,
        )
        for dataset, planner, quick in RUNS
    ),
    Stage(
        "benyfits-pairs-joint",
        partial(conversations, "diverse", "joint", pairs=STUDY_PAIRS),
        INPUTS,
        f"{_command('diverse', 'joint')} --pairs {STUDY_PAIRS}",
    ),
    Stage(
        "benyfits-built",
        built,
        INPUTS,
        f"concede bench benyfits-build --data DIR/{FOLDER} --households {DRAWN}",
        quick=False,
    ),
)
