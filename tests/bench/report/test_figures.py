"""What the report says in figures: the order of kinds, pairs, selection, Markdown."""

import gzip
import json

import pytest

from concede.bench.report.episodes import is_wrong, select
from concede.bench.report.leaderboard import (
    by_kind,
    kind_name,
    lines_of,
    names_of,
    ranked,
    settings_of,
    settings_shown,
)
from concede.bench.report.markdown import check_page, report_markdown, write_markdown
from concede.bench.report.pairs import compare_with_best
from concede.bench.report.plots import inline
from concede.bench.report.sources import read_sources
from concede.bench.report.wording import figure, signed
from concede.catalogs.errors import QueryError, UnreadableFile
from reported_runs import write_run


@pytest.fixture
def sources(tmp_path):
    """Two runs: one method always right, one half of the time, one on a single instance."""
    write_run(
        tmp_path / "a.jsonl",
        {"steady": [True] * 8, "half": [True, False] * 4, "once": [True]},
    )
    write_run(tmp_path / "b.jsonl", {"never": [False] * 8})
    return read_sources(tmp_path)


def test_a_run_and_its_own_result_are_told_apart(tmp_path):
    path = write_run(tmp_path / "a.jsonl", {"session": [True]})
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
    (tmp_path / "a.json").write_text(json.dumps([{"setting": "S3", "n": 2}]), encoding="utf-8")
    sources = read_sources(tmp_path)
    assert [file.name for file in sources.files] == ["a", "a.jsonl", "a.jsonl.gz"]
    assert len(by_kind(lines_of(sources.files))) == 3
    assert {episode.source for episode in sources.episodes} == {"a.jsonl", "a.jsonl.gz"}


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        (["all"], ["all"]),
        (["S1", "all"], ["S1"]),
        (["S1", "S2", "all"], ["S1", "S2", "all"]),
        ([*(f"k{at:02}" for at in range(99)), "all"], [*(f"k{at:02}" for at in range(24)), "all"]),
    ],
)
def test_settings_worth_a_table(settings, shown):
    assert settings_shown(settings) == shown


def test_what_all_kinds_share_is_not_part_of_their_names():
    learned, lexical = (("a", "none", "session", text, "fewest") for text in ("learned", "lexical"))
    assert list(names_of([learned, lexical]).values()) == ["session learned", "session lexical"]
    bare = ("a", "none", "session", "none", "none")
    assert list(names_of([learned, bare]).values()) == ["session learned fewest", "session"]


def test_the_best_comes_first_on_every_setting(sources):
    lines = lines_of(sources.files)
    assert settings_of(lines) == ["S3", "all"]
    ranking = [(kind_name(entry.kind), entry.value("relax_match")) for entry in ranked(lines, "S3")]
    assert ranking == [("once", 1), ("steady", 1), ("half", 0.5), ("never", 0)]
    assert [kind[0] for kind in by_kind(lines)] == ["a", "a", "a", "b"]


def test_the_best_is_no_kind_of_a_few_instances(sources):
    pairs = compare_with_best(sources.episodes)
    assert pairs is not None
    assert kind_name(pairs.best) == "steady"
    told = {
        kind_name(other.kind): other.overall("relax_match").comparison for other in pairs.others
    }
    assert list(told) == ["once", "half", "never"]
    assert (told["once"].n, told["once"].difference) == (1, 0)
    assert (told["half"].difference, told["half"].only_first) == (-0.5, 4)
    assert told["never"].p == pytest.approx(2 * 0.5**8)


def test_one_kind_alone_is_compared_with_nothing(tmp_path):
    write_run(tmp_path / "a.jsonl", {"session": [True, False]})
    assert compare_with_best(read_sources(tmp_path).episodes) is None


@pytest.mark.parametrize("most", [0, 1, 5, 12, 25, 100])
def test_wrong_ones_are_shown_first_and_every_kind_in_turn(most, sources):
    chosen = select(sources.episodes, most)
    held = [episode for task in chosen.tasks for episode in task.episodes]
    assert len(held) == chosen.shown == min(most, 25)
    assert (chosen.all, chosen.all_wrong) == (25, 12)
    assert chosen.shown_wrong == sum(map(is_wrong, held)) == min(most, 12)
    if most == 5:
        methods = sorted(entry.outcome.labels["method"] for entry in held)
        assert methods == ["half"] * 2 + ["never"] * 3 or methods == ["half"] * 3 + ["never"] * 2


def test_episodes_stand_with_their_instance(sources):
    tasks = select(sources.episodes).tasks
    assert [task.gold.id for task in tasks] == [f"S3-{at:02}" for at in range(1, 9)]
    assert [len(task.episodes) for task in tasks] == [4] + [3] * 7
    for task in tasks:
        verdicts = [is_wrong(episode) for episode in task.episodes]
        assert verdicts == sorted(verdicts, reverse=True)


def test_markdown_has_a_table_a_setting_and_keeps_the_rest_of_a_page(sources, tmp_path):
    page = tmp_path / "board.md"
    write_markdown(page, sources)
    text = page.read_text(encoding="utf-8")
    assert "| a | once | 1 | 100.0 (100–100) | 100.0 (100–100) |" in text
    assert "| b | never | 8 | 0.0 (0–0) | 0.0 (0–0) |" in text
    assert "- **a**: aware-us; 8 rows in the catalog" in text
    page.write_text(f"before\n{text}\nafter\n", encoding="utf-8")
    write_markdown(page, sources)
    assert page.read_text(encoding="utf-8") == f"before\n{text}\nafter\n"


def test_every_line_of_a_markdown_table_has_the_same_number_of_cells(tmp_path):
    write_run(tmp_path / "x.jsonl", {"a|b`<script>[x](y)": [True], "c": [False]}, model="m|n")
    widths = set()
    for line in [*report_markdown(read_sources(tmp_path)).splitlines(), ""]:
        if line.startswith("|"):
            widths.add(line.replace("\\|", "").count("|"))
            assert "<script" not in line.replace("\\<", "")
        else:
            assert len(widths) <= 1
            widths = set()


def test_a_page_without_markers_is_refused_and_stays(sources, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("nothing to fill\n")
    with pytest.raises(QueryError, match="no markers"):
        write_markdown(page, sources)
    assert page.read_text() == "nothing to fill\n"
    with pytest.raises(UnreadableFile):
        check_page(tmp_path)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("relax_match", None, "–"),
        ("relax_match", 0.8333333, "83.3"),
        ("relax_match", 0.0, "0.0"),
        ("questions", 3.25, "3.2"),
        ("tokens", 12345.6, "12,346"),
    ],
)
def test_figures_in_words(name, value, said):
    assert figure(name, value) == said


def test_differences_have_a_sign():
    assert [signed(entry) for entry in (0.125, -0.371, None)] == ["+12.5", "−37.1", "–"]


def test_a_drawing_keeps_only_what_draws():
    drawing = (
        b'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        b'viewBox="0 0 9 9"><metadata>made by</metadata><script>x()</script>'
        b'<g id="g1" onload="x()"><path id="m" d="M 0 0" style="fill: #000001; stroke: red"/>'
        b'<use xlink:href="#m" x="1"/><use xlink:href="https://example.org/x.svg#m"/>'
        b'<text style="font: 9px sans-serif; text-anchor: end">a &lt; b</text></g></svg>'
    )
    found = inline(drawing, "p1", "A <plot>", {"#000001": "var(--ink)"})
    assert found == (
        '<svg viewBox="0 0 9 9" role="img" aria-label="A &lt;plot&gt;" class="plot"><g>'
        '<path id="p1-m" d="M 0 0" fill="var(--ink)" stroke="red"></path>'
        '<use href="#p1-m" x="1"></use><use href="#"></use>'
        '<text font-size="9px" text-anchor="end">a &lt; b</text></g></svg>'
    )
