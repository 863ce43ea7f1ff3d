"""Values that are likelier meant, since their words are known to wish for something."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from .judged import Weighed

LIFT = 2.0
"""Log-odds by which values are likelier meant where something is known to be wished for."""


def lifted(item: Weighed, wished: Collection[int]) -> Weighed:
    """Return a value as likelier meant where all of its words wish for something.

    Of several that have the words each is as good: `guitar`, of a dozen courses.
    """
    mention = item.mention
    if mention.kind != "value" or not wished or not all(at in wished for at in mention.places):
        return item
    options = tuple(
        replace(option, how="together") if option.is_shared else option
        for option in mention.options
    )
    mention = replace(mention, options=options)
    return replace(item, mention=mention, logits=item.logits + np.float32(LIFT))
