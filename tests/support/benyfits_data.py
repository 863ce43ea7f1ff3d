"""A small BeNYfits folder of our own: two features worlds apart from the published ones."""

import gzip
import json
from pathlib import Path
from typing import Any

FEATURES: list[dict[str, Any]] = [
    {"feature": "name", "type": "str", "default": "Nobody", "text": {"any": "Name: {name}"}},
    {
        "feature": "relation",
        "type": "enum",
        "values": ["self", "spouse", "child", "friend"],
        "default": "self",
        "text": {
            "self": "You are {name}",
            "spouse": "{name} is your spouse",
            "child": "{name} is your child",
            "friend": "{name} is your friend",
        },
    },
    {
        "feature": "age",
        "type": "int",
        "min": 0,
        "default": 20,
        "nyc_distribution": [[[0, 17], 30], [[18, 90], 70]],
        "text": {"0": "{name} is 0 years old.", "7": "{name} is 7 years old."},
    },
    {
        "feature": "plays_chess",
        "type": "bool",
        "default": False,
        "nyc_distribution": [["Yes", 10], ["No", 90]],
        "text": {"true": "{name} plays chess.", "false": "{name} does not play chess."},
        "consistency_rules": [
            {"if": {"member": "this", "feature": "age", "op": "<", "value": 5}, "then": False}
        ],
    },
    {
        "feature": "yearly_prize_money",
        "type": "int",
        "min": 0,
        "default": 0,
        "text": {"0": "{name} wins nothing.", "7": "{name} wins 7 per year in prizes."},
        "consistency_rules": [
            {
                "if": {"member": "this", "feature": "plays_chess", "op": "==", "value": False},
                "then": 0,
            }
        ],
    },
    {
        "feature": "borough",
        "type": "enum",
        "values": ["north", "south"],
        "default": "north",
        "household_level": True,
        "text": {"north": "{name} lives in the north.", "south": "{name} lives in the south."},
        "consistency_rules": [{"then": {"copy_of": "borough", "member": "head"}}],
    },
]
PROGRAMS = [
    {"program": "ChessClub", "requirements_text": "Anyone in the north who plays chess."},
    {"program": "PrizeTax", "requirements_text": "Households that win over 1000 a year."},
]
CHECKERS = {
    "ChessClub": '''"""Anyone in the north who plays chess."""


def eligible(hh):
    if hh["borough"] != "north":  # in the north
        return False
    return any(m["plays_chess"] for m in hh)  # plays chess
''',
    "PrizeTax": '''"""Households that win over 1000 a year."""


def eligible(hh):
    total = sum(m["yearly_prize_money"] for m in hh)
    if total > 1000:  # over 1000 a year
        return True
    return False
''',
}
KEYS = [
    {
        "name": "plays_chess",
        "kind": "bool",
        "description": "plays chess",
        "ask": "{do} {person} play chess?",
        "ask_all": "Who in your household plays chess?",
        "prior": 0.1,
    },
    {
        "name": "yearly_prize_money",
        "kind": "int",
        "description": "prize money won in a year",
        "ask": "How much prize money {do} {person} win in a year?",
        "ask_all": "How much prize money does everyone win in a year?",
    },
    {
        "name": "borough",
        "kind": "choice",
        "level": "household",
        "values": ["north", "south"],
        "description": "part of town",
        "ask": "Do you live in the north or in the south?",
    },
    {"name": "age", "kind": "int", "description": "age in years"},
    {
        "name": "relation",
        "kind": "choice",
        "description": "relation to the applicant",
        "values": ["self", "spouse", "child", "friend"],
    },
]


def person(name: str, relation: str, age: int, chess: bool, prize: int, borough: str = "north"):
    """One member."""
    values = (name, relation, age, chess, prize, borough)
    return dict(zip((feature["feature"] for feature in FEATURES), values, strict=True))


HOUSEHOLDS: list[dict[str, Any]] = [
    {
        "household": "h-0",
        "dataset": "diverse",
        "target_programs": ["ChessClub", "PrizeTax"],
        "members": [
            person("Ada Berg", "self", 40, False, 0),
            person("Bo Berg", "spouse", 41, True, 800),
            person("Cy Berg", "child", 9, True, 300),
        ],
    },
    {
        "household": "h-1",
        "dataset": "diverse",
        "target_programs": ["ChessClub"],
        "members": [person("Dan Loe", "self", 70, True, 0, "south")],
    },
    {
        "household": "h-2",
        "dataset": "representative",
        "target_programs": ["PrizeTax", "ChessClub", "PrizeTax"],
        "members": [
            person("Eva Moe", "self", 30, True, 2000),
            person("Flo Moe", "friend", 29, False, 0),
        ],
    },
]
LABELS: list[dict[str, Any]] = [
    {"household": "h-0", "program": "ChessClub", "eligible": True, "target": True,
     "read": ["0.borough", "0.plays_chess", "1.plays_chess"]},
    {"household": "h-0", "program": "PrizeTax", "eligible": True, "target": True,
     "read": [f"{at}.yearly_prize_money" for at in range(3)]},
    {"household": "h-1", "program": "ChessClub", "eligible": False, "target": True,
     "read": ["0.borough"]},
    {"household": "h-1", "program": "PrizeTax", "eligible": False, "target": False, "read": []},
]  # fmt: skip


def write_data(folder: Path, **changed: list[dict[str, Any]]) -> Path:
    """A folder with these records; `features`, `programs`, `households`, `labels` replace them."""
    files = {
        "features.jsonl": changed.get("features", FEATURES),
        "programs.jsonl": changed.get("programs", PROGRAMS),
        "households.jsonl.gz": changed.get("households", HOUSEHOLDS),
        "eligibility_labels.jsonl.gz": changed.get("labels", LABELS),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, records in files.items():
        text = "".join(json.dumps(record) + "\n" for record in records)
        data = text.encode()
        (folder / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return folder


def write_checkers(folder: Path) -> Path:
    """A folder with the two checkers and their keys."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, source in CHECKERS.items():
        (folder / f"{name}.py").write_text(source)
    (folder / "keys.json").write_text(json.dumps({"keys": KEYS}))
    return folder
