"""The command line's parser and its settings: a flag for each that stands in no section, the list
that `serve --print-config` prints, and where an operator's password comes from."""

import argparse
import difflib
import os
import re
from collections.abc import Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

import msgspec

from protocol import usage
from protocol.text import clean
from server.admission.passwords import hash_now
from server.config import PLAIN, Config
from server.settings import (
    KEYS,
    LIMITS,
    PASSWORD_VARIABLE,
    SEVERAL,
    YES_OR_NO,
    ConfigError,
    Settings,
    described,
    flag_of,
    own_text,
    parts,
    with_origins,
)
from server.speaking import _

# The parser of `clocktowers-server`, in the language of the terminal.


class ToolsParser(usage.Parser):
    words = staticmethod(_)


_DEFAULT: Final = "default"
_OTHER_NAMES: Final = {"name": ["--server-name"]}
"""`clocktowers host` has a `--name` of its own."""
_PASSWORD: Final = re.compile(r"(?<=://)[^/@]*(?=@)|(?<=password=)[^&]*")
"""In a URL: who comes and their password, which lists of settings are silent about."""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """A flag for each setting, and for the file that holds them. What is wrong with a value, the
    settings say: every flag is a text here."""
    parser.add_argument("--config", type=Path, metavar="FILE", help=_("a TOML file with settings"))
    for key in PLAIN:
        names = [flag_of(key), *_OTHER_NAMES.get(key, [])]
        setting = described(key)
        told = _(setting.meaning)
        if typed := _typed(key):
            default = _("default: {value}").format(value=typed)
            told += f" ({default})"
        told = told.replace("%", "%%")
        if setting.kind == YES_OR_NO:
            switch = argparse.BooleanOptionalAction
            parser.add_argument(*names, dest=key, action=switch, default=None, help=told)
        else:
            several = "append" if key in SEVERAL else "store"
            parser.add_argument(*names, dest=key, action=several, metavar=key.upper(), help=told)


def given_settings(
    args: argparse.Namespace,
    defaults: Config | None = None,
    env: Mapping[str, str] = os.environ,
) -> Settings:
    """The settings in force, with the flags of `add_flags`. Raises ConfigError."""
    flags = {
        key: parts(value) if key in SEVERAL else value
        for key in PLAIN
        if (value := getattr(args, key)) is not None
    }
    return with_origins(args.config, env, flags, defaults)


class _Strict(ToolsParser):
    def refuse(self, sentence: str) -> NoReturn:
        raise ConfigError(sentence)


def read_flags(
    typed: Sequence[str], defaults: Config, env: Mapping[str, str] = os.environ
) -> Settings:
    """The settings in force, with these flags of a command line. Raises ConfigError."""
    parser = _Strict(add_help=False, allow_abbrev=False)
    add_flags(parser)
    given, unknown = parser.parse_known_args(typed)
    if unknown:
        flag = unknown[0].partition("=")[0]
        near = difflib.get_close_matches(flag, map(flag_of, PLAIN), n=1)
        hint = f"did you mean {near[0]}?" if near else "clocktowers-server serve --help lists them"
        raise ConfigError(f"{flag} is no flag; {hint}")
    return given_settings(given, defaults, env)


def in_toml(settings: Settings) -> str:
    """Every setting as a line of a file that `--config` takes; behind it where the value is from,
    and what it means."""
    rows = [(key, f"{key.rpartition('.')[2]} = {_shown(key, settings.config)}") for key in KEYS]
    wide = max(len(text) for _key, text in rows)
    lines = []
    for key, text in rows:
        if key.startswith(LIMITS) and f"[{LIMITS}]" not in lines:
            lines += ["", f"[{LIMITS}]"]
        origin = settings.origins.get(key, _DEFAULT)
        lines.append(f"{text:{wide}}  # {origin}: {described(key).meaning}")
    return "\n".join(lines)


def in_json(settings: Settings) -> str:
    """The same for programs."""
    listed = [
        {
            "name": key,
            "value": _value(key, settings.config),
            "default": _value(key, Config()),
            "origin": settings.origins.get(key, _DEFAULT),
            "meaning": described(key).meaning,
        }
        for key in KEYS
    ]
    return msgspec.json.format(msgspec.json.encode(listed)).decode()


def _value(key: str, config: Config) -> Any:
    section, _, name = key.rpartition(".")
    value = getattr(config.limits if section else config, name)
    return _PASSWORD.sub("***", value) if name == "journal" else value


def _typed(key: str) -> str:
    """The value that it has by itself, as it is typed after its flag."""
    return ",".join(_value(key, Config())) if key in SEVERAL else _shown(key, Config())


def _shown(key: str, config: Config) -> str:
    """The value as TOML. A text of JSON is one of TOML, but for DEL."""
    return msgspec.json.encode(_value(key, config)).decode().replace("\x7f", "\\u007f")


# Where an operator's password comes from: a file that only its owner may read, or a variable. What
# stays of it in the server is a hash.


MOST: Final = 128
"""Characters; a hello has room for four times as many."""


def kept_password(config: Config, env: MutableMapping[str, str] = os.environ) -> str | None:
    """The hash of the password that everybody must give; None = none is asked for. The variable is
    removed, so that no process of the server inherits it. Raises ConfigError."""
    given = env.pop(PASSWORD_VARIABLE, "")
    if config.password_file:
        word = own_text(config.password_file, "the password")
        return hash_now(_checked(word, config.password_file))
    return hash_now(_checked(given, PASSWORD_VARIABLE)) if given else None


def _checked(password: str, where: str) -> str:
    if not password:
        raise ConfigError(f"{where} holds no password")
    if len(password) > MOST:
        raise ConfigError(f"the password in {where} is longer than {MOST} characters")
    if clean(password) != password:
        raise ConfigError(
            f"the password in {where} cannot be typed as it is: write one line of visible "
            "characters, without blanks at its ends"
        )
    return password
