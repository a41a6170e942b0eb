"""The first turns of Wild Wild Pattern, guided, alone and without a timer: a pattern, a mistake, a
Click!, and a pattern that the player finds."""

from collections.abc import Iterator, Sequence
from typing import Final

from clocktowers_tui.games.lesson import Lesson, Step
from clocktowers_tui.games.wild_wild_pattern.actions import (
    CLICK,
    COLOURS,
    DIRECTIONS,
    PLACES,
    SUITS,
)
from clocktowers_tui.keys import actions
from clocktowers_tui.text.i18n import N_
from protocol.games.wild_wild_pattern import (
    Click,
    Declare,
    PlayedInPair,
    Ready,
    Shoot,
    Take,
    View,
)
from protocol.games.wild_wild_pattern.cards import (
    FIRST_COLOUR,
    FIRST_SUIT,
    Colour,
    Object,
    Suit,
)
from protocol.games.wild_wild_pattern.pattern import Direction, Pattern
from protocol.games.wild_wild_pattern.verdict import Play, plays

_WHEEL, _CARD, _PICKER, _PLAYERS = "wheel", "own-card", "picker", "players"
_WHITE, _COIN = FIRST_COLOUR + Colour.WHITE, FIRST_SUIT + Suit.COIN


def _ready(say: str) -> Step:
    return Step(say, (_CARD,), Ready(), N_("Each turn begins when all are ready."))


def _shoot(say: str, place: int, why: str) -> Step:
    return Step(say, (_WHEEL, _CARD), Shoot(place - 1), why)


def _declare(say: str, direction: Direction, anchor: int, partner: int, why: str) -> Step:
    return Step(say, (_PICKER,), Declare(Pattern(direction, anchor, partner)), why)


def _making(wheel: bytes, card: int, view: View) -> Sequence[Play]:
    """What a card makes on a Wheel, what is there most often first."""
    found = plays(wheel, card, in_pair=view.options.played_in_pair is PlayedInPair.REQUIRED)
    return sorted(found, key=lambda play: -len(play.pairs.anchors))


def _shots(view: View) -> Sequence[Shoot]:
    return [Shoot(play.place) for play in _making(view.wheel, view.card, view)]


def _declared(view: View) -> Iterator[Declare]:
    place = view.place or 0
    before = view.wheel[:place] + bytes((view.covered,)) + view.wheel[place + 1 :]
    for play in _making(before, view.wheel[place], view):
        if play.place == place:
            yield Declare(play.pattern)


def _declarations(view: View) -> Sequence[Declare]:
    return list(_declared(view))


LESSON: Final = Lesson(
    game="wild_wild_pattern",
    number=547,
    preset="practice",
    first_bot="learner",
    first_options={"choice_limit": "off"},
    keys={
        **{f"p{n}": place for n, place in enumerate(PLACES, 1)},
        **dict(zip(("before", "after"), DIRECTIONS, strict=True)),
        "ready": actions.CHOOSE,
        "white": COLOURS[Colour.WHITE],
        "coin": SUITS[Suit.COIN],
        "click": CLICK,
    },
    steps=(
        Step(N_("The Wheel, a ring: 2 comes after 1, 1 after 8."), (_WHEEL,)),
        Step(N_("A pattern says: after every star, say, comes red."), (_WHEEL,)),
        _ready(N_("{ready} shows your card: with it you make a pattern.")),
        _shoot(
            N_("Coins come after horseshoes, but not after 2: press {p2}."),
            2,
            N_("Then a coin comes after every horseshoe."),
        ),
        _declare(
            N_("Declare after, horseshoe, coin: {after} {p1} {coin}."),
            Direction.AFTER,
            Object.HORSESHOE,
            _COIN,
            N_("You say what is true now."),
        ),
        Step(N_("Right! 3 times or more wins 2 cards, twice wins 1."), (_PLAYERS,)),
        _ready(N_("{ready} shows your next card.")),
        _shoot(
            N_("Now a mistake on purpose: press {p1}."),
            1,
            N_("This one is wrong on purpose."),
        ),
        _declare(
            N_("Declare after, dynamite, white: {after} {p6} {white}."),
            Direction.AFTER,
            Object.DYNAMITE,
            _WHITE,
            N_("This one is wrong on purpose."),
        ),
        Step(N_("Wrong: dynamite 6 comes before azure. You lose a card."), (_WHEEL,)),
        _ready(N_("{ready} shows your next card.")),
        Step(
            N_("No pattern? {click} gives up your card."),
            (_CARD,),
            Click(),
            N_("The others may shoot with it then."),
        ),
        Step(
            N_("None does: you take a card, {p8}."),
            (_WHEEL,),
            Take(7),
            N_("A horseshoe: 4 of an object pay at the Bank."),
        ),
        _ready(N_("Now without help: {ready}.")),
        Step(N_("Which card do you cover? Press its number."), (_WHEEL, _CARD), _shots),
        Step(N_("Declare it: before or after, object, colour or suit."), (_PICKER,), _declarations),
        Step(N_("5 cards end a round: the Bank pays. The richest wins."), (_PLAYERS,)),
    ),
)
