"""Attributes made once, and never by waiting for another object's."""

import threading

from concede.catalogs.cached_attribute import cached_attribute


class Answerer:
    """Makes its attribute when it may."""

    def __init__(self, may: threading.Event | None = None) -> None:
        self.made = 0
        self.begun = threading.Event()
        self.may = may

    @cached_attribute
    def answer(self) -> list[int]:
        """Forty-two."""
        self.begun.set()
        if self.may is not None:
            assert self.may.wait(30)
        self.made += 1
        return [42]


def test_it_is_made_at_the_first_reading_and_kept():
    one = Answerer()
    assert "answer" not in one.__dict__
    assert one.answer is one.answer
    assert one.made == 1
    assert one.__dict__["answer"] == [42]
    assert Answerer.answer.__doc__ == "Forty-two."


def test_it_can_be_set_before():
    one = Answerer()
    one.answer = [1]
    assert one.answer == [1]
    assert one.made == 0


def test_nobody_waits_for_another_objects():
    may = threading.Event()
    slow = Answerer(may)
    thread = threading.Thread(target=lambda: slow.answer)
    thread.start()
    try:
        assert slow.begun.wait(30)
        # With a lock of the class this would wait for the other.
        quick: list[list[int]] = []
        other = threading.Thread(target=lambda: quick.append(Answerer().answer), daemon=True)
        other.start()
        other.join(10)
        assert quick == [[42]]
    finally:
        may.set()
        thread.join()


def test_two_threads_that_make_it_at_once_see_the_same():
    may = threading.Event()
    one = Answerer(may)
    seen: list[list[int]] = []
    threads = [threading.Thread(target=lambda: seen.append(one.answer)) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert one.begun.wait(30)
    may.set()
    for thread in threads:
        thread.join()
    assert len({id(answer) for answer in seen}) == 1
