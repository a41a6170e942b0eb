"""The first match of Clocktowers, guided: two towers, what they score, whose roof raises a step.

Law: whichever clock the player chooses, the later steps can be done, by the same keys.
"""

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


def _play(say: str, code: str, tower: int | None, why: str, *lit: str) -> Step:
    return Step(say, (_HAND, *(lit or (_OWN,))), Play(CODES.index(code), tower), why)


def _draw(say: str, pile: Pile, why: str, *lit: str) -> Step:
    return Step(say, (_PILES, *lit), Draw(pile), why)


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
        Step(N_("You score with towers: floors, one clock, a roof."), (_OWN, _HAND)),
        _play(
            N_("You start a tower with a floor: {one}, then {confirm}."),
            "1c",
            None,
            N_("A cat in a tower pays more than a mouse."),
        ),
        _draw(
            N_("You end each turn with a draw: {clocks} takes the clock."),
            Pile.CLOCK,
            N_("Your tower needs a clock next."),
        ),
        Step(
            N_("You choose a clock: plain pays 4, with a mouse 3."),
            (_HAND, _OWN),
            _clocks,
            worse=N_("A mouse beside your cat: this tower pays 3, not 4."),
        ),
        _draw(
            N_("You score when a roof is on: {roofs} draws the blue one."),
            Pile.ROOF,
            N_("Floor and clock stand."),
        ),
        _play(
            N_("Blue fits a tower 1 high: {three}, then {confirm}."),
            "Rb",
            0,
            N_("The roof completes your tower, and it scores."),
            _OWN,
            _LADDER,
        ),
        _draw(
            N_("You scored! The next blue needs 2: {floors} draws floors."),
            Pile.FLOOR,
            N_("A new tower begins with a floor."),
            _OWN,
            _LADDER,
        ),
        _play(
            N_("The bot raised red for you, too: {two}, then {confirm}."),
            "2-",
            None,
            N_("Red now needs 2, and this floor is 2 high."),
            _OWN,
            _OTHER,
            _LADDER,
        ),
        _draw(
            N_("You get 5 without animals: {clocks} draws a plain clock."),
            Pile.CLOCK,
            N_("Every tower needs one clock below its roof."),
        ),
        _play(
            N_("Your second tower needs a clock: {two}, then {confirm}."),
            "K-",
            1,
            N_("The plain clock lets no animal in."),
        ),
        _draw(
            N_("Your tower is 2 high, and red needs 2: {roofs} draws it."),
            Pile.ROOF,
            N_("Only the roof is missing."),
            _OWN,
            _LADDER,
        ),
        Step(N_("You choose alone: complete your tower for 5 points."), (_HAND, _OWN), _scoring),
        Step(N_("Most points win when cards run out. {discard} discards one."), (_HAND,)),
    ),
)
