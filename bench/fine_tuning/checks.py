"""What is wrong with training data, before hours are spent on it.

`problems` must be mended; `warnings` may be meant. Duplicates are rows of one prompt and one
completion; the length is measured in the units of whoever measures (tokens, or characters / 4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .folder import DataFolder, file_name
from .rows import PARTS, SPLITS, STAGES, Row, Stage, json_text

CHARACTERS_PER_TOKEN = 4
"""Of English in the usual vocabularies, roughly; used where no tokenizer is at hand."""

MOST_OF_ONE_LABEL = 0.8
"""Share of rows with the same completion from which on labels are unbalanced."""


@dataclass(frozen=True)
class Checked:
    """What was found. Each finding is one line with the number of rows."""

    rows: dict[str, int]
    longest: dict[str, int]
    problems: list[str]
    warnings: list[str]

    def record(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {
            "rows": self.rows,
            "longest": self.longest,
            "problems": self.problems,
            "warnings": self.warnings,
        }


def estimated_tokens(row: Row, stage: Stage) -> int:
    """Return about how many tokens the longest sequence of a row has, by its characters."""
    prompt, *rest = ([message["content"] for message in row[part]] for part in PARTS[stage])
    longest = max(sum(map(len, texts)) for texts in rest)
    return (sum(map(len, prompt)) + longest) // CHARACTERS_PER_TOKEN + 1


def check_data(
    data: DataFolder,
    max_length: int,
    tokens: Callable[[Row, Stage], int] = estimated_tokens,
) -> Checked:
    """Return what is wrong with the rows of a folder; `max_length` in tokens."""
    rows: dict[str, int] = {}
    longest: dict[str, int] = {}
    problems = [f"{name} was edited after it was built" for name in data.edited()]
    warnings: list[str] = []
    prompts_of: dict[str, set[str]] = {split: set() for split in SPLITS}
    for stage in STAGES:
        for split in SPLITS:
            name, found = file_name(stage, split), data.rows[stage, split]
            rows[name] = len(found)
            lengths = [tokens(row, stage) for row in found]
            longest[name] = max(lengths, default=0)
            prompts_of[split].update(json_text(row["prompt"]) for row in found)
            if over := sum(length > max_length for length in lengths):
                problems.append(f"{name}: {over} rows over {max_length:,} tokens; they are cut")
            # Rows whose persona the data withholds may look alike.
            told = [row for row in found if not row["meta"].get("withheld")]
            keys = Counter(json_text([row[part] for part in PARTS[stage]]) for row in told)
            if again := sum(keys.values()) - len(keys):
                problems.append(f"{name}: {again} rows are there twice")
            warnings += _unbalanced(name, found, stage)
    if both := len(prompts_of["train"] & prompts_of["test"]):
        problems.append(f"{both} prompts are in train and in test")
    return Checked(rows, longest, problems, warnings)


def _unbalanced(name: str, found: list[Row], stage: Stage) -> list[str]:
    part = "completion" if stage == "sft" else "chosen"
    labels = Counter(json_text(row[part]) for row in found)
    for label, count in labels.most_common(1):
        if len(found) > 1 and count > MOST_OF_ONE_LABEL * len(found):
            return [f"{name}: {count} of {len(found)} rows have the same {part}, {label[:80]}"]
    return []
