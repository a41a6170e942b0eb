"""Imagined states: what is known stays, what is hidden varies, nothing is asked of a spectator.

That an imagined state looks the same and can be played is a law (`tests/laws/test_laws.py`).
"""

from collections import Counter
from random import Random
from typing import Any

import pytest

from protocol.games.clocktowers import COPIES, ClockMice, Ladder, OpenMemory, Options, TurnOrder
from server.games.clocktowers.determinize import determinize
from server.games.clocktowers.legal import legal_actions
from server.games.clocktowers.rules import apply
from server.games.clocktowers.setup import opening, setup
from server.games.clocktowers.state import State
from server.games.clocktowers.view import view
from server.games.contract import BEGINNING
from tests.games.clocktowers.positions import SEED


def played(options: Options, seats: int, plies: int) -> tuple[State, list[list[Any]]]:
    """A state after some random plies, and the events by seat."""
    rng = Random(plies)
    state = setup(options, seats, SEED)
    sent: list[list[Any]] = [[opening(state)[0].event] for _ in range(seats)]
    for _ in range(plies):
        actions = legal_actions(state, state.turn)
        for told in apply(state, state.turn, actions[int(rng.random() * len(actions))], BEGINNING):
            for seat in range(seats) if told.to is None else (told.to,):
                sent[seat].append(told.event)
    return state, sent


@pytest.mark.parametrize("plies", [0, 20, 60, 100])
def test_the_box_stays_complete(plies: int) -> None:
    state, sent = played(Options(), 3, plies)
    imagined = determinize(view(state, 1), sent[1], Random(1))
    content = [*imagined.deal.removed, *map(bytes, imagined.hands), *map(bytes, imagined.discards)]
    content += [tower for towers in imagined.towers for tower in towers]
    content += [
        pile[len(pile) - left :] for pile, left in zip(imagined.piles, imagined.left, strict=True)
    ]
    assert Counter(b"".join(content)) == {n: copies for n, copies in enumerate(COPIES) if copies}


def test_the_options_come_with_the_deal() -> None:
    options = Options(
        first_heights=(2,),
        turn_order=TurnOrder.DRAW_PLAY,
        ladder=Ladder.OWN,
        clock_mice=ClockMice.IGNORE,
        open_memory=OpenMemory.ON,
        first_seat=1,
    )
    state, sent = played(options, 2, 30)
    imagined = determinize(view(state, 0), sent[0], Random(1))
    assert imagined.options == options
    assert imagined.memory == state.memory
    assert imagined.deal.first_seat == 1


def test_what_is_hidden_varies() -> None:
    state, sent = played(Options(), 2, 50)
    seen = view(state, 0)
    imagined = [determinize(seen, sent[0], Random(number)) for number in range(30)]
    assert len({tuple(one.hands[1]) for one in imagined}) > 1
    assert len({one.deal.removed for one in imagined}) > 20
    assert len({one.piles for one in imagined}) > 20
    assert {tuple(one.hands[0]) for one in imagined} == {tuple(state.hands[0])}
    assert {tuple(one.discards[0]) for one in imagined} == {tuple(state.discards[0])}


def test_a_known_hand_is_taken_over() -> None:
    """Before anybody has discarded every hand is known."""
    state, sent = played(Options(), 2, 0)
    imagined = determinize(view(state, 0), sent[0], Random(1))
    assert imagined.hands == state.hands


def test_the_same_numbers_imagine_the_same() -> None:
    state, sent = played(Options(), 2, 40)
    one, two = (determinize(view(state, 1), sent[1], Random(7)) for _ in range(2))
    assert (one.hands, one.piles, one.deal) == (two.hands, two.piles, two.deal)


def test_a_spectator_cannot() -> None:
    state, sent = played(Options(), 2, 10)
    with pytest.raises(ValueError, match="spectator"):
        determinize(view(state, None), sent[0], Random(1))


def test_events_must_begin_with_the_deal() -> None:
    state, sent = played(Options(), 2, 10)
    with pytest.raises(ValueError, match="deal"):
        determinize(view(state, 0), sent[0][1:], Random(1))
