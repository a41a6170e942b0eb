"""What the parsers of the command line read in plain mode: the same flags, and a sentence in place
of an exit."""

import argparse
from collections.abc import Callable, Sequence
from typing import NoReturn

from clocktowers_tui.cli.usage import Parser
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.games.spoken import number, sentence
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.phrases.codes import fault_in_words


class Mistyped(Exception):
    """The text is a sentence that says what is wrong."""


class _Reads(Parser):
    def refuse(self, sentence: str) -> NoReturn:
        raise Mistyped(sentence)

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise Mistyped((message or self.format_usage()).strip())


def flags(
    word: str, add: Callable[[argparse.ArgumentParser], None], typed: Sequence[str]
) -> argparse.Namespace:
    """What these words say. Raises Mistyped."""
    parser = _reads(word, add)
    try:
        return parser.parse_args(typed)
    except argparse.ArgumentTypeError as error:
        raise Mistyped(str(error)) from None


def _reads(word: str, add: Callable[[argparse.ArgumentParser], None]) -> _Reads:
    parser = _Reads(prog=word, add_help=False)
    add(parser)
    return parser


def asks_flags(typed: Sequence[str]) -> bool:
    """Whether the player wants to know which flags there are."""
    return any(word in ("--help", "-h") for word in typed)


def flags_in_words(add: Callable[[argparse.ArgumentParser], None]) -> list[str]:
    """`--seats 2, 3, 4: how many seats.`, a line for each flag."""
    return [_flag(action) for action in _reads("", add)._actions]


def _flag(action: argparse.Action) -> str:
    values = "" if action.nargs == 0 else action.metavar or ("N" if action.type else "TEXT")
    if action.choices is not None and not action.metavar:
        values = ", ".join(map(str, action.choices))
    return sentence(f"{' '.join([*action.option_strings, str(values)]).strip()}: {action.help}")


def meant(error: Exception) -> str:
    """Why that cannot be."""
    return fault_in_words(error) if isinstance(error, LinkError) else str(error)


def game_called(typed: Sequence[str], otherwise: str) -> str | None:
    """The game of that number, or whose name begins so; `otherwise` where nothing is typed; None
    where no game is called so."""
    if not typed:
        return otherwise
    called = " ".join(typed).lower()
    games = list(FACES)
    if (n := number([called])) >= 0:
        return games[n - 1] if 1 <= n <= len(games) else None
    named = [
        game
        for game in games
        if game.replace("_", " ").startswith(called.replace("_", " "))
        or title_of(game).lower().startswith(called)
    ]
    return named[0] if len(named) == 1 else None
