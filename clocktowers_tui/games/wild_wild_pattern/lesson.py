"""The first round of Wild Wild Pattern, guided, alone and without a timer: a pattern, one that the
player finds, one without the card just shot, a Click! and the Bank."""

from collections.abc import Iterator, Sequence
from typing import Final

from clocktowers_tui.games.lesson import Lesson, Step
from clocktowers_tui.games.wild_wild_pattern.actions import (
    CLICK,
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
    FIRST_SUIT,
    Object,
    Suit,
)
from protocol.games.wild_wild_pattern.pattern import Direction, Pattern
from protocol.games.wild_wild_pattern.verdict import Play, plays

_WHEEL, _CARD, _PICKER = "wheel", "own-card", "picker"
_PLAYERS, _BANK = "players", "bank"


def _ready(say: str, ask: str, why: str) -> Step:
    return Step(say, (_CARD,), Ready(), why, ask=ask)


def _shoot(say: str, ask: str, place: int, why: str) -> Step:
    return Step(say, (_WHEEL, _CARD), Shoot(place - 1), why, ask=ask)


def _declare(say: str, ask: str, suit: Suit, why: str) -> Step:
    """What follows every star."""
    pattern = Pattern(Direction.AFTER, Object.STAR, FIRST_SUIT + suit)
    return Step(say, (_PICKER,), Declare(pattern), why, ask=ask)


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
        "bullets": SUITS[Suit.BULLETS],
        "click": CLICK,
    },
    steps=(
        Step(N_("This ring is the Wheel. Clockwise: 2 comes after 1."), (_WHEEL,)),
        _ready(
            N_("A pattern: after every A comes a B, twice or more."),
            N_("What follows every star? {ready} shows your card."),
            N_("A pattern may also say: before every A comes a B."),
        ),
        _shoot(
            N_("A coin follows star 1 and star 6, but not star 3."),
            N_("Press {p4} to shoot: your card covers card 4."),
            4,
            N_("Your card has a coin: then a coin follows every star."),
        ),
        _declare(
            N_("You say the pattern: after every star comes a coin."),
            N_("Press {after} for after, {p1} for star, {coin} for coin."),
            Suit.COIN,
            N_("A digit is the object on that card: any star will do."),
        ),
        Step(N_("Right! It is new and there 3 times: you win 2 cards."), (_PLAYERS,)),
        _ready(
            N_("Coin is a suit: a suit wins the card you covered."),
            N_("Press {ready} to go on."),
            N_("It was there 3 times, so you win the card you shot, too."),
        ),
        Step(
            N_("Bullets come before star 1 and star 6, but not star 3."),
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
            N_("Found! With a colour, not a suit, you choose the card."),
            N_("Press {ready} to go on."),
            N_("Any card of the Wheel, but not the one that you shot."),
        )._replace(enough=True),
        _shoot(
            N_("Now a mistake: bullets follow star 1 and star 3."),
            N_("Press {p6} to shoot: your card covers star 6."),
            6,
            N_("This one is wrong on purpose."),
        ),
        _declare(
            N_("You say it, but your card is in no such pair."),
            N_("Press {after} for after, {p1} for star, {bullets} for bullets."),
            Suit.BULLETS,
            N_("This one is wrong on purpose."),
        ),
        _ready(
            N_("Wrong: the card that you shot must be in a pair."),
            N_("That card is lost. Press {ready} to go on."),
            N_("In a match each opponent then takes a card."),
        ),
        Step(
            N_("No pattern fits: Click! gives up your card."),
            (_CARD,),
            Click(),
            N_("The others may shoot with it. If nobody does, you win a card."),
            ask=N_("Press {click}: you say Click!"),
        ),
        Step(
            N_("Nobody shot with your card, so you take one."),
            (_WHEEL,),
            Take(4),
            N_("Three yellow cards: the Bank pays 50 cents for them."),
            ask=N_("Press {p5}: you take that card."),
        ),
        Step(N_("5 cards end the round: the Bank pays for what matches."), (_BANK,)),
        Step(N_("You find Challenge cards: use one after a win."), (_BANK,)),
        Step(N_("Your Target is the barrel: each barrel pays you more."), (_BANK,)),
        Step(N_("6 cards get nothing at the Bank: with 4, win only 1."), (_BANK,)),
        Step(N_("You win with 5 colours (WILD), or as richest above $3."), (_BANK,)),
    ),
)
