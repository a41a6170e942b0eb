"""The face of Clocktowers, as the registry of faces lists it."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.clocktowers import options, phrases, turns
from clocktowers_tui.games.clocktowers.actions import ACTIONS
from clocktowers_tui.games.clocktowers.board import ClocktowersBoard
from clocktowers_tui.games.clocktowers.proof import same_deal
from clocktowers_tui.games.clocktowers.refusals import refusal_words
from clocktowers_tui.games.clocktowers.result import result_lines, tower_lines
from clocktowers_tui.games.clocktowers.rules import rules_text
from clocktowers_tui.games.clocktowers.sense import nonsense
from clocktowers_tui.games.clocktowers.swatch import swatch
from clocktowers_tui.games.clocktowers.telling import phrase
from clocktowers_tui.games.face import Face
from clocktowers_tui.keys.actions import Action


class ClocktowersFace:
    """The functions of the neighbouring files under the names of `Face`."""

    game = "clocktowers"
    in_turns = True
    actions: Sequence[Action] = ACTIONS

    board = staticmethod(ClocktowersBoard)
    option_fields = staticmethod(options.option_fields)
    presets = staticmethod(options.presets)
    options_in_words = staticmethod(options.options_in_words)
    swatch = staticmethod(swatch)
    is_my_turn = staticmethod(turns.is_my_turn)
    due_ms = staticmethod(turns.due_ms)
    expected = staticmethod(phrases.expected)
    turn = staticmethod(turns.turn)
    phrase = staticmethod(phrase)
    refusal = staticmethod(refusal_words)
    result = staticmethod(result_lines)
    result_details = staticmethod(tower_lines)
    nonsense = staticmethod(nonsense)
    same_deal = staticmethod(same_deal)
    answers_to = staticmethod(phrases.all_actions)
    rules = staticmethod(rules_text)
    notation = staticmethod(phrases.notation)


FACE: Final[Face] = ClocktowersFace()
