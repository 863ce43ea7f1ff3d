"""Chat models behind one protocol: real ones, scripted ones, recorded ones.

ChatModel           what all of them are: `complete(Request) -> Reply`
open_model          a model from a name, `fake:FILE` or `cassette:FILE`
ask_for             a reply that is validated JSON
OpenAIModel         any OpenAI-compatible endpoint, asked once
ScriptedModel       says what it was told to
CassetteModel       records and replays another model
RetryingModel, ConcurrencyLimit, RateLimit, MeteredModel      wrap any of them
"""

from .cassette import CassetteModel
from .chat_model import ChatModel, Reply, Request, Tokens
from .openai_model import OpenAIModel
from .opening import endpoint_model, open_model
from .scripted import ScriptedModel
from .settings import ModelSettings
from .structured import AWARE_US, ONE_ATTEMPT, RetryPolicy, SchemaMemory, ask_for
from .wrappers import (
    ConcurrencyLimit,
    MeteredModel,
    RateLimit,
    RetryingModel,
    TokenBucket,
    UsageLedger,
)

__all__ = [
    "AWARE_US",
    "ONE_ATTEMPT",
    "CassetteModel",
    "ChatModel",
    "ConcurrencyLimit",
    "MeteredModel",
    "ModelSettings",
    "OpenAIModel",
    "RateLimit",
    "Reply",
    "Request",
    "RetryPolicy",
    "RetryingModel",
    "SchemaMemory",
    "ScriptedModel",
    "TokenBucket",
    "Tokens",
    "UsageLedger",
    "ask_for",
    "endpoint_model",
    "open_model",
]
