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
            N_("Be the first to make a pattern on the Wheel of cards."),
            (_WHEEL,),
            ask=N_("Clockwise: 2 comes after 1. {confirm} goes on."),
        ),
        Step(
            N_("Each card has an object, a colour and, below, a suit."),
            (_WHEEL,),
        ),
        _ready(
            _CARD,
            N_("A pattern: after every THIS comes a THAT, twice."),
            N_("What follows every star? {ready} shows your card."),
            N_("It may also say: before every THIS comes a THAT."),
        ),
        _shoot(
            N_("Two pairs of star and coin: 1-2 and 6-7. 3 has none."),
            N_("Press {p4} to shoot: your coin covers card 4."),
            4,
            N_("Then a coin follows every star: 3 pairs."),
        ),
        _declare(
            N_("You say the pattern: after every star comes a coin."),
            N_("Card 1 has a star, so: {after} after, {p1} star, {coin} coin."),
            Pattern(Direction.AFTER, Object.STAR, _COIN),
            N_("A digit is the object on that card: any star will do."),
        ),
        _ready(
            _PLAYERS,
            N_("You win two cards: the one you covered, and yours."),
            N_("2 pairs win only the covered one. {ready} goes on."),
            N_("A suit wins the covered card; 3 pairs win yours, too."),
        ),
        Step(
            N_("Bullets come before stars 1 and 6, but not before 3."),
            (_WHEEL, _CARD),
            _shots,
            why=N_("Cover card 2, which comes before star 3: {hint} shows it."),
        ),
        Step(
            N_("Now you say it: before or after, object, suit."),
            (_PICKER,),
            _declarations,
            why=N_("Bullets come before every star: {hint} shows it."),
        ),
        _ready(
            _PLAYERS,
            N_("A pattern may name a colour instead of a suit."),
            N_("You then choose the card you win. {ready} goes on."),
            N_("Any card of the Wheel, but not the one that you shot."),
        )._replace(enough=True),
        _shoot(
            N_("Red comes before barrel 4, but not before barrel 8."),
            N_("Press {p7} to shoot: your red card covers card 7."),
            7,
            N_("Then red comes before both barrels: 2 pairs."),
        ),
        _declare(
            N_("You say a colour: before every barrel comes red."),
            N_("Card 4 is a barrel: {before} before, {p4} barrel, {red} red."),
            Pattern(Direction.BEFORE, Object.BARREL, _RED),
            N_("A digit is the object on that card: any barrel will do."),
        ),
        Step(
            N_("Now take the card you like."),
            (_WHEEL,),
            _taken,
            N_("Take any card but the one that you shot: {hint} shows one."),
            ask=N_("2 yellow cards pay 10 cents, 3 pay 50."),
        ),
        Step(
            N_("5 cards end the round: the Bank pays."),
            (_BANK,),
            ask=N_("Your Target is the barrel: each pays. {confirm} goes on."),
        ),
        _ready(
            _BANK,
            N_("6 cards or more get nothing."),
            N_("{ready} begins the next round."),
            N_("So take no card too many."),
        ),
        Step(
            N_("No pattern found? Click! gives up your card."),
            (_CARD,),
            Click(),
            N_("The others may shoot with it. If nobody does, you win a card."),
            ask=N_("Press {click}."),
        ),
        Step(
            N_("Nobody shot with it, so you take a card."),
            (_WHEEL,),
            Take(0),
            N_("After a Click! that nobody uses you take any card."),
            ask=N_("Press {p1}."),
        ),
        Step(
            N_("If your claim is wrong, each opponent takes a card."),
            (_CARD,),
            ask=N_("Wrong: no new pattern with your card. {confirm} goes on."),
        ),
        Step(
            N_("5 cards of 5 colours win at once (WILD)."),
            (_PLAYERS,),
            ask=N_("Or be richest above $3. {confirm} goes on."),
        ),
    ),
)
