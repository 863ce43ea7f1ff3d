"""A small corpus in the format of SGD, in our own words."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

CATALOG = """area,number_of_beds,pets_allowed,rent,visit_date
Fremont,2,True,1500,2019-03-04
San Jose,3,False,2100,2019-03-05
"""


def user(text: str, acts: Sequence[Any], **frame: Any) -> Mapping[str, Any]:
    return {
        "speaker": "U",
        "text": text,
        "frames": [{"service": "Homes_9", "acts": acts, **frame}],
    }


def system(text: str, *acts: Any) -> Mapping[str, Any]:
    frames = [{"service": "Homes_9", "acts": list(acts)}]
    return {"speaker": "S", "text": text, "frames": frames}


TURNS = [
    user(
        "a two bed flat in fremont that takes pets",
        [
            ["INFORM_INTENT", "intent", ["FindHome"]],
            ["INFORM", "number_of_beds", ["2"]],
            ["INFORM", "area", ["fremont"], ["Fremont"]],
            ["INFORM", "pets_allowed", ["True"]],
            ["INFORM", "balcony", ["True"]],
        ],
        spans=[["area", 18, 25]],
        state={"area": ["fremont"]},
    ),
    system("When do you want to see it?", ["REQUEST", "visit_date", []]),
    user(
        "the 4th, and San Jose after all",
        [
            ["INFORM", "visit_date", ["the 4th"], ["2019-03-04"]],
            ["INFORM", "area", ["San Jose"]],
        ],
        spans=[["visit_date", 0, 7], ["area", 13, 21]],
        state={},
    ),
    system("What rent?", ["REQUEST", "rent", []], ["REQUEST", "area", []]),
    user("the rent can be anything", [["INFORM", "rent", ["dontcare"]]]),
    system("OK."),
    user("is it furnished? thanks", [["REQUEST", "furnished", []], ["THANK_YOU", "", []]]),
]


def write_corpus(folder: Path) -> Path:
    """Write the corpus and its one catalog into a folder; return it."""
    (folder / "catalogs").mkdir()
    with gzip.open(folder / "catalogs" / "Homes_9.csv.gz", "wt") as file:
        file.write(CATALOG)
    record = {"id": "1", "services": ["Homes_9"], "turns": TURNS}
    with gzip.open(folder / "dialogues.jsonl.gz", "wt") as file:
        file.write(json.dumps(record) + "\n")
    return folder
