"""`concede bench apec` and `apec-judge`: asking travellers, and judging how they were asked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from .....catalogs.errors import QueryError, UnreadableFile
from ...options import chosen_model, model_options, panel_options, seed_option, tables_or_json
from ...output import complain, counted, spinning, write_json, write_tables

if TYPE_CHECKING:
    from .....bench.apec.run import Roles
    from .....bench.apec.seed_dialogues import SeedDialogue
    from .....bench.apec.travellers import TravellerRecord
    from .....dialogs.elicitation.agents import Planner
    from .....dialogs.elicitation.schema import Schema

PLANNERS = ("critical", "published", "random", "model", "dialogue", "choice")
MODES = ("published", "coherent")
MOST = 100_000

_data, _part, _output = panel_options("Data"), panel_options("Parts"), panel_options("Output")
_FORMAT = tables_or_json("Tables for people, or one JSON object.")


@click.command("apec")
@_data("--travellers", "FILE", "Travellers as a JSON array; else --count of them are made.")
@_data("--count", "N", "Made travellers.", type=click.IntRange(1, MOST), default=100)
@_data("--mode", None, "How they are made.", type=click.Choice(MODES), default="coherent")
@_data("--schema", "FILE", "Other entries than the 54 of travelling, as JSON.")
@_data("--trips", "FILE", "Choose a stay for each trip, a JSON line each.")
@_data("--stays", "FILE", "With --trips: the catalog of stays.")
@_data("--restaurants", "FILE", "With --trips: also choose a restaurant, of what the stay leaves.")
@_part("--rounds", "N", "Questions at most.", type=click.IntRange(min=0, max=1_000), default=12)
@_part("--planner", None, "Who asks.", type=click.Choice(PLANNERS), default=None)
@_part("--think", None, "With --planner model: it says why before it asks.", is_flag=True)
@model_options("The model that plays the parts; also fake:FILE.")
@_output("--predictions", "FILE", "Write a JSON line a traveller, or a trip.")
@_output("--dialogues", "FILE", "Write what was said, a JSON line a traveller.")
@_output("--pairs", "FILE", "Write preference pairs: two dialogues a traveller, by reward.")
@seed_option("Draws travellers, their ways of talking, and orders.")
@_FORMAT
def apec(form: str, rounds: int, seed: int, **given: Any) -> int:
    """Ask travellers what they want, in few questions, and score what was found out.

    Without a model (--offline) everything is offline. With --trips, ask only what can change
    the choice of a stay, and choose it.
    """
    from .....bench.apec.roles import planner_named, roles_of
    from .....bench.fine_tuning.measured_models import check_model

    planner = given["planner"] or ("choice" if given["trips"] else "critical")
    if (planner == "choice") != bool(given["trips"]):
        raise QueryError("--planner choice and --trips go together", hint="give both or none")
    model = chosen_model(given)
    schema, travellers = _travellers(given, seed)
    check_model(given["model"], travellers)
    if given["trips"]:
        return _choose(schema, travellers, roles_of(schema, model, seed), rounds, given, form)
    roles = roles_of(schema, model, seed)
    asks = planner_named(planner, seed, model, given["think"])
    setting = {
        "planner": planner,
        "travellers": given["travellers"] or f"{given['mode']}, seed {seed}",
        "model": None if model is None else model.name,
        "most_rounds": rounds,
    }
    return _ask(roles, asks, travellers, setting, given | {"form": form, "rounds": rounds}, seed)


def _travellers(given: dict[str, Any], seed: int) -> tuple[Schema, list[TravellerRecord]]:
    from .....bench.apec.roles import drawn_travellers
    from .....bench.apec.travellers import read_travellers
    from .....dialogs.elicitation.schema import read_schema, travel_schema

    schema = travel_schema()
    if given["schema"]:
        from ...query_options import read_up_to

        schema = read_schema(read_up_to(given["schema"], 1_000_000).decode("utf-8", "replace"))
    if given["travellers"]:
        with spinning("reading the travellers"):
            return schema, read_travellers(given["travellers"], schema)
    if given["schema"]:
        raise QueryError("--schema without --travellers", hint="only travellers can be made")
    return schema, list(drawn_travellers(given["count"], given["mode"], seed, schema))


def _ask(
    roles: Roles,
    planner: Planner,
    travellers: list[TravellerRecord],
    setting: dict[str, Any],
    given: dict[str, Any],
    seed: int,
) -> int:
    from .....bench.apec.preference_pairs import preference_pairs
    from .....bench.apec.report import report_of
    from .....bench.apec.run import hold_all, write_predictions
    from .....bench.apec.tables import report_tables
    from .....bench.text_files import write_json_lines

    rounds = given["rounds"]
    dialogues = hold_all(roles, planner, travellers, rounds, counted)
    report = report_of(dialogues, setting, seed)
    if given["predictions"]:
        write_predictions(Path(given["predictions"]), dialogues, roles.schema)
    if given["dialogues"]:
        from .....bench.apec.seed_dialogues import of_elicitation

        records = [
            {"id": one.traveller.id, **of_elicitation(one.elicitation).record()}
            for one in dialogues
        ]
        write_json_lines(given["dialogues"], records)
    if given["pairs"]:
        write_json_lines(given["pairs"], preference_pairs(roles, travellers, rounds, seed))
    _say_written(given, "predictions", "dialogues", "pairs")
    if given["form"] == "json":
        write_json(report)
    else:
        write_tables(report_tables(report))
    return 0


def _choose(
    schema: Schema,
    travellers: list[TravellerRecord],
    roles: Roles,
    rounds: int,
    given: dict[str, Any],
    form: str,
) -> int:
    from .....bench.apec.tables import trip_tables
    from .....bench.apec.trips import StayFinder, read_trips, stay_bindings
    from .....bench.text_files import write_json_lines
    from .....catalogs.catalog import Catalog
    from .....dialogs.elicitation.priors import TravelPrior

    if not given["stays"]:
        raise QueryError("--trips without --stays", hint="name the catalog of stays")
    for binding in stay_bindings(1):
        schema.find(binding.entry)
    by_id = {traveller.id: traveller for traveller in travellers}
    trips = read_trips(given["trips"])
    for trip in trips:
        if trip.traveller not in by_id:
            raise QueryError(f"no traveller {trip.traveller}", hint="trips name travellers by id")
    with spinning(f"reading {given['stays']}"):
        finder = StayFinder(Catalog.open(given["stays"]), schema, TravelPrior(schema))
    restaurants = Catalog.open(given["restaurants"]) if given["restaurants"] else None
    records: list[dict[str, Any]] = []
    for trip in counted(trips, "choosing stays"):
        traveller = roles.traveller(by_id[trip.traveller])
        planner = finder.planner_with(trip, restaurants) if restaurants else None
        held = finder.ask(trip, traveller, roles.stenographer, rounds, planner)
        stay = finder.choose(trip, held.profile)
        records.append(
            {
                "traveller": trip.traveller,
                "city": trip.city,
                "asked": [question.entry for question in held.asked],
                "stay": stay.number,
                "relaxed": list(stay.relaxed),
                "lacking": list(stay.lacking),
            }
        )
        if restaurants is not None:
            meal = finder.dine(trip, held.profile, stay, restaurants)
            records[-1] |= {"restaurant": meal.number, "restaurant_relaxed": list(meal.relaxed)}
    if given["predictions"]:
        write_json_lines(given["predictions"], records)
        _say_written(given, "predictions")
    if form == "json":
        questions = sum(len(record["asked"]) for record in records) / max(1, len(records))
        write_json({"trips": len(records), "questions": questions, "stays": records})
    else:
        write_tables(trip_tables(records))
    return 0


def _say_written(given: dict[str, Any], *names: str) -> None:
    for name in names:
        if given[name]:
            complain(f"wrote {given[name]}")


@click.command("apec-seeds")
@_data("--travellers", "FILE", "Travellers as a JSON array; else --count of them are made.")
@_data("--count", "N", "Made travellers.", type=click.IntRange(1, MOST), default=20)
@_data("--mode", None, "How they are made.", type=click.Choice(MODES), default="coherent")
@_part("--rounds", "N", "Questions of a dialogue.", type=click.IntRange(1, 100), default=10)
@_part("--think", None, "The agent thinks before it asks.", is_flag=True)
@model_options("The model that writes a dialogue in one call; also fake:FILE.")
@_output("--output", "FILE", "Write the dialogues that are kept, a JSON line each.")
@seed_option("Draws travellers and their ways of talking.")
@_FORMAT
def apec_seeds(form: str, rounds: int, seed: int, **given: Any) -> int:
    """Write dialogues to train on, and refuse those with a fault.

    Without a model they are held offline, in the order of the document's list of entries. Run it
    with two models over the same travellers to compare their means.
    """
    from .....bench.apec.judge import OfflineJudge
    from .....bench.apec.roles import planner_named, roles_of
    from .....bench.apec.run import hold
    from .....bench.apec.seed_dialogues import of_elicitation, write_seeds, written_by_model
    from .....bench.text_files import write_json_lines
    from .....dialogs.elicitation.stenographer import OfflineStenographer

    model = chosen_model(given)
    schema, travellers = _travellers(given | {"schema": None}, seed)
    roles = roles_of(schema, None, seed)

    def write(traveller: TravellerRecord) -> SeedDialogue:
        if model is None:
            planner = planner_named("published", seed, None, False)
            return of_elicitation(hold(roles, planner, traveller, rounds).elicitation)
        style = getattr(roles.traveller(traveller), "style", "casual")
        return written_by_model(
            model, traveller, schema, rounds=rounds, style=style, think=given["think"]
        )

    made = write_seeds(travellers, write, OfflineJudge(schema, OfflineStenographer()), counted)
    if given["output"]:
        records = [{"id": name, **one.record()} for name, one in made.accepted.items()]
        write_json_lines(given["output"], records)
        _say_written(given, "output")
    if form == "json":
        write_json(made.record())
    else:
        from .....rendering.terminal_table import Grid

        rows = [(n, str(v)) for n, v in made.record().items() if n != "faults"]
        write_tables(Grid("Seed dialogues", ("figure", "value"), rows, frozenset(("value",))))
    return 0


@click.command("apec-judge")
@_data("--dialogues", "FILE", "A JSON array of {id, messages: [{role, content}]}.", required=True)
@model_options("The model that judges; also fake:FILE.")
@_FORMAT
def apec_judge(dialogues: str, form: str, **given: Any) -> int:
    """Judge dialogues on three axes, 1 to 5 each: plan and priority, proactive, clarification."""
    from .....bench.apec.judge import OfflineJudge
    from .....bench.apec.judged import read_dialogues
    from .....bench.apec.model_judge import ModelJudge
    from .....dialogs.elicitation.schema import travel_schema
    from .....dialogs.elicitation.stenographer import OfflineStenographer

    model = chosen_model(given)
    judge = (
        OfflineJudge(travel_schema(), OfflineStenographer()) if model is None else ModelJudge(model)
    )
    read = read_dialogues(dialogues)
    if not read:
        raise UnreadableFile(dialogues, "it holds no dialogue")
    records = [{"id": one.id, **judge.score(one.said).record()} for one in counted(read, "judging")]
    if form == "json":
        write_json(records)
    else:
        from .....rendering.terminal_table import Grid

        columns = tuple(records[0])
        rows = [tuple(str(value) for value in record.values()) for record in records]
        write_tables(Grid("Judged", columns, rows, frozenset(columns[1:])))
    return 0
