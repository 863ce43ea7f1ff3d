"""The part of a schema that is shown, where columns are hidden.

Whatever reads a catalog goes by this schema, so that a hidden column is one that there is not: it
cannot be asked for, fetched, profiled, or guessed from a message. Writing goes by the whole schema.
"""

from __future__ import annotations

from dataclasses import replace

from .schema import Schema


def visible_schema(schema: Schema, hidden: frozenset[str]) -> Schema:
    """Return a schema without some columns, nor places and hours that are read from them."""
    columns = tuple(column for column in schema.columns if column.name not in hidden)
    places = schema.places
    location = None if hidden.intersection(places.location or ()) else places.location
    hours = None if places.hours in hidden else places.hours
    return Schema(columns, replace(places, location=location, hours=hours))
