"""Settings of an endpoint: from arguments, then the environment, then defaults."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from ...catalogs.errors import ModelError

MAX_REPLY_BYTES = 4_000_000
"""Of one HTTP body: a reply of a million characters, escaped, still fits."""

PUBLIC_ENDPOINT = "https://api.openai.com/v1"
NO_KEY = "EMPTY"
"""Sent where there is no key: servers of one's own ask for a header, whatever it says."""

VARIABLES = {
    "model": ("CONCEDE_MODEL",),
    "base_url": ("CONCEDE_BASE_URL", "OPENAI_BASE_URL"),
    "api_key": ("CONCEDE_API_KEY", "OPENAI_API_KEY"),
    "extra_body": ("CONCEDE_EXTRA_BODY",),
    "timeout_s": ("CONCEDE_TIMEOUT",),
}
"""Environment variables of each setting; the first that is set counts."""


class ModelSettings(BaseModel):
    """An endpoint, its key and its limits. The key appears in no repr and no error.

    `timeout_s`: seconds until an attempt is given up. `attempts`, `total_s`: how often and
    for how long a busy or silent server is tried. `concurrency`: requests under way at once.
    `requests_per_s`: None for no limit.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    model: str = Field(min_length=1, max_length=200)
    base_url: str = PUBLIC_ENDPOINT
    api_key: SecretStr | None = None
    extra_body: dict[str, Any] = {}
    timeout_s: float = Field(default=60.0, gt=0, le=3600)
    max_reply_bytes: int = Field(default=MAX_REPLY_BYTES, ge=1)
    attempts: int = Field(default=5, ge=1, le=20)
    total_s: float = Field(default=180.0, ge=0, le=86_400)
    concurrency: int = Field(default=8, ge=1, le=1024)
    requests_per_s: float | None = Field(default=None, gt=0)

    @field_validator("base_url")
    @classmethod
    def _is_url(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("write http://HOST[:PORT]/v1 or https://…")
        if "@" in parts.netloc or parts.query or parts.fragment:
            raise ValueError("leave out user names, passwords, ?… and #…")
        return url.rstrip("/")

    @field_validator("extra_body", mode="before")
    @classmethod
    def _is_object(cls, value: Any) -> Any:
        return _json_object(value) if isinstance(value, str) else value

    @field_validator("api_key")
    @classmethod
    def _fits_a_header(cls, key: SecretStr | None) -> SecretStr | None:
        plain = key.get_secret_value().strip() if key else ""
        if not (plain.isascii() and all(33 <= ord(c) <= 126 for c in plain)):
            raise ValueError("a key is printable ASCII without blanks")
        return SecretStr(plain) if plain else None

    @classmethod
    def of(cls, environ: Mapping[str, str] | None = None, **given: Any) -> Self:
        """Return settings from arguments (None: not given), then environment, then defaults.

        Raises `ModelError`, which names the setting and never shows its value.
        """
        fields = _from_environment(os.environ if environ is None else environ)
        fields |= {name: value for name, value in given.items() if value is not None}
        try:
            return cls(**fields)
        except ValidationError as error:
            complaint = _complaint(error)
        raise ModelError(complaint[0], hint=complaint[1])

    @property
    def host(self) -> str:
        """Host and port of the endpoint."""
        return urlsplit(self.base_url).netloc


def _json_object(text: str) -> dict[str, Any]:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ValueError('write a JSON object: {"field": value}')
    return value  # pyright: ignore[reportUnknownVariableType] - keys of JSON are text


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, variables in VARIABLES.items():
        value = next((environ[variable] for variable in variables if environ.get(variable)), None)
        if value is not None:
            fields[name] = value
    return fields


def _complaint(error: ValidationError) -> tuple[str, str]:
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    setting = str(first["loc"][0]) if first["loc"] else "settings"
    if first["type"] == "missing":
        return f"no {setting} is named", f"set {' or '.join(VARIABLES[setting])}"
    names = VARIABLES.get(setting, ())
    origin = f" ({names[0]} in the environment)" if names else ""
    return f"bad {setting}{origin}", first["msg"].removeprefix("Value error, ")
