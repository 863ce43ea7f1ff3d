"""Elicitation: the user chooses among repairs of equal cost, asked once, where the client can.

The protocol has two ways of asking, elicitation requests (until 2025-11-25) and results that
require input (from 2026-07-28); a client may support neither.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import anyio
from mcp.server.mcpserver import AcceptedElicitation, Context
from mcp.shared.exceptions import MCPError
from mcp.types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp.types.version import is_version_at_least
from pydantic import BaseModel, Field, create_model

from ...catalogs.errors import one_line
from ...engine.answer import Answer, Status
from .replies import Choice, choice_of, label

MAX_CHOICES = 6
"""The most repairs a person is asked to choose among."""

SAME_COST = 1e-9
FIELD = "gives_way"
QUESTION = "Nothing matches everything asked. Which of these matters least to you?"
PATIENCE = 300.0
"""Seconds a client may take to answer; then the first repair in order is taken."""

INPUT_REQUIRED_SINCE = "2026-07-28"


def tied(answer: Answer) -> list[Choice]:
    """Return the least-cost repairs if there are several of the same cost; else nothing."""
    if answer.status != Status.SAT_AFTER_RELAXATION or answer.policy != "least-weight":
        return []
    cost = answer.repairs[0].cost
    same = [
        choice_of(repair, exact=answer.counts_exact)
        for repair in answer.repairs
        if repair.minimal and math.isclose(repair.cost, cost, abs_tol=SAME_COST)
    ]
    return same[:MAX_CHOICES] if len(same) > 1 else []


def labels(choices: list[Choice]) -> dict[str, Choice]:
    """Return the choices by what the user reads; two that read alike are numbered."""
    choices_by_text: dict[str, Choice] = {}
    for choice in choices:
        text = one_line(label(choice))
        if text in choices_by_text:
            text = f"{text} [{len(choices_by_text) + 1}]"
        choices_by_text[text] = choice
    return choices_by_text


async def ask(
    context: Context[Any, Any], choices: list[Choice]
) -> Choice | InputRequiredResult | None:
    """Return the user's choice; None if there is nobody to ask, or no choice was made.

    An `InputRequiredResult` is for the client, which comes back with the user's choice.
    """
    options = labels(choices)
    if not _supports_forms(context):
        return None
    if _by_result(context):
        return _ask_by_result(context, options)
    if not context.session.can_send_request:
        return None
    return await _ask_by_request(context, options)


def _supports_forms(context: Context[Any, Any]) -> bool:
    declared = context.client_capabilities.elicitation if context.client_capabilities else None
    # A bare capability is from before there were modes, and means forms.
    return declared is not None and (declared.form is not None or declared.url is None)


def _by_result(context: Context[Any, Any]) -> bool:
    version = context.protocol_version
    return version is not None and is_version_at_least(version, INPUT_REQUIRED_SINCE)


def _ask_by_result(
    context: Context[Any, Any], options: dict[str, Choice]
) -> Choice | InputRequiredResult | None:
    response = (context.input_responses or {}).get(FIELD)
    if response is None:
        form = ElicitRequestFormParams(
            message=QUESTION, requested_schema=_form(options).model_json_schema()
        )
        return InputRequiredResult(input_requests={FIELD: ElicitRequest(params=form)})
    if not isinstance(response, ElicitResult) or response.action != "accept":
        return None
    # The catalog may have changed since, and what was chosen be no choice any more.
    return options.get(str((response.content or {}).get(FIELD)))


async def _ask_by_request(context: Context[Any, Any], options: dict[str, Choice]) -> Choice | None:
    with anyio.move_on_after(PATIENCE):
        try:
            outcome = await context.elicit(QUESTION, _form(options))
        except (ValueError, MCPError):
            # Accepted with something else than a choice, or not understood after all.
            return None
        if isinstance(outcome, AcceptedElicitation):
            return options.get(str(getattr(outcome.data, FIELD)))
    return None


def _form(options: dict[str, Choice]) -> type[BaseModel]:
    """Return the form: one field, with the choices as an enumeration."""
    field = Field(title="Matters least", description="What may give way")
    kind: Any = Literal[tuple(options)]
    return create_model("WhatMattersLeast", gives_way=(kind, field))
