"""Iterative DPO: the newest model talks, its dialogues are rewarded and paired, it learns of them.

Source: APEC-Travel, 3.4, 4.3 and Table 4. `fixed` keeps the SFT model as reference in every
iteration, `recursive` takes the model that the iteration starts from. Each step of an iteration
leaves a folder when it is whole; started again, what is there is not done again.

    OUT/iteration-1/data, OUT/iteration-1/model, OUT/iteration-2/data, …
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from ...catalogs.errors import CatalogError, QueryError, path_excerpt
from ...dialogs.elicitation.agents import Planner
from ...dialogs.elicitation.dialogue_planner import DialoguePlanner
from ...dialogs.elicitation.schema import Schema, travel_schema
from ...dialogs.models.chat_model import ChatModel
from ...dialogs.models.local_model import LocalModel
from ...dialogs.models.prompt import load_prompt
from ..apec.preference_pairs import NoisyPlanner, by_reward
from ..apec.roles import drawn_travellers, roles_of
from ..apec.run import Dialogue, hold, hold_all, write_predictions
from ..apec.scores import summary
from ..progress import Counted, uncounted
from ..text_files import unwritable, write_text
from .apec_rows import ROUNDS, pair_row, traveller_fingerprint
from .dpo import train_dpo
from .evaluation import PREDICTIONS
from .folder import DataFolder, read_data, write_data
from .recipe import Recipe
from .rows import TrainingData, splits
from .run_folder import TRAINED

Reference = Literal["fixed", "recursive"]
Agent = Literal["model", "planner"]
STATE, TRAINING, FIGURES = "state.json", "training.json", "figures.json"


@dataclass(frozen=True)
class Plan:
    """What an iterative training does.

    `travellers`: new ones in each iteration; `mix`: earlier iterations whose pairs the last one
    learns from too, as (2, 3) is the mixture of Table 4. `agent` "planner": the offline planner
    holds the dialogues, with noise, and no model is needed to make pairs.
    """

    start: Path
    iterations: int
    travellers: int
    reference: Reference = "fixed"
    agent: Agent = "model"
    alpha: float = 0.1
    seed: int = 0
    mix: tuple[int, ...] = ()
    tested: int = 20

    def check(self) -> None:
        """Raise `QueryError` for what cannot be meant."""
        if self.iterations < 1 or self.travellers < 2 or not 0 <= self.alpha <= 1:
            problem = f"{self.iterations} iterations, {self.travellers} travellers, {self.alpha:g}"
            raise QueryError(problem, hint="at least 1 and 2, and an alpha from 0 to 1")
        if any(not 1 <= number <= self.iterations for number in self.mix):
            raise QueryError(f"--mix {self.mix}", hint=f"iterations are 1 to {self.iterations}")

    def record(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {**asdict(self), "start": self.start.name, "mix": list(self.mix)}


def train_iteratively(
    plan: Plan, recipe: Recipe, out: str | Path, progress: Counted = uncounted
) -> list[dict[str, Any]]:
    """Carry out a plan and return a record an iteration: pairs, training, and figures of the model.

    Raises `CatalogError` where a folder is of another plan.
    """
    plan.check()
    place = Path(out)
    _begin(place, plan, recipe)
    newest, records = plan.start, list[dict[str, Any]]()
    for number in range(1, plan.iterations + 1):
        folder = place / f"iteration-{number}"
        folder.mkdir(exist_ok=True)
        if not (folder / "data").is_dir():
            agent = LocalModel(newest) if plan.agent == "model" else None
            write_data(folder / "data", sampled_pairs(plan, number, agent, progress))
        data = _mixed(place, plan, number)
        model = folder / "model"
        if not (model / TRAINED).is_file():
            # What training starts from is the reference, too.
            start = plan.start if plan.reference == "fixed" else newest
            write_text(folder / TRAINING, json.dumps(train_dpo(data, start, recipe, model)))
        if not (folder / FIGURES).is_file():
            held = held_with(LocalModel(model), plan, progress)
            write_predictions(folder / PREDICTIONS, held, travel_schema())
            found = summary([dialogue.scores for dialogue in held])
            write_text(folder / FIGURES, json.dumps(found))
        newest = model
        records.append(
            {
                "iteration": number,
                "pairs": len(data.rows["dpo", "train"]),
                "training": _kept(folder / TRAINING),
                "figures": _kept(folder / FIGURES),
            }
        )
    return records


def _kept(path: Path) -> Any:
    """Return what a step left; None where the run was ended between the model and its report."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def _begin(place: Path, plan: Plan, recipe: Recipe) -> None:
    text = json.dumps({"plan": plan.record(), "recipe": recipe.model_dump()}, sort_keys=True)
    state = place / STATE
    try:
        place.mkdir(exist_ok=True)
        if state.is_file() and state.read_text(encoding="utf-8") != text:
            shown = path_excerpt(str(place))
            raise CatalogError(f"{shown} is of another plan", hint="name a new folder")
        if not state.is_file() and any(place.iterdir()):
            shown = path_excerpt(str(place))
            raise CatalogError(f"{shown} holds other files", hint="name a new folder")
        state.write_text(text, encoding="utf-8")
    except OSError as error:
        raise unwritable(place, error.strerror or str(error), "name another folder") from None


def sampled_pairs(
    plan: Plan, number: int, model: ChatModel | None, progress: Counted = uncounted
) -> TrainingData:
    """Return pairs of two dialogues with each of new travellers, by reward.

    The agent is a model at temperature 1, or where there is none the planner with noise.
    """
    seed = plan.seed + 1_000 * number
    schema = travel_schema()
    roles = roles_of(schema, None, seed)
    travellers = drawn_travellers(plan.travellers, "coherent", seed, schema)
    split_of = splits(map(traveller_fingerprint, travellers), seed)
    data = TrainingData(
        "apec",
        seed,
        settings={"iteration": number, "alpha": plan.alpha, "agent": plan.agent},
        prompts=[load_prompt("ask_traveller").record()],
    )
    for at, traveller in enumerate(progress(travellers, f"iteration {number}: dialogues")):
        first, second = (
            hold(roles, _sampling(model, seed + 100 * at, turn), traveller, ROUNDS)
            for turn in (0, 1)
        )
        asked = first.elicitation.asked and second.elicitation.asked
        if asked and (pair := by_reward(first, second, plan.alpha)):
            split = split_of[traveller_fingerprint(traveller)]
            data.add("dpo", [pair_row(*pair, split, plan.alpha)])
    return data


def _sampling(model: ChatModel | None, seed: int, turn: int) -> Planner:
    if model is None:
        return NoisyPlanner(f"{seed} {turn}")
    return DialoguePlanner(model, temperature=1.0, seed=2 * seed + turn)


def _mixed(place: Path, plan: Plan, number: int) -> DataFolder:
    """Return the pairs of an iteration; of the last one, with those of the others of the mix."""
    data = read_data(place / f"iteration-{number}" / "data")
    if number != plan.iterations:
        return data
    for other in plan.mix:
        if other != number:
            more = read_data(place / f"iteration-{other}" / "data")
            data.rows["dpo", "train"].extend(more.rows["dpo", "train"])
            data.manifest.split.train.extend(more.manifest.split.train)
    return data


def held_with(model: ChatModel, plan: Plan, progress: Counted) -> list[Dialogue]:
    """Return a model's dialogues with travellers that no iteration talked to (Tables 2 to 4)."""
    schema: Schema = travel_schema()
    seed = plan.seed + 999_983
    travellers = drawn_travellers(plan.tested, "coherent", seed, schema)
    roles = roles_of(schema, None, seed)
    return hold_all(roles, DialoguePlanner(model), travellers, ROUNDS, progress)


def sweep(alphas: Sequence[float]) -> list[float]:
    """Return the shares of a sweep, each once, in order; raise `QueryError` outside 0 to 1."""
    if bad := [alpha for alpha in alphas if not 0 <= alpha <= 1]:
        raise QueryError(f"alpha {bad[0]:g}", hint="give shares from 0 to 1")
    return sorted(set(alphas))
