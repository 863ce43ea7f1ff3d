"""The solver-style baselines on Z3's cores: priced edits, bounded loops, honest verdicts."""

from __future__ import annotations

import pytest

from concede import Catalog, Constraint, Query
from concede.dialogs.formal.aware import MAX_ITERATIONS, formal_aware
from concede.dialogs.formal.edits import SHOWN, check, default_order, edits
from concede.dialogs.formal.hao import MAX_ACTIONS, MAX_SOLVES, Action, State, formal_hao
from concede.engine.answer import Status
from concede.solvers.limits import Budget, Verdict

pa = pytest.importorskip("pyarrow")

FLATS = Catalog.open(
    pa.table(
        {
            "district": ["Nord", "Nord", "Nord", "Ost", "Ost", "West", "West", "West"],
            "rooms": [2, 3, 4, 2, 5, 3, 4, 4],
            "rent": [600, 800, 1100, 500, 1200, 700, 900, 950],
            "balcony": [True, False, True, False, True, True, False, True],
        }
    )
)
TIGHT = Query(
    base=(Constraint(column="balcony", op="==", value=True),),
    constraints=(
        Constraint(column="district", op="==", value="Ost", weight=0.9),
        Constraint(column="rent", op="<=", value=800, weight=0.2),
        Constraint(column="rooms", op=">=", value=4, weight=0.6),
    ),
)


def test_a_core_is_minimal_and_points_at_what_is_kept():
    checked = check(FLATS, TIGHT, list(TIGHT.constraints), Budget(None))
    assert checked.verdict is Verdict.UNSAT
    assert checked.core in ((0, 1), (1, 2))
    kept = [None, *TIGHT.constraints[1:]]
    assert check(FLATS, TIGHT, kept, Budget(None)).core == (1, 2)
    assert check(FLATS, TIGHT, [None, None, TIGHT.constraints[2]], Budget(None)).verdict == "SAT"
    assert check(FLATS, TIGHT, kept, Budget(0.0)).verdict is Verdict.UNKNOWN


def test_edits_are_priced_and_lead_to_rows():
    listed = edits(FLATS, TIGHT, list(TIGHT.constraints), (0, 1, 2))
    # With ≥ 4 rooms in Ost the rent is 1,200: 400 of a range from 600 to 1,200.
    moved = [
        (edit.before.column, edit.to and (edit.to.op, edit.to.value), edit.cost) for edit in listed
    ]
    assert moved[0] == ("rent", ("<=", 1200), pytest.approx(400 / 600))
    assert [edit.to for edit in listed[1:]] == [None, None, None]
    assert [edit.cost for edit in listed[1:]] == [1.0, 1.0, 1.0]
    hard = Query(base=TIGHT.base, constraints=[*TIGHT.constraints[:2], TIGHT.constraints[2]])
    assert len(edits(FLATS, hard, list(hard.constraints), (1,))) == 2


def test_values_are_replaced_most_frequent_first():
    query = Query(
        constraints=(
            Constraint(column="district", op="==", value="Sued"),
            Constraint(column="rooms", op=">=", value=3),
        )
    )
    listed = edits(FLATS, query, list(query.constraints), (0,))
    assert [(edit.to and edit.to.value, edit.cost) for edit in listed] == [
        ("West", 0.25),
        ("Nord", pytest.approx(0.30)),
        ("Ost", pytest.approx(0.35)),
        (None, 1.0),
    ]
    assert listed[0].record() == {
        "action": "replace",
        "from": {"column": "district", "op": "==", "value": "Sued"},
        "to": {"column": "district", "op": "==", "value": "West"},
    }


def test_hard_constraints_are_never_edited():
    hard = [constraint.model_copy(update={"hard": True}) for constraint in TIGHT.constraints]
    query = Query(base=TIGHT.base, constraints=tuple(hard))
    assert edits(FLATS, query, list(query.constraints), (0, 1, 2)) == []
    for run in (formal_aware(FLATS, query), formal_hao(FLATS, query)):
        assert run.status is Status.UNSAT_EVEN_AFTER_RELAXATION
        assert run.iterations == ()


def test_the_baseline_repairs_whatever_the_weights():
    run = formal_aware(FLATS, TIGHT)
    assert run.status is Status.SAT_AFTER_RELAXATION
    counted = FLATS.count(
        [FLATS.bind(constraint) for constraint in (*TIGHT.base, *filter(None, run.remaining))]
    )
    assert counted == run.iterations[-1].results_after > 0
    assert run.relaxed is run.iterations[0].chosen
    assert run.recommended is not None
    record = run.record()
    assert record["iterations"][0]["num_candidates_presented"] == run.iterations[0].n_edits
    assert record["relaxed_constraint"] == run.relaxed.record()


def test_a_query_with_rows_is_left_alone():
    query = Query(constraints=(Constraint(column="rooms", op=">=", value=4),))
    for run in (formal_aware(FLATS, query), formal_hao(FLATS, query)):
        assert run.status is Status.SAT_NO_RELAXATION
        assert run.iterations == ()
        assert run.recommended == FLATS.fetch([6])[0]


@pytest.mark.parametrize("answer", [None, -1, SHOWN, 10**9])
def test_an_answer_that_names_no_edit_drops_the_first_member(answer):
    class Mute:
        def choose(self, core, edits):
            return answer

    run = formal_aware(FLATS, TIGHT, Mute())
    first = run.iterations[0]
    assert first.chosen.to is None
    assert first.chosen.before == first.core[0]
    assert len(run.iterations) <= MAX_ITERATIONS


def test_nothing_is_concluded_without_time():
    for run in (formal_aware(FLATS, TIGHT, deadline=0.0), formal_hao(FLATS, TIGHT, deadline=0.0)):
        assert run.status is Status.UNKNOWN
        assert run.recommended is None


def test_the_user_of_the_inner_loop_gives_way_where_it_matters_least():
    run = formal_hao(FLATS, TIGHT)
    assert run.status is Status.SAT_AFTER_RELAXATION
    assert {iteration.chosen.before.column for iteration in run.iterations} == {"rent"}


def test_refused_edits_are_not_suggested_again_and_the_round_ends():
    calls: list[object] = []

    class No:
        def agrees(self, edit, core):
            calls.append(edit)
            return False

    run = formal_hao(FLATS, TIGHT, judge=No())
    assert run.status is Status.UNSAT_EVEN_AFTER_RELAXATION
    assert len(calls) == len(set(map(id, calls))) > 0


def test_a_planner_that_never_ends_is_stopped():
    acts: list[State] = []

    class Endless:
        def act(self, state):
            acts.append(state)
            return Action("suggest", edit=99)

    run = formal_hao(FLATS, TIGHT, planner=Endless())
    assert run.status is Status.UNSAT_EVEN_AFTER_RELAXATION
    assert len(acts) == MAX_ACTIONS
    assert acts[0].log[0] == "no edit 99"


def test_the_tenth_repair_is_checked():
    # Ten pairs, each impossible by itself, so ten edits are needed.
    columns = {f"c{j}": [0, 1] for j in range(MAX_SOLVES)}
    catalog = Catalog.open(pa.table(columns))
    constraints = [Constraint(column=name, op="==", value=5) for name in columns]
    run = formal_hao(catalog, Query(constraints=tuple(constraints)))
    assert len(run.iterations) == MAX_SOLVES
    assert run.status is Status.SAT_AFTER_RELAXATION


def test_what_is_recommended_by_default():
    assert default_order(FLATS) == (("rent", "asc"),)
