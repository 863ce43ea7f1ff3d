"""Values and grades that are likelier meant, since their words are known to wish for them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from .judged import Weighed

LIFT, LIFT_OF_GRADES = 2.0, 1.5
"""Log-odds by which values, and words for much or little, are likelier meant where something is
known to be wished for."""

_LIFTS = {"value": LIFT, "grade": LIFT_OF_GRADES}


def lifted(item: Weighed, wished: Collection[int]) -> Weighed:
    """Return a value, or a word for much or little, as likelier meant where its words wish for it.

    Of several that have the words each is as good: `guitar`, of a dozen courses. A word that may
    be about several columns is none: `long`, of what lasts and what ends.
    """
    mention = item.mention
    unclear = mention.kind == "grade" and len({option.column for option in mention.options}) > 1
    lift = 0.0 if unclear else _LIFTS.get(mention.kind, 0.0)
    if not (lift and wished and all(at in wished for at in mention.places)):
        return item
    options = tuple(
        replace(option, how="together") if option.is_shared else option
        for option in mention.options
    )
    mention = replace(mention, options=options)
    return replace(item, mention=mention, logits=item.logits + np.float32(lift))
