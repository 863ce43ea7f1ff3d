# pyright: basic, reportArgumentType=false, reportOptionalSubscript=false, reportReturnType=false
"""Fit the reader's network to what labelled sentences teach, by Adam.

All heads share the table of hashed words; a batch of each head's examples is taken in turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from ...catalogs.versions.reader import CatalogReader
from ...dialogs.extraction.network import HEADS, Network, load
from .labelled import LabelledSentence
from .reader_examples import Examples, gather

Floats = NDArray[np.float32]

WIDTH, HIDDEN = 24, 64
"""Columns of the shared table, and units of each head's hidden layer."""


@dataclass
class Packed:
    """One head's examples as arrays."""

    rows: Floats
    starts: NDArray[np.intp]
    words: csr_matrix
    right: NDArray[np.intp]

    @classmethod
    def of(cls, examples: Examples, places: Mapping[int, int]) -> Packed:
        """Pack a head's examples, with the words that have a place in the table."""
        sizes = [len(rows) for rows in examples.rows]
        known = [[places[h] for h in words if h in places] for words in examples.words]
        counts = [len(words) for words in known]
        flat = np.fromiter((row for words in known for row in words), np.int32)
        ends = np.concatenate([[0], np.cumsum(counts)])
        words = csr_matrix(
            (np.ones(len(flat), np.float32), flat, ends), shape=(len(counts), len(places))
        )
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp)
        rows = np.concatenate(examples.rows).astype(np.float32)
        return cls(rows, starts, words, np.array(examples.right, dtype=np.intp))

    def __len__(self) -> int:
        """Groups."""
        return len(self.right)

    def part(self, groups: NDArray[np.intp]) -> Packed:
        """Return some groups."""
        sizes = np.diff(self.starts)[groups]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp)
        rows = np.repeat(self.starts[groups] - starts[:-1], sizes) + np.arange(starts[-1])
        return Packed(self.rows[rows], starts, self.words[groups], self.right[groups])


ROWS, SEEN = 18_000, 4
"""Rows of the table, and how often what gets one has to be seen."""


def placed(heads: Mapping[str, Examples]) -> dict[int, int]:
    """Return the place in the table of what tells most of any decision (chi squared)."""
    told: Counter[int] = Counter()
    for head, examples in heads.items():
        counts = Counter(h for words in examples.words for h in set(words))
        known = {h: row for row, h in enumerate(h for h, n in counts.items() if n >= SEEN)}
        packed = Packed.of(examples, known)
        right = np.minimum(packed.right, 0) + 1 if head == "option" else packed.right
        classes = np.eye(int(right.max()) + 1, dtype=np.float32)[right]
        seen = packed.words.T @ classes
        expected = seen.sum(1, keepdims=True) * classes.mean(0)
        telling = ((seen - expected) ** 2 / (expected + 1)).sum(1)
        for h, row in known.items():
            told[h] = max(told[h], float(telling[row]))  # type: ignore[assignment]
    return {known: row for row, (known, _) in enumerate(told.most_common(ROWS))}


class Fitting:
    """The network while it is fitted: weights, and Adam's two moments of each."""

    def __init__(self, sizes: Mapping[str, int], words: int, seed: int = 0) -> None:
        random = np.random.default_rng(seed)
        self.weights: dict[str, Floats] = {"table": self._drawn(random, words, WIDTH, 0.02)}
        for head, names in HEADS.items():
            size = sizes[head]
            self.weights |= {
                f"{head}.dense": self._drawn(random, size, HIDDEN, size**-0.5),
                f"{head}.words": self._drawn(random, WIDTH, HIDDEN, WIDTH**-0.5),
                f"{head}.bias": np.zeros(HIDDEN, np.float32),
                f"{head}.out": self._drawn(random, HIDDEN, len(names), HIDDEN**-0.5),
                f"{head}.end": np.zeros(len(names), np.float32),
            }
        self._means = {name: np.zeros_like(w) for name, w in self.weights.items()}
        self._squares = {name: np.zeros_like(w) for name, w in self.weights.items()}
        self._steps = 0

    @staticmethod
    def _drawn(random: np.random.Generator, rows: int, columns: int, scale: float) -> Floats:
        return (random.standard_normal((rows, columns)) * scale).astype(np.float32)

    def forward(
        self, head: str, batch: Packed, random: np.random.Generator | None = None
    ) -> tuple[Floats, Floats, Floats]:
        """Return the log-odds of every row, its hidden layer, and its words' sum.

        With `random`, a group does without some units of the layer; the others count for them.
        """
        w = self.weights
        words = batch.words @ w["table"]
        group = np.repeat(np.arange(len(batch)), np.diff(batch.starts))
        hidden = batch.rows @ w[f"{head}.dense"] + (words @ w[f"{head}.words"])[group]
        hidden = np.maximum(hidden + w[f"{head}.bias"], 0.0)
        if random is not None:
            hidden *= _kept(random, (len(batch), HIDDEN), UNUSED)[group]
        return hidden @ w[f"{head}.out"] + w[f"{head}.end"], hidden, words

    def step(
        self, head: str, batch: Packed, rate: float, decay: float, random: np.random.Generator
    ) -> float:
        """Take one step of Adam on a batch; return its loss."""
        logits, hidden, words = self.forward(head, batch, random)
        loss, slope = slopes(head, logits, batch)
        w = self.weights
        # A unit that was not left out counted for those that were.
        back = (slope @ w[f"{head}.out"].T) * (hidden > 0) / np.float32(1 - UNUSED)
        grouped = np.add.reduceat(back, batch.starts[:-1], axis=0)
        table = batch.words.T @ (grouped @ w[f"{head}.words"].T)
        self._update(
            {
                "table": table + decay * w["table"] * (np.abs(table).sum(1, keepdims=True) > 0),
                f"{head}.dense": batch.rows.T @ back + decay * w[f"{head}.dense"],
                f"{head}.words": words.T @ grouped + decay * w[f"{head}.words"],
                f"{head}.bias": back.sum(0),
                f"{head}.out": hidden.T @ slope + decay * w[f"{head}.out"],
                f"{head}.end": slope.sum(0),
            },
            rate,
        )
        return loss

    def _update(self, slopes_: Mapping[str, Floats], rate: float) -> None:
        self._steps += 1
        for name, slope in slopes_.items():
            mean, square = self._means[name], self._squares[name]
            mean += 0.1 * (slope - mean)
            square += 0.01 * (slope * slope - square)
            self.weights[name] -= rate * mean / (np.sqrt(square) + 1e-6)


def slopes(head: str, logits: Floats, batch: Packed) -> tuple[float, Floats]:
    """Return the mean loss of a batch and its slope by the log-odds."""
    if head != "option":
        powers = np.exp(logits - logits.max(1, keepdims=True))
        chances = powers / powers.sum(1, keepdims=True)
        loss = -np.log(chances[np.arange(len(batch)), batch.right] + 1e-9).mean()
        chances[np.arange(len(batch)), batch.right] -= 1
        return float(loss), chances / len(batch)
    # A softmax over a group's rows and one more, not meant, whose log-odds are 0.
    scores = logits[:, 0]
    starts = batch.starts[:-1]
    sizes = np.diff(batch.starts)
    most = np.maximum(np.maximum.reduceat(scores, starts), 0)
    powers = np.exp(scores - np.repeat(most, sizes))
    total = np.add.reduceat(powers, starts) + np.exp(-most)
    chances = powers / np.repeat(total, sizes)
    meant = batch.right >= 0
    places = starts[meant] + batch.right[meant]
    loss = -(np.log(np.exp(-most[~meant]) / total[~meant] + 1e-9).sum())
    loss -= np.log(chances[places] + 1e-9).sum()
    slope = chances.copy()
    slope[places] -= 1
    return float(loss / len(batch)), (slope / len(batch))[:, None]


def _batches(
    packed: Mapping[str, Packed], size: int, random: np.random.Generator
) -> Iterator[tuple[str, Packed]]:
    """Yield batches of all heads in one shuffled order; small heads come round more often."""
    plan: list[tuple[str, NDArray[np.intp]]] = []
    for head, examples in packed.items():
        order = random.permutation(len(examples))
        plan += [(head, part) for part in np.array_split(order, max(1, len(order) // size))]
    for at in random.permutation(len(plan)):
        head, groups = plan[at]
        yield head, packed[head].part(groups)


def fit(
    packed: Mapping[str, Packed], *, epochs: int = 12, size: int = 512, rate: float = 0.003,
    decay: float = 1e-5, seed: int = 0, tell: bool = False,
) -> Fitting:  # fmt: skip
    """Return the fitted network; the rate of learning falls to nothing."""
    random = np.random.default_rng(seed)
    sizes = {head: examples.rows.shape[1] for head, examples in packed.items()}
    fitting = Fitting(sizes, packed["option"].words.shape[1], seed)
    for epoch in range(epochs):
        losses: dict[str, list[float]] = {head: [] for head in packed}
        for head, batch in _batches(packed, size, random):
            now = rate * (1 - epoch / epochs)
            forget(batch, random)
            losses[head].append(fitting.step(head, batch, now, decay, random))
        if tell:
            print(
                epoch,
                {head: round(float(np.mean(ls)), 4) for head, ls in losses.items()},
                flush=True,
            )
    return fitting


MEMBERS = 3
"""Networks that are fitted from different seeds and decide together."""


def together(members: Sequence[Fitting]) -> Fitting:
    """Return one network whose log-odds are the mean of those of several."""
    weights = [member.weights for member in members]
    table = np.concatenate([w["table"] for w in weights], axis=1)
    joined: dict[str, Floats] = {"table": table}
    for head in HEADS:
        for name in ("dense", "bias"):
            each = [w[f"{head}.{name}"] for w in weights]
            joined[f"{head}.{name}"] = np.concatenate(each, axis=-1)
        # A member's hidden units see that member's columns of the table alone.
        words = np.zeros((len(weights) * WIDTH, len(weights) * HIDDEN), np.float32)
        for at, w in enumerate(weights):
            rows, columns = (
                slice(at * WIDTH, (at + 1) * WIDTH),
                slice(at * HIDDEN, (at + 1) * HIDDEN),
            )
            words[rows, columns] = w[f"{head}.words"]
        out = np.concatenate([w[f"{head}.out"] for w in weights]) / np.float32(len(weights))
        end = np.stack([w[f"{head}.end"] for w in weights]).mean(axis=0).astype(np.float32)
        joined |= {f"{head}.words": words, f"{head}.out": out, f"{head}.end": end}
    network = copy(members[0])
    network.weights = joined
    return network


FORGOTTEN = 0.5
"""The share of the words that a batch does without, so that no decision hangs on one."""

UNUSED = 0.5
"""The share of the hidden units that a group does without while it is learned (dropout)."""


def forget(batch: Packed, random: np.random.Generator) -> None:
    """Drop some words of a batch; the others count for them."""
    batch.words.data = _kept(random, len(batch.words.data), FORGOTTEN)


def _kept(random: np.random.Generator, shape: int | tuple[int, int], left_out: float) -> Floats:
    """Return 0 for a share that is left out, drawn, and for the others what makes up for it."""
    kept = random.random(shape) >= left_out
    return kept.astype(np.float32) / np.float32(1 - left_out)


def temperature(head: str, logits: Floats, batch: Packed) -> float:
    """Return the temperature under which held-apart examples are likeliest."""
    tried = np.geomspace(0.5, 4.0, 25)
    return float(min(tried, key=lambda t: slopes(head, (logits / t).astype(np.float32), batch)[0]))


MEANT = 0.4
"""By how much the log-odds of *meant* are higher in people's requests than in made sentences.

Made sentences hold more that only looks like a wish; chosen on requests not trained on.
"""

IDLE = 5
"""Sentences in which a word has to mean nothing before it counts as a filler."""


def save(
    path: Path,
    fitting: Fitting,
    places: Mapping[int, int],
    temperatures: Mapping[str, float],
    fillers: Iterable[str],
) -> None:
    """Write the weights: the table as bytes with a scale a column, the rest in half precision."""
    table = fitting.weights["table"]
    scale = np.maximum(np.abs(table).max(0) / 127, 1e-8)
    arrays = {name: w.astype(np.float16) for name, w in fitting.weights.items() if name != "table"}
    arrays["option.end"] += np.float16(MEANT * temperatures["option"])
    np.savez_compressed(
        path,
        table=np.round(table / scale).astype(np.int8),
        scale=scale.astype(np.float32),
        hashes=np.array(list(places), dtype=np.uint32),
        fillers=np.str_(" ".join(sorted(fillers))),
        **arrays,
        **{f"{head}.temperature": np.float32(t) for head, t in temperatures.items()},
    )


def train(
    sentences: Iterable[LabelledSentence],
    catalogs: Mapping[str, CatalogReader],
    out: Path,
    *,
    epochs: int = 12,
    members: int = MEMBERS,
    tell: bool = True,
) -> Network:
    """Fit the network, with a tenth of the sentences held apart for temperatures, and write it."""
    everything = list(sentences)
    learned = gather((s for s in everything if crc32(s.text.encode()) % 10), catalogs)
    apart = gather((s for s in everything if not crc32(s.text.encode()) % 10), catalogs)
    if tell:
        print(f"{learned.gold} things meant, {len(learned.missed)} without a mention", flush=True)
    places = placed(learned.heads)
    packed = {head: Packed.of(examples, places) for head, examples in learned.heads.items()}
    fitting = together([fit(packed, epochs=epochs, seed=at, tell=tell) for at in range(members)])
    temperatures: dict[str, float] = {}
    for head, examples in apart.heads.items():
        if not examples.right:
            temperatures[head] = 1.0
            continue
        batch = Packed.of(examples, places)
        logits = fitting.forward(head, batch)[0]
        temperatures[head] = temperature(head, logits, batch)
        if tell:
            print(
                head,
                len(batch),
                "right",
                round(accuracy(head, logits, batch), 4),
                "T",
                temperatures[head],
            )
    save(out, fitting, places, temperatures, (w for w, n in learned.idle.items() if n >= IDLE))
    return load(out)


def accuracy(head: str, logits: Floats, batch: Packed) -> float:
    """Return the share of groups decided rightly."""
    if head != "option":
        return float((logits.argmax(1) == batch.right).mean())
    right = 0
    for group, (start, end) in enumerate(zip(batch.starts, batch.starts[1:], strict=False)):
        scores = logits[start:end, 0]
        best = int(scores.argmax()) if scores.max() > 0 else -1
        right += best == batch.right[group]
    return right / len(batch)
