"""The solver-style baselines as methods of a run, on what a conversation made known."""

from __future__ import annotations

from collections.abc import Callable

from ...catalogs.catalog import Catalog
from ...catalogs.query import Query
from ...dialogs.formal.aware import FormalRun, formal_aware
from ...dialogs.formal.hao import formal_hao
from ...dialogs.formal.llm import LLMChooser, LLMJudge, LLMPlanner
from ...dialogs.models.chat_model import ChatModel
from .gold import Gold

Runs = Callable[[Catalog, Query, Gold, ChatModel | None, str], FormalRun]


def _aware(
    catalog: Catalog, query: Query, gold: Gold, model: ChatModel | None, episode: str
) -> FormalRun:
    return formal_aware(catalog, query, LLMChooser(model, episode) if model else None)


def _hao(
    catalog: Catalog, query: Query, gold: Gold, model: ChatModel | None, episode: str
) -> FormalRun:
    if model is None:
        return formal_hao(catalog, _as_meant(query, gold))
    judge = LLMJudge(model, gold.persona or "", episode)
    return formal_hao(catalog, query, LLMPlanner(model, episode), judge)


def _as_meant(query: Query, gold: Gold) -> Query:
    """Return the query with the weights that the person has in mind, who agrees by them."""
    meant = {one.column: one.weight for one in gold.constraints}
    weighed = [
        one.model_copy(update={"weight": meant.get(one.column)}) for one in query.constraints
    ]
    return query.model_copy(update={"constraints": tuple(weighed)})


FORMAL: dict[str, Runs] = {"formal-aware": _aware, "formal-hao": _hao}
"""Baselines by name. Without a model the cheapest edit is taken (formal-aware), or suggested
to a person who agrees where nothing in the conflict matters less (formal-hao)."""


def run_formal(
    name: str, catalog: Catalog, query: Query, gold: Gold, model: ChatModel | None, episode: str
) -> FormalRun:
    """Return what a baseline makes of a query; raises what the model raises."""
    return FORMAL[name](catalog, query, gold, model, episode)
