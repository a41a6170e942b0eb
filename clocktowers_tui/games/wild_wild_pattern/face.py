"""The face of Wild Wild Pattern, as the registry of faces lists it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.style import Style
from textual.content import Content

from clocktowers_tui.actions import Action
from clocktowers_tui.games.face import Board, Face, OptionField
from clocktowers_tui.games.wild_wild_pattern import phrases
from clocktowers_tui.games.wild_wild_pattern.actions import ACTIONS
from clocktowers_tui.games.wild_wild_pattern.answering import all_actions
from clocktowers_tui.games.wild_wild_pattern.board import WildWildPatternBoard
from clocktowers_tui.games.wild_wild_pattern.glyphs import GLYPHS
from clocktowers_tui.games.wild_wild_pattern.offers import Task, task
from clocktowers_tui.games.wild_wild_pattern.options import (
    option_fields,
    options_in_words,
    presets,
)
from clocktowers_tui.games.wild_wild_pattern.proof import same_deal
from clocktowers_tui.games.wild_wild_pattern.refusals import refusal_words
from clocktowers_tui.games.wild_wild_pattern.result import result_details, result_lines
from clocktowers_tui.games.wild_wild_pattern.rules import rules_text
from clocktowers_tui.games.wild_wild_pattern.sense import nonsense
from clocktowers_tui.games.wild_wild_pattern.swatch import swatch
from clocktowers_tui.games.wild_wild_pattern.telling import phrase
from clocktowers_tui.games.wild_wild_pattern.turns import turn
from clocktowers_tui.keymap import DEFAULT_KEYS, Keymap
from clocktowers_tui.look import Look
from protocol.games.wild_wild_pattern import Event, Outcome, View
from protocol.ids import Seat
from protocol.refusal import Refusal


class WildWildPatternFace:
    """See `Face`."""

    game = "wild_wild_pattern"
    in_turns = False

    def board(self, look: Look, layout: str = "") -> Board:
        return WildWildPatternBoard(look)

    def option_fields(self, seats: int | None = None) -> Sequence[OptionField]:
        return option_fields(seats)

    def presets(self) -> Sequence[tuple[str, str]]:
        return presets()

    def options_in_words(self, options: Mapping[str, Any]) -> str:
        return options_in_words(options)

    def swatch(self, look: Look) -> Sequence[Sequence[tuple[str, Style]]]:
        return swatch(look)

    def is_my_turn(self, view: View) -> bool:
        return task(view) is not Task.NOTHING

    def due_ms(self, view: View) -> int | None:
        return view.due_ms

    def expected(self, view: View, names: Sequence[str]) -> str:
        return phrases.expected(view, names)

    def turn(self, view: View) -> int:
        return turn(view)

    def phrase(self, event: Event, names: Sequence[str], you: Seat | None) -> str:
        return phrase(event, names, you)

    def refusal(self, refusal: Refusal, keymap: Keymap = DEFAULT_KEYS) -> str | None:
        return refusal_words(refusal, keymap)

    def result(
        self, view: View, outcome: Outcome, names: Sequence[str], width: int
    ) -> Sequence[Content]:
        return result_lines(view, outcome, names, width)

    def result_details(
        self, view: View, outcome: Outcome, names: Sequence[str], width: int
    ) -> Sequence[Content]:
        return result_details(view, outcome, names, width)

    def nonsense(
        self, seats: int | None, events: Sequence[Event], view: View | None, outcome: Outcome | None
    ) -> str:
        return nonsense(seats, events, view, outcome)

    def same_deal(self, events: Sequence[Event], view: View, seed: bytes) -> bool | None:
        return same_deal(events, view, seed)

    def actions(self) -> Sequence[Action]:
        return ACTIONS

    def answers_to(self) -> Sequence[tuple[Sequence[Action], str]]:
        return all_actions()

    def rules(self) -> str:
        return rules_text()

    def notation(self, look: Look) -> Sequence[str]:
        return phrases.notation(GLYPHS[look.glyphs])


FACE: Final[Face] = WildWildPatternFace()
