"""Where the values of the settings come from: defaults, then a TOML file, then the environment,
then flags.

Environment: `CLOCKTOWERS_PORT=7000`, `CLOCKTOWERS_LIMITS__CONNECTIONS=50`.
"""

import difflib
import os
import stat
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args, get_type_hints

import msgspec

from protocol.text import clean
from server.config import PLAIN, Config, Limits
from server.store import private

ENV_PREFIX: Final = "CLOCKTOWERS_"
PASSWORD_VARIABLE: Final = "CLOCKTOWERS_PASSWORD"
OF_THE_CLIENT: Final = frozenset({PASSWORD_VARIABLE, "CLOCKTOWERS_NEARBY"})
"""Variables with that prefix that are no settings of a server."""
LIMITS: Final = "limits"
YES_OR_NO: Final = "true or false"
_NO_BOUNDS: Final = msgspec.Meta()
KEYS: Final = (*PLAIN, *(f"{LIMITS}.{name}" for name in Limits.__struct_fields__))
"""Every setting by its key."""
SEVERAL: Final = ("host", "doors", "trusted_proxies")
"""The settings that have several values: a flag of theirs takes commas, and can be repeated."""


class ConfigError(Exception):
    """A setting is wrong; the text is one sentence that names it and where it came from."""


class Settings(NamedTuple):
    """`origins`: by key, where a value comes from, in words; a key without has its default."""

    config: Config
    origins: Mapping[str, str]


class Setting(NamedTuple):
    """One of them, for people. `meaning`: one line. `kind`: the values that it takes, in words."""

    key: str
    meaning: str
    kind: str


class _Source(NamedTuple):
    """`name`: what a key, such as `limits.tables`, is called there. `file`: its path, where values
    have types; "" = it is no file, and all values are texts."""

    name: Callable[[str], str]
    file: str = ""

    def called(self, key: str) -> str:
        return f"{self.file}: {self.name(key)}" if self.file else self.name(key)


def _variable(key: str) -> str:
    return ENV_PREFIX + key.replace(".", "__").upper()


def flag_of(key: str) -> str:
    return "--" + key.replace("_", "-")


_ENVIRONMENT: Final = _Source(_variable)
_COMMAND_LINE: Final = _Source(flag_of)


def load(path: Path | None, env: Mapping[str, str], flags: Mapping[str, Any]) -> Config:
    """The settings in force: `with_origins` without the origins."""
    return with_origins(path, env, flags).config


def with_origins(
    path: Path | None,
    env: Mapping[str, str],
    flags: Mapping[str, Any],
    defaults: Config | None = None,
) -> Settings:
    """The settings in force. `flags` holds only those that were given, as texts or with types.
    Raises ConfigError."""
    values, origins = msgspec.to_builtins(defaults or Config()), dict[str, str]()
    given = [(_ENVIRONMENT, _from_env(env)), (_COMMAND_LINE, flags)]
    if path is not None:
        given.insert(0, (_Source(clean, str(path)), _read_file(path)))
    for source, found in given:
        for key, value in found.items():
            section, _, name = key.rpartition(".")
            (values[LIMITS] if section else values)[name] = _read(key, value, source)
            origins[key] = source.file or source.name(key)
    return Settings(msgspec.convert(values, Config), origins)


def _read(key: str, value: Any, source: _Source) -> Any:
    """A value as it is given there. Raises ConfigError."""
    if key not in KEYS:
        raise ConfigError(f"{source.called(key)} is no setting; {_hint(key, source)}")
    one = [value] if key in SEVERAL and isinstance(value, str) else value
    try:
        read = msgspec.convert(one, _types()[key], strict=bool(source.file))
        if key == "trusted_proxies":
            [ip_network(block, strict=False) for block in read]
    except ValueError:  # what msgspec raises is one
        must_be = ": expected" if source.file else " must be"
        raise ConfigError(f"{source.called(key)}{must_be} {described(key).kind}") from None
    return read


def _read_file(path: Path) -> dict[str, Any]:
    """What it says, by key. Raises ConfigError."""
    try:
        given = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:  # it is not UTF-8, or not TOML
        raise ConfigError(f"{path} is not TOML: {error}") from None
    limits = given.pop(LIMITS, {})
    if not isinstance(limits, dict):
        raise ConfigError(
            f"{path}: {LIMITS}: expected a section: [{LIMITS}] and its settings below"
        )
    return given | {f"{LIMITS}.{name}": value for name, value in limits.items()}


def _from_env(env: Mapping[str, str]) -> dict[str, Any]:
    """What its variables say, by key."""
    given: dict[str, Any] = {}
    for name, value in env.items():
        if not name.startswith(ENV_PREFIX) or name in OF_THE_CLIENT:
            continue
        key = name.removeprefix(ENV_PREFIX).lower().replace("__", ".")
        given[key] = parts([value]) if key in SEVERAL else value
    return given


def parts(typed: Sequence[str]) -> list[str]:
    """The values of a setting that has several; each text has some, with commas."""
    return [one.strip() for text in typed for one in text.split(",") if one.strip()]


def _hint(key: str, source: _Source) -> str:
    """Name the setting that is most like `key`, wherever it belongs; or all settings."""
    keys = [*KEYS, *[LIMITS] * bool(source.file)]
    known = {one.rpartition(".")[2]: one for one in keys} | {one: one for one in keys}
    for typed in (key.rpartition(".")[2], key):
        for found in difflib.get_close_matches(typed, known, n=1, cutoff=0.7):
            return f"did you mean {source.name(known[found])}?"
    return f"there are {', '.join(KEYS)}"


@cache
def _types() -> Mapping[str, Any]:
    """The annotation of each setting, by key."""
    limits = get_type_hints(Limits, include_extras=True)
    plain = get_type_hints(Config, include_extras=True)
    return plain | {f"{LIMITS}.{name}": kind for name, kind in limits.items()}


def described(key: str) -> Setting:
    """What this key means, and which values it takes."""
    told = _types()[key]
    *bounds, meaning = told.__metadata__
    return Setting(key, meaning, _kind(told.__origin__, *bounds))


def _kind(kind: Any, bounds: msgspec.Meta = _NO_BOUNDS) -> str:
    """The values that it takes, in words."""
    if named := (bounds.extra or {}).get("kind"):
        return str(named)
    if kind is bool:
        return YES_OR_NO
    if kind is str:
        return "text"
    if choices := get_args(kind):
        return "one of " + ", ".join(sorted(choices))
    least = f"above {bounds.gt:g}" if bounds.gt is not None else f"from {bounds.ge}"
    most = "" if bounds.le is None else f" to {bounds.le}"
    return f"a {'whole ' * (kind is int)}number {least}{most}"


_MOST_BYTES: Final = 8192


def own_text(name: str, holds: str) -> str:
    """What stands in a file that only its owner can read. Raises ConfigError, which says what it
    `holds`."""
    try:
        path = Path(name).expanduser()
        with private.opened(path) as file:
            mode = os.fstat(file.fileno()).st_mode
            if stat.S_IMODE(mode) & 0o077:
                raise ConfigError(f"others can read {path}: run chmod 600 on it")
            text = file.read(_MOST_BYTES).decode()
    except UnicodeDecodeError:
        raise ConfigError(f"{name} is no text: write {holds} into it, in UTF-8") from None
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ConfigError(f"cannot read {holds} in {name}: {why}") from None
    return text.removesuffix("\n").removesuffix("\r")
