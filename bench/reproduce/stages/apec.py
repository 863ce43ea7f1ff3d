"""APEC-Travel: travellers asked by each planner, and stays chosen by what they said."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import fmean

from ....catalogs.catalog import Catalog
from ....dialogs.elicitation.priors import TravelPrior
from ....dialogs.elicitation.schema import travel_schema
from ...apec import roles as apec_roles
from ...apec import trips as apec_trips
from ...apec.report import report_of
from ...apec.roles import drawn_travellers, planner_named, roles_of
from ...apec.run import hold_all
from ...apec.travellers import TravellerRecord, read_travellers
from ..stage import Context, Found, Input, Stage

BLIND = Path(apec_roles.__file__).with_name("held_out")
STAYS = "travelplanner/accommodations.csv.gz"
PLANNERS = ("critical", "published", "random")
ROUNDS = 12
MADE = {True: 200, False: 1_000}
"""Made travellers, quick or not; the document asks 1,000."""


def asked(who: str, planner: str, context: Context) -> Found:
    """Ask blind or made travellers, and return all figures; `entries` are the schema's."""
    schema = travel_schema()
    travellers = _travellers(who, context)
    dialogues = hold_all(
        roles_of(schema, None), planner_named(planner, 0, None, False), travellers, ROUNDS
    )
    return {
        **report_of(dialogues, {"planner": planner, "travellers": len(travellers)}),
        "entries": len(schema.entries),
    }


def _travellers(who: str, context: Context) -> Sequence[TravellerRecord]:
    schema = travel_schema()
    if who == "blind":
        return read_travellers(str(BLIND / "travellers.json"), schema)
    return drawn_travellers(MADE[context.quick], "coherent", 0, schema)


def stays(context: Context) -> Found:
    """Ask only what can change the choice of a stay, and choose it."""
    schema = travel_schema()
    by_id = {
        traveller.id: traveller
        for traveller in read_travellers(str(BLIND / "travellers.json"), schema)
    }
    finder = apec_trips.StayFinder(Catalog.open(context.data / STAYS), schema, TravelPrior(schema))
    roles, questions, whole = roles_of(schema, None), list[int](), 0
    for trip in apec_trips.read_trips(BLIND / "trips.jsonl"):
        traveller = roles.traveller(by_id[trip.traveller])
        held = finder.ask(trip, traveller, roles.stenographer, ROUNDS)
        questions.append(len(held.asked))
        whole += not finder.choose(trip, held.profile).relaxed
    return {
        "trips": len(questions),
        "questions": round(fmean(questions), 4),
        "nothing_gave_way": round(whole / len(questions), 4),
    }


def _command(who: str, planner: str) -> str:
    source = (
        "--travellers bench/apec/held_out/travellers.json" if who == "blind" else "--count 1000"
    )
    return f"concede bench apec {source} --planner {planner} --offline"


STAGES = (
    *(
        Stage(
            f"apec-{who}-{planner}",
            partial(asked, who, planner),
            (),
            _command(who, planner),
            smaller=who == "made",
        )
        for who in ("blind", "made")
        for planner in PLANNERS
    ),
    Stage(
        "apec-stays",
        stays,
        (Input(STAYS, 5_047),),
        "concede bench apec --travellers bench/apec/held_out/travellers.json "
        f"--trips bench/apec/held_out/trips.jsonl --stays DIR/{STAYS} --offline",
    ),
)
