"""Every benchmark with its roles on a model: recorded once, replayed alike, ended by its cap."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from benyfits_data import write_checkers, write_data
from clarq_data import TASKS
from concede import Catalog
from concede.bench.apec.roles import drawn_travellers
from concede.bench.aware_us.gold import gold_of
from concede.bench.benyfits.components import recorded_programs
from concede.bench.benyfits.published_data import read_benyfits
from concede.bench.clarq.published_data import task_of
from concede.bench.model_roles import apec, aware_us, benyfits, clarq, mapsat
from concede.bench.model_roles.benchmark import ModelBenchmark
from concede.bench.model_roles.registry import DOCUMENTS, model_benchmarks
from concede.bench.model_roles.registry import NAMES as NAMES_OF_ALL
from concede.bench.model_roles.runs import (
    ModelRun,
    ModelSettings,
    budget_of,
    estimate,
    run_all,
    run_benchmark,
)
from concede.bench.model_roles.stand_in import least
from concede.catalogs.errors import ModelRefused, ModelUnavailable, NoReply
from concede.dialogs.elicitation.schema import travel_schema
from concede.dialogs.models.cassette import CassetteModel, recorded_tokens
from concede.dialogs.models.chat_model import Reply, Request, Tokens
from concede.dialogs.models.scripted import ScriptedModel
from loopback_chat import Asked, LoopbackChat, says
from mapsat_tasks import town_items, town_tasks

FLATS = "name,district,rooms,rent\nElm,Nord,3,900\nOak,Nord,4,1200\nFir,Nord,2,700\n"
GOLD = {
    "id": "flat",
    "set": "S3",
    "base": {"district": "Nord"},
    "base_query_sentence": "I need a flat in the district Nord.",
    "constraints": [
        {"column": "rooms", "op": ">=", "value": 4, "weight": 0.6},
        {"column": "rent", "op": "<=", "value": 1000, "weight": 0.3},
    ],
    "gold_relaxed": 1,
    "recommended_car": {"name": "Oak", "rent": 1200},
    "persona": "At least 4 rooms are a must. A rent of at most 1000 would be nice.",
}


def small(folder: Path) -> Iterator[ModelBenchmark]:
    """Yield every benchmark on a few episodes of our own."""
    (folder / "flats.csv").write_text(FLATS)
    golds = [gold_of({**GOLD, "id": name}, at) for at, name in enumerate(("flat", "other"))]
    flats = Catalog.open(str(folder / "flats.csv"))
    yield from aware_us.of_instances("S3", "Table 4", flats, {gold.id: gold for gold in golds})
    data = read_benyfits(write_data(folder / "data"))
    programs = recorded_programs(data, write_checkers(folder / "checkers"))
    yield from benyfits.of_households(data, programs, data.of("diverse"))
    yield from clarq.of_tasks({at: task_of(task) for at, task in enumerate(TASKS)})
    schema = travel_schema()
    yield apec.of_travellers(schema, drawn_travellers(2, "published", 0, schema))
    yield mapsat.of_tasks(town_items(), town_tasks()[:2])


@pytest.fixture(scope="module")
def benchmarks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ModelBenchmark]:
    return {each.name: each for each in small(tmp_path_factory.mktemp("small"))}


NAMES = (
    "aware-us-S3-learned", "aware-us-S3-global", "aware-us-S3-local", "aware-us-S3-pairwise",
    "aware-us-S3-formal", "benyfits-proada", "benyfits-direct", "benyfits-react", "clarq-chat-en",
    "clarq-comp-en", "clarq-provider-en", "clarq-chat-zh", "clarq-comp-zh", "clarq-provider-zh",
    "apec", "mapsat",
)  # fmt: skip


class Counting:
    """A stand-in that counts its calls and says what they took."""

    name = "counting"

    def __init__(self, benchmark: ModelBenchmark) -> None:
        self._reply = benchmark.stand_in
        self.calls = 0

    def complete(self, request: Request) -> Reply:
        self.calls += 1
        return Reply(self._reply(request), tokens=Tokens(100, 20))


def test_every_document_has_a_benchmark(benchmarks):
    assert tuple(benchmarks) == NAMES
    assert len({each.document for each in benchmarks.values()}) == len(DOCUMENTS) == 5


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_run_is_replayed_without_a_model(benchmarks, tmp_path, name):
    benchmark = benchmarks[name]
    with CassetteModel(tmp_path / "c.jsonl", "replay", Counting(benchmark)) as model:
        recorded = run_benchmark(benchmark, model)
    assert (recorded.held, recorded.broken_off, recorded.stopped) == (recorded.of, 0, "")
    assert recorded.figures
    assert any(figure.value is not None for figure in recorded.figures)
    assert run_benchmark(benchmark, CassetteModel(tmp_path / "c.jsonl")) == recorded
    json.dumps(asdict(recorded), allow_nan=False)


@pytest.mark.parametrize("name", NAMES)
def test_an_estimate_counts_what_the_stand_in_is_asked(benchmarks, name):
    benchmark = benchmarks[name]
    about, counting = estimate(benchmark), Counting(benchmark)
    run_benchmark(benchmark, counting)
    assert about.episodes == len(benchmark.episodes)
    assert about.calls == counting.calls
    assert about.tokens > 64 * about.calls


@pytest.fixture
def script(tmp_path: Path) -> str:
    """Returns a model from a file: it asks three times in each dialogue and says goodbye."""
    path = tmp_path / "script.json"
    rules = [{"reply": "Which kite do I take?", "times": 2}, {"reply": "Goodbye!", "times": 0}]
    path.write_text(json.dumps({"seeker": rules}))
    return f"fake:{path}"


def test_a_cap_ends_the_run_and_a_higher_one_goes_on(benchmarks, tmp_path, script):
    chosen = [benchmarks["clarq-chat-en"], benchmarks["clarq-comp-en"]]
    whole = run_all(chosen, ModelSettings(script, tmp_path / "whole"))
    assert [run.held for run in whole] == [2, 2]
    spent = sum(map(recorded_tokens, (tmp_path / "whole").glob("*.jsonl")))
    # Each reply sets 4,096 aside, so that the first of both dialogues fits and no more.
    first = ModelSettings(script, tmp_path / "part", max_tokens_total=spent // 4 + 4_096)
    runs = run_all(chosen, first)
    assert runs[0].held < runs[0].of or runs[1].held < runs[1].of
    assert any("a request may take" in run.stopped for run in runs)
    taken = sum(map(recorded_tokens, (tmp_path / "part").glob("*.jsonl")))
    assert 0 < taken <= (first.max_tokens_total or 0)
    budget = budget_of(first)
    assert budget is not None
    assert budget.spent == taken
    more = replace(first, max_tokens_total=spent + 20_000)
    again = run_all(chosen, more)
    assert [run.held for run in again] == [2, 2]
    assert sum(map(recorded_tokens, (tmp_path / "part").glob("*.jsonl"))) <= spent + 20_000


def test_a_folder_of_cassettes_is_a_model(benchmarks, tmp_path, script):
    chosen = [benchmarks["clarq-chat-en"], benchmarks["clarq-comp-en"]]
    recorded = run_all(chosen, ModelSettings(script, tmp_path / "runs"))
    before = sorted(path.name for path in (tmp_path / "runs").iterdir())
    replayed = run_all(chosen, ModelSettings(f"cassette:{tmp_path / 'runs'}", tmp_path / "other"))
    assert replayed == recorded
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == before
    assert not list((tmp_path / "other").iterdir())


def test_an_endpoint_within_a_cap(benchmarks, tmp_path):
    def answer(asked: Asked):
        # The third message of the seeker, after the provider spoke three times.
        return says("Goodbye!" if len(asked.body["messages"]) > 5 else "Which one?")

    with LoopbackChat(answer) as server:
        settings = ModelSettings("tiny", tmp_path, server.url, max_tokens_total=50_000)
        (run,) = run_all([benchmarks["clarq-chat-en"]], settings)
        calls = len(server.asked)
        assert all(asked.body["max_tokens"] == 4_096 for asked in server.asked)
        assert run_all([benchmarks["clarq-chat-en"]], settings) == [run]
        assert len(server.asked) == calls
    assert (run.held, run.stopped) == (2, "")
    assert recorded_tokens(tmp_path / "clarq-chat-en.cassette.jsonl") == 10 * calls


def failing(*errors: Exception | None):
    """A model that raises these in turn, and says goodbye where there is none."""
    left = list(errors)

    def reply(request: Request) -> str:
        error = left.pop(0) if left else None
        if error is not None:
            raise error
        return "Goodbye!"

    return ScriptedModel(reply)


def test_what_a_model_breaks_off_is_not_counted(benchmarks):
    run: ModelRun = run_benchmark(benchmarks["clarq-chat-en"], failing(ModelUnavailable("busy")))
    assert (run.held, run.of, run.broken_off) == (1, 2, 1)


def test_a_model_that_refuses_ends_the_run_at_once(benchmarks):
    with pytest.raises(ModelRefused):
        run_benchmark(benchmarks["clarq-chat-en"], failing(ModelRefused("no", status=401)))
    three = replace(benchmarks["clarq-chat-en"], episodes=dict.fromkeys(
        "abcd", next(iter(benchmarks["clarq-chat-en"].episodes.values()))
    ))  # fmt: skip
    with pytest.raises(NoReply):
        run_benchmark(three, failing(*[NoReply("none")] * 4))


def test_nothing_held_has_no_figures(benchmarks):
    run = run_benchmark(replace(benchmarks["apec"], episodes={}), failing())
    assert asdict(run) | {"figures": ()} == asdict(run)


def test_the_least_that_fits_a_schema():
    schema = {
        "$defs": {"Kind": {"enum": ["a", "b"]}},
        "type": "object",
        "required": ["kind", "at", "many", "maybe"],
        "properties": {
            "kind": {"$ref": "#/$defs/Kind"},
            "at": {"type": "integer", "minimum": 3},
            "many": {"type": "array", "items": {"type": "boolean"}, "minItems": 2},
            "maybe": {"anyOf": [{"type": "null"}, {"type": "string"}]},
            "left": {"type": "string"},
        },
    }
    assert least(schema) == {"kind": "a", "at": 3, "many": [False, False], "maybe": None}


@pytest.mark.slow
def test_published_data_gives_the_benchmarks_of_all_documents(shared_data: Path):
    quick = list(model_benchmarks(shared_data, quick=True))
    assert {each.document for each in quick} == {
        "AWARE-US", "MapSatisfyBench", "ClarQ-LLM", "APEC-Travel", "ProADA / BeNYfits",
    }  # fmt: skip
    assert all(0 < len(each.episodes) <= 10 for each in quick)
    assert tuple(each.name for each in quick) == NAMES_OF_ALL


def test_without_data_what_is_made_here_is_left(tmp_path: Path):
    names = [each.name for each in model_benchmarks(tmp_path, ("clarq", "apec"), quick=True)]
    assert names == ["apec"]
