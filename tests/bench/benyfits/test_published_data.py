"""The folder of the data: what it holds, and what is said about one that is broken."""

import gzip
import json
from collections import Counter
from copy import deepcopy
from pathlib import Path

import pytest

from benyfits_data import FEATURES, HOUSEHOLDS, LABELS, write_data
from concede.bench.benyfits.published_data import read_benyfits
from concede.catalogs.errors import QueryError, UnreadableFile


def test_the_published_folder(shared_data: Path):
    data = read_benyfits(shared_data / "benyfits")
    counts = Counter(value.dataset for value in data.households.values())
    assert counts == {"diverse": 56, "representative": 25, "user_study": 1}
    assert (len(data.programs), len(data.features), len(data.labels)) == (82, 124, 4_674)
    targets = {
        name: sum(len(value.targets) for value in data.households.values() if value.dataset == name)
        for name in counts
    }
    assert targets == {"diverse": 305, "representative": 235, "user_study": 82}
    assert sum(label.target for label in data.labels.values()) == 305 + 82
    # Table 4 of the document counts the names: 246.
    assert sum(len(entry.target_programs) for entry in data.of("representative")) == 246


def test_a_folder_of_our_own(tmp_path: Path):
    data = read_benyfits(write_data(tmp_path))
    assert [entry.household for entry in data.of("diverse")] == ["h-0", "h-1"]
    assert data.households["h-2"].targets == ("PrizeTax", "ChessClub")
    assert data.households["h-0"].names == ("Ada Berg", "Bo Berg", "Cy Berg")
    with pytest.raises(QueryError, match="no household of user_study"):
        data.of("user_study")


def test_labels_may_be_missing(tmp_path: Path):
    write_data(tmp_path)
    (tmp_path / "eligibility_labels.jsonl.gz").unlink()
    assert not read_benyfits(tmp_path).labels


def changed_household(**fields: object):
    return [{**HOUSEHOLDS[0], **fields}, *HOUSEHOLDS[1:]]


def with_member_value(name: str, value: object):
    households = deepcopy(HOUSEHOLDS)
    households[0]["members"][1][name] = value
    return households


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"households": changed_household(target_programs=["ChesClub"])}, "did you mean ChessClub"),
        ({"households": [*HOUSEHOLDS, HOUSEHOLDS[0]]}, "occurs twice"),
        ({"households": []}, "no record"),
        ({"households": changed_household(members=[])}, "members"),
        ({"households": changed_household(dataset="other")}, "dataset"),
        ({"households": with_member_value("age", "forty")}, "is no int"),
        ({"households": with_member_value("age", True)}, "is no int"),
        ({"households": with_member_value("plays_chess", 1)}, "is no bool"),
        ({"households": with_member_value("borough", "east")}, "is no enum"),
        ({"households": with_member_value("shoe_size", 43)}, "unknown feature"),
        ({"labels": [*LABELS, LABELS[0]]}, "two labels"),
        ({"labels": [{**LABELS[0], "household": "h-9"}]}, "unknown household"),
        ({"labels": [{**LABELS[0], "program": "Chess"}]}, "unknown program"),
        ({"labels": [{**LABELS[0], "target": False}]}, "target differs"),
        ({"labels": [{**LABELS[0], "eligible": "maybe"}]}, "eligible"),
        ({"features": [{**FEATURES[2], "nyc_distribution": [["a", -1]]}]}, "not negative"),
        ({"features": [{**FEATURES[2], "nyc_distribution": [["a", 0]]}]}, "not negative"),
        ({"features": [{"feature": "x"}]}, "type"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, changed: dict, told: str):
    write_data(tmp_path, **changed)
    with pytest.raises(UnreadableFile, match=told) as caught:
        read_benyfits(tmp_path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_member_lacks_a_feature(tmp_path: Path):
    households = deepcopy(HOUSEHOLDS)
    del households[1]["members"][0]["age"]
    with pytest.raises(UnreadableFile, match="a member without age"):
        read_benyfits(write_data(tmp_path, households=households))


def test_files_that_are_missing_cut_or_no_json(tmp_path: Path):
    with pytest.raises(UnreadableFile, match="features"):
        read_benyfits(tmp_path / "nowhere")
    write_data(tmp_path)
    path = tmp_path / "households.jsonl.gz"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UnreadableFile):
        read_benyfits(tmp_path)
    path.write_bytes(gzip.compress(b'{"household": NaN}\n'))
    with pytest.raises(UnreadableFile, match="NaN is no number"):
        read_benyfits(tmp_path)
    path.write_bytes(gzip.compress(b"[" * 100_000))
    with pytest.raises(UnreadableFile):
        read_benyfits(tmp_path)
    path.write_bytes(gzip.compress(json.dumps([1]).encode()))
    with pytest.raises(UnreadableFile):
        read_benyfits(tmp_path)
