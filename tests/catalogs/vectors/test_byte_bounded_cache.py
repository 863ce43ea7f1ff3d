"""What a cache of versioned values keeps, and when."""

from __future__ import annotations

from dataclasses import dataclass

from concede.catalogs.vectors.byte_bounded_cache import VersionedCache


@dataclass
class Value:
    nbytes: int = 1


def asked(cache: VersionedCache[Value], key: str, *, passing: bool) -> Value:
    return cache.at(key, 1, Value, lambda since, before: None, lambda value: passing)


def test_a_passing_value_is_kept_from_the_second_time_it_is_asked_for():
    cache: VersionedCache[Value] = VersionedCache(100)
    first = asked(cache, "key", passing=True)
    assert len(cache) == 0
    second = asked(cache, "key", passing=True)
    assert second is not first
    assert asked(cache, "key", passing=True) is second


def test_any_other_value_is_kept_at_once():
    cache: VersionedCache[Value] = VersionedCache(100)
    assert asked(cache, "key", passing=False) is asked(cache, "key", passing=False)
