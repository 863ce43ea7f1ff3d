"""What tools take, built in and from others' records."""

from __future__ import annotations

import pytest

from concede.catalogs.errors import QueryError
from concede.dialogs.tools.calls import ToolCall
from concede.dialogs.tools.schemas import built_in_schemas, schemas_of, texts_of

NAVIGATION = {"start_lon": 1, "start_lat": "2", "end_lon": 3.5, "end_lat": 4}


def test_the_thirteen_tools_of_the_demo():
    schemas = built_in_schemas()
    assert len(schemas) == 13
    assert sum(bool(schema.required) for schema in schemas.values()) == 11
    for schema in schemas.values():
        assert schema.description
        assert set(schema.required) <= schema.properties.keys()
        assert all({"type", "description"} <= each.keys() for each in schema.properties.values())


def test_what_is_wrong_with_a_call():
    schema = built_in_schemas()["get_navigation"]
    assert schema.complaint(ToolCall("get_navigation", NAVIGATION)) is None
    assert schema.complaint(ToolCall("get_navigation", {**NAVIGATION, "colour": "red"})) is None
    missing = {**NAVIGATION, "end_lat": " "}
    assert schema.complaint(ToolCall("get_navigation", missing)) == "end_lat is missing"
    wrong = {**NAVIGATION, "end_name": 7}
    assert schema.complaint(ToolCall("", wrong)) == "end_name 7 is of another type"
    search = built_in_schemas()["search_poi"]
    said = {"query": "MixC", "cur_adcode": "Ningbo", "city_limit": "yes"}
    assert search.complaint(ToolCall("", said)) == "city_limit 'yes' is of another type"


def test_schemas_as_protocols_write_them():
    parameters = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    found = schemas_of(
        [
            {"name": "one", "description": "One.", "parameters": parameters},
            {"name": "two", "inputSchema": parameters},
            {"type": "function", "function": {"name": "three", "parameters": parameters}},
            {"name": "four"},
        ]
    )
    assert list(found) == ["one", "two", "three", "four"]
    assert found["three"].required == ("q",)
    assert found["four"].parameters == {"type": "object", "properties": {}, "required": []}


@pytest.mark.parametrize(
    "value",
    [
        7, None, [], {}, {"name": ""}, {"name": 7}, {"name": "x", "parameters": 7},
        {"name": "x", "parameters": {"properties": []}},
        {"name": "x", "parameters": {"properties": {"a": 1}}},
        {"name": "x", "parameters": {"required": "a"}},
    ],
)  # fmt: skip
def test_what_is_no_schema(value):
    with pytest.raises(QueryError, match=r"tool|parameters"):
        schemas_of([value])


def test_a_tool_is_named_once():
    with pytest.raises(QueryError, match="'x' twice"):
        schemas_of([{"name": "x"}, {"name": "x"}])


def test_texts_are_queries_or_else_prose():
    search = built_in_schemas()["search_poi"]
    said = {"query": " MixC ", "cur_adcode": "Ningbo", "page": 1}
    assert texts_of(ToolCall("", said), search).by_name == {"query": "MixC"}
    assert texts_of(ToolCall("", {"keyword": "MixC"}), search).are_open
    other = {"place": "Old Town", "uid": "ab", "at": "1.5,2.5", "n": "7", "code": "B0K39CGDOX"}
    found = texts_of(ToolCall("", {**other, "mode": "walk", "line_type": "bus"}), None)
    assert (found.by_name, found.are_open) == ({"place": "Old Town"}, False)
