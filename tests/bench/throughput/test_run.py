"""The throughput benchmark compares before it times, and says what it measured. No timings here."""

from __future__ import annotations

import json
from contextlib import ExitStack, contextmanager
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.bench.throughput import comparison as race
from concede.bench.throughput import data, diagnosis, enumeration, run
from concede.bench.throughput.comparison import AnswersDiffer, Comparison, Method, Runner, TimedOut
from concede.bench.throughput.growth import linear_fit
from concede.bench.throughput.machine import place_of
from concede.bench.throughput.report import Report
from concede.bench.throughput.rivals import registry
from concede.bench.throughput.rivals.cpmpy_marco import cpmpy_method
from concede.bench.throughput.rivals.ours import ours
from concede.bench.throughput.rivals.pysat_enumeration import pysat_methods
from concede.bench.throughput.rivals.z3_rows import masks_in_z3
from concede.bench.throughput.setting import Options, Setting
from concede.bench.throughput.timings import Pace, timed
from twins import Twin

ONCE = Pace(1, 60.0)
TINY = 300


@pytest.fixture(scope="module")
def table():
    return data.Table(TINY, 5, 7)


@contextmanager
def tiny_diagnosis(table):
    """Let the section `diagnosis` be a grid of four cells over the tiny table."""

    def jobs(setting):
        cells = [("warm", None), ("warm", 0.5), ("cold", None), ("cold", 0.5)]
        return [
            lambda state=state, base=base: diagnosis.cell(setting, TINY, 3, 0.3, base, state)
            for state, base in cells
        ]

    kind = run.SectionKind(diagnosis.TITLE, diagnosis.NOTE, jobs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Setting, "table", lambda self, rows, columns: table)
        patch.setitem(run.SECTIONS, "diagnosis", kind)
        yield Options(quick=True, repeats=2, only=("diagnosis",))


@pytest.fixture
def tiny_grid(table):
    with tiny_diagnosis(table) as options:
        yield options


@pytest.fixture(scope="module")
def report(table):
    with tiny_diagnosis(table) as options:
        return run.run_throughput(options)


def test_a_call_runs_as_often_as_asked_and_its_setup_before_each():
    done: list[str] = []
    taken = timed(lambda: done.append("call"), Pace(3, 60.0), lambda: done.append("before"))
    assert len(taken.seconds) == 3
    assert done == ["before", "call"] * 3


def test_a_call_without_time_left_still_runs_once():
    assert len(timed(lambda: None, Pace(10, -1.0, least=1)).seconds) == 1


def counting(name: str, answer: dict[str, object], log: list[str]) -> Method:
    """A method that notes each call."""

    def prepare(stack):
        return Runner(lambda: log.append(name), lambda _: answer)

    return Method(name, prepare)


def test_nothing_is_timed_before_every_answer_was_compared():
    log: list[str] = []
    methods = [counting("concede", {"n": 1, "m": 2}, log), counting("other", {"n": 1}, log)]
    methods.append(counting("liar", {"m": 3}, log))
    with pytest.raises(AnswersDiffer) as raised:
        Comparison({"rows": 5}, methods).run(Pace(50, 60.0))
    assert log == ["concede"] * (1 + race.WARM_UPS) + ["other", "liar"]
    assert (raised.value.method, raised.value.part) == ("liar", "m")
    assert (raised.value.ours, raised.value.theirs) == (2, 3)
    assert raised.value.exit_code == 1
    assert all(text in str(raised.value) for text in ("rows 5", "liar", "2", "3"))


@pytest.mark.parametrize(
    ("ours_found", "theirs_found", "shown_ours", "shown_theirs"),
    [
        ({1: 5, 2: 6}, {1: 5, 2: 7}, {2: 6}, {2: 7}),
        ({1: 5}, {1: 5, 3: 1}, {3: None}, {3: 1}),
        ([4, 5, 6], [4, 9, 6], {1: 5}, {1: 9}),
        ([{"b": 1, "c": [2]}], [{"b": 1, "c": [3]}], {0: {"c": {0: 2}}}, {0: {"c": {0: 3}}}),
        ({frozenset({1, 2})}, {frozenset({3})}, [[1, 2]], [[3]]),
        ({frozenset({1}), frozenset({3})}, {frozenset({3})}, [[1]], []),
    ],
)
def test_a_difference_is_shown_where_it_is(ours_found, theirs_found, shown_ours, shown_theirs):
    methods = [counting("concede", {"x": ours_found}, []), counting("o", {"x": theirs_found}, [])]
    with pytest.raises(AnswersDiffer) as raised:
        Comparison({"k": 1}, methods).run(ONCE)
    assert (raised.value.ours, raised.value.theirs) == (shown_ours, shown_theirs)


def test_who_does_not_take_part_is_listed_with_the_reason():
    def never(stack):
        raise AssertionError("must not be made ready")

    def endless(stack):
        def call():
            raise TimedOut("did not end in 3 s")

        return Runner(call, lambda _: {})

    methods = [
        counting("concede", {"n": 1}, []),
        Method("missing", never, needs=("no_such_package_anywhere",)),
        Method("slow", never, skipped="takes hours"),
        Method("endless", endless),
    ]
    cell = Comparison({"rows": 1}, methods).run(ONCE)
    told = {result.method: (result.outcome, result.why) for result in cell.results[1:]}
    assert told == {
        "missing": ("not installed", "without no_such_package_anywhere"),
        "slow": ("skipped", "takes hours"),
        "endless": ("stopped", "did not end in 3 s"),
    }
    assert [result.median_ms for result in cell.results[1:]] == [None] * 3
    assert cell.results[0].ratio == 1.0


def test_a_wrong_rival_in_the_registry_ends_the_run(tiny_grid, monkeypatch):
    def wrong(question, seconds):
        def prepare(stack):
            return Runner(lambda: None, lambda _: {"conflicts": {frozenset({0, 1, 2, 99})}})

        return Method("wrong", prepare)

    monkeypatch.setattr(registry, "WARM", [*registry.WARM, wrong])
    with pytest.raises(AnswersDiffer, match="wrong") as raised:
        run.run_throughput(tiny_grid)
    assert raised.value.theirs == [[0, 1, 2, 99]]
    assert "rows 300, k 3" in raised.value.case


def test_every_cell_of_a_grid_says_what_it_selects_and_who_answered(report, table):
    (section,) = report.sections
    assert [(cell.case["state"], cell.case["base"]) for cell in section.cells] == [
        ("warm", "all"),
        ("warm", "1%"),
        ("cold", "all"),
        ("cold", "1%"),
    ]
    for cell in section.cells:
        known = cell.selectivity
        assert known is not None
        assert known.seed == 7
        assert len(known.shares) == 3
        assert all(0.2 < share < 0.4 for share in known.shares)
        assert known.base_share == (1.0 if cell.case["base"] == "all" else known.base_share)
        assert 0.3 < known.base_share <= 1.0
        assert all(result.outcome == "measured" for result in cell.results)
        assert all(result.compared for result in cell.results)
        assert all((result.p99_ms or 0) >= (result.median_ms or 1) > 0 for result in cell.results)
    rows = table.catalog.query("SELECT c0, c1, c2 FROM catalog")
    matching = sum(all(value <= 0.3 for value in row.values()) for row in rows)
    assert section.cells[0].selectivity.matching == matching


def test_the_report_comes_back_from_its_json(report):
    text = json.dumps(report.model_dump(mode="json"), allow_nan=False)
    assert Report.model_validate_json(text) == report
    assert set(Report.model_json_schema()["properties"]) == set(json.loads(text))


def test_what_is_the_registry_of_sections_is_what_a_run_offers():
    with pytest.raises(race.ConcedeError, match="no section 'speed'"):
        run.run_throughput(Options(only=("speed",)))


def twin_of(width: int, masks: list[int]) -> Twin:
    return Twin([frozenset(j for j in range(width) if mask >> j & 1) for mask in masks], width)


MASK_SETS = st.integers(2, 6).flatmap(
    lambda width: st.tuples(
        st.just(width),
        st.lists(st.integers(0, 2**width - 2), min_size=1, max_size=12, unique=True),
    )
)


@given(MASK_SETS)
def test_rivals_that_search_find_the_conflicts_and_repairs_of_the_twin(drawn):
    width, masks = drawn
    twin = twin_of(width, masks)
    methods = pysat_methods(width, masks, "masks", 60.0)
    for method in [*methods, masks_in_z3(width, masks, 60.0)]:
        if method.missing:
            continue
        found = answer_of(method)
        assert found["conflicts"] == set(twin.conflicts), method.name
        assert found["repairs"] == set(twin.repairs), method.name


def test_cpmpy_finds_the_conflicts_and_repairs_of_the_twin():
    pytest.importorskip("cpmpy")
    masks = [0b0011, 0b0101, 0b1000]
    twin = twin_of(4, masks)
    assert answer_of(cpmpy_method(4, masks, 60.0)) == {
        "conflicts": set(twin.conflicts),
        "repairs": set(twin.repairs),
    }


def answer_of(method: Method) -> dict[str, object]:
    with ExitStack() as stack:
        runner = method.prepare(stack)
        return dict(runner.answer(runner.call()))


@pytest.mark.parametrize("base", [None, 0.4])
@pytest.mark.parametrize("density", [0.3, data.SKEWED])
def test_all_rivals_agree_with_plain_python(table, base, density):
    shares = data.shares_of(density, 5)
    question = data.Question(table, shares, base)
    rows = table.catalog.query("SELECT * FROM catalog")
    inside = [row for row in rows if base is None or row["b"] <= base]
    met = [frozenset(j for j in range(5) if row[f"c{j}"] <= shares[j]) for row in inside]
    twin = Twin(met, 5)
    subsets = [frozenset(j for j in range(5) if index >> j & 1) for index in range(32)]
    expected = {
        "histogram": twin.masks(),
        "subset counts": [twin.count(subset) for subset in subsets],
        "conflicts": set(twin.conflicts),
        "repairs": set(twin.repairs),
    }
    methods = [ours(question, cold=False), ours(question, cold=True)]
    methods += [rival(question, 60.0) for rival in (*registry.WARM, *registry.COLD)]
    for method in methods:
        found = answer_of(method)
        assert found == {part: expected[part] for part in found}, method.name
        assert found


def test_cold_questions_are_new_and_select_the_same_rows(table):
    question = data.Question(table, data.shares_of(0.3, 2))
    first, second = question.unseen(), question.unseen()
    values = {entry.constraints[0].value for entry in (question.query, first, second)}
    assert len(values) == 3
    rows = [
        table.catalog.rows(table.catalog.bind(entry.constraints[0]))
        for entry in (question.query, first, second)
    ]
    assert rows[0] == rows[1] == rows[2]


@pytest.mark.slow
def test_the_tight_case_is_empty_and_everybody_agrees(monkeypatch):
    pytest.importorskip("pysat")
    setting = Setting(Options(quick=True, repeats=1))
    cell = enumeration.cell(setting, 6)
    assert cell.selectivity is not None
    assert cell.selectivity.shares == pytest.approx([0.2] * 6, abs=0.02)
    outcomes = {result.method: result.outcome for result in cell.results}
    assert set(outcomes.values()) <= {"measured", "not installed", "stopped"}
    assert outcomes["PySAT MCSls, row masks"] == "measured"


def test_skewed_shares_fall_from_nine_tenths_to_a_thousandth():
    shares = data.shares_of(data.SKEWED, 5)
    assert (shares[0], shares[-1]) == pytest.approx((0.9, 0.001))
    ratios = [later / earlier for earlier, later in pairwise(shares)]
    assert ratios == pytest.approx([ratios[0]] * 4)
    assert data.shares_of(0.3, 2) == (0.3, 0.3)


def test_a_line_is_fitted_as_a_line():
    rows = [1e4, 1e5, 1e6, 1e7]
    slope, intercept, r_squared = linear_fit(rows, [0.5 + 2e-6 * row for row in rows])
    assert (slope, intercept, r_squared) == pytest.approx((2e-6, 0.5, 1.0))
    assert linear_fit(rows, [1.0, 2.0, 1.0, 2.0])[2] < 0.9


def test_a_buffer_is_compared_with_the_fastest_place_that_holds_it():
    assert [place_of(entry) for entry in (1, 512 * 2**10, 2**20, 8 * 2**20, 2**30)] == [
        "L2",
        "L2",
        "L3",
        "L3",
        "memory",
    ]
