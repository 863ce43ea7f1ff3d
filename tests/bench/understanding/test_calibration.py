"""The calibration error is the distance of confidence and the share that is right."""

from __future__ import annotations

from concede.bench.understanding.calibration import Calibration


def test_the_error_is_zero_where_confidence_is_the_share_that_is_right() -> None:
    judged = [(0.75, True)] * 3 + [(0.75, False)] + [(0.25, True)] + [(0.25, False)] * 3
    found = Calibration.of(judged)
    assert found.error == 0.0
    assert [(one.confidence, one.right, one.readings) for one in found.bins] == [
        (0.25, 0.25, 4),
        (0.75, 0.75, 4),
    ]


def test_the_error_is_one_where_it_is_sure_and_wrong() -> None:
    assert Calibration.of([(1.0, False)]).error == 1.0


def test_of_nothing_read_nothing_is_said() -> None:
    assert Calibration.of([]) == Calibration((), None)
