"""The face of Architetti Attenti, as the registry of faces lists it."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.architetti_attenti import options, phrases, turns
from clocktowers_tui.games.architetti_attenti.actions import ACTIONS
from clocktowers_tui.games.architetti_attenti.board import ArchitettiAttentiBoard
from clocktowers_tui.games.architetti_attenti.proof import same_deal
from clocktowers_tui.games.architetti_attenti.refusals import refusal_words
from clocktowers_tui.games.architetti_attenti.result import result_details, result_lines
from clocktowers_tui.games.architetti_attenti.rules import rules_text
from clocktowers_tui.games.architetti_attenti.sense import nonsense
from clocktowers_tui.games.architetti_attenti.swatch import swatch
from clocktowers_tui.games.architetti_attenti.telling import phrase
from clocktowers_tui.games.face import Face
from clocktowers_tui.keys.actions import Action


class ArchitettiAttentiFace:
    """The functions of the neighbouring files under the names of `Face`."""

    game = "architetti_attenti"
    in_turns = True
    actions: Sequence[Action] = ACTIONS

    board = staticmethod(ArchitettiAttentiBoard)
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
    result_details = staticmethod(result_details)
    nonsense = staticmethod(nonsense)
    same_deal = staticmethod(same_deal)
    answers_to = staticmethod(phrases.all_actions)
    rules = staticmethod(rules_text)
    notation = staticmethod(phrases.notation)


FACE: Final[Face] = ArchitettiAttentiFace()
