"""Records of a log that its writer may have left in the middle."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.storage.write_log import HEAD, WriteLog, whole_records

RECORDS = st.lists(st.binary(max_size=40), max_size=6)


@given(RECORDS, st.integers(0, 300), st.binary(max_size=12))
def test_what_was_cut_off_is_not_there_and_is_written_over(tmp_path_factory, records, cut, rest):
    path = tmp_path_factory.mktemp("log") / "writes.log"
    log = WriteLog(path)
    for record in records:
        log.append(record)
    log.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:cut])
    kept, end, place = [], 0, 0
    for record in records:
        place += HEAD.size + len(record)
        if place <= cut:
            kept, end = [*kept, record], place
    assert whole_records(path) == (kept, end)
    log = WriteLog(path)
    log.append(rest)
    assert log.size == path.stat().st_size
    log.close()
    assert whole_records(path)[0] == [*kept, rest]
    assert whole_records(path, end)[0] == [rest]


def test_a_record_with_another_sum_is_not_there(tmp_path):
    path = tmp_path / "writes.log"
    log = WriteLog(path)
    log.append(b"first")
    log.append(b"second")
    log.close()
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert whole_records(path)[0] == [b"first"]


def test_closing_twice_is_no_harm(tmp_path):
    log = WriteLog(tmp_path / "writes.log")
    log.close()
    log.close()
    with pytest.raises(OSError, match="descriptor"):
        log.append(b"late")
