"""The first match of Clocktowers, guided: two towers, what they score, whose roof raises a step,
a discard."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.clocktowers.actions import DISCARD, NUMBERS, PILES
from clocktowers_tui.games.clocktowers.notices import SCORING
from clocktowers_tui.games.lesson import Lesson, Step
from clocktowers_tui.text.i18n import N_
from protocol.games.clocktowers import (
    CODES,
    FIRST_CLOCK,
    FIRST_ROOF,
    Action,
    Discard,
    Draw,
    Pile,
    Play,
    View,
)

_OWN, _OTHER, _HAND, _PILES, _LADDER = "town-0", "town-1", "hand", "piles", "ladder"


def _play(say: str, ask: str, code: str, tower: int | None, why: str, *lit: str) -> Step:
    play = Play(CODES.index(code), tower)
    shows = [_LADDER] if _LADDER in lit else ()
    return Step(say, (_HAND, *(lit or (_OWN,))), play, why, ask=ask, shows=shows)


def _draw(say: str, ask: str, pile: Pile, why: str, *lit: str) -> Step:
    return Step(say, (_PILES, *lit), Draw(pile), why, ask=ask)


def _clocks(view: View) -> Sequence[Action]:
    """Each clock on the tower, the one without a mouse first."""
    return sorted(
        (
            choice.action
            for choice in view.legal
            if isinstance(choice.action, Play) and FIRST_CLOCK <= choice.action.card < FIRST_ROOF
        ),
        key=lambda play: play.card,
    )


def _scoring(view: View) -> Sequence[Action]:
    """Whatever completes a tower, for most points first."""
    found = sorted(view.legal, key=lambda choice: -choice.points)
    return [choice.action for choice in found if choice.points]


LESSON: Final = Lesson(
    game="clocktowers",
    number=2672,
    bots=("easy",),
    options={"first_seat": 0},
    keys={
        "one": NUMBERS[0],
        "two": NUMBERS[1],
        **dict(zip(("floors", "clocks", "roofs"), PILES, strict=True)),
        "discard": DISCARD,
    },
    steps=(
        Step(N_("Only complete towers score: floors, a clock, a roof."), (_OWN, _HAND)),
        Step(N_("A FLOOR 1 is 1 high, a FLOOR 2 is 2 high."), (_HAND, _PILES)),
        _play(
            N_("You start a tower with a floor."),
            N_("Press {one} to take the floor, then {confirm} to play it."),
            "1c",
            None,
            N_("A tower with a cat scores more than one with a mouse."),
        ),
        _draw(
            N_("You end each turn with a draw, from any pile."),
            N_("Press {clocks}: you draw a clock."),
            Pile.CLOCK,
            N_("Your tower needs a clock next."),
        ),
        Step(
            N_("Your tower: 4 with a plain clock, 3 with a mouse."),
            (_HAND, _OWN),
            _clocks,
            ask=N_("Put the better clock on your tower."),
            worse=N_("With a mouse it scores only 3. Choose the plain clock."),
            shows=(SCORING,),
        ),
        _draw(
            N_("Your tower needs a roof."),
            N_("Press {roofs}: you draw the blue roof."),
            Pile.ROOF,
            N_("A tower scores as soon as it has its roof."),
        ),
        _play(
            N_("Next roof shows it: blue fits a tower 1 or 2 high."),
            N_("Press {one} to take the roof, then {confirm} to play it."),
            "Rb",
            0,
            N_("The roof completes your tower, and it scores."),
            _OWN,
            _LADDER,
        ),
        _draw(
            N_("You scored 4. Now a blue roof needs a tower 2 high."),
            N_("Press {floors}: you draw the FLOOR 2."),
            Pile.FLOOR,
            N_("A complete tower takes no more cards: start a new one."),
            _OWN,
            _LADDER,
        ),
        Step(N_("Wren built a red tower: red needs a tower 2 high now."), (_OTHER, _LADDER)),
        _play(
            N_("A FLOOR 2 is as high as two FLOOR 1 cards, stacked."),
            N_("Press {one} to take the FLOOR 2, then {confirm} to play it."),
            "2-",
            None,
            N_("Red and blue need a tower 2 high now."),
            _OWN,
            _LADDER,
        ),
        _draw(
            N_("A tower without animals scores 5, the most."),
            N_("Press {clocks}: you draw a plain clock."),
            Pile.CLOCK,
            N_("Every tower needs one clock below its roof."),
        ),
        _play(
            N_("Each tower takes one clock, and no floor above it."),
            N_("Press {one} to take the clock, then {confirm} to play it."),
            "K-",
            1,
            N_("A plain clock has no animal."),
        ),
        _draw(
            N_("A clock adds no height: the tower is 2 high."),
            N_("Press {roofs}: you draw the red roof."),
            Pile.ROOF,
            N_("Red needs a tower 2 high, and only the roof is missing."),
            _OWN,
            _LADDER,
        ),
        Step(
            N_("Now without help: complete your tower for 5 points."),
            (_HAND, _OWN),
            _scoring,
            ask=N_("Put its roof on."),
            why=N_("Your new tower lacks only its roof: {hint} shows it."),
        ),
        _draw(
            N_("You scored 5. This turn ends with a draw, too."),
            N_("Press {floors}: you draw a floor."),
            Pile.FLOOR,
            N_("You draw after each card that you play or discard."),
        ),
        Step(
            N_("Instead of playing a card you may discard one."),
            (_HAND,),
            Discard(CODES.index("1m")),
            N_("A tower with a mouse scores 3 at most."),
            ask=N_("Press {two} to take card 2, then {discard} to discard it."),
        ),
        Step(
            N_("A match ends when all cards are gone. Most points win."),
            (_OWN, _OTHER),
            ask=N_("Towers without a roof score 0. Press {confirm} to go on."),
        ),
        Step(
            N_("Each match begins with two floors and a clock in hand."),
            ask=N_("In a match {hint} shows a move. Press {confirm} to go on."),
        ),
    ),
)
