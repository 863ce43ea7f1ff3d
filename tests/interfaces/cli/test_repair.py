"""`concede repair` and `concede diagnose`: options, exit codes, and JSON."""

import json

import duckdb
import pytest

from command_line import ASKED, QUERY, in_own_process
from concede.engine import policies
from concede.interfaces.cli.options import POLICIES

ASK = ("repair", *QUERY, *ASKED)
KEYS = {
    "schema_version", "status", "policy", "solver", "count", "constraints", "conflicts",
    "base_conflicts", "drop_one_counts", "relaxed", "kept", "hard", "repairs", "shifts", "rank",
    "items", "near_misses", "definitions", "sql", "explanation", "complete", "counts_exact",
    "proven_minimal", "stopped_by", "catalog_version", "elapsed_ms",
}  # fmt: skip


def columns(constraints):
    """Return the columns of constraints in JSON."""
    return [constraint["column"] for constraint in constraints]


def test_an_answer_has_the_agreed_keys(concede):
    outcome = concede(*ASK, "--format", "json")
    assert outcome.code == 0
    assert outcome.err == ""
    assert set(outcome.json) == KEYS
    assert outcome.json["elapsed_ms"] is None


def test_ndjson_is_the_same_on_one_line(concede):
    line = concede(*ASK, "--format", "ndjson")
    assert line.out.count("\n") == 1
    assert line.json == concede(*ASK, "--format", "json").json


def test_timing_is_written_on_request_only(concede):
    assert concede(*ASK, "--format", "json", "--timing").json["elapsed_ms"] > 0
    assert "Answered by bitset in" in concede(*ASK, "--timing").out
    assert "Answered by" not in concede(*ASK).out


def test_the_base_is_optional(concede):
    answer = concede("repair", "--catalog", "cars.csv", *ASKED, "--format", "json").json
    assert answer["hard"] == []
    assert answer["status"] == "SAT_after_relaxation"


def test_weights_decide_what_gives_way(concede):
    cheap = concede(*ASK, "--weight", "MSRP=0.9", "--weight", "Year=0.1", "--format", "json").json
    new = concede(*ASK, "--weight", "msrp=0.1", "--weight", "Year=0.2", "--format", "json").json
    assert columns(cheap["relaxed"]) == ["Year", "highway MPG"]
    assert [constraint.get("weight") for constraint in cheap["constraints"]] == [0.9, 0.1, None]
    assert columns(new["relaxed"]) == ["MSRP", "Year"]


def test_what_is_hard_is_kept(concede):
    answer = concede(*ASK, "--hard", "MSRP", "--weight", "MSRP=0", "--format", "json").json
    assert "MSRP" not in columns(answer["relaxed"])
    assert columns(answer["hard"]) == ["Make", "MSRP"]


def test_a_group_gives_way_together(concede):
    answer = concede(*ASK, "--group", 'frugal="highway MPG",MSRP', "--format", "json").json
    assert columns(answer["relaxed"]) in (["MSRP", "Year", "highway MPG"], ["MSRP", "highway MPG"])
    assert {constraint.get("group") for constraint in answer["constraints"]} == {"frugal", None}


def test_items_come_nearest_first_unless_ranked_by_score(concede):
    answers = {
        rank: concede(*ASK, "--format", "json", *given).json
        for rank, given in {
            "default": (),
            "near": ("--rank=near",),
            "score": ("--rank=score",),
        }.items()
    }
    assert answers["default"] == answers["near"]
    assert [answers[rank]["rank"] for rank in ("near", "score")] == ["near", "score"]
    near = [(item["violation"], -item["score"]) for item in answers["near"]["items"]]
    assert near == sorted(near)
    scores = [item["score"] for item in answers["score"]["items"]]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("solver", ["bitset", "sql", "z3", "brute"])
def test_every_policy_and_solver_is_called_by_name(policy, solver, concede):
    outcome = concede(*ASK, "--policy", policy, "--solver", solver, "--format", "json")
    assert outcome.json["policy"] == policy
    assert outcome.json["solver"] == solver
    assert outcome.code == (1 if policy == "single" else 0)


def test_the_policies_offered_are_those_there_are():
    assert set(POLICIES) == set(policies.POLICIES)


def test_a_fixed_order_is_followed(concede):
    order = ("--policy", "priority", "--priority", '"highway MPG",Year')
    assert columns(concede(*ASK, *order, "--format", "json").json["relaxed"]) == [
        "Year",
        "highway MPG",
    ]


def test_top_bounds_what_is_listed(concede):
    ask = ("repair", "--catalog", "cars.csv", "--where", "Year < 1990 AND MSRP < 1", "--format")
    assert len(concede(*ask, "json", "--top", "2").json["items"]) == 2
    assert len(concede(*ask, "json", "--top", "1", "--diverse").json["repairs"]) == 1


def test_objectives_rank(concede):
    ask = ("repair", "--catalog", "cars.csv", "--where", "Year >= 1990", "--format", "json")
    best = [
        concede(*ask, option, "MSRP=1").json["items"][0]["row"]["MSRP"]
        for option in ("--minimize", "--maximize")
    ]
    assert best[0] < best[1]


def test_a_query_file_is_the_same_as_the_options(folder, concede):
    query = {
        "base": {"Make": "Lexus"},
        "constraints": [
            {"column": "MSRP", "op": "<=", "value": 24515},
            {"column": "Year", "op": ">=", "value": 2016},
            {"column": "highway MPG", "op": ">=", "value": 33},
        ],
    }
    (folder / "query.json").write_text(json.dumps(query), encoding="utf-8")
    from_file = concede("repair", "--catalog", "cars.csv", "--query", "query.json", "--format=json")
    assert from_file.json == concede(*ASK, "--format", "json").json


def test_a_satisfiable_query_is_answered_as_it_stands(concede):
    outcome = concede("repair", *QUERY, "--where", "MSRP <= 24515", "--format", "json")
    assert outcome.code == 0
    assert outcome.json["status"] == "SAT_no_relaxation"


@pytest.mark.parametrize("form", ["table", "json", "ndjson"])
def test_where_nothing_may_give_way_the_code_is_1(form, concede):
    hard = ("--hard", "MSRP", "--hard", "Year", "--hard", "highway MPG")
    outcome = concede(*ASK, *hard, "--format", form)
    assert outcome.code == 1
    assert outcome.err == "concede: no repair exists: nothing that may give way helps\n"
    if form == "table":
        assert "No repair" in outcome.out
    else:
        assert outcome.json["status"] == "UNSAT_even_after_relaxation"


def test_a_policy_without_a_repair_is_code_1_and_shows_what_would_do(concede):
    outcome = concede(*ASK, "--policy", "single", "--format", "json")
    assert outcome.code == 1
    assert outcome.err.count("\n") == 1
    assert outcome.json["relaxed"] == []
    assert outcome.json["repairs"] != []


@pytest.mark.parametrize("command", ["repair", "diagnose"])
def test_a_deadline_of_nothing_is_code_4(command, concede):
    outcome = concede(command, *QUERY, *ASKED, "--deadline", "0", "--format", "json")
    assert outcome.code == 4
    assert outcome.err.count("\n") == 1
    assert "deadline" in outcome.err
    assert outcome.json["stopped_by"] == "deadline"
    assert outcome.json["complete"] is False


def test_no_deadline_is_accepted(concede):
    assert concede(*ASK, "--deadline", "inf").code == 0


def test_a_diagnosis_takes_the_query_options(concede):
    options = ("--weight", "MSRP=0.2", "--hard", "Year", "--solver", "sql", "--limit", "10")
    outcome = concede("diagnose", *QUERY, *ASKED, *options, "--format", "json")
    assert outcome.code == 0
    answer = outcome.json
    assert answer["verdict"] == "UNSAT"
    assert answer["base_rows"] == 4
    assert answer["conflicts"] == [[1], [0, 2]]
    assert answer["repairs"] == []
    assert answer["constraints"][0]["weight"] == 0.2


def test_a_diagnosis_of_an_empty_base_names_its_conflict(concede):
    base = ("--base", "Make = 'BMW' AND Model = 'A4'", "--where", "Year > 2000")
    outcome = concede("diagnose", "--catalog", "cars.csv", *base, "--format", "json")
    assert outcome.json["base_conflicts"] == [[0, 1]]
    assert concede("repair", "--catalog", "cars.csv", *base).code == 1


RECORDS = [
    {"base": {"Make": "BMW"}, "constraints": [{"column": "MSRP", "op": "<=", "value": 9}]},
    {"base": {"Make": "BMW"}, "constraints": [{"column": "MSRP", "op": "<=", "value": 99_999}]},
    {
        "base": {"Make": "BMW"},
        "constraints": [{"column": "MSRP", "op": "<=", "value": 9, "hard": True}],
    },
]


@pytest.fixture
def records(folder):
    """The arguments that ask the records of an instance file."""
    (folder / "records.json").write_text(json.dumps(RECORDS), encoding="utf-8")
    return "--catalog", "cars.csv", "--instances", "records.json"


@pytest.mark.parametrize("command", ["repair", "diagnose"])
def test_all_records_are_one_list_or_a_line_each(command, records, concede):
    listed = concede(command, *records, "--format", "json").json
    lines = concede(command, *records, "--format", "ndjson").out.splitlines()
    assert [json.loads(line) for line in lines] == listed
    assert [record["index"] for record in listed] == [0, 1, 2]


@pytest.mark.parametrize("command", ["repair", "diagnose"])
def test_one_record_is_one_object(command, records, concede):
    one = concede(command, *records, "--index", "1", "--format", "json").json
    assert one == concede(command, *records, "--format", "json").json[1]
    line = concede(command, *records, "--index", "1", "--format", "ndjson")
    assert line.json == one
    assert line.out.count("\n") == 1


def test_the_exit_code_of_records_is_the_worst(records, concede):
    outcome = concede("repair", *records, "--format", "json")
    assert [record["status"] for record in outcome.json] == [
        "SAT_after_relaxation",
        "SAT_no_relaxation",
        "UNSAT_even_after_relaxation",
    ]
    assert outcome.code == 1
    assert outcome.err == "concede: no repair for 1 of 3 records\n"
    assert concede("repair", *records, "--index", "1").code == 0


def test_the_info_of_a_catalog(concede):
    by_argument = concede("catalog", "info", "cars.csv", "--format", "json")
    by_option = concede("catalog", "info", "--catalog", "cars.csv", "--format", "ndjson")
    assert by_argument.json == by_option.json
    assert by_option.out.count("\n") == 1
    assert by_argument.json["rows"] == 8
    assert by_argument.json["cost_column"] == "MSRP"
    listed = by_argument.json["columns"][-1]
    assert (listed["name"], listed["nulls"], listed["minimum"]) == ("listed", 1, "2023-11-30")


def test_digits_are_read_as_text_on_request(concede):
    answer = concede("catalog", "info", "cars.csv", "--as-text", "Year", "--format", "json").json
    assert answer["columns"][2]["sql_type"] == "VARCHAR"


def test_a_table_of_a_database_is_opened(folder, concede):
    with duckdb.connect(str(folder / "shop.duckdb")) as connection:
        connection.execute("CREATE TABLE shoes AS SELECT 44 AS size, 30 AS price")
        connection.execute("CREATE TABLE hats AS SELECT 58 AS size")
    shoes = ("--catalog", "shop.duckdb", "--table", "shoes", "--where", "size > 50")
    assert concede("repair", *shoes, "--format", "json").json["count"] == 1
    assert concede("repair", "--catalog", "shop.duckdb", "--where", "size > 50").code == 3


def test_every_kind_of_value_becomes_json(folder, concede):
    duckdb.sql(
        "COPY (SELECT 'a' AS name, 1.5 AS price, 'nan'::DOUBLE AS x, 'inf'::DOUBLE AS y, "
        r"'\xFF'::BLOB AS bytes, DATE '2024-02-29' AS day, TIMESTAMP '2024-02-29 12:30:00' AS at, "
        "[1, NULL] AS list, {'a': 'inf'::DOUBLE} AS struct, MAP {1: 2} AS map, uuid() AS id, "
        "INTERVAL 3 DAY AS span, 10::HUGEINT ** 20 AS big, TRUE AS yes, 1.10::DECIMAL(4, 2) AS cut"
        ") TO 'kinds.parquet'"
    )
    ask = (
        "--catalog",
        "kinds.parquet",
        "--where",
        "price < 1 AND y > 3 AND day > DATE '2025-01-01'",
    )
    row = concede("repair", *ask, "--format", "json").json["items"][0]["row"]
    assert (row["day"], row["at"]) == ("2024-02-29", "2024-02-29T12:30:00")
    assert (row["x"], row["y"]) == (None, None)
    assert concede("diagnose", *ask, "--format", "json").json["verdict"] == "UNSAT"
    assert concede("catalog", "info", "kinds.parquet", "--format", "json").json["rows"] == 1
    assert concede("repair", *ask).code == 0
    assert concede("catalog", "info", "kinds.parquet").code == 0


UNUSUAL = 'nä"me,pr;ice,"a,b=c",[b]x[/b]\n"Ö\'Neill ""x""",1,3,:car:\n漢字,2,4,[red]\n🚗,3,5,\n'


@pytest.mark.parametrize("name", ["dä'ta.csv", 'q"uote.csv', "[1].csv", "a b*c?.csv", "漢字.csv"])
def test_unusual_names_and_values_are_data(name, folder, concede):
    (folder / name).write_text(UNUSUAL, encoding="utf-8")
    where = """"nä""me" = 'Ö''Neill "x"' AND "pr;ice" >= 2 AND "a,b=c" <= 9"""
    options = ("--weight", "pr;ice=0.1", "--weight", "a,b=c=0.4", "--hard", 'nä"me')
    grouped = ("--group", 'g="a,b=c",pr;ice')
    answer = concede("repair", "--catalog", name, "--where", where, *options, "--format", "json")
    assert columns(answer.json["relaxed"]) == ["pr;ice"]
    assert answer.json["items"][0]["row"]['nä"me'] == 'Ö\'Neill "x"'
    assert duckdb.sql(answer.json["sql"]).fetchall() != []
    assert concede("repair", "--catalog", name, "--where", where, *grouped).code == 0


@pytest.mark.parametrize(
    "value", ["'; DROP TABLE items; --", "x' OR '1'='1", "$1", "?", "%s", "{}", "\\", "/*", "\n"]
)
def test_an_injection_in_a_value_is_a_value(value, folder, concede):
    constraint = {"column": "Make", "op": "==", "value": value}
    query = {"constraints": [constraint], "base": [{"column": "Model", "op": "!=", "value": value}]}
    (folder / "query.json").write_text(json.dumps(query), encoding="utf-8")
    answer = concede("repair", "--catalog", "cars.csv", "--query", "query.json", "--format", "json")
    assert answer.json["relaxed"] == [constraint]
    assert answer.json["count"] == 8
    quoted = value.replace("'", "''")
    written = concede("diagnose", "--catalog", "cars.csv", "--where", f"Make = '{quoted}'")
    assert written.code == 0


@pytest.mark.slow
def test_a_program_of_its_own_writes_json_under_any_encoding(folder):
    (folder / "unusual.csv").write_text(UNUSUAL, encoding="utf-8")
    ask = ("--catalog", "unusual.csv", "--where", '"pr;ice" > 9')
    read = [
        in_own_process(
            "repair", *ask, "--format", form, folder=folder, environment={"PYTHONIOENCODING": name}
        )
        for form, name in (("json", "utf-8"), ("json", "ascii"), ("table", "ascii"))
    ]
    assert [outcome.code for outcome in read] == [0, 0, 0]
    assert read[0].json == read[1].json
    assert read[1].out.isascii()
    assert read[2].out.isascii()


@pytest.mark.slow
@pytest.mark.parametrize("command", ["repair", "diagnose"])
def test_the_same_query_gives_the_same_bytes_under_any_hash_seed(command, folder):
    ask = (command, "--catalog", "cars.csv", *ASKED, "--hard", "MSRP", "--format", "json")
    written = {
        in_own_process(*ask, folder=folder, environment={"PYTHONHASHSEED": seed}).out
        for seed in ("0", "1", "2")
    }
    assert len(written) == 1
    assert written.pop().startswith("{")
