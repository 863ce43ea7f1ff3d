"""Fit the reader of dialogue acts: one log-linear model an act, on turns with values masked.

Turns come from the Schema-Guided Dialogue corpus (train split, one service a dialogue), from
users' turns of ClarQ-LLM (which no booking corpus' acts fit: they count against rare acts only),
from requests that people wrote, and from templates. Each service and each template is held out
of one of `FOLDS` fits, to fit the thresholds and to measure; the weights that ship are fitted on
everything. Two minutes.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dialogs.conversation.acts import (
    BUCKETS,
    FAMILIES,
    LABELS,
    feature_buckets,
    masked,
    together,
)
from .generation import act_sentences
from .labelled_requests import KNOWN
from .request_records import GoldValue, development, read_requests, written

SGD_ACTS = {
    "INFORM": "inform",
    "INFORM_INTENT": "inform intent",
    "REQUEST": "ask value",
    "AFFIRM": "affirm",
    "AFFIRM_INTENT": "affirm intent",
    "SELECT": "affirm select",
    "NEGATE": "negate",
    "NEGATE_INTENT": "negate intent",
    "REQUEST_ALTS": "ask_more",
    "THANK_YOU": "thanks",
    "GOODBYE": "end",
}
"""Acts of the corpus, and the labels they are."""

TEMPLATE_ACTS = {
    "intent": "inform intent",
    "select": "affirm select",
    "keep": "negate keep",
    "retract_all": "retract all",
}
NAMES = tuple(f"{name} {topic}".strip() for name, topic in LABELS)
PLACES = {name: place for place, name in enumerate(NAMES)}

EXPANSIONS, MADE_WEIGHT = 30, 1.0
UNTOLD, MISTAKEN = 0.15, 0.15
"""Shares of made turns without what was said before, and with a word taken for something."""

FOLDS = 3
EPOCHS, PENALTY = 12, 1.5e-6
"""Passes over the turns, and how much large weights cost."""

LOST = 8.0
"""Words taken for a wish that a wish lost is worth."""

GRID = np.concatenate([np.arange(0.01, 0.2, 0.01), np.arange(0.2, 0.9, 0.02)])
VALUES = (
    "red|blue|diesel|petrol|Toyota|Berlin|Paris|north|south|Italian|Thai|vegan|rock|jazz|pop|Java|"
    "React|TypeScript|remote|automatic|manual|SUV|sedan|pickup|oak|leather|cotton|large|medium|"
    "Nord|West|San Jose|Oakland|Lenovo|Samsung|4k|OLED|terraced house|studio|horror|comedy|"
    "full time|Ford|Honda Civic|New York|Spanish|silver|black|Mercedes|apartment|loft|flat|house"
).split("|")
COLUMNS = (
    "price|rent|colour|year|size|brand|fuel|mileage|district|rooms|weight|rating|salary|city|"
    "bedrooms|pool|parking|wifi|balcony|screen size|battery|memory|storage|engine size|MPG|msrp|"
    "horsepower|distance|duration|cuisine|hours|warranty|stars|pets|smoking|seats|range"
).split("|")


@dataclass
class Turn:
    """A masked turn: its features, labels, and which labels it says nothing about."""

    features: NDArray[np.int64]
    labels: frozenset[str]
    silent: frozenset[str] = frozenset()
    group: str = ""
    weight: float = 1.0


def train(sgd: Path, clarq: Path | None, out: Path, seed: int = 0) -> dict[str, Any]:
    """Fit on the folders of the corpora, write the arrays to `out`, return the figures.

    Raises `OSError` where the corpus is not there.
    """
    asked = () if clarq is None else clarq_turns(clarq)
    turns = [*sgd_turns(sgd), *asked, *written_turns(), *made_turns(seed)]
    chances = np.zeros((len(turns), len(NAMES)))
    for held in _folds(turns, seed):
        fitted = _fit(
            [turn for turn, out_of_it in zip(turns, ~held, strict=True) if out_of_it], seed
        )
        measured = [turn for turn, in_it in zip(turns, held, strict=True) if in_it]
        chances[held] = _chances(measured, *fitted)
    thresholds, figures = _thresholds(turns, chances)
    kept = _kept(turns, chances)
    _write(out, *_fit(turns, seed), thresholds, kept)
    return {"turns": len(turns), "kept": kept, "by_label": figures}


def sgd_turns(folder: Path) -> Iterator[Turn]:
    """Yield the users' turns of dialogues of one service."""
    unsaid = frozenset(NAMES) - {*SGD_ACTS.values(), "dont_care", "correct"}
    vague = {"ask value", "ask_more", "inform intent"}
    with gzip.open(folder / "dialogues.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            dialogue = json.loads(line)
            if len(dialogue["services"]) != 1:
                continue
            before, state = "", dict[str, list[str]]()
            for turn in dialogue["turns"]:
                frame = turn["frames"][0] if turn["frames"] else None
                if turn["speaker"] == "U" and frame is not None:
                    labels = _sgd_labels(frame, state)
                    state = frame["state"]
                    text = masked(turn["text"], [(s, e) for _, s, e in frame.get("spans", ())])
                    # Whether such a turn is another of our acts the corpus does not say.
                    silent = unsaid if labels & vague else frozenset[str]()
                    if "inform" in labels:
                        silent |= {"ask_better", "ask items", "negate keep"}
                    group = dialogue["services"][0]
                    yield Turn(feature_buckets(text, before), labels, silent, group)
                    if frame.get("spans"):
                        bare = feature_buckets(turn["text"], before)
                        yield Turn(bare, labels, silent, group, 0.3)
                before = turn["text"]


def _sgd_labels(frame: dict[str, Any], state: dict[str, list[str]]) -> frozenset[str]:
    labels = {SGD_ACTS[act] for act, *_ in frame["acts"] if act in SGD_ACTS}
    informed = [values for act, _, values, *_ in frame["acts"] if act == "INFORM"]
    if any(values == ["dontcare"] for values in informed):
        labels.add("dont_care")
        if all(values == ["dontcare"] for values in informed):
            labels.discard("inform")
    changed = any(
        slot in state and not set(state[slot]) & set(values)
        for slot, values in frame["state"].items()
    )
    if "inform" in labels and changed and "ask_more" not in labels:
        labels.add("correct")
    return frozenset(labels)


def clarq_turns(folder: Path) -> Iterator[Turn]:
    """Yield seekers' English turns; they are none of the rare acts, and silent of all others."""
    none = {"undo", "retract", "weigh", "dont_care", "negate keep", "ask_better", "ask count"}
    silent = frozenset(NAMES) - none
    with gzip.open(folder / "dialogues.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            dialogue = json.loads(line)
            if dialogue["lang"] != "en":
                continue
            before = ""
            for turn in dialogue["turns"]:
                if turn["speaker"] == "seeker":
                    group = f"clarq {dialogue['task']}"
                    yield Turn(feature_buckets(turn["text"], before), frozenset(), silent, group)
                before = turn["text"]


def written_turns() -> Iterator[Turn]:
    """Yield the requests that people wrote: whether they state a wish is all that is told."""
    silent = frozenset(NAMES) - {"inform"}
    for records in (written(), development(), read_requests(KNOWN / "requests.jsonl")):
        for request in records.requests:
            gold = request.gold
            states = bool(gold.constraints or gold.objectives or gold.leanings)
            if not states and (gold.waived or gold.optional or gold.not_understood):
                continue
            labels = frozenset({"inform"} if states else ())
            before = request.before or ""
            said = [wish.value for wish in gold.constraints]
            values = [span for value in said for span in _spans(request.text, value)]
            for text in dict.fromkeys((masked(request.text, values), request.text)):
                features = feature_buckets(text, before)
                yield Turn(features, labels, silent - labels, f"written {request.catalog}")


def _spans(text: str, value: GoldValue) -> Iterator[tuple[int, int]]:
    """Yield where a value's words stand in a text."""
    for said in value if isinstance(value, list) else [value]:
        for found in re.finditer(rf"(?<!\w){re.escape(str(said))}", text, re.IGNORECASE):
            yield found.span()


def made_turns(seed: int) -> Iterator[Turn]:
    """Yield sentences of the templates, values and columns masked or not."""
    dice = Random(seed)
    doubtful = {
        "affirm": {"affirm intent", "affirm select"},
        "affirm select": {"affirm", "affirm intent"},
        "negate": {"negate intent"},
        "correct": {"inform intent", "negate"},
        "ask_better": {"inform", "ask_more", "negate"},
        "ask items": {"ask_more"},
        "retract": {"dont_care"},
        "retract all": {"retract", "undo"},
        "dont_care": {"retract"},
        "negate keep": {"inform", "weigh"},
        "weigh": {"inform"},
    }
    for sentence in act_sentences.written(seed, EXPANSIONS):
        labels = frozenset(_label(act, sentence.acts) for act in sentence.acts)
        silent = frozenset(name for label in labels for name in doubtful.get(label, ())) - labels
        text = _mistaken(_filled(sentence.text, dice), dice)
        before = "" if dice.random() < UNTOLD else _filled(sentence.before, dice)
        features = feature_buckets(text, before)
        yield Turn(features, labels, silent, f"template {sentence.template}", MADE_WEIGHT)


def _label(act: str, acts: Sequence[str]) -> str:
    if act in TEMPLATE_ACTS:
        return TEMPLATE_ACTS[act]
    return f"ask {act[4:]}" if act.startswith("ask_") and f"ask {act[4:]}" in PLACES else act


def _filled(text: str, dice: Random) -> str:
    """Return a template's text with masks, or with words that no reader took for anything."""
    for mark, mask, share, among in (
        ("{v}", " <v> ", 0.7, VALUES),
        ("{c}", " <c> ", 0.6, COLUMNS),
        ("{n}", "7", 1.0, ()),
    ):
        while mark in text:
            text = text.replace(mark, mask if dice.random() < share else dice.choice(among), 1)
    return text


def _mistaken(text: str, dice: Random) -> str:
    """Return a text in which a word was taken for a value or a column's name, now and then."""
    words = text.split()
    if len(words) < 2 or dice.random() >= MISTAKEN:
        return text
    words[dice.randrange(len(words))] = dice.choice(("<v>", "<c>"))
    return " ".join(words)


def _folds(turns: Sequence[Turn], seed: int) -> Iterator[NDArray[np.bool_]]:
    """Yield which turns are held out: services, tasks and templates, each held out once."""
    groups = sorted({turn.group for turn in turns})
    Random(seed).shuffle(groups)
    places = {group: place % FOLDS for place, group in enumerate(groups)}
    fold = np.array([places[turn.group] for turn in turns])
    for held in range(FOLDS):
        yield fold == held


def _matrix(turns: Sequence[Turn]) -> Any:
    ends = np.cumsum([0, *(len(turn.features) for turn in turns)])
    places = np.concatenate([turn.features for turn in turns])
    sizes = np.array([len(turn.features) for turn in turns])
    shares = np.repeat(1.0 / np.sqrt(sizes), sizes)
    sparse: Any = import_module("scipy.sparse")
    return sparse.csr_matrix((shares, places, ends), shape=(len(turns), BUCKETS))


def _fit(turns: Sequence[Turn], seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return weights of shape (labels, buckets) and biases."""
    linear: Any = import_module("sklearn.linear_model")
    matrix = _matrix(turns)
    weights, biases = np.zeros((len(NAMES), BUCKETS)), np.zeros(len(NAMES))
    for place, name in enumerate(NAMES):
        told = np.array([name not in turn.silent for turn in turns])
        classes = np.array([name in turn.labels for turn in turns])
        importance = np.array([turn.weight for turn in turns])
        model = linear.SGDClassifier(
            loss="log_loss",
            alpha=PENALTY,
            max_iter=EPOCHS,
            tol=None,
            average=True,
            random_state=seed,
        )
        model.fit(matrix[told], classes[told], sample_weight=importance[told])
        weights[place], biases[place] = model.coef_[0], model.intercept_[0]
    return weights, biases


def _chances(
    turns: Sequence[Turn], weights: NDArray[np.float64], biases: NDArray[np.float64]
) -> NDArray[np.float64]:
    scores = np.asarray(_matrix(turns) @ weights.T) + biases
    return 1.0 / (1.0 + np.exp(-np.clip(scores, -30, 30)))


def _thresholds(
    turns: Sequence[Turn], chances: NDArray[np.float64]
) -> tuple[NDArray[np.float64], dict[str, dict[str, float]]]:
    """Return the threshold of each label where F1 is best, and the figures there."""
    columns = [(name, {name}, chances[:, place]) for place, name in enumerate(NAMES)]
    columns += [
        (family, {NAMES[place] for place in places}, together(chances[:, places]))
        for family, places in FAMILIES.items()
    ]
    thresholds, figures = list[float](), dict[str, dict[str, float]]()
    for name, labels, chance in columns:
        told = np.array(
            [labels & turn.labels != set() or not labels & turn.silent for turn in turns]
        )
        truth = np.array([labels & turn.labels != set() for turn in turns])[told]
        figures[name] = _best(truth, chance[told])
        thresholds.append(figures[name]["threshold"])
    return np.array(thresholds), figures


def _best(truth: NDArray[np.bool_], chance: NDArray[np.float64]) -> dict[str, float]:
    """Return the figures at the threshold where F1 is best."""
    best: tuple[float, ...] = (-1.0, 0.5, 0.0, 0.0)
    for threshold in GRID:
        taken = chance >= threshold
        right = int((taken & truth).sum())
        precision, recall = right / max(1, taken.sum()), right / max(1, truth.sum())
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
        best = max(best, (f1, float(threshold), precision, recall))
    names = ("f1", "threshold", "precision", "recall")
    figures = {name: round(float(part), 3) for name, part in zip(names, best, strict=True)}
    return {"turns": int(truth.sum()), **figures}


def _kept(turns: Sequence[Turn], chances: NDArray[np.float64]) -> float:
    """Return the chance of `inform` that tells turns that state something from empty ones best.

    Empty are the sentences of no act, foreign ones and nonsense among them. Best is the largest
    difference between the shares of both that reach it; a wish lost costs as much as `LOST`
    words taken for one.
    """
    stated = np.array(["inform" in turn.labels for turn in turns])
    told = np.array([turn.group.startswith(("template", "written")) for turn in turns])
    empty = np.array([not turn.labels for turn in turns]) & told
    shares = [
        (LOST * (chances[stated, 0] >= at).mean() - (chances[empty, 0] >= at).mean(), at)
        for at in np.geomspace(0.001, 0.5, 60)
    ]
    return float(max(shares)[1])


def _write(
    out: Path,
    weights: NDArray[np.float64],
    biases: NDArray[np.float64],
    thresholds: NDArray[np.float64],
    kept: float,
) -> None:
    scales: NDArray[np.float64] = np.maximum(np.abs(weights).max(axis=1), 1e-6) / 127.0
    steps: NDArray[np.float64] = np.round(weights / scales[:, None])
    np.savez_compressed(
        out,
        weights=steps.astype(np.int8),
        scales=scales.astype(np.float32),
        biases=biases.astype(np.float32),
        thresholds=thresholds.astype(np.float32),
        kept=np.float32(kept),
    )
