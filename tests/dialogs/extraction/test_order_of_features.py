"""A mention has the same features in the same order in every process: their sums are the same."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
from datetime import date
import pyarrow as pa
from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.features import context
from concede.dialogs.extraction.mentions import find_mentions
from concede.dialogs.extraction.reading import Reading
from concede.dialogs.extraction.value_index import index_of

walks = Catalog.open(pa.table({"walk": [3, 20, 40]}))
asked = "It must not be far, ideally about 20. What do you need, at least or at most?"
reading = Reading("15 or less", 0, index_of(walks), {"walk": 1.0}, date(2026, 11, 22), asked)
print([context(reading, mention) for mention in find_mentions(reading)])
"""


def features_in_a_process(seed: str) -> str:
    environment = os.environ | {"PYTHONHASHSEED": seed}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_no_order_hangs_on_the_process() -> None:
    first = features_in_a_process("1")
    assert first.startswith("[[")
    assert features_in_a_process("2") == first
    assert features_in_a_process("3") == first
