"""A small model made on the spot: a tokenizer from the data, and a random transformer.

A byte-level BPE learned from the training rows, digits one by one, with a chat template of our
own; two layers of Qwen3 by default. It proves that everything works, it is no model to use.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...dialogs.models.libraries import library
from .recipe import Recipe
from .rows import Row

END, PAD = "<|end|>", "<|pad|>"
ROLE_TOKENS = ("<|system|>", "<|user|>", "<|assistant|>")

CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "{{ '<|' + message['role'] + '|>' + message['content'] + '<|end|>' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)

CONTEXT = 16_384
"""Tokens a model made here takes: room for the prompts of every role."""

SPREAD = 0.08
"""Standard deviation of the first weights: with 0.02, scores of tied tables are too small to
learn from."""


def texts_of(rows: Iterable[Row]) -> list[str]:
    """Return all texts of some rows, in order."""
    return [
        message["content"]
        for row in rows
        for part in ("prompt", "completion", "chosen", "rejected")
        for message in row.get(part, ())
    ]


def make_tokenizer(texts: Iterable[str], vocabulary: int) -> Any:
    """Return a tokenizer learned from texts, with the chat template; the same texts, the same."""
    parts, transformers = library("tokenizers"), library("transformers")
    pre = parts.pre_tokenizers
    tokenizer = parts.Tokenizer(parts.models.BPE())
    tokenizer.pre_tokenizer = pre.Sequence(
        [pre.Digits(individual_digits=True), pre.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = parts.decoders.ByteLevel()
    trainer = parts.trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[PAD, END, *ROLE_TOKENS],
        initial_alphabet=sorted(pre.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=END, pad_token=PAD, padding_side="left"
    )
    fast.chat_template = CHAT_TEMPLATE
    return fast


def make_model(recipe: Recipe, tokenizer: Any) -> Any:
    """Return a random model of the recipe's architecture; the seed decides its weights."""
    transformers, size = library("transformers"), recipe.architecture
    transformers.set_seed(recipe.seed)
    config = transformers.Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=size.hidden,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        num_key_value_heads=size.kv_heads,
        head_dim=size.head_size,
        intermediate_size=size.intermediate,
        tie_word_embeddings=size.tied,
        max_position_embeddings=max(CONTEXT, recipe.max_length),
        initializer_range=SPREAD,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return transformers.Qwen3ForCausalLM(config)
