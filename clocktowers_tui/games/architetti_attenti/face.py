"""The face of Architetti Attenti, as the registry of faces lists it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.architetti_attenti import sentences, words
from clocktowers_tui.games.architetti_attenti.choosing import turns_done
from clocktowers_tui.games.architetti_attenti.hinting import choice
from clocktowers_tui.games.architetti_attenti.keys import KEYS
from clocktowers_tui.games.architetti_attenti.log import opens_turn, phrase
from clocktowers_tui.games.architetti_attenti.result import (
    result_details,
    result_lines,
    same_deal,
    stories,
)
from clocktowers_tui.games.architetti_attenti.sentences import refusal_words
from clocktowers_tui.games.face import Face
from protocol.games.architetti_attenti import Phase, View

if TYPE_CHECKING:  # what draws
    from rich.style import Style

    from clocktowers_tui.games.board_widget import Board


def _turn(view: View) -> int:
    """Each ends with a tile that is placed or discarded (rules: A turn)."""
    if view.turn is None or view.phase is Phase.OVER:
        return max(turns_done(view, seat) for seat in range(len(view.boards)))
    return turns_done(view, view.turn) + 1


def _board(look: Look, layout: str = "") -> "Board":
    from clocktowers_tui.games.architetti_attenti.board import ArchitettiAttentiBoard

    return ArchitettiAttentiBoard(look, layout)


def _card_art(look: Look, width: int, height: int) -> "Sequence[Sequence[tuple[str, Style]]]":
    from clocktowers_tui.games.architetti_attenti.card_art import card_art

    return card_art(look, width, height)


FACE: Final = Face(
    game="architetti_attenti",
    minutes=20,
    keys=KEYS,
    board=_board,
    card_art=_card_art,
    pitch=sentences.pitch,
    about=sentences.about,
    expected=sentences.expected,
    turn=_turn,
    phrase=phrase,
    choice=choice,
    refusal=refusal_words,
    result=result_lines,
    result_details=result_details,
    option_fields=words.option_fields,
    options_in_words=words.options_in_words,
    presets=words.presets,
    opens_turn=opens_turn,
    stories=stories,
    same_deal=same_deal,
    notation=sentences.notation,
)
