"""What `concede serve` makes of its options."""

import pytest

from concede import QueryError
from concede.interfaces.cli.commands.serve import serve
from concede.interfaces.http import server as http_server


@pytest.mark.parametrize(
    ("arguments", "seconds"),
    [
        ([], 0),
        (["--stale-while-revalidate", "5"], 5),
        # The name it had.
        (["--late", "30"], 30),
        (["--late", "0"], 0),
        (["--late", "0.5"], 1),
    ],
)
def test_stale_answers_are_off_unless_asked_for(monkeypatch, arguments, seconds):
    started = []
    monkeypatch.setattr(http_server, "serve", lambda settings: started.append(settings) or 0)
    serve.main(["--catalog", "sample:cars", *arguments], standalone_mode=False)
    assert [settings.limits.stale_while_revalidate for settings in started] == [seconds]


def test_both_names_at_once_are_refused():
    with pytest.raises(QueryError, match="leave --late out"):
        serve.main(
            ["--catalog", "sample:cars", "--late", "5", "--stale-while-revalidate", "5"],
            standalone_mode=False,
        )
