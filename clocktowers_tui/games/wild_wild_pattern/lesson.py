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
            N_("Win cards with patterns; the Bank pays you for them."),
            (_WHEEL,),
            ask=N_("The ring is the Wheel: 2 comes after 1. {confirm} goes on."),
        ),
        Step(
            N_("Each card shows an object, a colour and a suit."),
            (_WHEEL,),
            ask=N_("The suit is coin or bullets. {confirm} goes on."),
        ),
        _ready(
            _CARD,
            N_("Almost a pattern: after every star comes a coin."),
            N_("Only star 3 has none after it. {ready} shows your card."),
            N_("It needs two stars or more. It may also say before."),
        ),
        Step(
            N_("A star and the coin after it are a pair."),
            (_WHEEL, _CARD),
            ask=N_("A pattern has 2 pairs or more. {confirm} goes on."),
        ),
        _shoot(
            N_("Cover a card so that a new pattern comes true."),
            N_("Press {p4} to shoot: your coin then follows star 3."),
            4,
            N_("Your card must be in one of its pairs."),
        ),
        _declare(
            N_("Say it: after every star comes a coin."),
            N_("Press {after} (after), {p1} (star) and {coin} (coin)."),
            Pattern(Direction.AFTER, Object.STAR, _COIN),
            N_("Press the number of any star: it stands for star."),
        ),
        _ready(
            _PLAYERS,
            N_("3 pairs win the covered card and yours."),
            N_("2 pairs win only the covered one. {ready} goes on."),
            N_("Say a suit and you win the covered card; with 3 pairs yours, too."),
        ),
        Step(
            N_("Bullets come before stars 1 and 6, but not 3."),
            (_WHEEL, _CARD),
            _shots,
            ask=N_("Cover the card before star 3."),
            why=N_("Which card comes before star 3? {hint} shows it."),
        ),
        Step(
            N_("Now say it: before or after, object, suit."),
            (_PICKER,),
            _declarations,
            why=N_("What comes before every star? {hint} shows it."),
            ask=N_("Say it with the keys below; {hint} shows it."),
        ),
        _ready(
            _PLAYERS,
            N_("Say a colour instead, and you win any card you like."),
            N_("Any but your own card. {ready} goes on."),
            N_("Any card of the Wheel. 3 pairs win any two, even your own."),
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
            N_("Press the number of any barrel: it stands for barrel."),
        ),
        Step(
            N_("Your Target is an object: the barrel."),
            (_PLAYERS,),
            ask=N_("The Bank pays extra for it. {confirm} goes on."),
        ),
        Step(
            N_("The covered card is gone. Take any but your own."),
            (_WHEEL,),
            _taken,
            N_("Not 7: that is your own card. {hint} shows a good one."),
            ask=N_("Three yellow cards pay 50 cents. Press a number."),
        ),
        _ready(
            _BANK,
            N_("With 5 cards the round ends, and the Bank pays."),
            N_("With 6 you get nothing. {ready} begins the next round."),
            N_("1 card with your Target pays 10 cents, 2 pay 30, 3 pay 60."),
        ),
        Step(
            N_("No pattern? Click! offers your card to the others."),
            (_CARD,),
            Click(),
            N_("The others may make a pattern with it. If nobody does, any card is yours."),
            ask=N_("Press {click}: if nobody shoots with it, take any card."),
        ),
        Step(
            N_("Each round has a new Target: now the star."),
            (_WHEEL,),
            Take(7),
            N_("Nobody shot with your card, so any card is yours."),
            ask=N_("Nobody shot: press {p8} and take the star."),
        ),
        Step(
            N_("A wrong pattern loses your card."),
            (_CARD,),
            ask=N_("Each opponent takes a card. {confirm} goes on."),
        ),
        Step(
            N_("Some cards are Challenges: keep them and draw again."),
            (_PLAYERS,),
            ask=N_("Win a turn, and you may play one. {confirm} goes on."),
            why=N_("Each says what it does. Each can be played once."),
        ),
        Step(
            N_("After a round the richest above $3 wins."),
            (_PLAYERS,),
            ask=N_("5 different colours win at once: WILD. {confirm} goes on."),
        ),
    ),
)
