"""The menu in words."""

from clocktowers_tui.games.face import Face
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap, ways_to_move
from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.registry import GAMES


def how_many_in_words(face: Face) -> str:
    """How many can play a game."""
    seats = GAMES[face.game].seats
    said = pgettext("on a game's card, 16 cells", "{seats} players")
    return said.format(seats=f"{min(seats)}-{max(seats)}")


def time_in_words(face: Face) -> str:
    """How long a match takes, about."""
    return pgettext("on a game's card, 7 cells", "{n} min").format(n=face.minutes)


def lesson_in_words(title: str, keymap: Keymap, *, first: bool) -> str:
    """Where a player begins who is new to a game. `first`: to all of them."""
    here = _("New here? {learn} teaches {game} in 5 minutes.")
    said = here if first else _("New to {game}? {learn} teaches it in 5 minutes.")
    return said.format(learn=keymap.name(actions.LEARN), game=title)


def tip_in_words(keymap: Keymap) -> str:
    """For a player who is here for the first time."""
    said = _("Move: {move}. Choose: {confirm}. All keys: {help}. A wrong key costs nothing.")
    return said.format(
        move=ways_to_move(keymap),
        confirm=keymap.name(actions.CONFIRM),
        help=keymap.name(actions.HELP),
    )
