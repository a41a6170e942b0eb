"""The face of Wild Wild Pattern, as the registry of faces lists it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.wild_wild_pattern import options, sentences
from clocktowers_tui.games.wild_wild_pattern.keys import KEYS
from clocktowers_tui.games.wild_wild_pattern.log import opens_turn, phrase
from clocktowers_tui.games.wild_wild_pattern.offers import Task, task
from clocktowers_tui.games.wild_wild_pattern.remarks import refusal_words
from clocktowers_tui.games.wild_wild_pattern.result import (
    reactions_ms,
    result_details,
    result_lines,
    same_deal,
    stories,
)
from clocktowers_tui.games.wild_wild_pattern.sentences import notation
from clocktowers_tui.games.wild_wild_pattern.standing import there
from clocktowers_tui.games.wild_wild_pattern.words import money
from protocol.games.wild_wild_pattern import Phase, Practice, View

if TYPE_CHECKING:  # what draws
    from rich.style import Style

    from clocktowers_tui.games.board_widget import Board


def _turn(view: View) -> int:
    """Which turn of the round it is, from 1 on; no view tells how many came before."""
    return view.turn


def _round(view: View) -> int:
    """Each round has turns of its own."""
    return view.round


def _is_my_turn(view: View) -> bool:
    """Whether there is something for the seat of this view to do."""
    return task(view) is not Task.NOTHING


def _hurries(view: View) -> bool:
    """Nobody does in practice."""
    return view.options.practice is Practice.OFF


def _due_ms(view: View) -> int | None:
    """When what is going on ends by itself."""
    return view.due_ms


def _races(view: View) -> bool:
    """Practice waits for the player."""
    hurried = view.options.practice is Practice.OFF
    return hurried and view.phase in (Phase.RACE, Phase.CLICKED)


def _board(look: Look, layout: str = "") -> "Board":
    from clocktowers_tui.games.wild_wild_pattern.board import WildWildPatternBoard

    return WildWildPatternBoard(look)


def _card_art(look: Look, width: int, height: int) -> "Sequence[Sequence[tuple[str, Style]]]":
    from clocktowers_tui.games.wild_wild_pattern.card_art import card_art

    return card_art(look, width, height)


FACE: Final = Face(
    game="wild_wild_pattern",
    minutes=10,
    keys=KEYS,
    board=_board,
    card_art=_card_art,
    pitch=sentences.pitch,
    about=sentences.about,
    expected=sentences.expected,
    turn=_turn,
    phrase=phrase,
    refusal=refusal_words,
    result=result_lines,
    result_details=result_details,
    option_fields=options.option_fields,
    options_in_words=options.options_in_words,
    presets=options.presets,
    is_my_turn=_is_my_turn,
    opens_turn=opens_turn,
    stories=stories,
    same_deal=same_deal,
    score=money,
    notation=notation,
    about_level=options.shoots_in,
    in_turns=False,
    round=_round,
    due_ms=_due_ms,
    races=_races,
    hurries=_hurries,
    was_there=there,
    reactions_ms=reactions_ms,
)
