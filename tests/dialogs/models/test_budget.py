"""A cap on tokens: never exceeded, whatever is asked, by however many threads."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.errors import LimitError, ModelUnavailable, TokensSpent
from concede.dialogs.models.budget import BudgetedModel, TokenBudget, charged, prompt_at_most
from concede.dialogs.models.cassette import CassetteModel, recorded_tokens
from concede.dialogs.models.chat_model import Reply, Request, Tokens
from concede.dialogs.models.opening import open_model
from concede.dialogs.models.scripted import ScriptedModel
from loopback_chat import LoopbackChat, refuses, says

HELLO = Request.of("hello")


class Server:
    """Takes a token a byte of a prompt at worst, and replies up to its limit; adds up what it took.

    `wanted`: how long each reply would like to be, in tokens; a negative one is no reply.
    """

    name = "server"

    def __init__(self, wanted: list[int]) -> None:
        self._wanted = list(wanted)
        self._lock = Lock()
        self.taken = 0

    def complete(self, request: Request) -> Reply:
        with self._lock:
            wanted = self._wanted.pop()
        prompt = sum(len(m.content.encode()) + 10 for m in request.messages) + 40
        completion = min(abs(wanted), request.max_tokens or 0)
        with self._lock:
            self.taken += prompt + completion
        if wanted < 0:
            raise ModelUnavailable("gone")
        return Reply("x" * completion, tokens=Tokens(prompt, completion))


WANTED = st.lists(st.integers(-300, 300), max_size=30)


@given(WANTED, st.text(max_size=40), st.integers(0, 3_000))
def test_the_cap_is_never_exceeded(wanted: list[int], text: str, cap: int):
    server = Server(wanted)
    budget = TokenBudget(cap)
    model = BudgetedModel(server, budget, most_reply=200)
    for _ in wanted:
        try:
            model.complete(Request.of(text))
        except ModelUnavailable:
            continue
        except TokensSpent:
            break
    assert server.taken <= budget.spent <= cap


def test_the_cap_holds_among_threads():
    for cap in (0, 500, 2_000, 5_000):
        server = Server([150] * 64)
        model = BudgetedModel(server, budget := TokenBudget(cap), most_reply=200)

        def ask(_: int, model: BudgetedModel = model) -> bool:
            try:
                model.complete(HELLO)
            except TokensSpent:
                return False
            return True

        with ThreadPoolExecutor(8) as pool:
            made = sum(pool.map(ask, range(64)))
        assert server.taken == budget.spent <= cap
        # Nobody is refused while what others set aside would come back.
        wanted = prompt_at_most(HELLO) + 200
        assert cap - budget.spent < wanted or made == 64


def test_what_a_server_does_not_count_is_counted_at_its_most():
    budget = TokenBudget(10_000)
    BudgetedModel(ScriptedModel(["drei Wörter"]), budget).complete(HELLO)
    assert budget.spent == prompt_at_most(HELLO) + 12


def test_a_limit_of_ones_own_stands():
    seen: list[int | None] = []

    def reply(request: Request) -> str:
        seen.append(request.max_tokens)
        return "yes"

    model = BudgetedModel(ScriptedModel(reply), TokenBudget(100_000))
    model.complete(HELLO)
    model.complete(Request(HELLO.messages, max_tokens=7))
    assert seen == [4_096, 7]


def test_the_schema_counts():
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    plain = Request(HELLO.messages)
    assert prompt_at_most(Request(HELLO.messages, json_schema=schema)) > prompt_at_most(plain)


def test_a_cassette_s_replies_cost_nothing_and_are_counted_once(tmp_path: Path):
    path = tmp_path / "c.jsonl"
    first = TokenBudget(10_000)
    script = tmp_path / "s.json"
    script.write_text('["one", "two"]')
    open_model(f"fake:{script}", record=path, budget=first).complete(HELLO)
    assert recorded_tokens(path) == first.spent > 0
    assert recorded_tokens(tmp_path / "none") == 0
    second = TokenBudget(first.spent, first.spent)
    model = open_model(f"fake:{script}", record=path, budget=second)
    assert model.complete(HELLO).text == "one"
    with pytest.raises(TokensSpent, match="0 of"):
        model.complete(HELLO)
    with pytest.raises(LimitError):
        model.complete(Request.of("other"))
    assert recorded_tokens(path) == first.spent


def test_a_question_refused_for_want_of_tokens_is_asked_later_as_the_first(tmp_path: Path):
    path, budget = tmp_path / "c.jsonl", TokenBudget(0)
    inner = BudgetedModel(ScriptedModel(["one"]), budget)
    with CassetteModel(path, "replay", inner) as model:
        with pytest.raises(TokensSpent):
            model.complete(HELLO)
        budget.most = 10_000
        model.complete(HELLO)
    assert CassetteModel(path).complete(HELLO).text == "one"


def test_every_attempt_at_an_endpoint_counts():
    budget = TokenBudget(20_000)
    with LoopbackChat([refuses(503), says("hi")]) as server:
        model = open_model("tiny", base_url=server.url, budget=budget)
        assert model.complete(HELLO).text == "hi"
        assert [asked.body["max_tokens"] for asked in server.asked] == [4_096] * 2
    # What failed may have cost all that was set aside; what came was counted by the server.
    assert budget.spent == prompt_at_most(HELLO) + 4_096 + 10


def test_charged_is_what_the_server_says():
    assert charged(HELLO, Reply("four", tokens=Tokens(5, 2))) == 7
