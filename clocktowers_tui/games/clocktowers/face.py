"""The face of Clocktowers, as the registry of faces lists it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.clocktowers import sentences, words
from clocktowers_tui.games.clocktowers.hinting import goes
from clocktowers_tui.games.clocktowers.keys import KEYS
from clocktowers_tui.games.clocktowers.ladder import is_spent
from clocktowers_tui.games.clocktowers.log import phrase
from clocktowers_tui.games.clocktowers.result import result_lines, same_deal, stories, tower_lines
from clocktowers_tui.games.clocktowers.sentences import refusal_words
from clocktowers_tui.games.face import Face
from protocol.games.clocktowers import START_HAND, Phase, View

if TYPE_CHECKING:  # what draws
    from rich.style import Style

    from clocktowers_tui.games.board_widget import Board


def _turn(view: View) -> int:
    """One card leaves the player's hand in each (rules: A turn)."""
    left = [
        thrown + sum(map(len, town.towers))
        for thrown, town in zip(view.thrown, view.towns, strict=False)
    ]
    if view.turn is None or view.phase is Phase.OVER:
        return max(left)
    done = left[view.turn]
    # In a table that plays before it draws, this turn's card is gone by the draw.
    played = view.phase is Phase.DRAW and view.hands[view.turn] < len(START_HAND)
    return done if played else done + 1


def _board(look: Look, layout: str = "") -> "Board":
    from clocktowers_tui.games.clocktowers.board import ClocktowersBoard

    return ClocktowersBoard(look, layout)


def _card_art(look: Look, width: int, height: int) -> "Sequence[Sequence[tuple[str, Style]]]":
    from clocktowers_tui.games.clocktowers.card_art import card_art

    return card_art(look, width, height)


FACE: Final = Face(
    game="clocktowers",
    minutes=15,
    keys=KEYS,
    board=_board,
    card_art=_card_art,
    pitch=sentences.pitch,
    about=sentences.about,
    expected=sentences.expected,
    turn=_turn,
    phrase=phrase,
    choice=goes,
    refusal=refusal_words,
    result=result_lines,
    result_details=tower_lines,
    option_fields=words.option_fields,
    options_in_words=words.options_in_words,
    presets=words.presets,
    is_spent=is_spent,
    stories=stories,
    same_deal=same_deal,
    notation=sentences.notation,
)
