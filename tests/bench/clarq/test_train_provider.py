"""Training of the provider on a slice of the data, and the figures over folds."""

from pathlib import Path

import pytest

from clarq_data import turns
from concede.bench.clarq.provider_examples import Example, without_purpose, written_turns
from concede.bench.clarq.provider_folds import counted_written, folds, share
from concede.bench.clarq.published_data import read_tasks
from concede.bench.clarq.train_provider import (
    SEEN_IN_TYPES,
    fitted,
    rows_of,
    term_rarity,
    training_data,
)
from concede.dialogs.information_seeking.matcher import saved
from concede.dialogs.information_seeking.offline_provider import OfflineProvider
from concede.dialogs.information_seeking.task import ROOT
from concede.dialogs.information_seeking.task_view import task_view
from concede.dialogs.information_seeking.utterances import terms


@pytest.fixture(scope="module")
def clarq(shared_data: Path) -> Path:
    return shared_data / "clarq"


def test_a_small_slice_trains_to_the_same_bytes_twice(clarq: Path):
    pytest.importorskip("sklearn")
    data = training_data(clarq, (1, 2))
    matcher = fitted(*data)
    assert saved(matcher) == saved(fitted(*data))
    tasks, _, _ = data
    task = tasks["en", "01-0"]
    said = turns("Hi?", "How?", task.responses[0].text, "Tell me a joke.")
    assert OfflineProvider("single", matcher).reply(task, said).released == ()
    counts = counted_written(read_tasks(clarq), (1,), OfflineProvider("multi", matcher))
    assert counts["en 2 told"] > 0


def test_what_stands_after_the_chosen_node_is_not_seen(clarq: Path):
    tasks, dialogues, examples = training_data(clarq, (1,))
    rarity = term_rarity(tasks, dialogues)
    views = {key: task_view(task, rarity) for key, task in tasks.items()}
    seen: dict[str, int] = {}
    for example in examples:
        rows, told, _ = rows_of(views, [example])
        if example.source == "single" and example.chosen and example.moment.candidates:
            place = example.moment.candidates.index(example.chosen[0])
            assert told.tolist() == [False] * place + [True]
        else:
            assert len(rows) == len(example.moment.candidates)
        seen[example.source] = seen.get(example.source, 0) + 1
    assert set(seen) == {"single", "multi", "written"}


def test_a_term_of_few_types_weighs_like_one_that_nobody_has_seen(clarq: Path):
    tasks, dialogues, _ = training_data(clarq, tuple(range(1, SEEN_IN_TYPES + 1)))
    rarity = term_rarity(tasks, dialogues)
    (diamond,) = terms("diamonds", "en")
    (which,) = terms("which", "en")
    assert diamond in terms(" ".join(node.text for node in tasks["en", "01-4"].responses), "en")
    assert diamond not in rarity
    assert 0 < rarity[which] < 1
    few, spoken, _ = training_data(clarq, (1, 2))
    assert not term_rarity(few, spoken)


def test_an_example_has_only_nodes_that_may_be_told(clarq: Path):
    tasks, _, examples = training_data(clarq, (15,))

    def parent(example: Example, node: str) -> str | None:
        return {each.node: each.parent for each in tasks[example.key].responses}[node]

    for example in examples:
        assert all(
            parent(example, node) in example.moment.told for node in example.moment.candidates
        )
        assert ROOT in example.moment.told


def test_written_utterances_fit_their_tasks(clarq: Path):
    tasks = read_tasks(clarq)
    for row, task in written_turns(tasks):
        known = {node.node for node in task.responses}
        assert {*row.told, *row.nodes} <= known
        assert row.type in (2, 4) or not row.nodes
    assert not any(
        node.purpose for task in without_purpose(tasks).values() for node in task.responses
    )


def test_folds_share_out_all_types():
    parts = folds([3, 1, 2, 5, 4, 1], 2)
    assert parts == [(1, 3, 5), (2, 4)]
    assert share(1, 4).strip() == "25.0 % of    4"
    assert share(0, 0).strip() == "-"
