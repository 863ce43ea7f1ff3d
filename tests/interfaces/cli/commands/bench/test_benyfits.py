"""`concede bench benyfits` from the outside, with and without a model."""

import json
from pathlib import Path

import pytest

from benyfits_data import write_checkers, write_data
from command_line import in_own_process
from concede.bench.benyfits.components import LLMUser
from concede.bench.benyfits.profile import Profile
from concede.bench.benyfits.published_data import read_benyfits
from concede.dialogs.eligibility.roles import Question
from concede.dialogs.models.opening import open_model
from concede.dialogs.models.scripted import ScriptedModel
from concede.dialogs.transcripts.transcript import Message, Transcript
from loopback_chat import Asked, LoopbackChat, says


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_data(tmp_path / "data")
    write_checkers(tmp_path / "checkers")
    return tmp_path


GIVEN = ("bench", "benyfits", "--data", "data", "--checkers", "checkers")


@pytest.mark.slow
def test_json_has_what_outside_checks_read(folder: Path):
    done = in_own_process(
        *GIVEN, "--offline", "--format", "json", "--predictions", "p.jsonl",
        "--transcripts", "runs", folder=folder,
    )  # fmt: skip
    assert done.code == 0, done.err
    found = done.json
    names = ("n_pairs", "f1", "precision", "recall", "accuracy", "turns", "turn_weighted_f1",
             "undecided", "per_program")  # fmt: skip
    assert {name for name in names if name in found} == set(names)
    assert (found["n_pairs"], found["f1"], found["undecided"]) == (3, 100, 0)
    assert set(found["per_program"]) == {"ChessClub", "PrizeTax"}
    lines = (folder / "p.jsonl").read_text().splitlines()
    assert json.loads(lines[-1]) == {"household": "h-1", "program": "ChessClub", "eligible": False}
    again = in_own_process(*GIVEN, "--rescore", "runs", "--format", "json", folder=folder)
    for name in ("f1", "turns", "intervals", "per_program", "questions", "failure_classes"):
        assert again.json[name] == found[name]


@pytest.mark.slow
def test_withheld_labels_leave_predictions_and_turns(folder: Path):
    done = in_own_process(
        *GIVEN, "--offline", "--dataset", "representative", "--planner", "published",
        "--format", "json", "--predictions", "p.jsonl", folder=folder,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert done.json["f1"] is done.json["accuracy"] is None
    assert done.json["turns"] > 0
    assert len((folder / "p.jsonl").read_text().splitlines()) == 2
    table = in_own_process(*GIVEN, "--offline", "--dataset", "representative", folder=folder)
    assert table.code == 0
    assert "turns a dialogue" in table.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--data", "nowhere", "--offline"), 3, "features"),
        (("--offline", "--model", "x"), 2, "give one of them"),
        (("--offline", "--method", "direct"), 2, "without a model"),
        (("--offline", "--dataset", "user_study"), 2, "no household"),
        (("--offline", "--rescore", "none"), 3, "no episode"),
        (("--rescore", "a", "--transcripts", "b", "--offline"), 2, "give one of them"),
        (("--offline", "--predictions", "no/such/p.jsonl"), 3, "p.jsonl"),
        (("--offline", "--checkers", "data"), 3, "keys.json"),
        (("--model", "fake:none.json"), 3, "none.json"),
    ],
)
def test_what_cannot_be_is_one_line(folder: Path, arguments: tuple[str, ...], code: int, told: str):
    done = in_own_process(*GIVEN, *arguments, folder=folder)
    assert (done.code, done.out) == (code, "")
    assert told in done.err
    assert "Traceback" not in done.err


def test_a_data_set_is_built(folder: Path):
    done = in_own_process(
        "bench", "benyfits-build", "--data", "data", "--checkers", "checkers",
        "--households", "40", "--output", "built.jsonl", "--format", "json", folder=folder,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert done.json["lines"] == done.json["kept_lines"] > 0
    assert len((folder / "built.jsonl").read_text().splitlines()) == done.json["households"]


def test_the_person_of_a_model_is_shown_the_profile_and_the_conversation(folder: Path):
    data = read_benyfits(folder / "data")
    seen = []
    model = ScriptedModel(lambda request: seen.append(request) or "Bo  plays\nchess.")
    user = LLMUser(model, Profile(data.households["h-0"], data.features))
    told = Transcript((Message("assistant", "Hello, who plays chess?"),))
    assert user.answer(Question("Hello, who plays chess?"), told) == "Bo plays chess."
    (request,) = seen
    assert (request.role, request.episode) == ("user", "h-0")
    assert [message.role for message in request.messages] == ["system", "user"]
    assert "Bo Berg plays chess." in request.messages[0].content
    assert "Ada Berg does not play chess." in request.messages[0].content


def test_a_whole_run_over_the_wire(folder: Path):
    """The person is a model; the answers are read without one."""

    def person(asked: Asked):
        question = str(asked.body["messages"][-1]["content"]).casefold()
        if "who lives" in question:
            return says("I am Ada Berg. I live with my husband Bo Berg and my son Cy Berg.")
        if "chess" in question:
            return says("Bo and Cy do.")
        if "prize" in question:
            return says("Bo wins $800 and Cy 300 a year, I win nothing.")
        return says("In the north.")

    data = read_benyfits(folder / "data")
    from concede.bench.benyfits.components import Components, recorded_programs
    from concede.bench.benyfits.report import run_conversations

    programs = recorded_programs(data, folder / "checkers")
    with LoopbackChat(person) as server:
        model = open_model("tiny", base_url=server.url, api_key="sk-test", timeout_s=10.0)
        components = Components(data, programs, model=model, offline_parser=True)
        (one,) = run_conversations(components, [data.households["h-0"]], lambda found, doing: found)
        spent = model.ledger.record()
    assert dict(one.decisions) == {"ChessClub": True, "PrizeTax": True}
    assert spent["user"]["calls"] == len(one.turns)
