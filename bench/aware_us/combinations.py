"""What a run holds: every combination of method, weighter, policy, model and seed asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from ...catalogs.errors import QueryError, shown
from ...dialogs.weighters.llm import LLMWeighter
from ...dialogs.weighters.registry import get_weighter
from ...engine.policies import get_policy
from .conversation import SESSION
from .formal_methods import FORMAL
from .gold import Gold, setting_of

NONE = "none"
"""The label of what has no part in a combination: a baseline's weighter, an offline model."""

METHODS = (SESSION, *FORMAL)
MAX_SEED = 2**32


@dataclass(frozen=True)
class Combination:
    """One way to hold every conversation; `model` is `none` where all parts are offline."""

    method: str
    weighter: str
    policy: str
    model: str
    seed: int

    def key(self, gold: Gold) -> str:
        """Return what names an episode within a run."""
        parts = (gold.id, self.method, self.weighter, self.policy, self.model, str(self.seed))
        return "/".join(parts)

    def labels(self, gold: Gold) -> dict[str, str]:
        """Return the labels of an episode; all seeds are one kind of it."""
        return {
            **setting_of(gold),
            "model": self.model,
            "method": self.method,
            "weighter": self.weighter,
            "policy": self.policy,
        }


@dataclass(frozen=True)
class Asked:
    """Names of each kind, as a caller gives them; `models` is empty for offline parts."""

    methods: Sequence[str]
    weighters: Sequence[str]
    policies: Sequence[str]
    models: Sequence[str]
    seeds: Sequence[int]

    def combinations(self) -> list[Combination]:
        """Return every combination once; a baseline has neither weighter nor policy.

        Raises `QueryError` for a name that does not exist, and for a weighter that asks a
        model where none is given.
        """
        self._check()
        return list(dict.fromkeys(self._product()))

    def _product(self) -> Iterator[Combination]:
        models = self.models or (NONE,)
        for method, model, seed in product(self.methods, models, self.seeds):
            if method != SESSION:
                yield Combination(method, NONE, NONE, model, seed)
                continue
            for weighter, policy in product(self.weighters, self.policies):
                yield Combination(method, weighter, policy, model, seed)

    def _check(self) -> None:
        for method in self.methods:
            if method not in METHODS:
                known = ", ".join(METHODS)
                raise QueryError(f"no method {shown(method)}", hint=f"there are {known}")
        for policy in self.policies:
            get_policy(policy)
        for weighter in self.weighters:
            if isinstance(get_weighter(weighter), LLMWeighter) and not self.models:
                raise QueryError(f"weighter {weighter} asks a model", hint="give --model")
