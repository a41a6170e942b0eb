"""The first round of Wild Wild Pattern, guided, alone and without a timer: a pattern, a mistake, a
Click!, and the Bank."""

from typing import Final

from clocktowers_tui.games.lesson import Lesson, Step
from clocktowers_tui.games.wild_wild_pattern.actions import (
    CLICK,
    COLOURS,
    DIRECTIONS,
    PLACES,
    SUITS,
)
from clocktowers_tui.text.i18n import N_
from protocol.games.wild_wild_pattern import Click, Declare, Pass, Ready, Shoot, Take
from protocol.games.wild_wild_pattern.cards import (
    FIRST_COLOUR,
    FIRST_SUIT,
    Colour,
    Object,
    Suit,
)
from protocol.games.wild_wild_pattern.pattern import Direction, Pattern

_WHEEL, _CARD, _PICKER, _PLAYERS, _BANK = "wheel", "own-card", "picker", "players", "bank"
_WHITE, _COIN = FIRST_COLOUR + Colour.WHITE, FIRST_SUIT + Suit.COIN


def _ready(say: str) -> Step:
    return Step(say, (_CARD,), Ready())


def _shoot(say: str, place: int) -> Step:
    return Step(say, (_WHEEL, _CARD), Shoot(place - 1))


def _declare(say: str, direction: Direction, anchor: int, partner: int) -> Step:
    return Step(say, (_PICKER,), Declare(Pattern(direction, anchor, partner)))


def _take(say: str, place: int) -> Step:
    return Step(say, (_WHEEL,), Take(place - 1))


LESSON: Final = Lesson(
    game="wild_wild_pattern",
    number=547,
    preset="practice",
    keys={
        **{f"p{n}": place for n, place in enumerate(PLACES, 1)},
        **dict(zip(("before", "after"), DIRECTIONS, strict=True)),
        "white": COLOURS[Colour.WHITE],
        "coin": SUITS[Suit.COIN],
        "click": CLICK,
    },
    wrong={
        Shoot: N_("Another place this time: its number stands above."),
        Click: N_("This time you keep your card, and shoot with it."),
        Pass: N_("This time there is something to do: see above."),
        Declare: N_("Another pattern this time: its three keys stand above."),
        Take: N_("Another card this time: its number stands above."),
    },
    steps=(
        Step(N_("You win cards, and the Bank pays for them."), (_PLAYERS,)),
        Step(N_("The Wheel, a ring: 2 comes after 1, 1 after 8."), (_WHEEL,)),
        Step(N_("Each card has an object, a colour and a suit."), (_WHEEL,)),
        Step(N_("A pattern says: after every star, say, comes red."), (_WHEEL,)),
        _ready(N_("{confirm} shows you your card.")),
        Step(N_("Be the first to make one! In a lesson you have time."), (_CARD,)),
        Step(N_("After horseshoes comes a coin, but not after place 2."), (_WHEEL,)),
        _shoot(N_("Cover that horseshoe: {p2} lays your barrel on it."), 2),
        _declare(
            N_("Declare: after, horseshoe, coin. Press {after} {p5} {coin}."),
            Direction.AFTER,
            Object.HORSESHOE,
            _COIN,
        ),
        Step(N_("Right! 3 times or more: both cards are yours."), (_PLAYERS,)),
        Step(N_("Only twice, and you win just the one you covered."), (_PLAYERS,)),
        _ready(N_("The next turn: {confirm} shows your card.")),
        _shoot(N_("Now a mistake on purpose: {p1} covers place 1."), 1),
        _declare(
            N_("Declare: after, dynamite, white. Press {after} {p6} {white}."),
            Direction.AFTER,
            Object.DYNAMITE,
            _WHITE,
        ),
        Step(N_("Wrong: 6 is a dynamite, too, and azure comes after it."), (_WHEEL,)),
        Step(N_("You lose the card, and each opponent takes one."), (_PLAYERS,)),
        _ready(N_("{confirm} shows your next card.")),
        Step(N_("You see no pattern? Then you can give up your card."), (_CARD,)),
        Step(
            N_("{click} says Click!, and the others may shoot with it."),
            (_CARD,),
            Click(),
            {Shoot: N_("This time you give up your card: see above.")},
        ),
        _take(N_("None of them does, so you take a card: {p8}."), 8),
        Step(N_("Horseshoe is your Target: the Bank pays extra for it."), (_PLAYERS,)),
        _ready(N_("{confirm} shows your next card.")),
        Step(N_("Before horseshoes comes white, but not before place 4."), (_WHEEL,)),
        _shoot(N_("{p3} lays your white card there."), 3),
        _declare(
            N_("Declare: before, horseshoe, white. {before} {p5} {white}"),
            Direction.BEFORE,
            Object.HORSESHOE,
            _WHITE,
        ),
        _take(N_("With a colour you choose your cards: {p1}, a horseshoe."), 1),
        _take(N_("{p4} takes the next one."), 4),
        Step(N_("Five cards end the round, and all go to the Bank."), (_BANK,)),
        Step(N_("4 of an object paid $1, 4 of your Target $1 more."), (_BANK,)),
        Step(N_("After a round, the richest above $3 wins the match."), (_BANK,)),
        Step(N_("WILD wins at once: 5 colours, or 5 of one object."), (_BANK,)),
    ),
)
