"""The first match of Clocktowers, guided: two towers, what they score, whose roof raises a step."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.clocktowers.actions import DISCARD, NUMBERS, PILES
from clocktowers_tui.games.lesson import Lesson, Step
from clocktowers_tui.text.i18n import N_
from protocol.games.clocktowers import (
    CODES,
    FIRST_CLOCK,
    FIRST_ROOF,
    Action,
    Draw,
    Pile,
    Play,
    View,
)

_OWN, _OTHER, _HAND, _PILES, _LADDER = "town-0", "town-1", "hand", "piles", "ladder"


def _play(say: str, ask: str, code: str, tower: int | None, why: str, *lit: str) -> Step:
    play = Play(CODES.index(code), tower)
    return Step(say, (_HAND, *(lit or (_OWN,))), play, why, ask=ask)


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
        **dict(zip(("one", "two", "three"), NUMBERS, strict=False)),
        **dict(zip(("floors", "clocks", "roofs"), PILES, strict=True)),
        "discard": DISCARD,
    },
    steps=(
        Step(N_("You score with towers: floors, a clock, then a roof."), (_OWN, _HAND)),
        Step(N_("FLOOR 1 is one high, FLOOR 2 is two."), (_HAND, _PILES)),
        _play(
            N_("You start a tower with a floor."),
            N_("Press {one}, then {confirm}: you play the floor."),
            "1c",
            None,
            N_("A cat in a tower pays more than a mouse."),
        ),
        _draw(
            N_("You end each turn with a draw, from any pile."),
            N_("Press {clocks}: you draw a clock."),
            Pile.CLOCK,
            N_("Your tower needs a clock next."),
        ),
        Step(
            N_("You choose a clock: plain pays 4, with a mouse 3."),
            (_HAND, _OWN),
            _clocks,
            worse=N_("A mouse beside your cat pays 3. Choose the plain clock."),
        ),
        _draw(
            N_("Your tower needs a roof."),
            N_("Press {roofs}: you draw the blue roof."),
            Pile.ROOF,
            N_("A tower scores as soon as it has its roof."),
        ),
        Step(N_("Next roof shows which height each colour needs."), (_LADDER,)),
        _play(
            N_("The blue roof fits height 1 or 2."),
            N_("Press {three}, then {confirm}: you play the roof."),
            "Rb",
            0,
            N_("The roof completes your tower, and it scores."),
            _OWN,
            _LADDER,
        ),
        Step(N_("You scored 4. Blue needs height 2 now."), (_OWN, _LADDER)),
        _draw(
            N_("Draw a FLOOR 2 for a tower that is 2 high."),
            N_("Press {floors}: you draw the FLOOR 2."),
            Pile.FLOOR,
            N_("A new tower begins with a floor."),
        ),
        Step(N_("The bot played red: red needs 2 now."), (_OTHER, _LADDER)),
        _play(
            N_("Make your next tower 2 high."),
            N_("Press {two}, then {confirm}: you play FLOOR 2."),
            "2-",
            None,
            N_("Red needs 2 now, and so does blue."),
            _OWN,
            _LADDER,
        ),
        _draw(
            N_("A tower without animals pays 5, the most."),
            N_("Press {clocks}: you draw a plain clock."),
            Pile.CLOCK,
            N_("Every tower needs one clock below its roof."),
        ),
        _play(
            N_("Your second tower needs its clock."),
            N_("Press {two}, then {confirm}: you play the plain clock."),
            "K-",
            1,
            N_("The plain clock lets no animal in."),
        ),
        _draw(
            N_("Your second tower is 2 high, and red needs 2."),
            N_("Press {roofs}: you draw the red roof."),
            Pile.ROOF,
            N_("Red needs height 2, and only the roof is missing."),
            _OWN,
            _LADDER,
        ),
        Step(N_("You choose alone: complete your tower for 5 points."), (_HAND, _OWN), _scoring),
        Step(N_("A match ends when cards run out. Most points win."), (_OWN, _OTHER)),
        Step(N_("In a match, {hint} shows a good move."), (_HAND,)),
    ),
)
