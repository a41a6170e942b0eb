"""The first match of Clocktowers, guided: two towers, what they score, and whose roof raises a
step."""

from collections.abc import Mapping
from typing import Final

from clocktowers_tui.games.clocktowers.actions import DISCARD, NUMBERS, PILES
from clocktowers_tui.games.lesson import Lesson, Step
from clocktowers_tui.text.i18n import N_
from protocol.games.clocktowers import CODES, Discard, Draw, Pile, Play

_OWN, _OTHER, _HAND, _PILES, _LADDER = "town-0", "town-1", "hand", "piles", "ladder"


def _play(say: str, code: str, tower: int | None, wrong: Mapping[type, str] | None = None) -> Step:
    return Step(say, (_HAND, _OWN), Play(CODES.index(code), tower), wrong or {})


def _draw(say: str, pile: Pile, why: str) -> Step:
    return Step(say, (_PILES,), Draw(pile), {Draw: why})


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
    wrong={
        Play: N_("Not that card, or not there. Nothing happened."),
        Discard: N_("You need this card, so it stays in your hand."),
        Draw: N_("First you play a card, then you draw."),
    },
    steps=(
        Step(N_("Complete towers score points. Most points win."), (_OWN,)),
        Step(N_("A tower is floors, then one clock, then a roof."), (_HAND,)),
        Step(N_("No animals pay 5 points, cats 4, both 3, mice 2."), (_HAND,)),
        _play(
            N_("{one}, then {confirm}: your cat floor starts a tower."),
            "1c",
            None,
            {Play: N_("A mouse pays less than a cat: take {one}, the cat.")},
        ),
        _draw(
            N_("Each turn ends with a draw: {clocks} takes the clock."),
            Pile.CLOCK,
            N_("Your tower needs a clock next: {clocks} draws it."),
        ),
        _play(
            N_("{two}, then {confirm}: the clock without a mouse."),
            "K-",
            0,
            {Play: N_("{two} is the plain clock; a mouse would pay less.")},
        ),
        _draw(
            N_("Now only a roof is missing: {roofs} draws the blue one."),
            Pile.ROOF,
            N_("Floor and clock stand: {roofs} draws the roof."),
        ),
        Step(N_("A colour's first roof needs a tower 1 or 2 high."), (_LADDER,)),
        _play(
            N_("Yours is 1 high: {three}, then {confirm} sets the roof."),
            "Rb",
            0,
            {Play: N_("The roof is {three}: it completes your tower.")},
        ),
        Step(N_("Complete! 4 points: a cat inside, and no mouse."), (_OWN,)),
        Step(N_("The next blue roof needs height 2, for everybody."), (_LADDER,)),
        _draw(
            N_("So build higher: {floors} draws two floors in one card."),
            Pile.FLOOR,
            N_("A new tower begins with a floor: {floors} draws it."),
        ),
        _play(
            N_("{two}, then {confirm}: a new tower, already 2 high."),
            "2-",
            None,
            {Play: N_("{two} has no animals: it can pay 5 points.")},
        ),
        _draw(
            N_("{clocks} draws a clock without a mouse again."),
            Pile.CLOCK,
            N_("Your tower is high enough: {clocks} draws its clock."),
        ),
        Step(N_("The bot set a red roof: mice inside, so 2 points."), (_OTHER,)),
        Step(N_("Its roof raised red for you, too: red now needs 2."), (_LADDER,)),
        _play(
            N_("{two}, then {confirm}: the clock on your tower."),
            "K-",
            1,
            {Play: N_("{two} is the plain clock; a mouse would pay less.")},
        ),
        _draw(
            N_("Your tower is 2 high: {roofs} draws a red roof."),
            Pile.ROOF,
            N_("Only the roof is missing: {roofs} draws it."),
        ),
        _play(
            N_("{three}, then {confirm}: red fits, for 5 points."),
            "Rr",
            1,
            {Play: N_("The roof is {three}: it completes your tower.")},
        ),
        Step(N_("No animals: 5 points. You lead 9 to 2."), (_OWN,)),
        Step(N_("A card you cannot use? Pick it; {discard} discards it."), (_HAND,)),
        Step(N_("Once all cards are played, most points win."), (_OWN,)),
    ),
)
