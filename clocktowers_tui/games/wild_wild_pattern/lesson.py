"""The first round of Wild Wild Pattern, guided, alone and without a timer: a pattern, one that the
player finds, one of a colour, the Bank and a Click!"""

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
from clocktowers_tui.games.wild_wild_pattern.missed import makes
from clocktowers_tui.games.wild_wild_pattern.nearness import colour_twice
from clocktowers_tui.games.wild_wild_pattern.offers import places
from clocktowers_tui.keys import actions
from clocktowers_tui.text.i18n import N_
from protocol.games.wild_wild_pattern import (
    Click,
    Declare,
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
    colour_of,
)
from protocol.games.wild_wild_pattern.pattern import Direction, Pattern

_WHEEL, _CARD, _PICKER = "wheel", "own-card", "picker"
_PLAYERS, _BANK = "players", "bank"

_COIN: Final = FIRST_SUIT + Suit.COIN
_RED: Final = FIRST_COLOUR + Colour.RED


def _ready(lit: str, say: str, ask: str, why: str) -> Step:
    return Step(say, (lit,), Ready(), why, ask=ask)


def _shoot(say: str, ask: str, place: int, why: str) -> Step:
    return Step(say, (_WHEEL, _CARD), Shoot(place - 1), why, ask=ask)


def _declare(say: str, ask: str, pattern: Pattern, why: str) -> Step:
    return Step(say, (_PICKER,), Declare(pattern), why, ask=ask)


def _shots(view: View) -> Sequence[Shoot]:
    return [Shoot(play.place) for play in makes(view, view.wheel, view.card)]


def _declared(view: View) -> Iterator[Declare]:
    place = view.place or 0
    before = view.wheel[:place] + bytes((view.covered,)) + view.wheel[place + 1 :]
    for play in makes(view, before, view.wheel[place]):
        if play.place == place:
            yield Declare(play.pattern)


def _declarations(view: View) -> Sequence[Declare]:
    return list(_declared(view))


def _taken(view: View) -> Sequence[Take]:
    """Any card; first one of the colour that the player has most often."""
    assert view.seat is not None
    colour = colour_twice(view.won[view.seat])
    return sorted(
        map(Take, places(view)), key=lambda take: colour_of(view.wheel[take.place]) != colour
    )


LESSON: Final = Lesson(
    game="wild_wild_pattern",
    number=3158382,
    preset="practice",
    first_bot="learner",
    first_options={"choice_limit": "off"},
    practice=23813,
    keys={
        **{f"p{n}": place for n, place in enumerate(PLACES, 1)},
        **dict(zip(("before", "after"), DIRECTIONS, strict=True)),
        "ready": actions.CHOOSE,
        "coin": SUITS[Suit.COIN],
        "red": COLOURS[Colour.RED],
        "click": CLICK,
    },
    steps=(
        Step(
            N_("Be the first to make a pattern on the Wheel."),
            (_WHEEL,),
            ask=N_("Clockwise: 2 comes after 1. {confirm} goes on."),
        ),
        Step(
            N_("Each card shows an object, a colour and a suit."),
            (_WHEEL,),
            ask=N_("The suit is coin or bullets. {confirm} goes on."),
        ),
        _ready(
            _CARD,
            N_("A pattern: after every star (2 or more) comes a coin."),
            N_("Star 3 needs one. {ready} shows your card."),
            N_("It may also say before, and name any object."),
        ),
        _shoot(
            N_("Make a new pattern with your card in a pair."),
            N_("Press {p4} to shoot: your card follows star 3."),
            4,
            N_("Your card shows a coin. Then a coin follows every star."),
        ),
        _declare(
            N_("Say it: after every star comes a coin."),
            N_("Press {after} (after), {p1} (star) and {coin} (coin)."),
            Pattern(Direction.AFTER, Object.STAR, _COIN),
            N_("A digit is the object on that card: any star will do."),
        ),
        _ready(
            _PLAYERS,
            N_("3 pairs win the covered card and yours."),
            N_("2 pairs win only the covered one. {ready} goes on."),
            N_("A suit wins the covered card; 3 pairs win yours, too."),
        ),
        Step(
            N_("Bullets come before stars 1 and 6, but not 3."),
            (_WHEEL, _CARD),
            _shots,
            why=N_("Cover card 2, which comes before star 3: {hint} shows it."),
        ),
        Step(
            N_("Now say it: before or after, object, suit."),
            (_PICKER,),
            _declarations,
            why=N_("Bullets come before every star: {hint} shows it."),
        ),
        _ready(
            _PLAYERS,
            N_("A pattern may also name a colour."),
            N_("Then you choose your card. {ready} goes on."),
            N_("Any card of the Wheel, but not the one that you shot."),
        )._replace(enough=True),
        _shoot(
            N_("Red comes before barrel 4, but not before 8."),
            N_("Press {p7}: your red card covers card 7."),
            7,
            N_("Then red comes before both barrels: 2 pairs."),
        ),
        _declare(
            N_("Say it: before every barrel comes red."),
            N_("Press {before} (before), {p4} (barrel) and {red} (red)."),
            Pattern(Direction.BEFORE, Object.BARREL, _RED),
            N_("A digit is the object on that card: any barrel will do."),
        ),
        Step(
            N_("The covered card is gone. Take any but 7."),
            (_WHEEL,),
            _taken,
            N_("Take any card but the one that you shot: {hint} shows one."),
            ask=N_("3 yellow cards pay 50 cents, your Target (barrel) 10."),
        ),
        _ready(
            _BANK,
            N_("5 cards end the round: the Bank pays. 6 get nothing."),
            N_("{ready} begins the next round."),
            N_("1 card of your Target pays 10 cents, 2 pay 30, 3 pay 60."),
        ),
        Step(
            N_("No pattern? Click! gives up your card."),
            (_CARD,),
            Click(),
            N_("The others may shoot with it. If nobody does, any card is yours."),
            ask=N_("Press {click}: if nobody shoots it, you win a card."),
        ),
        Step(
            N_("Nobody shot with it: take any card."),
            (_WHEEL,),
            Take(7),
            N_("Each round brings you a new Target."),
            ask=N_("Press {p8}: the star is your new Target."),
        ),
        Step(
            N_("A wrong pattern loses your card."),
            (_CARD,),
            ask=N_("Each opponent takes a card. {confirm} goes on."),
        ),
        Step(
            N_("You keep a Challenge card and draw another card."),
            (_PLAYERS,),
            ask=N_("Win a turn to use it. {confirm} goes on."),
        ),
        Step(
            N_("After a round the richest above $3 wins."),
            (_PLAYERS,),
            ask=N_("5 different colours win at once: WILD. {confirm} goes on."),
        ),
    ),
)
