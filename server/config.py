"""Settings of a server: defaults, then a TOML file, then environment, then flags.

Environment: `CLOCKTOWERS_PORT=7000`, `CLOCKTOWERS_LIMITS__CONNECTIONS=50`.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

DEFAULT_PORT: Final = 7777
ENV_PREFIX: Final = "CLOCKTOWERS_"
"""Not every variable with this prefix is a setting (the client has its own); unknown ones pass."""


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one server bears. Times in seconds, sizes in bytes."""

    connections: Annotated[int, Meta(ge=1)] = 2000
    tables: Annotated[int, Meta(ge=1)] = 2000
    watchers: Annotated[int, Meta(ge=0)] = 50
    hello_s: Annotated[float, Meta(gt=0)] = 5.0
    frame_s: Annotated[float, Meta(gt=0)] = 10.0
    ping_s: Annotated[float, Meta(gt=0)] = 20.0
    silence_s: Annotated[float, Meta(gt=0)] = 60.0
    outbox_bytes: Annotated[int, Meta(ge=1024)] = 256 * 1024


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`host`: addresses to bind; several are allowed. `bot_pace_s`: how long a bot's action is
    waited for at least, so that people can follow."""

    host: Annotated[tuple[str, ...], Meta(min_length=1)] = ("127.0.0.1", "::1")
    port: Annotated[int, Meta(ge=0, le=65535)] = DEFAULT_PORT
    name: str = ""
    state: str = ""
    bot_pace_s: Annotated[float, Meta(ge=0, le=60)] = 0.7
    bot_workers: Annotated[int, Meta(ge=1, le=64)] = 1
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    limits: Limits = Limits()


_PLAIN: Final = frozenset(Config.__struct_fields__) - {"limits"}


class ConfigError(Exception):
    """A setting is wrong; the text is one sentence that names it and where it came from."""


def load(path: Path | None, env: Mapping[str, str], flags: Mapping[str, Any]) -> Config:
    """The settings in force. `flags` holds only those that were given. Raises ConfigError."""
    config = _convert(_read_file(path), str(path)) if path else Config()
    config = _overlay(config, _from_env(env), "the environment", strict=False)
    return _overlay(config, flags, "the command line", strict=True)


def _read_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from None


def _from_env(env: Mapping[str, str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name, value in env.items():
        if not name.startswith(ENV_PREFIX):
            continue
        section, _, limit = name.removeprefix(ENV_PREFIX).lower().partition("__")
        if limit and section == "limits":
            given.setdefault("limits", {})[limit] = value
        elif section in _PLAIN and not limit:
            given[section] = value.split(",") if section == "host" else value
    return given


def _overlay(config: Config, given: Mapping[str, Any], source: str, *, strict: bool) -> Config:
    if not given:
        return config
    below = msgspec.to_builtins(config)
    limits = {**below["limits"], **given.get("limits", {})}
    return _convert({**below, **given, "limits": limits}, source, strict=strict)


def _convert(value: dict[str, Any], source: str, *, strict: bool = True) -> Config:
    if isinstance(value.get("host"), str):
        value = {**value, "host": [value["host"]]}
    try:
        return msgspec.convert(value, Config, strict=strict)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{source}: {error}") from None
