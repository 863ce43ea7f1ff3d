"""A language model from a folder, run in this process: `--model hf:DIR`.

Loaded when it is first asked. Requests that wait for it together are answered in one batch. The
folder holds safetensors and no code (`local_folder`); nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from ...catalogs.errors import BadReply, ConcedeError, ModelError, ModelRefused
from .chat_model import Reply, Request, Tokens
from .chat_template import encoded, generated
from .libraries import library, quiet
from .local_folder import check_folder
from .schema_tokens import held_to

MOST_AT_ONCE = 16
"""Requests of one batch."""

MOST_TOKENS = 512
"""Of a reply, where the request names no limit."""

TOO_LONG = 413
"""The status by which servers refuse a prompt over the context."""


@dataclass(eq=False)
class _Waiting:
    """A request, and what came of it."""

    request: Request
    ids: list[int] = field(default_factory=list[int])
    result: Reply | ConcedeError | None = None

    def sampling(self) -> tuple[Any, ...]:
        """Return what requests of one batch have in common."""
        asked = self.request
        return (asked.temperature or 0.0, asked.max_tokens, asked.seed, asked.top_logprobs)


class LocalModel:
    """A chat model of a folder; called by several threads at once.

    With a schema the reply is held to it, token by token. `temperature` None or 0 takes the
    likeliest token each time. Raises `UnreadableFile` for a folder that is not safe to read.
    """

    def __init__(self, folder: str | Path) -> None:
        check_folder(folder)
        self._folder = Path(folder)
        self._loaded: tuple[Any, Any] | None = None
        self._waiting: list[_Waiting] = []
        self._queue, self._running = Lock(), Lock()

    @property
    def name(self) -> str:
        """The folder's name."""
        return f"hf:{self._folder.name}"

    def complete(self, request: Request) -> Reply:
        """Return the model's reply; raise `ModelError` where there is none."""
        mine = _Waiting(request)
        with self._queue:
            self._waiting.append(mine)
        with self._running:
            # Whoever comes first answers all that wait by then; the others find their replies.
            if mine.result is None:
                self._answer(mine)
        if isinstance(mine.result, ConcedeError):
            raise mine.result
        if mine.result is None:
            raise BadReply(f"{self.name} gave no reply")
        return mine.result

    def _answer(self, mine: _Waiting) -> None:
        with self._queue:
            alike = [one for one in self._waiting if one.sampling() == mine.sampling()]
            batch = [mine, *(one for one in alike if one is not mine)][:MOST_AT_ONCE]
            self._waiting = [one for one in self._waiting if one not in batch]
        try:
            fitting = self._encode(batch)
            for one, reply in zip(fitting, self._replies(fitting), strict=True):
                one.result = reply
        except ConcedeError as error:
            _fail(batch, error)
        except (RuntimeError, ValueError, IndexError, OSError) as error:
            _fail(batch, ModelError(f"{self.name}: {error}", hint="try another model"))

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            torch, transformers = library("torch"), library("transformers")
            quiet()
            folder = str(self._folder)
            tokenizer = transformers.AutoTokenizer.from_pretrained(
                folder, trust_remote_code=False, local_files_only=True
            )
            kind = transformers.AutoModelForCausalLM
            if (self._folder / "adapter_config.json").is_file():
                kind = library("peft").AutoPeftModelForCausalLM
            on_gpu = torch.cuda.is_available()
            model = kind.from_pretrained(folder, use_safetensors=True, local_files_only=True)
            model = model.to("cuda" if on_gpu else "cpu").eval()
            self._loaded = (tokenizer, model)
        return self._loaded

    def _encode(self, batch: Sequence[_Waiting]) -> list[_Waiting]:
        """Return the requests whose prompts fit; the others are refused."""
        tokenizer, model = self._load()
        context = getattr(model.config, "max_position_embeddings", 1_000_000)
        fitting: list[_Waiting] = []
        for one in batch:
            messages = [message.record() for message in one.request.messages]
            one.ids = encoded(tokenizer, messages, add_generation_prompt=True)
            if len(one.ids) < context:
                fitting.append(one)
            else:
                problem = f"{self.name}: {len(one.ids):,} tokens, and {context:,} are the most"
                one.result = ModelRefused(problem, status=TOO_LONG, hint="shorten what is said")
        return fitting

    def _replies(self, batch: Sequence[_Waiting]) -> list[Reply]:
        if not batch:
            return []
        torch = library("torch")
        tokenizer, model = self._load()
        asked, longest = batch[0].request, max(len(one.ids) for one in batch)
        context = getattr(model.config, "max_position_embeddings", 1_000_000)
        room = max(1, min(asked.max_tokens or MOST_TOKENS, context - longest))
        temperature = asked.temperature or 0.0
        if asked.seed is not None:
            torch.manual_seed(asked.seed)
        made = generated(
            model,
            tokenizer,
            [one.ids for one in batch],
            max_new_tokens=room,
            do_sample=temperature > 0,
            **({"temperature": temperature} if temperature > 0 else {}),
            logits_processor=self._schemas(batch, longest, room),
            output_logits=asked.top_logprobs is not None,
            return_dict_in_generate=True,
        )
        first = made.logits[0] if asked.top_logprobs else None
        return [
            self._reply(one, tokens, None if first is None else first[at], room)
            for at, (one, tokens) in enumerate(
                zip(batch, made.sequences[:, longest:].tolist(), strict=True)
            )
        ]

    def _schemas(self, batch: Sequence[_Waiting], begun: int, room: int) -> Any:
        """Return what holds each reply to its schema; None where nobody gave one."""
        schemas = [one.request.json_schema for one in batch]
        if not any(schemas):
            return None
        tokenizer, model = self._load()
        width = model.get_input_embeddings().num_embeddings
        return [held_to(schemas, tokenizer, width, begun, room)]

    def _reply(self, one: _Waiting, tokens: list[int], logits: Any, room: int) -> Reply:
        tokenizer, model = self._load()
        ends = model.generation_config.eos_token_id
        ends = {ends} if isinstance(ends, int) else set(ends or ())
        length = next((at for at, token in enumerate(tokens) if token in ends), len(tokens))
        text = tokenizer.decode(tokens[:length], skip_special_tokens=True)
        for stop in one.request.stop:
            text = text.split(stop)[0] if stop else text
        ranked: tuple[tuple[str, float], ...] = ()
        if logits is not None and one.request.top_logprobs:
            likely = library("torch").log_softmax(logits.float(), dim=-1)
            found = likely.topk(min(one.request.top_logprobs, likely.shape[-1]))
            pairs = zip(found.indices.tolist(), found.values.tolist(), strict=True)
            ranked = tuple((tokenizer.decode([token]), value) for token, value in pairs)
        reason = "length" if length == len(tokens) >= room else "stop"
        return Reply(text, reason, Tokens(len(one.ids), length), ranked, self.name)


def _fail(batch: Sequence[_Waiting], error: ConcedeError) -> None:
    for one in batch:
        if one.result is None:
            one.result = error
