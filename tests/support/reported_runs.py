"""Runs for reports: written by hand, event by event, with any content."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from concede.bench.runs.run_file import RunWriter

HEADER = {"benchmark": "aware-us", "catalog": "cars", "rows": 8}
VOID = {"meta", "br", "hr", "input", "link"}


def instance(
    number: int, *, text: str = "I am looking for a Lexus.", **more: Any
) -> dict[str, Any]:
    """Return an instance whose first constraint is to give way."""
    return {
        "id": f"S3-{number:02}",
        "set": "S3",
        "base": {"Make": "Lexus"},
        "base_query_sentence": text,
        "persona": text,
        "constraints": [
            {"column": "MSRP", "op": "<=", "value": 20000, "weight": 0.1},
            {"column": "Year", "op": ">=", "value": 2013, "weight": 0.9},
        ],
        "gold_relaxed": 0,
        "recommended_car": {"Make": "Lexus", "Model": "IS 250", "Year": 2013, "MSRP": 35065},
        "derived": {"muses": [[0, 1]]},
        **more,
    }


def outcome(*, right: bool, **more: Any) -> dict[str, Any]:
    """Return the fields of an outcome event: the gold answer, or another."""
    gone = ["MSRP", "<=", "20000"] if right else ["Year", ">=", "2013"]
    price = 35065 if right else 4556
    return {
        "slots": ["MSRP", "Year"],
        "parsed": [
            {"column": "MSRP", "op": "<=", "value": 20000, "weight": 0.2},
            {"column": "Year", "op": ">=", "value": 2013, "weight": 0.8},
        ],
        "status": "SAT_after_relaxation",
        "relaxed": [gone],
        "item": {"Make": "Lexus", "Model": "IS 250", "Year": 2013, "MSRP": price},
        "questions": 2,
        "tokens": None,
        "opening_read": True,
        **more,
    }


def write_run(path: Path, verdicts: dict[str, list[bool]], **labels: str) -> Path:
    """Write a run: for each method the episodes on instances 1, 2, …, right or wrong."""
    with RunWriter(path, HEADER) as run:
        for method, rights in verdicts.items():
            for number, right in enumerate(rights, start=1):
                all_labels = {"setting": "S3", "method": method, **labels}
                save = run.episode(f"{number}/{method}", **all_labels, instance=instance(number))
                save("message", role="user", content="I am looking for a Lexus.")
                save("outcome", **outcome(right=right))
                save("end", reason="finished")
    return path


ATTACKS = (
    "<script>document.title = 'taken'</script>",
    "</script><script>document.title = 'taken'</script>",
    "</style><img src=x onerror=\"document.title = 'taken'\">",
    "\" onmouseover=\"document.title = 'taken'",
    "' autofocus onfocus='document.title = 1",
    "<svg onload=\"document.title = 'taken'\"><a href='javascript:alert(1)'>x</a></svg>",
    "<!-- --><![CDATA[ <b>x</b> ]]> &lt;script&gt; &#x3c;script&#x3e;",
    "</details></section></main><h1>another page</h1>",
    "<link rel=stylesheet href=https://example.org/x.css>",
    "<meta http-equiv=refresh content='0;url=https://example.org'>",
    "\u202egnp.exe\u2066 \x00 \x1b[31m red \ud800 \ufffe",
    "$\\frac{1}{2}$ {{7*7}} ${7*7} \\u003cscript\\u003e",
)


def hostile_run(path: Path) -> Path:
    """Write a run in which every text that a program might write is an attack."""
    with RunWriter(path, HEADER | {"catalog": ATTACKS[0]}) as run:
        for text in ATTACKS:
            hostile_episode(run, text)
    return path


def hostile_episode(run: RunWriter, said: str) -> None:
    """Write one episode; constraints hold no NUL and no half character, or are refused."""
    text = said.replace("\x00", "").replace("\ud800", "")
    wish = {"column": text, "op": "==", "value": text}
    quote = {"message": 0, "start": 0, "end": 9, "text": text}
    record = instance(
        1,
        text=text,
        base={text: text},
        constraints=[{**wish, "weight": 0.3}, {"column": "Year", "op": ">=", "value": 2013}],
        recommended_car={text: text},
    )
    labels = {"setting": text, "method": text, "model": text, "weighter": text, "policy": text}
    save = run.episode(said, **labels, instance=record)
    save("message", role=said, content=said)
    save("understood", constraints=[{**wish, "evidence": quote}])
    save("weighed", weights=[{"constraint": wish, "weight": 0.5, "evidence": [quote]}])
    save("proposed", explanation=said)
    edit = {"from": wish, "to": wish}
    save("formal", iterations=[{"unsat_core": [wish], "chosen_repair": edit}])
    gone = [["Year", "==", text]]
    save("outcome", **outcome(right=False, parsed=[wish], relaxed=gone, item={text: said}))
    save("end", reason=said)


class Page(HTMLParser):
    """A page read as a browser would: its elements, their attributes, its text.

    `problems` are elements that are not closed where they should be, and ids used twice.
    """

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.problems: list[str] = []
        self.raw: dict[str, str] = {}
        self._words: list[str] = []
        self._open: list[str] = []
        self.feed(source)
        self.close()
        self.problems += [f"never closed: {tag}" for tag in self._open]
        ids = [attributes["id"] for _, attributes in self.elements if "id" in attributes]
        self.problems += [
            f"id twice: {identity}" for identity in set(ids) if ids.count(identity) > 1
        ]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.problems.append(f"closed out of turn: {tag}")

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("script", "style"):
            self.raw[self._open[-1]] = data
        else:
            self._words.append(data)

    @property
    def text(self) -> str:
        """What a reader reads, blanks run together."""
        return " ".join(" ".join(self._words).split())

    def named(self, tag: str) -> list[dict[str, str | None]]:
        """Return the attributes of all elements of one name."""
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def addresses(self) -> list[str]:
        """Whatever the page refers to."""
        wanted = ("href", "src", "action", "srcset", "data", "poster", "formaction", "xlink:href")
        return [
            attributes[key] or ""
            for _, attributes in self.elements
            for key in wanted
            if key in attributes
        ]


def events(path: Path) -> list[dict[str, Any]]:
    """Return the events of a run's file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
