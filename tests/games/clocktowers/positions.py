"""Positions set up by card codes, for tests of single rules."""

from protocol.games.clocktowers import CODES, STOREYS, Action, Discard, Draw, Options, Play
from server.games.clocktowers.rules import apply, refuse
from server.games.clocktowers.state import State, setup
from server.games.contract import BEGINNING

SEED = bytes(range(32))
PILE = {"floor": 0, "clock": 1, "roof": 2}


def card(code: str) -> int:
    return CODES.index(code)


def cards(codes: str) -> bytes:
    """ "1- K- Rb" → bytes."""
    return bytes(map(card, codes.split()))


def stage(
    hand: str, *towers: str, options: Options | None = None, seats: int = 2, seat: int = 0
) -> State:
    """A fresh deal in which it is `seat`'s turn with this hand and these incomplete towers."""
    state = setup(options or Options(first_seat=seat), seats, SEED)
    state.turn = seat
    state.phase = 0
    state.hands[seat] = sorted(cards(hand))
    for tower in towers:
        add_tower(state, seat, tower)
    return state


def add_tower(state: State, seat: int, tower: str, worth: int = 0) -> None:
    """`worth` > 0: a complete one, already scored."""
    built = cards(tower)
    index = len(state.towers[seat])
    state.towers[seat].append(built)
    state.heights[seat].append(sum(STOREYS[one] for one in built))
    state.worth[seat] += bytes((worth,))
    state.points[seat] += worth
    if worth:
        return
    (state.clocked if "K" in tower else state.bare)[seat].append(index)


def play(code: str, tower: int | None = None) -> Action:
    return Play(card(code), tower)


def discard(code: str) -> Action:
    return Discard(card(code))


def draw(pile: str) -> Action:
    return Draw(PILE[pile])


def do(state: State, action: Action) -> list[object]:
    """Apply for the seat to act, which must be allowed; the events without addresses."""
    seat = state.turn
    assert refuse(state, seat, action) is None
    return [addressed.event for addressed in apply(state, seat, action, BEGINNING)]
