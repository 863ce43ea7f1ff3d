"""Everything that understands people, trained by one call: readers, acts and tracker.

Each part's weights are one small file, with a manifest beside it: seed, sizes, sources and the
attribution that they ask for. The same seed and data make the same bytes.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..progress import Counted, uncounted
from ..text_files import naming, write_text
from .labelled_set import Sources, labelled_set

PACKAGE = Path(__file__).resolve().parents[2]

ATTRIBUTION = {
    "made": "Sentences made by bench/understanding/generation; Apache-2.0.",
    "known": "Requests of bench/understanding/known; Apache-2.0.",
    "sgd": (
        "Schema-Guided Dialogue dataset, A. Rastogi, X. Zang, S. Sunkara, R. Gupta, P. Khaitan: "
        "Towards Scalable Multi-Domain Conversational Agents, AAAI 2020; CC BY-SA 4.0, "
        "https://github.com/google-research-datasets/dstc8-schema-guided-dialogue. "
        "Train split only; none of its sentences is part of this package."
    ),
    "clarq": (
        "ClarQ-LLM, Y. Gan et al., arXiv 2409.06097; MIT, https://github.com/ygan/ClarQ-LLM. "
        "None of its sentences is part of this package."
    ),
    "aware_us": (
        "AWARE-US, https://github.com/mhtkrmz/Infeasible-task, training split only. "
        "None of its sentences is part of this package."
    ),
    "turns": "Turns of bench/understanding/turns; Apache-2.0.",
    "base": (
        "all-MiniLM-L6-v2, sentence-transformers; Apache-2.0, "
        "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2. Its layers and its "
        "commonest word pieces, fine-tuned and rounded to bytes."
    ),
}
"""What is said of each source beside the weights."""


@dataclass(frozen=True, slots=True)
class Trained:
    """A part that was trained: its file, of how many bytes, and what was said of it."""

    part: str
    path: Path
    size: int
    figures: Mapping[str, Any]

    def record(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {
            "part": self.part,
            "path": str(self.path),
            "bytes": self.size,
            "figures": dict(self.figures),
        }


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the reading: where its weights lie, its sources, and what trains it."""

    home: str
    sources: tuple[str, ...]
    train: Callable[[Sources, Path, Counted], Mapping[str, Any]]


def train_reader(sources: Sources, out: Path, counted: Counted) -> Mapping[str, Any]:
    """Fit the reader of wishes on the sentences of all sources; return its sizes."""
    from .train_reader import train

    with tempfile.TemporaryDirectory() as folder:
        labelled = labelled_set(sources, Path(folder), counted)
        train(labelled.sentences, labelled.catalogs, out, tell=False)
    return {"sentences": labelled.sizes}


def train_acts(sources: Sources, out: Path, counted: Counted) -> Mapping[str, Any]:
    """Fit the reader of dialogue acts."""
    from .train_acts import train

    return train(_required(sources.sgd), sources.clarq, out, sources.seed)


def train_wished(sources: Sources, out: Path, counted: Counted) -> Mapping[str, Any]:
    """Fit the decision whether a turn wishes for anything."""
    from .train_wished import train

    _required(sources.sgd)
    with tempfile.TemporaryDirectory() as folder:
        return train(labelled_set(sources, Path(folder), counted), sources, out, counted)


def train_telling(sources: Sources, out: Path, counted: Counted) -> Mapping[str, Any]:
    """Fit which words, if not understood, would be missed."""
    from .train_telling import train

    return train(out, sources.seed, counted)


def train_tracker(sources: Sources, out: Path, counted: Counted) -> Mapping[str, Any]:
    """Fit the tracker of what was wished so far, on what readers trained beside it read."""
    from ...dialogs.conversation.acts import ActModel
    from ...dialogs.extraction.network import fitted
    from .train_tracker import train

    # What was just trained, not what was read before.
    fitted.cache_clear()
    ActModel.fitted.cache_clear()
    beside = (out.with_name("reader.npz"), out.with_name("acts.npz"))
    weights = beside if all(path.is_file() for path in beside) else None
    train(_required(sources.sgd), out, weights=weights, counted=counted)
    return {}


def train_phrasing(sources: Sources, out: Path, counted: Counted) -> Mapping[str, Any]:
    """Fit the encoder of the words around what is meant; raise `QueryError` without a base.

    It learns which turns wish for anything from readings of readers trained for that.
    `sources.further` begins with the weights that ship; how things are meant it then learns from
    what people wrote alone.
    """
    sgd = _required(sources.sgd)
    from ...dialogs.extraction.phrasing import FILE
    from ...dialogs.language.encoder import embeddings
    from .encoder_training import base_folder, from_base
    from .phrasing_examples import phrased_messages
    from .train_phrasing import FURTHER, LAYERS, FittedPhrasing, fit, from_file, write_phrasing
    from .turns_read import phrased_turns, read_all

    if sources.further:
        model = from_file(FILE, embeddings())
    else:
        model = FittedPhrasing(from_base(base_folder(sources.base), LAYERS))
    with tempfile.TemporaryDirectory() as folder:
        labelled = labelled_set(sources, Path(folder), counted)
        messages = phrased_messages(labelled.sentences, labelled.catalogs)
        examples = read_all(labelled, sgd, sources.seed, None, shifts={}, counted=counted)
        turns = phrased_turns(examples, sources.seed)
    if sources.further:
        messages = [message for message in messages if message.by_hand]
    how: Mapping[str, Any] = FURTHER if sources.further else {}
    write_phrasing(fit(model, messages, turns, seed=sources.seed, counted=counted, **how), out)
    return {"messages": len(messages), "turns": len(turns)}


def train_turns(sources: Sources, out: Path, counted: Counted) -> Mapping[str, Any]:
    """Fit the encoder of turns on turns labelled by hand.

    It begins as that of phrasing, or with `sources.further` as the one that ships: that learns
    from turns typed to the assistant itself, and from some of the others.
    """
    import numpy as np

    from ...dialogs.conversation import turn_encoder
    from ...dialogs.extraction import phrasing
    from ...dialogs.language.encoder import embeddings
    from .encoder_training import from_written
    from .train_turns import FURTHER, FittedTurns, averaged, fit, from_file, further, write_turns
    from .turn_records import READ, SPOKEN, TYPED, WRITTEN, read_turns

    typed = list(read_turns(TYPED))
    turns = [turn for path in (WRITTEN, READ, SPOKEN) for turn in read_turns(path)]
    if sources.further:
        model = from_file(turn_encoder.FILE, embeddings())
        turns = further(typed, turns)
    else:
        with np.load(phrasing.FILE, allow_pickle=False) as stored:
            model = FittedTurns(from_written(stored, embeddings()))
        turns += typed
    how: Mapping[str, Any] = FURTHER if sources.further else {}
    fitted = fit(model, turns, seed=sources.seed, counted=counted, **how)
    if sources.further:
        fitted = averaged(from_file(turn_encoder.FILE, embeddings()), fitted)
    write_turns(fitted, out)
    return {"turns": len(turns)}


def train_wished_parts(sources: Sources, out: Path, counted: Counted) -> Mapping[str, Any]:
    """Fit which parts of what is found in a turn are wished for."""
    from .train_wished_parts import train

    return train(out, counted)


def _required(folder: Path | None) -> Path:
    if folder is None:
        raise ValueError("the folder of SGD is needed")
    return folder


PARTS = {
    "reader": Part(
        "dialogs/extraction/reader.npz", ("made", "known", "sgd", "clarq", "aware_us"), train_reader
    ),
    "phrasing": Part(
        "dialogs/extraction/phrasing.npz",
        ("made", "known", "sgd", "clarq", "aware_us", "base"),
        train_phrasing,
    ),
    "wished": Part(
        "dialogs/extraction/wished.npz", ("made", "known", "sgd", "clarq", "aware_us"), train_wished
    ),
    "telling": Part("dialogs/extraction/telling.npz", ("turns",), train_telling),
    "acts": Part("dialogs/conversation/acts.npz", ("made", "sgd", "clarq"), train_acts),
    "tracker": Part("dialogs/conversation/tracker.npz", ("sgd",), train_tracker),
    "turns": Part("dialogs/conversation/turns.npz", ("turns", "base"), train_turns),
    "wished_parts": Part("dialogs/conversation/wished_parts.npz", ("turns",), train_wished_parts),
}
"""What is trained, in order: what comes later reads by what comes before."""

LIGHT = ("reader", "wished", "telling", "acts", "tracker", "wished_parts")
"""The parts that need no PyTorch, in an hour on one core."""


def train_understanding(
    sources: Sources,
    out: Path | None = None,
    parts: tuple[str, ...] = LIGHT,
    counted: Counted = uncounted,
) -> list[Trained]:
    """Train parts and write their weights to `out`, or where the readers load them from.

    Raises `UnreadableFile` for data that is not there or weights that cannot be written.
    """
    return [_trained(name, sources, out, counted) for name in parts]


def _trained(name: str, sources: Sources, out: Path | None, counted: Counted) -> Trained:
    part = PARTS[name]
    path = PACKAGE / part.home if out is None else out / f"{name}.npz"
    with naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        figures = part.train(sources, path, counted)
        written = path.read_bytes()
    write_text(path.with_suffix(".json"), _manifest(part, sources, figures, written))
    return Trained(name, path, len(written), figures)


def _manifest(part: Part, sources: Sources, figures: Mapping[str, Any], weights: bytes) -> str:
    """Return what is written beside weights; no paths and no date, so that it is the same again."""
    given = {
        "made": True,
        "known": True,
        "sgd": sources.sgd,
        "clarq": sources.clarq,
        "aware_us": sources.aware_us,
        "turns": True,
        "base": True,
    }
    used = [name for name in part.sources if given[name]]
    record = {
        "command": "concede train understanding",
        "seed": sources.seed,
        "made": sources.made,
        "catalogs": sources.catalogs,
        "most": {
            "sgd": sources.most_sgd,
            "clarq": sources.most_clarq,
            "aware_us": sources.most_aware_us,
        },
        "figures": dict(figures),
        "sha256": sha256(weights).hexdigest(),
        "attribution": {name: ATTRIBUTION[name] for name in used},
    }
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"
