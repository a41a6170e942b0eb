"""The face of Wild Wild Pattern, as the registry of faces lists it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.wild_wild_pattern import options, sentences
from clocktowers_tui.games.wild_wild_pattern.actions import ACTIONS
from clocktowers_tui.games.wild_wild_pattern.explaining import notation
from clocktowers_tui.games.wild_wild_pattern.keys import all_actions
from clocktowers_tui.games.wild_wild_pattern.log import opens_turn, phrase
from clocktowers_tui.games.wild_wild_pattern.missed import there
from clocktowers_tui.games.wild_wild_pattern.offers import Task, task
from clocktowers_tui.games.wild_wild_pattern.proof import same_deal
from clocktowers_tui.games.wild_wild_pattern.reactions import reactions_ms
from clocktowers_tui.games.wild_wild_pattern.refusals import refusal_words
from clocktowers_tui.games.wild_wild_pattern.result import result_details, result_lines
from clocktowers_tui.games.wild_wild_pattern.rules import rules_text
from clocktowers_tui.games.wild_wild_pattern.stories import stories
from clocktowers_tui.games.wild_wild_pattern.words import money
from clocktowers_tui.keys.actions import Action
from protocol.games.wild_wild_pattern import Action as Played, Phase, Practice, View

if TYPE_CHECKING:  # what draws
    from rich.style import Style

    from clocktowers_tui.games.board_widget import Board


class WildWildPatternFace:
    """The functions of the neighbouring files under the names of `Face`."""

    game = "wild_wild_pattern"
    in_turns = False
    minutes = 10
    actions: Sequence[Action] = ACTIONS

    option_fields = staticmethod(options.option_fields)
    presets = staticmethod(options.presets)
    options_in_words = staticmethod(options.options_in_words)
    pitch = staticmethod(sentences.pitch)
    about = staticmethod(sentences.about)
    expected = staticmethod(sentences.expected)
    phrase = staticmethod(phrase)
    opens_turn = staticmethod(opens_turn)
    stories = staticmethod(stories)
    refusal = staticmethod(refusal_words)
    reactions_ms = staticmethod(reactions_ms)
    result = staticmethod(result_lines)
    result_details = staticmethod(result_details)
    same_deal = staticmethod(same_deal)
    answers_to = staticmethod(all_actions)
    rules = staticmethod(rules_text)
    notation = staticmethod(notation)

    def about_level(self, level: str) -> str:
        """How soon they shoot."""
        return options.shoots_in(level)

    def turn(self, view: View) -> int:
        """Which turn of the round it is, from 1 on; no view tells how many came before."""
        return view.turn

    def round(self, view: View) -> int:
        """Each round has turns of its own."""
        return view.round

    def is_my_turn(self, view: View) -> bool:
        """Whether there is something for the seat of this view to do."""
        return task(view) is not Task.NOTHING

    def is_spent(self, view: View) -> bool:
        """Never before the end."""
        return False

    def choice(self, view: View, action: Played) -> str:
        """No choice is weighed: who is quicker wins."""
        return ""

    def hurries(self, view: View) -> bool:
        """Nobody does in practice."""
        return view.options.practice is Practice.OFF

    def was_there(self, view: View) -> Sequence[str]:
        """The patterns, a line for each."""
        return there(view)

    def score(self, points: int) -> str:
        """Points are money."""
        return money(points)

    def due_ms(self, view: View) -> int | None:
        """When what is going on ends by itself."""
        return view.due_ms

    def races(self, view: View) -> bool:
        """Practice waits for the player."""
        hurried = view.options.practice is Practice.OFF
        return hurried and view.phase in (Phase.RACE, Phase.CLICKED)

    def board(self, look: Look, layout: str = "") -> "Board":
        """See `Face`."""
        from clocktowers_tui.games.wild_wild_pattern.board import WildWildPatternBoard

        return WildWildPatternBoard(look)

    def card_art(
        self, look: Look, width: int, height: int
    ) -> "Sequence[Sequence[tuple[str, Style]]]":
        """See `Face`."""
        from clocktowers_tui.games.wild_wild_pattern.card_art import card_art

        return card_art(look, width, height)


FACE: Final[Face] = WildWildPatternFace()
