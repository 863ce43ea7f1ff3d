"""How well the offline provider does on types of task that it was not trained on.

    python -m concede.bench.clarq.provider_folds DATA [--folds 5] [--blank]

Each fold leaves some types out, trains on the rest, and puts the recorded and the written
utterances of those left out to the provider. Prints a table; a few minutes.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ...dialogs.information_seeking.choosing import Mode
from ...dialogs.information_seeking.offline_provider import OfflineProvider
from ...dialogs.information_seeking.task import ROOT, ClarificationTask, SpokenTurn
from ...dialogs.information_seeking.telling import newly_told, releasable, told_before
from .provider_examples import Written, without_purpose, written_turns
from .published_data import RecordedDialogue, Tasks, read_dialogues, read_tasks
from .replay import replayed
from .train_provider import fitted, training_data

Counts = Counter[str]


def folds(types: Iterable[int], count: int) -> list[tuple[int, ...]]:
    """Return the types dealt out to so many folds, in turn."""
    ordered = sorted(set(types))
    return [tuple(ordered[at::count]) for at in range(min(count, len(ordered)))]


def counted_dialogue(
    task: ClarificationTask, dialogue: RecordedDialogue, provider: OfflineProvider
) -> Counts:
    """Return how often the provider does as the recorded one did, turn by turn and replayed."""
    turns = dialogue.spoken
    found: Counts = Counter()
    for at in range(3, len(turns) - 1, 2):
        before = turns[: at + 1]
        if not releasable(task, {ROOT, *told_before(task, before)}):
            continue
        new = set(newly_told(task, before, turns[at + 1].text))
        ours = set(provider.reply(task, before).released)
        found += Counter(turns=1, agree=ours == new, hit=len(ours & new))
        found += Counter(ours=len(ours), new=len(new))
        found += Counter(released=bool(new), same=bool(new) and ours == new)
        found += Counter(silent=not new, kept=not new and not ours)
    said = replayed(task, turns, provider)
    told = {ROOT, *told_before(task, said)} >= {node.node for node in task.responses}
    return found + Counter(dialogues=1, success=told, replay=told == dialogue.success)


def counted_written(tasks: Tasks, types: Sequence[int], provider: OfflineProvider) -> Counts:
    """Return what the provider does with the written utterances of these types."""
    found: Counts = Counter()
    for row, task in written_turns(tasks):
        if task.type_no not in types:
            continue
        reply = provider.reply(task, turns_of(task, row))
        name = f"{row.lang} {row.type}"
        found += Counter({name: 1, f"{name} told": bool(reply.released)})
        found[f"{name} kind"] += reply.kind == row.type
        found[f"{name} same"] += set(reply.released) == set(row.nodes)
        found[f"{name} right"] += bool(set(reply.released) & set(row.nodes))
    return found


def turns_of(task: ClarificationTask, row: Written) -> tuple[SpokenTurn, ...]:
    """Return a dialogue that told what a written utterance has before it."""
    texts = {node.node: node.text for node in task.responses}
    said = [("provider", "…"), ("seeker", "…"), ("provider", texts[ROOT])]
    for node in row.told:
        said += [("seeker", "…"), ("provider", texts[node])]
    said.append(("seeker", row.text))
    return tuple(
        SpokenTurn("seeker" if who == "seeker" else "provider", text) for who, text in said
    )


def share(part: int, whole: int) -> str:
    """Return a share with one digit after the point, of how many."""
    return f"{100 * part / whole:5.1f} % of {whole:4}" if whole else "    -        "


def lines(name: str, counts: Counts, mode: Mode) -> Iterator[str]:
    """Yield the figures of a language and mode."""
    f1 = 2 * counts["hit"] / ((counts["ours"] + counts["new"]) or 1)
    same = f"same node {share(counts['same'], counts['released'])}, " if mode == "single" else ""
    yield (
        f"{name:14} agree {share(counts['agree'], counts['turns'])}, {same}"
        f"silent {share(counts['kept'], counts['silent'])}, F1 {f1:.3f}, "
        f"replay {share(counts['replay'], counts['dialogues'])}"
    )


def written_lines(counts: Counts) -> Iterator[str]:
    """Yield what was told on each kind of written utterance."""
    for name in sorted(key for key in counts if len(key) == 4):
        parts = {key: counts[f"{name} {key}"] for key in ("told", "kind", "same", "right")}
        yield f"written {name}: {counts[name]} " + " ".join(f"{k} {v}" for k, v in parts.items())


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures of each fold and of all together."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--blank", action="store_true", help="without purposes")
    given = parser.parse_args(arguments)
    tasks = read_tasks(given.data)
    shown = without_purpose(tasks) if given.blank else tasks
    dialogues = list(read_dialogues(given.data, tasks))
    total: dict[tuple[str, Mode], Counts] = {}
    written: dict[Mode, Counts] = {"single": Counter(), "multi": Counter()}
    every = {task.type_no for task in tasks.values()}
    for number, held in enumerate(folds(every, given.folds), start=1):
        matcher = fitted(*training_data(given.data, every - set(held)))
        here: dict[tuple[str, Mode], Counts] = {}
        for dialogue in dialogues:
            task = shown[dialogue.key]
            if task.type_no in held:
                provider = OfflineProvider(dialogue.provider, matcher)
                key = (dialogue.lang, dialogue.provider)
                here[key] = here.get(key, Counter()) + counted_dialogue(task, dialogue, provider)
        for mode in written:
            written[mode] += counted_written(shown, held, OfflineProvider(mode, matcher))
        for key in sorted(here):
            total[key] = total.get(key, Counter()) + here[key]
            print(*lines(f"fold {number} {' '.join(key)}", here[key], key[1]), sep="\n", flush=True)
    for key in sorted(total):
        print(*lines(f"all {' '.join(key)}", total[key], key[1]), sep="\n")
    for mode, counts in written.items():
        print(mode, *written_lines(counts), sep="\n")


if __name__ == "__main__":
    main()
