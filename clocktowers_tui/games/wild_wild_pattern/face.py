"""The face of Wild Wild Pattern, as the registry of faces lists it."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.face import Board, Face
from clocktowers_tui.games.wild_wild_pattern import options, phrases, turns
from clocktowers_tui.games.wild_wild_pattern.actions import ACTIONS
from clocktowers_tui.games.wild_wild_pattern.answering import all_actions
from clocktowers_tui.games.wild_wild_pattern.board import WildWildPatternBoard
from clocktowers_tui.games.wild_wild_pattern.proof import same_deal
from clocktowers_tui.games.wild_wild_pattern.refusals import refusal_words
from clocktowers_tui.games.wild_wild_pattern.result import result_details, result_lines
from clocktowers_tui.games.wild_wild_pattern.rules import rules_text
from clocktowers_tui.games.wild_wild_pattern.sense import nonsense
from clocktowers_tui.games.wild_wild_pattern.swatch import swatch
from clocktowers_tui.games.wild_wild_pattern.telling import phrase
from clocktowers_tui.keys.actions import Action


class WildWildPatternFace:
    """The functions of the neighbouring files under the names of `Face`."""

    game = "wild_wild_pattern"
    in_turns = False
    actions: Sequence[Action] = ACTIONS

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
    answers_to = staticmethod(all_actions)
    rules = staticmethod(rules_text)
    notation = staticmethod(phrases.notation)

    def board(self, look: Look, layout: str = "") -> Board:
        """In the one layout there is."""
        return WildWildPatternBoard(look)


FACE: Final[Face] = WildWildPatternFace()
