"""Clocktowers for the laws."""

from itertools import product
from random import Random

from protocol.games import Switch, clocktowers as vocabulary
from protocol.games.clocktowers import CODES, Choice, Discard, Draw, Options, Play, View
from server.games.clocktowers.state import State, copy as copy_state
from tests.laws.case import Case


def clocktowers_plies(seats: int) -> int:
    """58 plays or discards and one draw for every card in the piles (rules: Setting up, 4)."""
    return 58 + {2: 52, 3: 49, 4: 46}[seats]


def disguise_clocktowers(state: State, seat: int | None, rng: Random, keep: int) -> State:
    """Shuffles the cards below the tops with the removed ones, and every other seat's hand with
    its discards."""
    twin = copy_state(state)
    floors, clocks, roofs = state.deal.piles
    floors_out, roofs_out = state.deal.removed
    floors, floors_out = _shuffled(floors, state.left[0], floors_out, rng, keep)
    clocks, _ = _shuffled(clocks, state.left[1], b"", rng, keep)
    roofs, roofs_out = _shuffled(roofs, state.left[2], roofs_out, rng, keep)
    twin.piles = (floors, clocks, roofs)
    twin.deal = type(state.deal)(
        seats=state.seats,
        first_seat=state.deal.first_seat,
        piles=twin.piles,
        removed=(floors_out, roofs_out),
    )
    for other in range(state.seats):
        if other != seat:
            cards = [*state.hands[other], *state.discards[other]]
            rng.shuffle(cards)
            size = len(state.hands[other])
            twin.hands[other] = sorted(cards[:size])
            twin.discards[other] = bytes(cards[size:])
    return twin


def _shuffled(
    pile: bytes, left: int, removed: bytes, rng: Random, keep: int
) -> tuple[bytes, bytes]:
    seen = len(pile) - left + min(keep, left)
    unseen = list(pile[seen:] + removed)
    rng.shuffle(unseen)
    hidden = len(pile) - seen
    return pile[:seen] + bytes(unseen[:hidden]), bytes(unseen[hidden:])


def check_choice(choice: Choice, seat: int, before: View, after: View) -> None:
    """Against the two views: the tower's height, the points gained, the colour's new step."""
    gained = after.points[seat] - before.points[seat]
    assert choice.points == gained
    action = choice.action
    if not isinstance(action, Play):
        assert (choice.height, choice.points, choice.next_height) == (0, 0, 0)
        return
    towers = after.towns[seat].towers
    tower = towers[-1 if action.tower is None else action.tower]
    assert tower[-1] == action.card
    assert choice.height == sum("12".find(CODES[card][0]) + 1 for card in tower)
    if CODES[action.card][0] == "R":
        row = after.ladder[seat % len(after.ladder)]
        assert row[action.card - vocabulary.FIRST_ROOF] == 1 << choice.next_height
        assert gained > 0
    else:
        assert choice.next_height == 0


CASE = Case(
    options=(
        Options(),
        Options(first_heights=(2,), ladder=vocabulary.Ladder.OWN, first_seat=1),
        Options(turn_order=vocabulary.TurnOrder.DRAW_PLAY, open_memory=Switch.ON),
        Options(
            turn_order=vocabulary.TurnOrder.DRAW_PLAY,
            ladder=vocabulary.Ladder.OWN,
            clock_mice=vocabulary.ClockMice.IGNORE,
        ),
        Options(clock_mice=vocabulary.ClockMice.IGNORE, open_memory=Switch.ON),
    ),
    actions=(
        *(Play(card, tower) for card, tower in product(range(1, 14), (None, *range(66)))),
        *(Discard(card) for card in range(1, 14)),
        *(Draw(pile) for pile in range(3)),
    ),
    plies=clocktowers_plies,
    disguise=disguise_clocktowers,
    looks_alike=lambda one, two: isinstance(one, Discard) and isinstance(two, Discard),
    check_choice=check_choice,
    public=lambda view: (view.turn, view.hands, view.piles, view.left, view.towns, view.ladder),
)
