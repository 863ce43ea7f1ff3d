"""Prompt files are read strictly, rendered once, and known by their hash."""

import re
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.errors import BadPrompt
from concede.dialogs.models.prompt import Prompt, load_prompt, prompt_names, read_prompt

FILE = """---
name: greet
version: 2
variables: who, what
---

Say {{what}} to {{who}}, {{who}}! Not { who }, {who} or {"json": {}}.
"""


def test_a_file_is_a_name_a_version_variables_and_a_text() -> None:
    prompt = read_prompt(FILE)
    assert (prompt.name, prompt.version, prompt.variables) == ("greet", 2, ("who", "what"))
    assert prompt.text.startswith("Say {{what}}")
    assert prompt.sha256 == sha256(FILE.encode()).hexdigest()
    assert prompt.record() == {"name": "greet", "version": 2, "sha256": prompt.sha256}


def test_the_hash_knows_words_and_not_line_ends() -> None:
    assert read_prompt(FILE.replace("\n", "\r\n")) == read_prompt(FILE)
    assert read_prompt(FILE.replace("Say", "Tell")).sha256 != read_prompt(FILE).sha256


def test_rendering_puts_every_value_in_its_places() -> None:
    text = read_prompt(FILE).render(who="Ada", what=3)
    assert text == 'Say 3 to Ada, Ada! Not { who }, {who} or {"json": {}}.'


@given(st.text(), st.text())
def test_a_value_is_never_expanded(who: str, what: str) -> None:
    prompt = Prompt("p", 1, ("who", "what"), "{{who}}|{{what}}", "")
    assert prompt.render(who=who, what=what) == f"{who}|{what}"


@pytest.mark.parametrize("who", ["{{what}}", "\\g<0>", "{{who}}", "\\1"])
def test_a_value_that_looks_like_a_variable_stays_as_it_is(who: str) -> None:
    assert f"to {who}, {who}!" in read_prompt(FILE).render(who=who, what="hello")


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({}, "'who' is missing"),
        ({"who": 1}, "'what' is missing"),
        ({"who": 1, "what": 2, "why": 3}, "'why' is none of its variables"),
        ({"who": 1, "why": 3}, "'what' is missing and 'why' is none"),
    ],
)
def test_values_must_be_those_declared(values: dict[str, object], told: str) -> None:
    with pytest.raises(BadPrompt, match=told) as caught:
        read_prompt(FILE).render(**values)
    assert "give who, what" in str(caught.value)


BROKEN = {
    "": "without front matter",
    "Say {{what}}": "without front matter",
    "---\nname: a\n": "without front matter",
    FILE.replace("version: 2\n", ""): "without version",
    FILE.replace("version: 2", "version: two"): "version 'two'",
    FILE.replace("version: 2", "version: 0"): "version '0'",
    FILE.replace("version: 2", "version: 2\nversion: 2"): "bad line",
    FILE.replace("version: 2", "colour: red"): "bad line 'colour: red'",
    FILE.replace("version: 2", "version 2"): "bad line",
    FILE.replace("name: greet", "name: ../greet"): "'../greet'",
    FILE.replace("who, what", "who"): "declares",
    FILE.replace("who, what", "who, what, why"): "declares",
    FILE.replace("who, what", "who, what, who"): "declares",
}


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_a_malformed_file_says_what_is_wrong(text: str) -> None:
    with pytest.raises(BadPrompt, match=re.escape(BROKEN[text])):
        read_prompt(text)


@given(st.text("-:\n{}ab name version variables"))
def test_any_text_is_a_prompt_or_a_complaint(text: str) -> None:
    try:
        prompt = read_prompt(text)
    except BadPrompt:
        return
    assert set(re.findall(r"\{\{(\w+)\}\}", prompt.text)) == set(prompt.variables)


def test_every_prompt_that_ships_can_be_loaded_and_rendered() -> None:
    assert {"reply_in_json", "reply_in_json_last", "reply_in_json_only"} <= set(prompt_names())
    for name in prompt_names():
        prompt = load_prompt(name)
        assert "{{" not in prompt.render(**dict.fromkeys(prompt.variables, "value"))


@pytest.mark.parametrize("name", ["", "nope", "../prompt", "reply_in_json.md", "/etc/passwd", "\0"])
def test_no_other_file_can_be_reached(name: str) -> None:
    with pytest.raises(BadPrompt, match="no prompt"):
        load_prompt(name)
