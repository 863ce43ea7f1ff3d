"""A small folder of conversations in the format of Schema-Guided Dialogue, written by hand."""

import gzip
import json
from pathlib import Path

SCHEMA = [
    {
        "service_name": "Tables_1",
        "description": "Find and book a table",
        "slots": [
            {"name": "city", "description": "City of the restaurant", "is_categorical": False},
            {"name": "restaurant_name", "description": "Name of the restaurant"},
            {
                "name": "party_size",
                "description": "Number of people in the party",
                "is_categorical": True,
                "possible_values": ["1", "2", "3", "4"],
            },
            {"name": "date", "description": "Date of the reservation"},
            {"name": "phone", "description": "Phone number of the restaurant"},
        ],
        "intents": [
            {
                "name": "FindTable",
                "is_transactional": False,
                "required_slots": ["city"],
                "optional_slots": {},
            },
            {
                "name": "BookTable",
                "is_transactional": True,
                "required_slots": ["restaurant_name", "city", "date"],
                "optional_slots": {"party_size": "2"},
            },
        ],
    }
]
ROWS = """\
city,restaurant_name,party_size,date,phone
Oakland,Golden Wok,2,2019-03-03,510-555-0101
Oakland,Blue Door Kitchen,2,2019-03-03,510-555-0102
San Jose,Casa Verde,4,2019-03-04,408-555-0103
"""
TURNS = (
    ("U", "I am looking for a place to eat in Oakland.", {"city": ["Oakland"]}, ["INFORM"]),
    ("S", "How about Golden Wok in Oakland?", None, ["OFFER"]),
    (
        "U",
        "Sounds great, book it for March 3rd please.",
        {"city": ["Oakland"], "restaurant_name": ["Golden Wok"], "date": ["March 3rd"]},
        ["SELECT", "INFORM"],
    ),
)


def conversation(turns=TURNS, *, labelled=True, services=("Tables_1",), name="1_00000"):
    """Return a conversation as a record of the format."""
    spoken = []
    for speaker, text, state, acts in turns:
        frame = {"service": services[0], "acts": [[act, "", []] for act in acts]}
        if speaker == "U":
            frame["state"] = state
        spoken.append({"speaker": speaker, "text": text, "frames": [frame] if labelled else []})
    return {"id": name, "services": list(services), "turns": spoken}


def write_folder(folder: Path, *conversations) -> Path:
    """Write the schema, the catalog and the conversations, and return the folder."""
    (folder / "catalogs").mkdir(parents=True, exist_ok=True)
    (folder / "schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    with gzip.open(folder / "catalogs" / "Tables_1.csv.gz", "wt", encoding="utf-8") as file:
        file.write(ROWS)
    with gzip.open(folder / "dialogues.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(one) + "\n" for one in conversations)
    return folder
