"""What a person sees: tables, in words and signs that need no colour, at any width."""

import io
import sys

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from command_line import ASKED, QUERY
from concede.interfaces.cli.output import counted, spinning
from concede.rendering.terminal_table import Grid, cut, harmless

ASK = ("repair", *QUERY, *ASKED, "--weight", "MSRP=0.9")


def line_with(text, *words):
    """Return the first line that holds all the words, its runs of blanks made one."""
    for line in text.splitlines():
        if all(word in line for word in words):
            return " ".join(line.split())
    raise AssertionError(f"no line with {words} in:\n{text}")


def drawn(grid, width):
    """Return the lines of a grid on a console of this width."""
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(grid, crop=False)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_what_gives_way_is_said_in_words(concede):
    out = concede(*ASK).out
    assert out.splitlines()[0] == "Repaired"
    assert line_with(out, "Make = Lexus") == "Make = Lexus fixed"
    assert line_with(out, "MSRP ≤ 24,515", "0.9").endswith("kept")
    assert line_with(out, "Year ≥ 2016", "0.5").endswith("gives way")
    assert "\x1b" not in out


def test_what_gives_way_is_struck_through_on_a_terminal(concede, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = concede(*ASK).out
    # 9 is the code of struck-through text.
    assert "\x1b[2;9mYear ≥ 2016\x1b[0m" in out
    assert "gives way" in out


def test_a_moved_bound_reads_as_where_it_went(concede):
    out = concede(*ASK, "--policy", "closest").out
    assert line_with(out, "MSRP ≤ 24,515 →", "moves") == "0 MSRP ≤ 24,515 → ≤ 41,020 0.9 0 moves"
    assert '  AND "MSRP" <= 41020' in out.splitlines()
    assert "With MSRP ≤ 24,515 → ≤ 41,020 and Year ≥ 2016 → ≥ 2015" in " ".join(out.split())


def test_no_colour_is_used_where_none_is_wanted(concede, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[33m" not in concede(*ASK).out
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b" not in concede(*ASK).out


def test_items_show_what_they_are_and_mark_what_they_miss(concede):
    out = concede(*ASK).out
    assert "✗ misses what was asked" in out
    assert (
        line_with(out, "Make", "score") == "Make Model MSRP Year highway MPG violation score meets"
    )
    assert line_with(out, "GS 400").startswith("Lexus GS 400 3,965 ✗ 2000 ✗ 22 ")
    assert line_with(out, "GS 400").endswith("1 of 3")


def test_what_all_items_have_in_common_is_left_out(concede):
    where = ("--where", "fuel = 'regular' AND Year >= 1999 AND MSRP < 30000 AND Model <> 'x'")
    assert "fuel" not in line_with(concede("repair", *QUERY, *where).out, "Make", "score")
    only = concede("repair", *QUERY, *where, "--top", "1").out
    assert "fuel" in line_with(only, "Make", "score")


def test_a_dead_end_shows_what_would_do_and_the_closest_rows(concede):
    out = concede(*ASK, "--policy", "single").out
    assert out.splitlines()[0] == "No repair"
    assert "What would do instead" in out
    assert "drop MSRP ≤ 24,515; drop Year ≥ 2016" in out
    closest = line_with(out, "ES 300h", "instead of")
    assert "MSRP 41,020 instead of ≤ 24,515; Year 2015 instead of ≥ 2016" in closest


def test_the_closest_rows_say_what_is_unknown_or_other_than_asked(concede):
    where = "fuel = 'hydrogen' AND \"highway MPG\" > 90 AND (Year > 2020 OR MSRP < 1)"
    hard = ("--hard", "Year", "--top", "8")
    out = concede("repair", "--catalog", "cars.csv", "--where", where, *hard).out
    assert "No repair" in out
    assert "Closest rows" not in out
    out = concede("repair", "--catalog", "cars.csv", "--where", where, "--policy=single", *hard[2:])
    assert "highway MPG unknown instead of > 90" in out.out
    assert "fuel diesel instead of hydrogen" in out.out
    assert "MSRP 56,600, Year 2017 instead of Year > 2020 OR MSRP < 1" in out.out


def test_the_sql_is_there_to_be_copied(concede, monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    sql = concede(*ASK, "--format", "json").json["sql"]
    assert sql in concede(*ASK).out


@pytest.mark.parametrize("width", [24, 40, 80, 100, 160])
@pytest.mark.parametrize("command", ["repair", "diagnose", "catalog"])
def test_every_width_is_kept_without_breaking_a_word(command, width, concede, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    ask = ("catalog", "info", "cars.csv") if command == "catalog" else (command, *QUERY, *ASKED)
    lines = concede(*ask).out.partition("Repaired query")[0].splitlines()
    assert max(map(cell_len, lines)) <= width
    assert any("Lexus" in line for line in lines)


def test_a_pipe_is_wider_than_a_narrow_terminal(concede, monkeypatch):
    piped = concede("catalog", "info", "cars.csv").out
    monkeypatch.setenv("COLUMNS", "40")
    assert max(map(len, piped.splitlines())) > 60
    assert "column Make" in concede("catalog", "info", "cars.csv").out


def test_a_diagnosis_in_words(concede):
    out = concede("diagnose", *QUERY, *ASKED, "--hard", "Year").out
    assert out.splitlines()[0] == "Nothing matches"
    assert "over a base of 4 rows" in out
    assert line_with(out, "1", "Year ≥ 2016", "hard") == "1 Year ≥ 2016 0 0 hard"
    assert line_with(out, "0 2").startswith("0 2 MSRP ≤ 24,515; highway MPG ≥ 33")
    assert concede("diagnose", *QUERY, "--where", "MSRP > 1").out.startswith("Matches as asked")


def test_a_long_list_of_conflicts_is_cut(concede):
    where = " AND ".join(f"MSRP = {price}" for price in range(15))
    out = concede("diagnose", "--catalog", "cars.csv", "--where", where).out
    assert line_with(out, "more").endswith("There are 13 more such conflicts.")
    assert "… 5 more" in " ".join(out.split())


def test_nothing_in_the_data_reaches_the_terminal_as_a_command(folder, concede):
    (folder / "odd.csv").write_text(
        'name,price\n"\x1b[31mred\x07",1\n"[b]b[/b] :car:",2\n"a\nb",3\n'
    )
    out = concede("repair", "--catalog", "odd.csv", "--where", "price > 9").out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "␛[31mred␇" in out
    assert "[b]b[/b] :car:" in out
    assert "a b" in out


def test_harmless_text_is_one_line():
    assert harmless("a\tb\r\nc\x00\x9b\u202e") == "a b  c␀��"
    assert harmless("Ö 漢字 🚗 \u200d") == "Ö 漢字 🚗 \u200d"
    assert cut("abcdef", 4) == "abc…"
    assert cut("abcd", 4) == "abcd"


GRID = Grid("Cars", ("name", "price"), [("Lexus", Text("12")), ("BMW", "")], frozenset({"price"}))


def test_a_grid_is_a_table_below_its_title():
    assert drawn(GRID, 40) == ["Cars", "name   price", "─────────────", "Lexus     12", "BMW", ""]


def test_a_grid_too_narrow_for_its_words_is_a_list():
    assert GRID.least_width() == 12
    assert drawn(GRID, 11) == ["Cars", "name Lexus", "  price 12", "name BMW", ""]


class Screen(io.StringIO):
    """A standard error that says it is a terminal."""

    def isatty(self):
        return True


class ImpatientTimer:
    """A timer that has run out when it starts."""

    def __init__(self, _, function):
        self.start = function

    def cancel(self):
        pass


def watched(monkeypatch, term="xterm"):
    """Make standard error a terminal, here and now: between phases pytest puts its own there."""
    monkeypatch.setattr("sys.stderr", Screen())
    monkeypatch.setenv("TERM", term)
    return sys.stderr


def test_quick_work_leaves_no_trace_on_a_terminal(monkeypatch):
    screen = watched(monkeypatch)
    with spinning("reading"):
        pass
    assert list(counted("ab", "asking")) == ["a", "b"]
    assert screen.getvalue() == ""


def test_long_work_is_shown_on_a_terminal_and_wiped(monkeypatch):
    screen = watched(monkeypatch)
    monkeypatch.setattr("threading.Timer", ImpatientTimer)
    with spinning("reading [b].csv"):
        assert "reading [b].csv …" in screen.getvalue()
    assert "\x1b[?25h" in screen.getvalue(), "the cursor is back"
    assert screen.getvalue().endswith("\x1b[2K")


def test_many_queries_are_counted_on_a_terminal(monkeypatch):
    screen = watched(monkeypatch)
    monkeypatch.setattr("threading.Timer", ImpatientTimer)
    for _ in counted("ab", "asking"):
        assert "asking" in screen.getvalue()
    assert screen.getvalue().endswith("\x1b[2K")


@pytest.mark.parametrize("term", ["dumb", "unknown"])
def test_a_terminal_that_cannot_redraw_is_left_alone(term, monkeypatch):
    screen = watched(monkeypatch, term)
    monkeypatch.setattr("threading.Timer", ImpatientTimer)
    with spinning("reading"):
        pass
    assert list(counted("ab", "asking")) == ["a", "b"]
    assert screen.getvalue() == ""


def test_where_nobody_watches_nothing_is_shown(capsys, monkeypatch):
    monkeypatch.setattr("threading.Timer", ImpatientTimer)
    with spinning("reading"):
        pass
    assert list(counted("ab", "asking")) == ["a", "b"]
    assert capsys.readouterr().err == ""
