"""The first round of Wild Wild Pattern, guided, alone and without a timer: a pattern, one that the
player finds, a mistake, a Click!, a Challenge card and the Bank."""

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
    Use,
    View,
)
from protocol.games.wild_wild_pattern.cards import (
    FIRST_COLOUR,
    FIRST_SUIT,
    Challenge,
    Colour,
    Object,
    Suit,
)
from protocol.games.wild_wild_pattern.pattern import Direction, Pattern
from protocol.games.wild_wild_pattern.verdict import Play, plays

_WHEEL, _CARD, _PICKER = "wheel", "own-card", "picker"
_PLAYERS, _BANK = "players", "bank"
_RED, _BULLETS = FIRST_COLOUR + Colour.RED, FIRST_SUIT + Suit.BULLETS


def _ready(say: str, why: str = N_("Each turn begins when all are ready.")) -> Step:
    return Step(say, (_CARD,), Ready(), why)


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
    number=60862,
    preset="practice",
    first_bot="learner",
    first_options={"choice_limit": "off"},
    practice=23813,
    keys={
        **{f"p{n}": place for n, place in enumerate(PLACES, 1)},
        **dict(zip(("before", "after"), DIRECTIONS, strict=True)),
        "ready": actions.CHOOSE,
        "red": COLOURS[Colour.RED],
        "bullets": SUITS[Suit.BULLETS],
        "click": CLICK,
    },
    steps=(
        Step(N_("You read the ring clockwise: 2 comes after 1."), (_WHEEL,)),
        Step(N_("You look for a pattern: what follows every loot?"), (_WHEEL,)),
        _ready(N_("You make one with your card: {ready} shows it.")),
        _shoot(
            N_("Bullets follow loot 4 and 7, not 2: cover {p3}."),
            3,
            N_("Your card has bullets: then they follow every loot."),
        ),
        _declare(
            N_("You say it: {after} after, {p2} loot, {bullets} bullets."),
            Direction.AFTER,
            Object.LOOT,
            _BULLETS,
            N_("A digit is the object on that card: any loot will do."),
        ),
        _ready(
            N_("Right, 2 cards! Now find one yourself: {ready}."),
            N_("3 times or more wins 2 cards, twice wins 1."),
        ),
        Step(
            N_("What comes before every loot? Cover the odd card."),
            (_WHEEL, _CARD),
            _shots,
        ),
        Step(N_("You say it: before or after, object, suit."), (_PICKER,), _declarations),
        _ready(
            N_("Found! Now see what a mistake costs: {ready}."),
            N_("With a colour instead of a suit you take any card."),
        ),
        _shoot(
            N_("Red follows loot 2. You try again: cover {p5}."),
            5,
            N_("This one is wrong on purpose."),
        ),
        _declare(
            N_("You forget loot 7: {after} {p2} {red}."),
            Direction.AFTER,
            Object.LOOT,
            _RED,
            N_("This one is wrong on purpose."),
        ),
        Step(N_("Wrong: azure follows 7. You lose your card."), (_WHEEL,)),
        _ready(
            N_("Your next card is a Challenge: {ready}."),
            N_("You keep it for a turn that you win, and get another card."),
        ),
        Step(
            N_("No pattern? {click} gives up your card."),
            (_CARD,),
            Click(),
            N_("The others may shoot with it then."),
        ),
        Step(
            N_("Nobody shot with it: you take a card, {p8}."),
            (_WHEEL,),
            Take(7),
            N_("Three azure cards: the Bank pays 50 cents for them."),
        ),
        Step(
            N_("You won the turn: {p1} uses your Challenge."),
            (_PICKER,),
            Use(Challenge.TEN_CENTS),
            N_("The Bank pays you 10 cents for this one."),
        ),
        Step(N_("5 cards end a round: the Bank pays."), (_BANK,)),
        Step(N_("You win above 3 dollars, or with 5 colours."), (_PLAYERS,)),
    ),
)
