"""The first match of Clocktowers, guided: two towers, what they score, whose roof raises a step,
a discard."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.clocktowers.actions import CARDS, DISCARD, PILES
from clocktowers_tui.games.clocktowers.street import SCORING
from clocktowers_tui.games.lesson import Lesson, Step
from clocktowers_tui.text.i18n import N_
from protocol.games.clocktowers import (
    ANIMALS,
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


def _draw(say: str, ask: str, pile: Pile, why: str, *lit: str) -> Step:
    """The player finds the pile."""
    return Step(say, (_PILES, *lit), lambda _view: [Draw(pile)], why, ask=ask)


def _any_draw(say: str) -> Step:
    """From any pile: what ends a turn. The hint shows none with a mouse, if there is another."""
    why = N_("Any card will do, best without a mouse: {hint} shows one.")
    ask = N_("Draw from any pile: {hint} suggests one.")
    return Step(say, (_PILES,), _draws, why, ask=ask)


def _draws(view: View) -> Sequence[Action]:
    piles = sorted(Pile, key=lambda pile: ANIMALS[view.piles[pile]] == "m")
    return [*map(Draw, piles)]


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


def _discards(view: View) -> Sequence[Action]:
    """Of each card of the hand."""
    return [one.action for one in view.legal if isinstance(one.action, Discard)]


LESSON: Final = Lesson(
    game="clocktowers",
    number=2672,
    bots=("easy",),
    options={"first_seat": 0},
    keys={
        "one": CARDS[0],
        **dict(zip(("floors", "clocks", "roofs"), PILES, strict=True)),
        "discard": DISCARD,
    },
    steps=(
        Step(N_("Only complete towers score: floors, a clock, a roof."), (_OWN, _HAND)),
        Step(
            N_("No animals: a tower scores 5. Cats 4, mice 2, both 3."),
            (_OWN,),
            shows=(SCORING,),
        ),
        Step(
            N_("You start a tower with a floor."),
            (_HAND, _OWN),
            Play(CODES.index("1c"), None),
            N_("A tower with a cat scores more than one with a mouse."),
            ask=N_("Press {one} to take the floor, then {confirm} to play it."),
        ),
        Step(
            N_("You end each turn with a draw, from any pile."),
            (_PILES,),
            Draw(Pile.CLOCK),
            N_("Your tower needs a clock next."),
            ask=N_("Press {clocks}: you draw a clock."),
        ),
        Step(
            N_("Your tower: 4 with a plain clock, 3 with a mouse."),
            (_HAND, _OWN),
            _clocks,
            N_("One floor will do: play a clock. {hint} shows the better one."),
            worse=N_("With a mouse it scores only 3. Choose the plain clock."),
            ask=N_("Play the better clock."),
        ),
        Step(
            N_("A tower scores as soon as it has its roof."),
            (_PILES,),
            Draw(Pile.ROOF),
            N_("Your tower needs its roof now."),
            ask=N_("Press {roofs}: you draw the blue roof."),
        ),
        Step(
            N_("The next roof of each colour needs 1 or 2 floors."),
            (_OWN, _LADDER),
            _scoring,
            N_("Your tower lacks only its roof: {hint} shows it."),
            ask=N_("Complete your tower."),
            shows=(_LADDER,),
        ),
        Step(
            N_("Blue now needs 2 floors. Height adds no points."),
            (_PILES, _LADDER),
            Draw(Pile.FLOOR),
            N_("A complete tower takes no more cards."),
            ask=N_("Press {floors}: the double floor counts as 2."),
        ),
        Step(
            N_("Wren's roof raised red: red and blue need 2 floors."),
            (_HAND, _OTHER, _LADDER),
            lambda _view: [Play(CODES.index("2-"), None)],
            N_("Red and blue need 2 floors: {hint} shows it."),
            ask=N_("Start a tower of 2 floors: a double floor is two."),
        ),
        _draw(
            N_("The new tower has no animal yet: it can score 5."),
            N_("Draw what your tower needs next."),
            Pile.CLOCK,
            N_("Your tower needs a clock below its roof: {hint} shows it."),
        ),
        Step(
            N_("Each tower takes one clock, and no floor above it."),
            (_HAND, _OWN),
            _clocks,
            N_("Red needs 2 floors, no more: play a clock. {hint} shows it."),
            worse=N_("With a mouse it scores only 2. Choose the plain clock."),
            ask=N_("Play the better clock."),
        ),
        _draw(
            N_("A clock is no floor: your tower still has 2 floors."),
            N_("Draw the roof that completes your tower."),
            Pile.ROOF,
            N_("Red needs 2 floors and tops the roof pile: {hint} shows it."),
            _LADDER,
        ),
        Step(
            N_("Floors, a clock, a roof: now you have all three."),
            (_HAND, _OWN),
            _scoring,
            N_("Your new tower lacks only its roof: {hint} shows it."),
            ask=N_("Complete your tower for 5 points."),
        ),
        _any_draw(N_("You scored 5. This turn ends with a draw, too.")),
        Step(
            N_("You may discard instead of playing; then you draw."),
            (_HAND,),
            _discards,
            N_("You may discard any card: take one, press {discard}. {hint} shows one."),
            ask=N_("Discard any card. Take it and press {discard}. {hint} shows one."),
        ),
        _any_draw(N_("Your discard lies face down. Now you draw.")),
        Step(N_("When piles and hands are empty, the most points win."), (_OWN, _OTHER)),
    ),
)
