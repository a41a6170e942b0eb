"""Settings of a server: defaults, then a TOML file, then environment, then flags.

Environment: `CLOCKTOWERS_PORT=7000`, `CLOCKTOWERS_LIMITS__CONNECTIONS=50`.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct, inspect

from protocol.text import clean
from protocol.version import DEFAULT_PORT

ENV_PREFIX: Final = "CLOCKTOWERS_"
"""Not every variable with this prefix is a setting (the client has its own); unknown ones pass."""


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one server bears. Times in seconds, sizes in bytes.

    `per_address`: connections from one IPv4 address or IPv6 /64; `loopback_counts`: whether those
    from this machine itself count, too. `tables_per_address`, `tables_per_identity`: tables at
    which somebody plays or that wait for them; `bots_per_…`: the seats of bots there. `commands_s`,
    `commands_burst`: what a session may ask for in the long run and at once, beside the actions
    that its match waits for; `bytes_s`, `bytes_burst`: the bytes of those of its messages that are
    long, beside the first 512 of each. `outbox_bytes`: a player with more unread is cut;
    `backlog_bytes`: a watcher with more unread is shown the newest state only. `grace_s`: how long
    the seat of a disconnected player is held, until a bot plays it; `race_grace_s`: the same in a
    race, which goes on meanwhile, where that is less. `standstill_s`: how long a match stands still
    when all its players are disconnected; `untouched_s`: the same where none of them has acted yet.
    `ping_due_s`: of silence, until a player whose action is due is asked whether they are there;
    `quiet_s`: until the others are told, and the grace begins. `lag_ms`: a race makes up for a slow
    connection by so many milliseconds one way and no more: a connection around the world takes 150,
    and a player who slows theirs on purpose gains no more. `chat_s`, `chat_burst`: lines a guest
    may say at a table, for long and at once. `hints_per_minute`: for each seat; a hint takes a
    worker as long as a move of the strongest bot.
    """

    connections: Annotated[int, Meta(ge=1)] = 2000
    tables: Annotated[int, Meta(ge=1)] = 2000
    per_address: Annotated[int, Meta(ge=1)] = 32
    loopback_counts: bool = False
    tables_per_address: Annotated[int, Meta(ge=1)] = 32
    tables_per_identity: Annotated[int, Meta(ge=1)] = 8
    bots_per_address: Annotated[int, Meta(ge=1)] = 48
    bots_per_identity: Annotated[int, Meta(ge=1)] = 16
    watchers: Annotated[int, Meta(ge=0)] = 50
    hello_s: Annotated[float, Meta(gt=0)] = 5.0
    frame_s: Annotated[float, Meta(gt=0)] = 10.0
    ping_s: Annotated[float, Meta(gt=0)] = 20.0
    ping_due_s: Annotated[float, Meta(gt=0)] = 5.0
    quiet_s: Annotated[float, Meta(gt=0)] = 15.0
    silence_s: Annotated[float, Meta(gt=0)] = 60.0
    grace_s: Annotated[float, Meta(ge=0)] = 30.0
    race_grace_s: Annotated[float, Meta(ge=0)] = 5.0
    standstill_s: Annotated[float, Meta(gt=0)] = 900.0
    untouched_s: Annotated[float, Meta(gt=0)] = 60.0
    lag_ms: Annotated[int, Meta(ge=0, le=150)] = 150
    chat_s: Annotated[float, Meta(gt=0)] = 0.5
    chat_burst: Annotated[int, Meta(ge=1)] = 5
    hints_per_minute: Annotated[int, Meta(ge=1)] = 12
    commands_s: Annotated[float, Meta(gt=0)] = 20.0
    commands_burst: Annotated[int, Meta(ge=1)] = 40
    bytes_s: Annotated[float, Meta(gt=0)] = 8192.0
    bytes_burst: Annotated[int, Meta(ge=1)] = 32768
    outbox_bytes: Annotated[int, Meta(ge=1024)] = 256 * 1024
    backlog_bytes: Annotated[int, Meta(ge=1024)] = 32 * 1024


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`host`: addresses to bind; several are allowed. `bot_pace_s`: how long a bot's action waits
    at least, so that people can follow. `log_file`: "" = stderr. `keep_days`: how long
    finished matches are kept as records, 0 = not at all. `journal_mb`: from this size on the oldest
    records go."""

    host: Annotated[tuple[str, ...], Meta(min_length=1)] = ("127.0.0.1", "::1")
    port: Annotated[int, Meta(ge=0, le=65535)] = DEFAULT_PORT
    name: str = ""
    state: str = ""
    bot_pace_s: Annotated[float, Meta(ge=0, le=60)] = 0.7
    bot_workers: Annotated[int, Meta(ge=1, le=64)] = 1
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_file: str = ""
    keep_days: Annotated[int, Meta(ge=0, le=36500)] = 30
    journal_mb: Annotated[int, Meta(ge=1)] = 1024
    limits: Limits = Limits()


_PLAIN: Final = frozenset(Config.__struct_fields__) - {"limits"}


_KEY: Final = re.compile(r"at `\$\.([a-z_.]+)")
"""Finds in a sentence of msgspec which value is wrong."""


class ConfigError(Exception):
    """A setting is wrong; the text is one sentence that names it and where it came from."""


class _Source(NamedTuple):
    """`name`: what a key, such as `limits.tables`, is called where it was given."""

    name: Callable[[str], str]
    must_be: str = " must be"


_ENVIRONMENT: Final = _Source(lambda key: ENV_PREFIX + key.replace(".", "__").upper())
_COMMAND_LINE: Final = _Source(lambda key: "--" + key.replace("_", "-"))


def _in_file(path: Path) -> _Source:
    return _Source(lambda key: f"{path}: {clean(key)}", must_be=": expected")


def load(path: Path | None, env: Mapping[str, str], flags: Mapping[str, Any]) -> Config:
    """The settings in force. `flags` holds only those that were given. Raises ConfigError."""
    config = _convert(_read_file(path), _in_file(path)) if path else Config()
    config = _overlay(config, _from_env(env), _ENVIRONMENT, strict=False)
    return _overlay(config, flags, _COMMAND_LINE, strict=True)


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
            several = [one.strip() for one in value.split(",")]
            given[section] = several if section == "host" else value
    return given


def _overlay(config: Config, given: Mapping[str, Any], source: _Source, *, strict: bool) -> Config:
    if not given:
        return config
    below = msgspec.to_builtins(config)
    limits = {**below["limits"], **given.get("limits", {})}
    return _convert({**below, **given, "limits": limits}, source, strict=strict)


def _convert(value: dict[str, Any], source: _Source, *, strict: bool = True) -> Config:
    if isinstance(value.get("host"), str):
        value = {**value, "host": [value["host"]]}
    for key, known in _unknown(value):
        raise ConfigError(f"{source.name(key)} is no setting; there are {', '.join(known)}")
    try:
        return msgspec.convert(value, Config, strict=strict)
    except msgspec.ValidationError as error:
        if (found := _KEY.search(str(error))) is None:
            raise  # every key has a path
        raise ConfigError(f"{source.name(found[1])}{source.must_be} {_kind(found[1])}") from None


def _unknown(value: dict[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Keys that are no settings, each with the known keys beside it."""
    limits = value.get("limits")
    yield from (
        (key, Config.__struct_fields__) for key in sorted(value.keys() - _PLAIN - {"limits"})
    )
    if isinstance(limits, dict):
        known = Limits.__struct_fields__
        yield from ((f"limits.{key}", known) for key in sorted(limits.keys() - set(known)))


def _kind(key: str) -> str:
    """The value that a setting takes, in words."""
    kind: inspect.Type = inspect.type_info(Config)
    for part in key.split("."):
        assert isinstance(kind, inspect.StructType)
        kind = next(field.type for field in kind.fields if field.name == part)
    match kind:
        case inspect.IntType():
            return f"a whole number {_range(kind)}"
        case inspect.FloatType():
            return f"a number {_range(kind)}"
        case inspect.BoolType():
            return "true or false"
        case inspect.LiteralType(values=values):
            return "one of " + ", ".join(map(str, values))
        case inspect.VarTupleType():
            return "one address or more"
        case inspect.StructType():
            return f"a section: [{key}] and its settings below"
        case _:
            return "text"


def _range(kind: inspect.IntType | inspect.FloatType) -> str:
    least = f"above {kind.gt:g}" if kind.gt is not None else f"from {kind.ge}"
    return least if kind.le is None else f"{least} to {kind.le}"
