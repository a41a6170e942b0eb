"""The first round of Wild Wild Pattern, guided, alone and without a timer: a pattern, one that the
player finds, one of a colour, the Bank; then any with a suit, a Click!, and what is rare, in a
sentence each."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.lesson import Lesson, Step
from clocktowers_tui.games.wild_wild_pattern.actions import CLICK, DIRECTIONS, PLACES, SUITS
from clocktowers_tui.games.wild_wild_pattern.choosing import places
from clocktowers_tui.games.wild_wild_pattern.hinting import makes, most_first
from clocktowers_tui.keys import actions
from clocktowers_tui.text.i18n import N_
from protocol.games.wild_wild_pattern import Click, Declare, Ready, Shoot, Take, View
from protocol.games.wild_wild_pattern.bank import plays_at
from protocol.games.wild_wild_pattern.cards import (
    FIRST_SUIT,
    Direction,
    Object,
    Pattern,
    Suit,
    object_of,
)

_WHEEL, _CARD, _PICKER = "wheel", "own-card", "picker"
_PLAYERS, _BANK = "players", "bank"

_COIN: Final = FIRST_SUIT + Suit.COIN


def _ready(lit: str, say: str, ask: str, why: str) -> Step:
    return Step(say, (lit,), Ready(), why, ask=ask)


def _shoot(say: str, ask: str, place: int, why: str) -> Step:
    return Step(say, (_WHEEL, _CARD), Shoot(place - 1), why, ask=ask)


def _declare(say: str, ask: str, pattern: Pattern, why: str) -> Step:
    return Step(say, (_PICKER,), Declare(pattern), why, ask=ask)


def _shots(view: View) -> Sequence[Shoot]:
    return [Shoot(play.place) for play in makes(view, view.wheel, view.card)]


def _declarations(view: View) -> Sequence[Declare]:
    """What is there most often first."""
    in_pair = view.options.in_pair
    found = plays_at(view.wheel, view.place or 0, view.covered, in_pair=in_pair)
    return [Declare(play.pattern) for play in most_first(found)]


def _suited_shots(view: View) -> Sequence[Shoot]:
    """Those after which no card has to be taken."""
    made = makes(view, view.wheel, view.card)
    return [Shoot(play.place) for play in made if play.pattern.has_suit]


def _suited(view: View) -> Sequence[Declare]:
    return [one for one in _declarations(view) if one.pattern and one.pattern.has_suit]


def _targets(view: View) -> Sequence[Take]:
    """The cards with the player's Target, so that the Bank pays for one."""
    assert view.seat is not None
    target = view.targets[view.seat]
    return [Take(place) for place in places(view) if object_of(view.wheel[place]) == target]


LESSON: Final = Lesson(
    game="wild_wild_pattern",
    number=3158382,
    preset="practice",
    first_preset="practice",
    race_options={"choice_limit": "off"},
    practice=23813,
    keys={
        **{f"p{n}": place for n, place in enumerate(PLACES, 1)},
        "after": DIRECTIONS[1],
        "ready": actions.CHOOSE,
        "coin": SUITS[Suit.COIN],
        "bullets": SUITS[Suit.BULLETS],
        "click": CLICK,
    },
    steps=(
        Step(
            N_("A card: object, colour, suit (coin or bullets)."),
            (_WHEEL,),
            why=N_(
                "A suit is coin ({coin}) or bullets ({bullets}). The Bank pays for cards you win."
            ),
            ask=N_("Patterns win cards, cards win money. {confirm} goes on."),
        ),
        _ready(
            _WHEEL,
            N_("The Wheel: a coin comes after stars 1 and 6."),
            N_("Star 3 has no coin after it. {ready} shows your card."),
            N_("The cards go round: 2 comes after 1, and 1 after 8."),
        ),
        _shoot(
            N_("A star and its coin are a pair. A pattern needs 2."),
            N_("Press {p4} to shoot: your coin then follows star 3."),
            4,
            N_("Your card must be in one of the pairs."),
        ),
        _declare(
            N_("Now declare your pattern: a coin after every star."),
            N_("Press {after} (after), {p1} (star 1) and {coin} (coin)."),
            Pattern(Direction.AFTER, Object.STAR, _COIN),
            N_("After every star comes a coin. {p1} or another star will do."),
        ),
        _ready(
            _PLAYERS,
            N_("3 pairs win 2 cards: the covered one and yours."),
            N_("2 pairs win 1 card: the covered one. {ready} goes on."),
            N_("A pattern with a suit wins the covered card; 3 pairs win yours, too."),
        ),
        Step(
            N_("Bullets come before stars 1 and 6, but not before 3."),
            (_WHEEL, _CARD),
            _shots,
            why=N_("Which card comes before star 3? {hint} shows it."),
            ask=N_("Shoot at the card before star 3."),
        ),
        Step(
            N_("A pattern may begin with the object or the suit."),
            (_PICKER,),
            _declarations,
            why=N_("What comes before every star? {hint} shows it."),
            ask=N_("Now declare: bullets come before every star."),
        ),
        _ready(
            _CARD,
            N_("Your card must complete a pattern not there before."),
            N_("If not, you lose your card. {ready} goes on."),
            N_("New: not true before your shot. If not, each opponent takes a card."),
        ),
        _shoot(
            N_("Red comes before barrel 4, but not before 8."),
            N_("Press {p7}: shoot at card 7."),
            7,
            N_("Then red comes before both barrels: 2 pairs."),
        ),
        Step(
            N_("Declare a colour, no suit: you choose your prize."),
            (_PICKER,),
            _declarations,
            why=N_("What comes before every barrel? {hint} shows it."),
            ask=N_("Declare a pattern of barrel and red."),
        ),
        Step(
            N_("One object, the barrel, is your Target: worth more."),
            (_WHEEL, _PLAYERS),
            _targets,
            N_("You may take any card but your own (7). {hint} shows a barrel."),
            ask=N_("Take a barrel: 4 or 8."),
        ),
        _ready(
            _BANK,
            N_("5 cards end the round, and the Bank pays you."),
            N_("For 6 cards the Bank pays nothing. {ready} goes on."),
            N_("With 4 cards, win only one more: 6 are too many."),
        )._replace(enough=True),
        Step(
            N_("Your turn: coins lie before and after star 8."),
            (_WHEEL, _CARD),
            _suited_shots,
            why=N_("Your star needs a coin beside it, too: {hint} shows a place."),
            ask=N_("Shoot at a card beside a coin."),
        ),
        Step(
            N_("Object first or suit first: both are patterns."),
            (_PICKER,),
            _suited,
            why=N_("What lies beside both stars? {hint} shows it."),
            ask=N_("Declare a new pattern with a suit."),
        ),
        _ready(
            _PLAYERS,
            N_("5 cards of 5 colours at the Bank are WILD."),
            N_("WILD wins the match at once. {ready} shows your card."),
            N_("A Wild Wild Pattern has all 8 cards: it wins at once, too."),
        )._replace(shows=("wild",)),
        Step(
            N_("Without a pattern, give your card up."),
            (_CARD,),
            Click(),
            N_("Another player may make a pattern with it, and wins cards then."),
            ask=N_("Press {click} (Click!): others may use it now."),
        ),
        Step(
            N_("Nobody used it: now take any card."),
            (_WHEEL, _PLAYERS),
            Take(0),
            N_("You said Click! and nobody has shot: you win the turn."),
            ask=N_("Press {p1} for card 1."),
        ),
        Step(
            N_("A Challenge card brings money or does a trick, once."),
            (_CARD,),
            why=N_(
                "You draw it by chance, and another card to shoot with. You may keep it for later."
            ),
            ask=N_("Win a turn to play it. {confirm} goes on."),
        ),
        Step(
            N_("No WILD? When a round ends, you need more than $3."),
            (_PLAYERS,),
            why=N_("The richest above $3 wins. If nobody has so much, another round follows."),
        ),
    ),
)
