"""Settings by name."""

from __future__ import annotations

import pytest

from concede.bench.generation.settings import setting_named
from concede.catalogs.errors import QueryError


@pytest.mark.parametrize(
    ("name", "same", "sought", "size"),
    [
        ("S1", "unique:4", "unique-repair", 4),
        ("S2", "mus:4", "MUS-4", 4),
        ("S3", "mus:2", "MUS-2", 2),
        (" s2 ", "MUS:4", "MUS-4", 4),
    ],
)
def test_published_settings_have_two_names(name, same, sought, size):
    setting = setting_named(name)
    assert setting == setting_named(same)
    assert (setting.name, setting.sought, setting.size) == (
        name.strip().upper(),
        sought,
        size,
    )
    assert setting.is_unique is (sought == "unique-repair")


def test_a_setting_of_ones_own():
    setting = setting_named("mus:3")
    assert (setting.name, setting.sought, setting.size) == ("mus:3", "MUS-3", 3)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("S4", "S1, S2, S3"),
        ("", "S1, S2, S3"),
        ("mus", "S1, S2, S3"),
        ("mus:٣", "S1, S2, S3"),
        ("mus:" + "9" * 5_000, "S1, S2, S3"),
        ("mus:1", "mus:2, mus:3 or mus:4"),
        ("mus:5", "mus:2, mus:3 or mus:4"),
        ("unique:3", "ask for unique:4"),
    ],
    ids=lambda one: one[:12],
)
def test_other_names_are_refused_with_the_hint(name, told):
    with pytest.raises(QueryError, match=told) as caught:
        setting_named(name)
    assert len(str(caught.value)) < 200
