"""The Challenge cards: a player finds them and gets other cards for them, owns them and uses them
(rules: Cards; A turn, 1 and 5).
"""

from collections.abc import Iterator
from operator import add

from protocol.games.wild_wild_pattern import (
    REPLACED_MS,
    Drew,
    Event,
    Found,
    Replaced,
    Use,
    Used,
    WentOut,
)
from protocol.games.wild_wild_pattern.cards import PAYS, SHOOTS_OFF, Challenge, in_reach, is_pattern
from server.games.wild_wild_pattern.state import State, Told, to_all, to_one


def see(state: State, seat: int, seen_ms: int) -> Told:
    """The seat sees its card at `seen_ms`. A Challenge card is laid face up, and is replaced in
    time for its owner to see the next card one second later, on a slow line as on a quick one."""
    card = state.hand[seat]
    if is_pattern(card):
        return to_one(seat, Drew(card))
    state.hand[seat] = 0
    give(state, seat, card)
    state.waits[seat] = seen_ms + REPLACED_MS - state.lags[seat]
    return to_all(Found(seat, card))


def replace(state: State, seat: int, now_ms: int) -> Told:
    """The seat gets another card for the Challenge card that it found, if the deck has one."""
    state.waits[seat] = None
    if not state.deck:
        return to_all(Replaced(seat, empty=True))
    state.hand[seat] = state.draw()
    return to_all(Replaced(seat)) + see(state, seat, now_ms + state.lags[seat])


def replace_at_once(state: State, now_ms: int) -> Told:
    """Every seat that still waits gets cards until it has a Pattern card, the lowest seat first:
    the laying begins (rules: A turn, 1)."""
    told: Told = []
    for seat in state.in_match():
        while state.waits[seat] is not None:
            told += replace(state, seat, now_ms)
    return told


# Used --------------------------------------------------------------------------------------------


def uses(state: State, seat: int) -> list[Use]:
    """Every use of every Challenge card that this seat owns, where the card can do what it says;
    by card, then by what is wanted, then by what is given."""
    return [use for card in sorted(state.challenges[seat]) for use in _uses(state, seat, card)]


def _uses(state: State, seat: int, card: int) -> Iterator[Use]:
    if card in PAYS:
        yield Use(card)
    face_up = [*map(add, state.won, state.challenges)]
    own = sorted(face_up[seat].replace(bytes((card,)), b""))
    given = own if card == Challenge.TRADE else (None,)
    for wanted in sorted(card for _owner, card in in_reach(card, seat, state.wheel, face_up)):
        yield from (Use(card, wanted, one) for one in given)


def use(state: State, seat: int, wish: Use) -> list[Event]:
    """What the card does; it has left the game after it."""
    remove(state, seat, wish.challenge)
    paid = PAYS.get(Challenge(wish.challenge), 0)
    state.money[seat] += paid
    victim = None if wish.wanted is None else _owner(state, wish.wanted)
    events: list[Event] = [
        Used(seat, wish.challenge, wish.wanted, wish.given, victim=victim, cents=paid)
    ]
    if wish.wanted is not None:
        events += _move(state, seat, wish.challenge, wish.wanted, victim)
    if wish.given is not None and victim is not None:
        remove(state, seat, wish.given)
        give(state, victim, wish.given)
    state.discard(wish.challenge)
    return [*events, WentOut(wish.challenge)]


def _move(state: State, seat: int, challenge: int, wanted: int, victim: int | None) -> list[Event]:
    if victim is None:
        state.put(state.wheel.index(wanted), 0)
    else:
        remove(state, victim, wanted)
    if challenge in SHOOTS_OFF:
        state.discard(wanted)
        return [WentOut(wanted)]
    give(state, seat, wanted)
    return []


def _owner(state: State, card: int) -> int | None:
    """The seat that has it face up, or None: it lies on the Wheel. There is only one of each
    card."""
    for seat in range(state.seats):
        if card in state.won[seat] or card in state.challenges[seat]:
            return seat
    return None


def give(state: State, seat: int, card: int) -> None:
    """A card is this seat's now, face up."""
    pile = state.won if is_pattern(card) else state.challenges
    pile[seat] += bytes((card,))


def remove(state: State, seat: int, card: int) -> None:
    """Undo `give`."""
    pile = state.won if is_pattern(card) else state.challenges
    pile[seat] = pile[seat].replace(bytes((card,)), b"")
