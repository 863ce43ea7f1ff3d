"""Bad input of every kind: one line that helps, the right exit code, nothing else."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import ASKED, PROGRAM, QUERY, in_own_process, listing

USAGE, FILE = 2, 3
ASK = ("repair", *QUERY, *ASKED)
CARS = ("--catalog", "cars.csv")


def refused(outcome, code, *words):
    """Check one line on standard error, with these words, and nothing on standard output."""
    assert outcome.out == ""
    assert outcome.err.startswith("concede: ")
    assert outcome.err.count("\n") == 1
    assert outcome.code == code
    assert [word for word in words if word not in outcome.err] == []


BROKEN_CATALOGS = {
    "empty.csv": b"",
    "blank.csv": b"\n\n \n",
    "ragged.csv": b"a,b\n1,2\n3,4,5\n",
    "binary.csv": bytes(range(128, 256)) * 20,
    "no_table.parquet": b"PAR1 this is none",
    "no_table.duckdb": b"neither is this" * 50,
    "broken.json": b'{"a": [1, ',
    "unknown.xls": b"a,b\n1,2\n",
}


@pytest.mark.parametrize("name", BROKEN_CATALOGS)
def test_an_unreadable_catalog_is_refused(name, folder, concede):
    (folder / name).write_bytes(BROKEN_CATALOGS[name])
    refused(concede("repair", "--catalog", name, "--where", "a = 1"), FILE, name)
    refused(concede("diagnose", "--catalog", name, "--where", "a = 1"), FILE, name)
    refused(concede("catalog", "info", name), FILE, name)


@pytest.mark.parametrize("name", ["missing.csv", ".", "sample:planes", "cars"])
def test_a_catalog_that_is_not_there_is_refused(name, concede):
    refused(concede("repair", "--catalog", name, "--where", "a = 1"), FILE, repr(name))


BAD_CONDITIONS = {
    "Makr = 'Lexus'": ["unknown column 'Makr'", "did you mean 'Make'"],
    '"high MPG" >= 3': ["unknown column 'high MPG'", "'highway MPG'"],
    '"MSRP""; DROP TABLE items; --" = 1': ["unknown column"],
    "MSRP <= 'cheap'": ["'cheap'", "number"],
    "Year = 2016.5.1": ["cannot parse"],
    "MSRP <=": ["position 6"],
    "MSRP <= 3 AND": ["position 11"],
    "MSRP < 3 OR OR Year > 2": ["position 13"],
    "(MSRP < 3": ["position"],
    "Make = 'Lexus": ["position"],
    "": ["empty"],
    "   ": ["empty"],
    "SELECT 1": ["position 1", "SELECT"],
    "DROP TABLE items": ["position 1", "DROP"],
    "MSRP <= 3; DROP TABLE items": ["position 12", "DROP"],
    "MSRP <= 3; ATTACH 'stolen.duckdb'": ["position"],
    "Make = ''; COPY items TO 'stolen.csv'": ["position"],
    "MSRP <= (SELECT 1)": ["position 10", "SELECT"],
    "EXISTS (SELECT * FROM read_csv('/etc/passwd'))": ["position"],
    "read_text('cars.csv') = ''": ["position 1"],
    "getenv('HOME') = ''": ["position 1"],
    "MSRP": ["'MSRP'"],
    "1": ["'1'"],
    "MSRP = NULL": ["IS NULL"],
    "MSRP <= 1e999": ["position"],
    "CAST(Make AS INTEGER) > 3": ["Lexus"],
    "MSRP < 'x\x00y'": ["MSRP"],
    "\x1b[31m = 1": [r"\x1b"],
    "(" * 3_000: ["nested"],
    " AND ".join(["MSRP < 1"] * 65): ["65", "64"],
}


@pytest.mark.parametrize("where", BAD_CONDITIONS, ids=lambda where: repr(where[:40]))
@pytest.mark.parametrize("command", ["repair", "diagnose"])
def test_a_bad_condition_is_refused(command, where, concede):
    refused(concede(command, *CARS, "--where", where), USAGE, *BAD_CONDITIONS[where])


def test_a_bad_base_is_refused(concede):
    refused(concede("repair", *CARS, "--base", "Makr = 1", "--where", "MSRP < 3"), USAGE, "'Makr'")
    refused(concede("repair", *CARS, "--base", "Make =", "--where", "MSRP < 3"), USAGE, "position")
    refused(concede("repair", *CARS, "--base", "", "--where", "MSRP < 3"), USAGE, "empty")


BAD_OPTIONS = {
    "no such option": (["--nosuch"], ["--nosuch"]),
    "an extra argument": (["more"], ["more"]),
    "a weight that is no number": (["--weight", "MSRP=much"], ["'MSRP=much'", "COLUMN=0.7"]),
    "a weight without a number": (["--weight", "MSRP"], ["'MSRP'", "COLUMN=0.7"]),
    "a weight without a column": (["--weight", "=0.5"], ["'=0.5'", "COLUMN=0.7"]),
    "a NaN weight": (["--weight", "MSRP=nan"], ["nan", "finite"]),
    "an infinite weight": (["--weight", "MSRP=inf"], ["inf", "finite"]),
    "a negative weight": (["--weight", "MSRP=-0.1"], ["-0.1", "0..1"]),
    "a weight over 1": (["--weight", "MSRP=1.5"], ["1.5", "0..1"]),
    "two weights": (["--weight", "MSRP=0.1", "--weight", "msrp=0.2"], ["--weight", "'msrp'"]),
    "a weight on no column": (["--weight", "MSPR=1"], ["'MSPR'", "did you mean 'MSRP'"]),
    "a weight on no constraint": (["--weight", "Model=1"], ["no constraint", "'MSRP', 'Year'"]),
    "hard on no column": (["--hard", "Yeer"], ["'Yeer'", "'Year'"]),
    "hard on no constraint": (["--hard", "fuel"], ["no constraint", "'MSRP'"]),
    "an injected column": (["--hard", "MSRP; DROP TABLE items"], ["unknown column"]),
    "a group without columns": (["--group", "price"], ["'price'", "NAME=COLUMN"]),
    "a group of nothing": (["--group", "price="], ["'price='", "NAME=COLUMN"]),
    "a group without a name": (["--group", "=MSRP"], ["'=MSRP'", "NAME=COLUMN"]),
    "a group on no column": (["--group", "g=MSRP,Yeer"], ["'Yeer'", "'Year'"]),
    "a column in two groups": (["--group", "g=MSRP", "--group", "h=MSRP"], ["--group", "'MSRP'"]),
    "an unknown policy": (["--policy", "best"], ["'best'", "least-weight"]),
    "an unknown solver": (["--solver", "magic"], ["'magic'", "bitset"]),
    "an unknown format": (["--format", "xml"], ["'xml'", "json"]),
    "no top": (["--top", "0"], ["--top"]),
    "a top that is no number": (["--top", "few"], ["--top"]),
    "a negative deadline": (["--deadline", "-1"], ["--deadline", "-1"]),
    "a NaN deadline": (["--deadline", "nan"], ["--deadline", "nan"]),
    "a text to minimise": (["--minimize", "Make"], ["'Make'"]),
    "no column to maximise": (["--maximize", "Yeer"], ["'Yeer'", "'Year'"]),
    "a bad weight to minimise": (["--minimize", "MSRP=7"], ["7"]),
    "an order for another policy": (["--priority", "MSRP"], ["--policy priority"]),
    "an unknown column in the order": (
        ["--policy", "priority", "--priority", "Yeer"],
        ["'Yeer'", "'Year'"],
    ),
    "a table of a CSV file": (["--table", "cars"], ["--table", "no database"]),
    "an unknown column as text": (["--as-text", "zip"], ["'zip'"]),
    "an index of nothing": (["--index", "0"], ["--instances"]),
    "two queries": (["--query", "query.json"], ["--where", "--query"]),
    "a query and instances": (["--instances", "records.json"], ["--where", "--instances"]),
}


@pytest.mark.parametrize("name", BAD_OPTIONS)
def test_a_bad_option_is_refused(name, concede):
    options, words = BAD_OPTIONS[name]
    refused(concede(*ASK, *options), USAGE, *words)


@pytest.mark.parametrize(
    "option", ["--policy=single", "--top=3", "--minimize=MSRP", "--priority=MSRP", "--timing"]
)
def test_an_option_that_a_diagnosis_has_no_use_for_is_refused(option, concede):
    refused(concede("diagnose", *QUERY, *ASKED, option), USAGE, option.split("=")[0])


@pytest.mark.parametrize(
    "option", ["--base=Year > 1", "--weight=MSRP=1", "--hard=MSRP", "--group=g=MSRP"]
)
def test_what_records_say_themselves_is_refused_beside_them(option, concede):
    outcome = concede("repair", *CARS, "--instances", "records.json", option)
    refused(outcome, USAGE, option.split("=")[0], "--instances")


def test_no_query_is_refused(concede):
    refused(concede("repair", *CARS), USAGE, "--where")
    refused(concede("repair", *QUERY), USAGE, "--where")
    refused(concede("repair", "--where", "MSRP < 3"), USAGE, "--catalog")
    refused(concede("catalog", "info"), USAGE, "--catalog")
    refused(concede("catalog", "info", "cars.csv", *CARS), USAGE, "twice")
    refused(concede("completion", "tcsh"), USAGE, "'tcsh'", "bash")
    refused(concede("mend"), USAGE, "'mend'")


BAD_QUERIES = {
    "": (FILE, ["not JSON"]),
    "{": (FILE, ["not JSON"]),
    "[]": (FILE, ["no query"]),
    "null": (FILE, ["no query"]),
    "[" * 100_000: (FILE, ["nested"]),
    "{}": (USAGE, ["no constraints"]),
    '{"constraints": []}': (USAGE, ["no constraints"]),
    '{"constraints": 3}': (USAGE, ["constraints", "3"]),
    '{"constraints": [3]}': (USAGE, ["3"]),
    '{"constraint": []}': (USAGE, ["constraint"]),
    '{"constraints": [{"column": "MSRP", "op": "~", "value": 1}]}': (USAGE, ["'~'", "<="]),
    '{"constraints": [{"column": "MSRP", "op": "<=", "value": NaN}]}': (USAGE, ["nan"]),
    '{"constraints": [{"column": "MSRP", "op": "<=", "value": {"a": 1}}]}': (USAGE, ["value"]),
    '{"constraints": [{"column": "MSRP", "op": "in", "value": []}]}': (USAGE, ["value"]),
    '{"constraints": [{"column": "MSPR", "op": "<=", "value": 1}]}': (USAGE, ["'MSRP'"]),
    '{"constraints": [{"column": "Make", "op": "==", "value": "\\ud800"}]}': (USAGE, ["value"]),
    '{"constraints": [{"op": "sql", "value": "DROP TABLE items"}]}': (USAGE, ["DROP"]),
    '{"constraints": [{"op": "sql", "value": "MSRP < (SELECT 1)"}]}': (USAGE, ["SELECT"]),
}


@pytest.mark.parametrize("text", BAD_QUERIES, ids=lambda text: repr(text[:60]))
def test_a_bad_query_file_is_refused(text, folder, concede):
    (folder / "query.json").write_text(text, encoding="utf-8")
    code, words = BAD_QUERIES[text]
    refused(concede("repair", *CARS, "--query", "query.json"), code, *words)


@pytest.mark.parametrize("weight", ["NaN", "Infinity", "-Infinity", "-0.5", "1.01", '"much"'])
def test_a_bad_weight_in_a_query_file_is_refused(weight, folder, concede):
    text = f'{{"constraints": [{{"column": "MSRP", "op": "<=", "value": 1, "weight": {weight}}}]}}'
    (folder / "query.json").write_text(text, encoding="utf-8")
    refused(concede("repair", *CARS, "--query", "query.json"), USAGE, "weight")


@pytest.mark.parametrize("option", ["--query", "--instances"])
def test_a_file_that_cannot_be_read_is_refused(option, folder, concede):
    (folder / "binary.json").write_bytes(b"\xff\xfe\x00")
    for name, words in (
        ("missing.json", "No such file"),
        (".", "directory"),
        ("binary.json", "UTF-8"),
        ("nul\0.json", "null"),
    ):
        refused(concede("repair", *CARS, option, name), FILE, words)


GOOD_RECORD = {
    "base": {"Make": "BMW"},
    "constraints": [{"column": "MSRP", "op": "<=", "value": 9, "weight": 0.5}],
}
NO_COLUMN = {"base": {}, "constraints": [{"column": "MSPR", "op": "<=", "value": 9}]}
NO_BASE = {"base_query_sentence": "Any car.", "constraints": GOOD_RECORD["constraints"]}
BAD_RECORDS = {
    "": (FILE, ["not JSON"]),
    "[]": (FILE, ["no records"]),
    "3": (FILE, ["record 0"]),
    "[[]]": (FILE, ["record 0"]),
    "[{}]": (FILE, ["record 0", "no constraints"]),
    '[{"constraints": []}]': (FILE, ["record 0", "no constraints"]),
    '[{"constraints": [3]}]': (FILE, ["record 0", "3"]),
    '[{"constraints": [{"column": "MSRP", "op": "?", "value": 3}]}]': (FILE, ["record 0", "'?'"]),
    '{"constraints": []}\n{"constraints"': (FILE, ["line 2"]),
    json.dumps([GOOD_RECORD, NO_COLUMN]): (USAGE, ["record 1", "'MSRP'"]),
    json.dumps([NO_BASE]): (USAGE, ["record 0", "no base"]),
    "[" * 100_000: (FILE, ["nested"]),
    "x" * 5_000_000: (FILE, ["not JSON"]),
    "[" + "7," * 2_500_000 + "7]": (FILE, ["record 0"]),
}


@pytest.mark.parametrize("text", BAD_RECORDS, ids=lambda text: repr(text[:60]))
@pytest.mark.parametrize("form", ["table", "ndjson"])
def test_a_bad_instance_file_is_refused(form, text, folder, concede):
    (folder / "records.json").write_text(text, encoding="utf-8")
    code, words = BAD_RECORDS[text]
    outcome = concede("repair", *CARS, "--instances", "records.json", "--format", form)
    refused(outcome, code, *words)


@pytest.mark.parametrize("index", ["-1", "1", "99999999999999999999", "one"])
def test_an_index_out_of_range_is_refused(index, folder, concede):
    (folder / "records.json").write_text(json.dumps([GOOD_RECORD]), encoding="utf-8")
    refused(concede("repair", *CARS, "--instances", "records.json", "--index", index), USAGE, index)


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("repair", "--catalog", "cars\udcff.csv", "--where", "MSRP < 3"),
        ("repair", "--catalog", "cars.csv", "--where", "Make = '\udcff'"),
        ("repair", "--catalog", "cars.csv", "--where", "MSRP < 3", "--hard", "\udcff"),
        ("repair", "--catalog", "ragged.csv", "--where", "MSRP < 3"),
        ("diagnose", "--catalog", "cars.csv", "--where", "Make <", "--format", "json"),
    ],
)
def test_a_program_of_its_own_refuses_in_one_line_without_a_traceback(arguments, folder):
    (folder / "ragged.csv").write_bytes(BROKEN_CATALOGS["ragged.csv"])
    before = listing(folder)
    outcome = in_own_process(*arguments, folder=folder)
    assert outcome.code in (USAGE, FILE)
    refused(outcome, outcome.code)
    assert listing(folder) == before


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
@pytest.mark.parametrize("form", ["table", "json"])
def test_an_answer_that_cannot_be_written_is_an_error_of_one_line(form):
    program = [sys.executable, "-c", PROGRAM, "repair", "--catalog", "sample:cars"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*program, "--where", "Year > 2018", "--format", form],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "cannot write the answer" in done.stderr


@pytest.mark.parametrize(
    ("where", "position"),
    [
        ("Year > 3000 /* x", 13),
        ("Year > ?", 8),
        ("Year > 1 AND unnest(Make) > 1", 14),
        ("Year IN (SELECT 1)", 10),
    ],
)
def test_a_refused_word_is_shown_with_its_place(where, position, concede):
    refused = concede("repair", "--catalog", "sample:cars", "--where", where)
    assert refused.code == 2
    assert f"at position {position}:" in refused.err
