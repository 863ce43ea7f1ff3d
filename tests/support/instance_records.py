"""A record as instance files hold it: an empty query over cars, its gold repair and car."""

from typing import Any

RECORD: dict[str, Any] = {
    "id": "one",
    "set": "S3",
    "base": {"Make": "Lexus"},
    "base_query_sentence": "I am looking for a Lexus.",
    "constraints": [
        {"column": "Year", "op": ">=", "value": 2013, "weight": 0.7},
        {"column": "MSRP", "op": "<=", "value": 20000, "weight": 0.1},
    ],
    "gold_relaxed": 1,
    "recommended_car": {"Make": "Lexus", "Model": "ES 300h", "Year": 2015, "MSRP": 41020},
    "persona": "The year must be at least 2013. An MSRP of at most 20,000 is only nice to have.",
}
