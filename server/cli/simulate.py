"""`clocktowers-server simulate`: let bots play matches, and write their records."""

import argparse
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import Any, BinaryIO, Final, get_origin

import msgspec

from protocol.games.registry import GAMES as VOCABULARIES, Vocabulary
from server.cli.common import CANNOT, add_command, failing, tidy_when_terminated
from server.games.contract import Game
from server.games.registry import GAMES
from server.operating.words import CouldNot
from server.recording.bot_matches import UNIFORM, Series, play
from server.recording.records import line
from server.speaking import _

STDOUT: Final = "-"
_WHOLE: Final = re.compile(r"0|[1-9][0-9]{0,8}")


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    about = _("Plays matches without a network. The same seed gives the same file.")
    told = _("let bots play and write the records of their matches")
    parser = add_command(commands, "simulate", _simulate, CANNOT, help=told, description=about)
    parser.add_argument(
        "--game", default="clocktowers", help=_("one of {values}").format(values=", ".join(GAMES))
    )
    parser.add_argument("--players", type=int, help=_("seats; as many as --bots names, else 2"))
    parser.add_argument("--games", type=int, default=1, help=_("how many matches (1)"))
    parser.add_argument("--seed", type=int, default=0, help=_("any whole number (0)"))
    parser.add_argument(
        "--bots", metavar="LEVEL,LEVEL,...", help=_("a level for each seat (all random)")
    )
    parser.add_argument(
        "--preset", metavar="NAME", help=_("a set of rules, by its name; --option changes it")
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=_("an option of the table, as first_heights=1,2 or first_seat=none (may be repeated)"),
    )
    parser.add_argument(
        "--with-legal", action="store_true", help=_("list all legal actions before each ply")
    )
    parser.add_argument("--records", required=True, metavar="FILE", help=_("- is standard output"))


def _simulate(args: argparse.Namespace) -> int:
    series = requested(args)
    with (
        failing(f"cannot write {args.records!a}"),
        tidy_when_terminated(),
        _records_file(args.records) as file,
    ):
        for number in range(args.games):
            file.write(line(play(series, number)))
    if args.records != STDOUT:
        print(f"matches written: {args.games}")
    return 0


# Arguments ---------------------------------------------------------------------------------------


def requested(args: argparse.Namespace) -> Series:
    """The matches that the arguments ask for. Raises CouldNot."""
    game = GAMES.get(args.game)
    if game is None:
        raise CouldNot(f"there is no game {args.game!a} (known: {_list(GAMES)})")
    if args.games < 0:
        raise CouldNot(f"--games {args.games}: it cannot be less than 0")
    levels = args.bots.split(",") if args.bots is not None else None
    players = args.players if args.players is not None else len(levels or ()) or 2
    if players not in game.rules.seats:
        raise CouldNot(f"{args.game} has {_list(game.rules.seats)} players, not {players}")
    levels = levels or [UNIFORM] * players
    _check_levels(levels, players, game.bots)
    preset = _preset(VOCABULARIES[args.game], args.preset)
    options = table_options(game, args.option, preset, players)
    return Series(game, options, levels, args.seed, args.with_legal)


def _preset(vocabulary: Vocabulary, name: str | None) -> Mapping[str, Any]:
    if name is None:
        return {}
    if name not in vocabulary.presets:
        raise CouldNot(f"there is no preset {name!a} (known: {_list(vocabulary.presets)})")
    return vocabulary.presets[name]


def _check_levels(levels: Sequence[str], players: int, known: Mapping[str, Any]) -> None:
    for level in levels:
        if level not in known:
            raise CouldNot(f"--bots: there is no level {level!a} (known: {_list(known)})")
    if len(levels) != players:
        raise CouldNot(f"--bots names {len(levels)} levels, but there are {players} players")


def _list(values: Iterable[Any]) -> str:
    return ", ".join(map(str, values))


# Options ------------------------------------------------------------------------------------------


def table_options(game: Game, typed: Sequence[str], preset: Mapping[str, Any], seats: int) -> Any:
    """The game's Options for so many seats, from `NAME=VALUE` as typed at a shell: numbers are
    whole, as in records; a list has commas; `none` is null. An option that is not typed has the
    preset's value, or else the default. Raises CouldNot."""
    kind = VOCABULARIES[game.rules.id].options
    types = {field.name: field.type for field in msgspec.structs.fields(kind)}
    texts, values = dict[str, str](), dict(preset)
    for option in typed:
        name, equals, text = option.partition("=")
        if not equals:
            raise CouldNot(f"--option {option!a} is not NAME=VALUE")
        if name not in types:
            raise CouldNot(f"--option {option!a}: no such option (known: {', '.join(types)})")
        if name in texts:
            raise CouldNot(f"--option {name} is given twice")
        texts[name], values[name] = text, _value(text, types[name])
        try:
            msgspec.convert({name: values[name]}, kind)
        except (msgspec.ValidationError, UnicodeError):
            raise _other(name, _known(game, types[name], name, seats), text) from None
    options = msgspec.convert(values, kind)
    if (wrong := game.rules.check_options(options, seats)) is not None:
        allowed = game.notation.allowed(wrong, seats)
        if wrong in texts:
            raise _other(wrong, allowed, texts[wrong])
        who = "1 player needs" if seats == 1 else f"{seats} players need"
        raise CouldNot(f"{who} --option {wrong}={allowed}")
    return options


def _value(text: str, kind: Any) -> Any:
    """The typed value as JSON would have it, of any type."""
    if get_origin(kind) in (tuple, list):
        return [_item(part) for part in text.split(",")]
    return _item(text)


def _item(text: str) -> str | int | None:
    if text == "none":
        return None
    return int(text) if _WHOLE.fullmatch(text) else text


def _known(game: Game, kind: Any, name: str, seats: int) -> str:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return " or ".join(str(member.value) for member in kind)
    return game.notation.allowed(name, seats)


def _other(name: str, allowed: str, text: str) -> CouldNot:
    return CouldNot(f"--option {name} is not {allowed}: {text!a}")


# The file ----------------------------------------------------------------------------------------


@contextmanager
def _records_file(name: str) -> Iterator[BinaryIO]:
    """Where the records go. A regular file gets its name only when everything is written."""
    if name == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if _is_something_else(Path(name)):
        with Path(name).open("wb") as file:
            yield file
        return
    target = Path(os.path.realpath(name))
    unfinished = target.with_name(f".{target.name}.{secrets.token_hex(4)}.unfinished")
    try:
        with unfinished.open("xb") as file:
            yield file
        unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _is_something_else(target: Path) -> bool:
    """Whether the target is a pipe or a device, which must be written to and not replaced."""
    try:
        return not stat.S_ISREG(target.stat().st_mode)
    except FileNotFoundError:
        return False
