"""Positions set up by the cards' names in records, for tests of single rules."""

from collections.abc import Iterable
from itertools import chain
from typing import Any

from protocol.errors import Refusal
from protocol.games.wild_wild_pattern import Action, Event, Options, Phase, Ready, Take
from protocol.games.wild_wild_pattern.cards import (
    CARD_NAMES,
    CARDS,
    FEATURE_NAMES,
    Direction,
    Pattern,
)
from protocol.ids import Seat
from server.games.contract import Moment
from server.games.wild_wild_pattern.rules import apply, deadline, refuse, tick
from server.games.wild_wild_pattern.state import State, Told, setup

SEED = bytes(range(32))
QUIET = (
    "pistol-red loot-azure star-yellow bottle-grey "
    "horseshoe-white dynamite-red barrel-azure wanted-yellow"
)
"""No pattern holds here: every object lies there once. Coins on places 0 to 2, bullets beyond."""
HANDS = "star-red pistol-azure bottle-yellow barrel-grey"


def card(name: str) -> int:
    return CARD_NAMES.index(name)


def cards(names: str) -> bytes:
    return bytes(map(card, names.split()))


def pattern(text: str) -> Pattern:
    """ "before star coin" → before every star a coin."""
    direction, anchor, partner = text.split()
    return Pattern(Direction(direction), FEATURE_NAMES.index(anchor), FEATURE_NAMES.index(partner))


def stage(
    hands: str = HANDS,
    wheel: str = QUIET,
    *,
    seats: int = 2,
    options: Options | None = None,
    top: str = "",
) -> State:
    """A first turn with this Wheel and these cards in the hands, nobody ready; `top` lies on the
    deck, and under it all the others, the Challenge cards last."""
    state = setup(options or Options(), seats, SEED)
    state.wheel, state.out = cards(wheel), b""
    state.hand = list(cards(hands))[:seats]
    first = cards(top)
    laid = {*state.wheel, *state.hand, *first}
    state.deck = first + bytes(other for other in CARDS if other not in laid)
    return state


def racing(
    hands: str = HANDS,
    wheel: str = QUIET,
    *,
    at_ms: int = 0,
    lags: tuple[int, ...] = (),
    **more: Any,
) -> State:
    """The same, and all have seen their cards."""
    state = stage(hands, wheel, **more)
    everybody_is_ready(state, at_ms, lags)
    return state


def hold(state: State, seat: int, names: str) -> None:
    """These cards lie before the seat, and nowhere else."""
    for other in cards(names):
        state.deck = state.deck.replace(bytes((other,)), b"")
        pile = state.won if other <= card("wanted-white") else state.challenges
        pile[seat] += bytes((other,))


def everybody_is_ready(state: State, at_ms: int = 0, lags: tuple[int, ...] = ()) -> Told:
    told: Told = []
    for seat in state.in_match():
        told += do(state, seat, Ready(), at_ms, lags)
    return told


def do(state: State, seat: int, action: Action, at_ms: int = 0, lags: tuple[int, ...] = ()) -> Told:
    """What is due before happens, then the seat acts; asserts that it may."""
    wait_until(state, at_ms - 1)
    assert refuse(state, Seat(seat), action) is None
    return apply(state, Seat(seat), action, Moment(at_ms, lags))


def said(told: Told, kind: type | tuple[type, ...] = object) -> list[Event]:
    """The events of a kind, to any seat."""
    return [each.event for each in told if isinstance(each.event, kind)]


def why_not(state: State, seat: int, action: Action) -> Refusal | None:
    return refuse(state, Seat(seat), action)


def next_tick(state: State) -> Told:
    """What the clock does next."""
    due_ms = deadline(state)
    assert due_ms is not None
    return tick(state, due_ms)


def wait_until(state: State, now_ms: int) -> Told:
    """Everything that the clock does up to then."""
    told: Told = []
    while (due_ms := deadline(state)) is not None and due_ms <= now_ms:
        told += tick(state, due_ms)
    return told


def take(state: State, *places: int) -> None:
    """The seats that are to take cards take these, one after the other."""
    for place in places:
        assert state.phase is Phase.TAKE
        assert state.acting is not None
        do(state, state.acting, Take(place))


def every_card(state: State) -> bytes:
    """All cards, wherever they are, sorted; of a sound state each is there once."""
    piles: Iterable[Iterable[int]] = (
        *(state.wheel, state.deck, state.out, state.hand, (state.covered, state.clicked)),
        *(*state.won, *state.challenges),
    )
    return bytes(sorted(each for each in chain.from_iterable(piles) if each))
