"""What somebody wishes of a new table, checked: its game, its title and its terms."""

from typing import Any

from msgspec.structs import replace

from protocol.codec import encode, read_as, read_whole
from protocol.errors import RemoteProtocolError
from protocol.from_client import CreateTable
from protocol.games.registry import GAMES as VOCABULARIES
from protocol.refusal import RefusalCode
from protocol.text import MAX_TITLE_BYTES, MAX_TITLE_CELLS, clean, fits
from server.games.contract import Game
from server.games.registry import GAMES
from server.tables.deals import Terms
from server.tables.refusals import Impossible


def game_of(wish: CreateTable) -> Game:
    """The game, which can be played as they wish. Raises Impossible."""
    game = GAMES.get(wish.game)
    if game is None:
        raise Impossible(RefusalCode.NO_SUCH_GAME, game=clean(wish.game))
    if wish.seats not in game.rules.seats:
        raise Impossible(RefusalCode.BAD_SEATS, seats=list(game.rules.seats))
    if wish.clock is not None and not game.rules.refuses_stale:
        raise Impossible(RefusalCode.CLOCK_NEEDS_TURNS, game=wish.game)
    if wish.clock is not None and wish.seats == 1:
        raise Impossible(RefusalCode.CLOCK_NEEDS_OTHERS)
    if wish.seed is not None and len({bot.seat for bot in wish.bots}) < wish.seats - 1:
        raise Impossible(RefusalCode.SEED_NEEDS_BOTS)
    return game


def title_of(wish: CreateTable) -> str:
    """Raises Impossible."""
    title = clean(wish.title)
    if not fits(title, MAX_TITLE_CELLS, MAX_TITLE_BYTES):
        raise Impossible(RefusalCode.BAD_TITLE, cells=MAX_TITLE_CELLS)
    return title


def terms_of(wish: CreateTable) -> Terms:
    """Raises Impossible."""
    return Terms(wish.game, wish.seats, wish.preset, _options(wish), wish.clock, wish.hints)


def _options(wish: CreateTable) -> Any:
    """The options of the preset, replaced by the wished ones. Raises Impossible."""
    vocabulary = VOCABULARIES[wish.game]
    preset = vocabulary.presets.get(wish.preset)
    if preset is None:
        raise Impossible(RefusalCode.NO_SUCH_PRESET, preset=clean(wish.preset))
    kind = vocabulary.options
    wished = {name: _option(kind, name, value) for name, value in wish.options.items()}
    options = replace(read_as(preset, kind), **wished)
    wrong = GAMES[wish.game].rules.check_options(options, wish.seats)
    if wrong is not None:
        raise Impossible(RefusalCode.BAD_OPTIONS, option=wrong)
    return options


def _option(kind: Any, name: str, value: Any) -> Any:
    """Raises Impossible if the game has no such option, or the option takes no such value."""
    try:
        return getattr(read_whole(encode({name: value}), kind), name)
    except RemoteProtocolError:
        raise Impossible(RefusalCode.BAD_OPTIONS, option=clean(name)[:MAX_TITLE_CELLS]) from None
