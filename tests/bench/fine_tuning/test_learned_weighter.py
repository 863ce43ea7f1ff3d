"""The shipped learned weighter is made from phrases of our own: no instance's words are in them."""

from __future__ import annotations

import re
from pathlib import Path

from concede.bench.aware_us.published_data import read_golds
from concede.bench.fine_tuning.instance_rows import fingerprint_of
from concede.bench.fine_tuning.rows import fingerprint
from concede.dialogs.weighters.training.bank import frames, phrases
from concede.dialogs.weighters.training.corpus import examples

RUN = 8
"""Words in a row that two people hardly ever write alike."""


def _runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9']+", text.lower())
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


def test_no_published_sentence_is_in_what_it_learns_from(shared_data: Path) -> None:
    bank = [phrase.text for phrase in phrases()]
    bank += [frame for kind in frames().values() for frame in kind]
    learned_from = set[tuple[str, ...]]().union(*map(_runs, bank))
    told = [gold for gold in read_golds(shared_data / "aware_us") if gold.persona]
    assert len(told) > 50
    assert len(learned_from) > 100
    for gold in told:
        for text in (gold.opening, gold.persona or ""):
            assert not _runs(text) & learned_from, gold.id


def test_no_published_instance_is_among_what_it_learns_from(shared_data: Path) -> None:
    measured_on = {fingerprint_of(gold) for gold in read_golds(shared_data / "aware_us")}
    for example in examples(300, 1, "train"):
        said = [each["content"] for each in example.messages if each["role"] == "user"]
        assert fingerprint(said[0], " ".join(said)) not in measured_on
