"""The first match of Clocktowers, guided: two towers, what they score, and whose roof raises a
step."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.clocktowers.actions import DISCARD, NUMBERS, PILES
from clocktowers_tui.games.lesson import Lesson, Step
from clocktowers_tui.text.i18n import N_
from protocol.games.clocktowers import CODES, Action, Draw, Pile, Play, View

_OWN, _OTHER, _HAND, _PILES, _LADDER = "town-0", "town-1", "hand", "piles", "ladder"


def _play(say: str, code: str, tower: int | None, why: str, *lit: str) -> Step:
    return Step(say, (_HAND, *(lit or (_OWN,))), Play(CODES.index(code), tower), why)


def _draw(say: str, pile: Pile, why: str, *lit: str) -> Step:
    return Step(say, (_PILES, *lit), Draw(pile), why)


def _scoring(view: View) -> Sequence[Action]:
    """Whatever completes a tower, for most points first."""
    found = sorted(view.legal, key=lambda choice: -choice.points)
    return [choice.action for choice in found if choice.points]


LESSON: Final = Lesson(
    game="clocktowers",
    number=1238,
    bots=("easy",),
    options={"first_seat": 0},
    keys={
        **dict(zip(("one", "two", "three"), NUMBERS, strict=False)),
        **dict(zip(("floors", "clocks", "roofs"), PILES, strict=True)),
        "discard": DISCARD,
    },
    steps=(
        Step(N_("A tower: floors, one clock, a roof. Most points win."), (_OWN, _HAND)),
        Step(N_("Next roof: a colour's first roof needs height 1 or 2."), (_LADDER,)),
        _play(
            N_("{one}, then {confirm}: your cat floor starts a tower."),
            "1c",
            None,
            N_("A cat inside pays more than a mouse."),
        ),
        _draw(
            N_("Each turn ends with a draw: {clocks} takes the clock."),
            Pile.CLOCK,
            N_("Your tower needs a clock next."),
        ),
        _play(
            N_("{two}, then {confirm}: the clock without a mouse."),
            "K-",
            0,
            N_("A clock with a mouse would pay less."),
        ),
        _draw(
            N_("Now only a roof is missing: {roofs} draws the blue one."),
            Pile.ROOF,
            N_("Floor and clock stand."),
        ),
        _play(
            N_("Yours is 1 high: {three}, then {confirm} sets the roof."),
            "Rb",
            0,
            N_("The roof completes your tower."),
            _OWN,
            _LADDER,
        ),
        _draw(
            N_("4 points! Blue now needs 2: {floors} draws two floors."),
            Pile.FLOOR,
            N_("A new tower begins with a floor."),
            _OWN,
            _LADDER,
        ),
        _play(
            N_("{two}, then {confirm}: a new tower, already 2 high."),
            "2-",
            None,
            N_("Without animals it can pay 5 points."),
        ),
        _draw(
            N_("{clocks} draws a clock without a mouse again."),
            Pile.CLOCK,
            N_("Your tower is high enough for a roof."),
        ),
        _play(
            N_("The bot's roof raised red for you, too. {two}, {confirm}."),
            "K-",
            1,
            N_("Your tower needs its clock, the plain one."),
            _OTHER,
            _LADDER,
        ),
        _draw(
            N_("Your tower is 2 high: {roofs} draws a red roof."),
            Pile.ROOF,
            N_("Only the roof is missing."),
        ),
        Step(N_("Now you: complete your tower, for 5 points."), (_HAND, _OWN), _scoring),
        Step(N_("{discard} discards a card. When all are played, it is over."), (_HAND,)),
    ),
)
