"""The face of Clocktowers, as the registry of faces lists it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.clocktowers import options, sentences
from clocktowers_tui.games.clocktowers.actions import ACTIONS
from clocktowers_tui.games.clocktowers.hinting import goes
from clocktowers_tui.games.clocktowers.keys import all_actions
from clocktowers_tui.games.clocktowers.log import opens_turn, phrase
from clocktowers_tui.games.clocktowers.needs import is_spent
from clocktowers_tui.games.clocktowers.proof import same_deal
from clocktowers_tui.games.clocktowers.refusals import refusal_words
from clocktowers_tui.games.clocktowers.result import result_lines, tower_lines
from clocktowers_tui.games.clocktowers.rules import rules_text
from clocktowers_tui.games.clocktowers.stories import stories
from clocktowers_tui.games.face import Face
from clocktowers_tui.keys.actions import Action
from protocol.games.clocktowers import START_HAND, Phase, View

if TYPE_CHECKING:  # what draws
    from rich.style import Style

    from clocktowers_tui.games.board_widget import Board


class ClocktowersFace:
    """The functions of the neighbouring files under the names of `Face`."""

    game = "clocktowers"
    in_turns = True
    minutes = 15
    actions: Sequence[Action] = ACTIONS

    option_fields = staticmethod(options.option_fields)
    presets = staticmethod(options.presets)
    options_in_words = staticmethod(options.options_in_words)
    pitch = staticmethod(sentences.pitch)
    about = staticmethod(sentences.about)
    expected = staticmethod(sentences.expected)
    is_spent = staticmethod(is_spent)
    phrase = staticmethod(phrase)
    choice = staticmethod(goes)
    opens_turn = staticmethod(opens_turn)
    stories = staticmethod(stories)
    refusal = staticmethod(refusal_words)
    result = staticmethod(result_lines)
    result_details = staticmethod(tower_lines)
    same_deal = staticmethod(same_deal)
    answers_to = staticmethod(all_actions)
    rules = staticmethod(rules_text)
    notation = staticmethod(sentences.notation)

    def about_level(self, level: str) -> str:
        """The name says it: bots wait their turn."""
        return ""

    def turn(self, view: View) -> int:
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

    def round(self, view: View) -> int:
        """There are none."""
        return 0

    def is_my_turn(self, view: View) -> bool:
        """Whether the seat of this view is to act."""
        return view.turn is not None and view.turn == view.seat and view.phase is not Phase.OVER

    def was_there(self, view: View) -> Sequence[str]:
        """There is no race."""
        return ()

    def hurries(self, view: View) -> bool:
        """A match in turns waits."""
        return False

    def reactions_ms(self, record: bytes, seat: int) -> Sequence[int]:
        """There is no race."""
        return ()

    def score(self, points: int) -> str:
        """The points alone."""
        return str(points)

    def due_ms(self, view: View) -> int | None:
        """None: nothing ends by itself."""
        return None

    def races(self, view: View) -> bool:
        """No: there are turns."""
        return False

    def board(self, look: Look, layout: str = "") -> "Board":
        """See `Face`."""
        from clocktowers_tui.games.clocktowers.board import ClocktowersBoard

        return ClocktowersBoard(look, layout)

    def card_art(
        self, look: Look, width: int, height: int
    ) -> "Sequence[Sequence[tuple[str, Style]]]":
        """See `Face`."""
        from clocktowers_tui.games.clocktowers.card_art import card_art

        return card_art(look, width, height)


FACE: Final[Face] = ClocktowersFace()
