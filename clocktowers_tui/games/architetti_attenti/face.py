"""The face of Architetti Attenti, as the registry of faces lists it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.architetti_attenti import options, sentences
from clocktowers_tui.games.architetti_attenti.actions import ACTIONS
from clocktowers_tui.games.architetti_attenti.choosing import turns_done
from clocktowers_tui.games.architetti_attenti.hinting import choice
from clocktowers_tui.games.architetti_attenti.keys import all_actions
from clocktowers_tui.games.architetti_attenti.log import opens_turn, phrase
from clocktowers_tui.games.architetti_attenti.proof import same_deal
from clocktowers_tui.games.architetti_attenti.refusals import refusal_words
from clocktowers_tui.games.architetti_attenti.result import result_details, result_lines
from clocktowers_tui.games.architetti_attenti.rules import rules_text
from clocktowers_tui.games.architetti_attenti.stories import stories
from clocktowers_tui.games.face import Face
from clocktowers_tui.keys.actions import Action
from protocol.games.architetti_attenti import Phase, View

if TYPE_CHECKING:  # what draws
    from rich.style import Style

    from clocktowers_tui.games.board_widget import Board


class ArchitettiAttentiFace:
    """The functions of the neighbouring files under the names of `Face`."""

    game = "architetti_attenti"
    in_turns = True
    minutes = 20
    actions: Sequence[Action] = ACTIONS

    option_fields = staticmethod(options.option_fields)
    presets = staticmethod(options.presets)
    options_in_words = staticmethod(options.options_in_words)
    pitch = staticmethod(sentences.pitch)
    about = staticmethod(sentences.about)
    expected = staticmethod(sentences.expected)
    phrase = staticmethod(phrase)
    choice = staticmethod(choice)
    opens_turn = staticmethod(opens_turn)
    stories = staticmethod(stories)
    refusal = staticmethod(refusal_words)
    result = staticmethod(result_lines)
    result_details = staticmethod(result_details)
    same_deal = staticmethod(same_deal)
    answers_to = staticmethod(all_actions)
    rules = staticmethod(rules_text)
    notation = staticmethod(sentences.notation)

    def about_level(self, level: str) -> str:
        """The name says it: bots wait their turn."""
        return ""

    def turn(self, view: View) -> int:
        """Each ends with a tile that is placed or discarded (rules: A turn)."""
        if view.turn is None or view.phase is Phase.OVER:
            return max(turns_done(view, seat) for seat in range(len(view.boards)))
        return turns_done(view, view.turn) + 1

    def round(self, view: View) -> int:
        """There are none."""
        return 0

    def is_my_turn(self, view: View) -> bool:
        """Whether the seat of this view is to act."""
        return view.turn is not None and view.turn == view.seat and view.phase is not Phase.OVER

    def is_spent(self, view: View) -> bool:
        """Never before the end."""
        return False

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
        from clocktowers_tui.games.architetti_attenti.board import ArchitettiAttentiBoard

        return ArchitettiAttentiBoard(look, layout)

    def card_art(
        self, look: Look, width: int, height: int
    ) -> "Sequence[Sequence[tuple[str, Style]]]":
        """See `Face`."""
        from clocktowers_tui.games.architetti_attenti.card_art import card_art

        return card_art(look, width, height)


FACE: Final[Face] = ArchitettiAttentiFace()
