"""The page: whole, harmless whatever a transcript holds, and the same for the same runs."""

import base64
import hashlib
import re

import pytest

from concede.bench.report import page as pages
from concede.bench.report import plots
from concede.bench.report.page import report_page
from concede.bench.report.sources import read_sources
from concede.bench.runs.run_file import RunWriter
from reported_runs import ATTACKS, HEADER, Page, hostile_run, instance, outcome, write_run


@pytest.fixture
def runs(tmp_path):
    """A folder of two runs: four methods, of which one is the best."""
    write_run(tmp_path / "ours.jsonl", {"session": [True] * 6, "other": [True] * 3 + [False] * 3})
    write_run(tmp_path / "theirs.jsonl", {"global": [False] * 6, "local": [True] + [False] * 5})
    return tmp_path


def test_the_page_is_whole_and_loads_nothing(runs):
    page = Page(report_page(read_sources(runs)))
    assert page.problems == []
    assert all(address.startswith("#") for address in page.addresses)
    assert {one["id"] for _, one in page.elements if "id" in one} >= {
        address.removeprefix("#") for address in page.addresses
    }
    assert "http" not in page.raw["style"] + page.raw["script"]
    assert len(page.named("svg")) == (2 if plots.can_plot() else 0)
    assert "Conversations" in page.text


def test_hostile_transcripts_stay_text(tmp_path):
    hostile_run(tmp_path / "hostile.jsonl")
    write_run(tmp_path / "tame.jsonl", {"session": [True]})
    source = report_page(read_sources(tmp_path))
    page = Page(source)
    source.encode()
    assert page.problems == []
    assert page.text.count("<script>document.title = 'taken'</script>") > len(ATTACKS)
    assert len(page.named("script")) == len(page.named("style")) == 1
    assert all(address.startswith("#") for address in page.addresses)
    assert not {"img", "iframe", "link", "object", "embed", "base"} & {n for n, _ in page.elements}
    names = {name for _, told in page.elements for name in told}
    assert not {name for name in names if name.startswith("on") or name == "style"}
    assert len(page.named("h1")) == 1


def test_only_its_own_style_and_script_may_run(runs):
    page = Page(report_page(read_sources(runs)))
    (policy,) = [entry["content"] for entry in page.named("meta") if "http-equiv" in entry]
    for kind in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(page.raw[kind].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_the_same_runs_give_the_same_page(runs):
    assert report_page(read_sources(runs)) == report_page(read_sources(runs))


def test_an_episode_shows_what_was_said_meant_and_done(tmp_path):
    with RunWriter(tmp_path / "run.jsonl", HEADER) as run:
        save = run.episode("1", setting="S3", method="session", instance=instance(1))
        save("message", role="user", content="Not older than 2013, please.")
        wish = {"column": "Year", "op": ">=", "value": 2013}
        quote = {"message": 0, "start": 0, "end": 19, "text": "Not older than 2013"}
        save("understood", constraints=[{**wish, "evidence": quote}])
        save("weighed", weights=[{"constraint": wish, "weight": 0.7, "evidence": [quote]}])
        save("proposed", explanation="No row meets both.")
        save("outcome", **outcome(right=False))
        save("end", reason="finished")
    source = report_page(read_sources(tmp_path))
    text = Page(source).text
    assert "<mark>Not older than 2013</mark>, please." in source
    for told in (
        "Nothing meets both MSRP ≤ 20,000 and Year ≥ 2013 .",
        "No row meets both.",
        "gold: gives way",
        "gave way",
        "relaxed Year >= 2013 (weight 0.80) instead of MSRP <= 20000 (weight 0.20)",
        "another than the gold item",
        "4,556",
        "35,065",
        "Ended: finished",
    ):
        assert told in text, told


def test_what_cannot_be_read_of_an_episode_is_counted(tmp_path):
    with RunWriter(tmp_path / "run.jsonl", HEADER) as run:
        save = run.episode("1", setting="S3", instance=instance(1, derived={"muses": [[7]]}))
        save("understood", constraints="none")
        save("weighed", weights=[{"constraint": {"column": 1}, "weight": "much"}])
        save("outcome", **outcome(right=True))
        save("end", reason="finished")
    page = Page(report_page(read_sources(tmp_path)))
    assert page.problems == []
    assert "2 events could not be read." in page.text
    assert "The dialogue is withheld, or none was held." in page.text


def test_long_dialogues_and_messages_are_cut_and_said_to_be(tmp_path):
    with RunWriter(tmp_path / "run.jsonl", HEADER) as run:
        save = run.episode("1", setting="S3", instance=instance(1))
        for at in range(100):
            save("message", role="user", content="x" * (5_000 if at == 0 else 1))
        save("outcome", **outcome(right=True))
        save("end", reason="finished")
    text = Page(report_page(read_sources(tmp_path))).text
    assert "… 3,000 more characters" in text
    assert "… and 40 more messages" in text


@pytest.mark.slow
def test_a_large_run_stays_readable(tmp_path):
    write_run(tmp_path / "run.jsonl", {"a": [False] * 700, "b": [True] * 700})
    source = report_page(read_sources(tmp_path))
    page = Page(source)
    assert len(source) < 2_500_000
    assert len([entry for entry in page.named("details") if entry.get("class") == "episode"]) == 200
    assert "200 of 1,400 episodes, 700 of them wrong" in page.text
    assert "Left out: 1,200, of which 500 wrong" in page.text


def test_without_matplotlib_the_hint_is_named(runs, monkeypatch):
    monkeypatch.setattr(plots, "find_spec", lambda name: None)
    page = Page(report_page(read_sources(runs)))
    assert page.named("svg") == []
    assert "pip install 'concede[bench]'" in page.text


def test_a_method_has_one_colour_wherever_it_is_shown(runs):
    pytest.importorskip("matplotlib")
    source = report_page(read_sources(runs))
    for at, method in enumerate(("global", "local", "other", "session")):
        row = re.search(rf'<tr data-method="{method}">.*?</tr>', source, re.DOTALL)
        assert row is not None
        assert f"method-{at}" in row[0]
        assert f"var(--method-{at})" in source


def test_every_colour_and_part_of_the_style_exists(runs):
    source = report_page(read_sources(runs))
    style = Page(source).raw["style"]
    assert set(re.findall(r"var\((--[\w-]+)\)", source)) <= set(re.findall(r"(--[\w-]+):", style))
    assert pages.TITLE in source
