"""What a folder with a language model may hold: weights as safetensors, and no code.

A pickle runs what its writer wished when it is read, and so does a model that brings code.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from ...catalogs.errors import UnreadableFile

PICKLES = (".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt")
CONFIGS = ("config.json", "adapter_config.json")
READ = ("config.json", "adapter_config.json", "tokenizer_config.json", "generation_config.json")


def check_folder(folder: str | Path) -> None:
    """Raise `UnreadableFile` for a folder without a model that is safe to read.

    That is one with a configuration, weights as `.safetensors`, and neither pickles nor code.
    """
    place = Path(folder)
    if not place.is_dir():
        raise UnreadableFile(str(folder), "no such folder", hint="name the folder of a model")
    if not any((place / name).is_file() for name in CONFIGS):
        reason = "it holds no model: no config.json"
        raise UnreadableFile(str(folder), reason, hint="name the folder of a model")
    files = sorted(path.name for path in place.iterdir() if path.is_file())
    safe = [name for name in files if name.endswith(".safetensors")]
    pickles = [name for name in files if name.endswith(PICKLES)]
    if pickles or not safe:
        reason = f"{pickles[0]} is a pickle, and reads as code" if pickles else "no .safetensors"
        raise UnreadableFile(str(folder), reason, hint="save the weights as safetensors")
    for name in READ:
        if (place / name).is_file() and "auto_map" in _fields(place / name):
            reason = f"{name} asks for code of its own (auto_map)"
            raise UnreadableFile(str(folder), reason, hint="use a model of a known architecture")


def _fields(path: Path) -> dict[str, Any]:
    try:
        value: object = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UnreadableFile(str(path), f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise UnreadableFile(str(path), "no JSON object")
    return cast("dict[str, Any]", value)
