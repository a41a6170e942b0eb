"""Reads `NAME=VALUE` arguments, as typed at a shell, as the options of a table.

Numbers are whole, as in records; a list has commas; `none` is null.
"""

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final, get_origin

import msgspec

from protocol.games.registry import GAMES as VOCABULARIES
from server.games.contract import Game

_WHOLE: Final = re.compile(r"0|[1-9][0-9]{0,8}")


class BadRequest(Exception):
    """Arguments that make no sense; the text says which, and what is allowed instead."""


def table_options(game: Game, typed: Sequence[str], preset: Mapping[str, Any], seats: int) -> Any:
    """The game's Options for so many seats. An option that is not typed has the preset's value, or
    else the default. Raises BadRequest."""
    kind = VOCABULARIES[game.rules.id].options
    types = {field.name: field.type for field in msgspec.structs.fields(kind)}
    texts = _by_name(typed, types)
    values = {name: _value(text, types[name]) for name, text in texts.items()}
    for name, value in values.items():
        if not _fits(kind, name, value):
            raise _other(name, _known(game, types[name], name, seats), texts[name])
    options = msgspec.convert({**preset, **values}, kind)
    if (wrong := game.rules.check_options(options, seats)) is not None:
        allowed = game.notation.allowed(wrong, seats)
        if wrong in texts:
            raise _other(wrong, allowed, texts[wrong])
        who = "1 player needs" if seats == 1 else f"{seats} players need"
        raise BadRequest(f"{who} --option {wrong}={allowed}")
    return options


def _by_name(typed: Sequence[str], known: Mapping[str, Any]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for option in typed:
        name, equals, text = option.partition("=")
        if not equals:
            raise BadRequest(f"--option {option!a} is not NAME=VALUE")
        if name not in known:
            raise BadRequest(f"--option {option!a}: no such option (known: {', '.join(known)})")
        if name in texts:
            raise BadRequest(f"--option {name} is given twice")
        texts[name] = text
    return texts


def _value(text: str, kind: Any) -> Any:
    """The typed value as JSON would have it, of any type; `_fits` checks it."""
    if get_origin(kind) in (tuple, list):
        return [_item(part) for part in text.split(",")]
    return _item(text)


def _item(text: str) -> str | int | None:
    if text == "none":
        return None
    return int(text) if _WHOLE.fullmatch(text) else text


def _fits(kind: type[msgspec.Struct], name: str, value: Any) -> bool:
    try:
        msgspec.convert({name: value}, kind)
    except (msgspec.ValidationError, UnicodeError):
        return False
    return True


def _known(game: Game, kind: Any, name: str, seats: int) -> str:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return " or ".join(str(member.value) for member in kind)
    return game.notation.allowed(name, seats)


def _other(name: str, allowed: str, text: str) -> BadRequest:
    return BadRequest(f"--option {name} is not {allowed}: {text!a}")
