"""Wild Wild Pattern for the laws."""

from itertools import product
from random import Random

from msgspec.structs import replace

from protocol.games import Switch
from protocol.games.wild_wild_pattern import (
    Click,
    Declare,
    FiveColours,
    Lay,
    Mode,
    Options,
    Pass,
    Phase,
    PlayedInPair,
    Ready,
    Shoot,
    Take,
    Use,
)
from protocol.games.wild_wild_pattern.cards import (
    CARDS,
    PATTERNS,
    PLACES,
    Challenge,
    Direction,
    Pattern,
    is_pattern,
)
from protocol.ids import Seat
from server.games.wild_wild_pattern.race import to_act
from server.games.wild_wild_pattern.state import State, copy as copy_state
from tests.laws.case import Case

MOST_FILLED = 15
"""Gaps of a Wheel, and Challenge cards on the way: what one action may show of the deck."""

EACH = (None, *CARDS)


def plies(seats: int) -> int:
    """Far above what random players need; nothing but chance keeps a round from its end."""
    return 4000


def disguise(state: State, seat: int | None, rng: Random, keep: int) -> State:
    """Deals the deck, the seed to come and the cards in hands again; with `keep` 2 not what lies on
    top, nor what the seat that may act holds, nor who has a Challenge card."""
    twin = copy_state(state)
    unseen = _hidden_hands(state, seat, keep)
    kept = MOST_FILLED if keep > 1 else 0
    pool = [state.hand[other] for other in unseen] + list(state.deck[kept:])
    if keep > 1 or state.phase is not Phase.READY:
        _deal_alike(twin, unseen, kept, pool, rng)
    else:
        rng.shuffle(pool)
        for other in unseen:
            twin.hand[other] = pool.pop()
        twin.deck = state.deck[:kept] + bytes(pool)
    if keep == 1:
        twin.seed = rng.randbytes(32)
        twin.tries = tuple(a_try for a_try in state.tries if a_try.seat == seat)
        twin.measured = twin.lags = tuple(rng.randrange(150) for _ in range(state.seats))
    return twin


def _hidden_hands(state: State, seat: int | None, keep: int) -> list[int]:
    acting = to_act(state)
    shown = {acting[0]} if keep > 1 and acting else set()
    if state.phase is not Phase.READY or keep > 1:
        shown |= {Seat(seat)} if seat is not None else set()
    return [other for other in range(state.seats) if state.hand[other] and other not in shown]


def _deal_alike(twin: State, unseen: list[int], kept: int, pool: list[int], rng: Random) -> None:
    """A Pattern card for a Pattern card: who finds a Challenge card tells everybody."""
    ordinary = [card for card in pool if is_pattern(card)]
    rng.shuffle(ordinary)
    for other in unseen:
        if is_pattern(twin.hand[other]):
            twin.hand[other] = ordinary.pop()
    special = [card for card in pool if not is_pattern(card)]
    for other in unseen:
        if twin.hand[other] in special:
            special.remove(twin.hand[other])
    deck = ordinary + special
    rng.shuffle(deck)
    twin.deck = twin.deck[:kept] + bytes(deck)


CASE = Case(
    options=(
        Options(mode=Mode.VIVO),
        Options(
            mode=Mode.VIVO,
            played_in_pair=PlayedInPair.FREE,
            five_colours=FiveColours.PAY,
            race_limit_s=0,
            lag=Switch.OFF,
        ),
        Options(practice=Switch.ON),
        Options(race_limit_s=30),
    ),
    actions=(
        Ready(),
        Click(),
        Pass(),
        *(Shoot(place, clicked=True) for place in range(PLACES)),
        *(kind(place) for kind in (Shoot, Take, Lay) for place in range(PLACES)),
        *map(Declare, PATTERNS),
        Declare(Pattern(Direction.AFTER, 3, 4)),
        Declare(Pattern(Direction.BEFORE, 13, 9)),
        *(Use(card, wanted) for card, wanted in product(Challenge, EACH)),
        *(Use(Challenge.TRADE, wanted, given) for wanted, given in product(EACH, CARDS)),
        *(Use(card, 3, 7) for card in Challenge if card is not Challenge.TRADE),
    ),
    plies=plies,
    disguise=disguise,
    public=lambda view: replace(view, seat=None, card=0, aimed=None),
)
