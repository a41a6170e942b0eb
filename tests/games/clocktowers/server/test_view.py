"""Each field of a view, against the state it is built from."""

from random import Random

from protocol.games.clocktowers import Ladder, Options, Phase, Town
from server.games.clocktowers.legal import legal_actions
from server.games.clocktowers.rules import apply
from server.games.clocktowers.setup import setup
from server.games.clocktowers.view import view
from server.games.contract import BEGINNING
from tests.games.clocktowers.positions import (
    SEED,
    add_tower,
    card,
    cards,
    discard,
    do,
    draw,
    play,
    stage,
)


def test_the_seat_to_act_sees_its_hand_and_its_choices() -> None:
    state = stage("Rb 1- Km", "1- K-")
    mine = view(state, 0)
    assert (mine.seat, mine.turn, mine.phase) == (0, 0, Phase.PLAY)
    assert mine.hand == cards("1- Km Rb")
    assert [choice.action for choice in mine.legal] == list(legal_actions(state, 0))
    assert mine.hands == bytes((3, 3))


def test_another_seat_sees_its_own_and_no_choices() -> None:
    other = view(stage("Rb 1- Km"), 1)
    assert (other.hand, other.legal, other.turn) == (cards("1c 1m Km"), [], 0)


def test_a_spectator_sees_no_hand() -> None:
    state = stage("Rb 1- Km")
    do(state, discard("Rb"))
    watcher = view(state, None)
    assert (watcher.seat, watcher.hand, watcher.discards, watcher.legal) == (None, b"", b"", [])
    assert watcher.hands == bytes((2, 3))


def test_towns_and_ladder() -> None:
    state = stage("Rb", "1- K-", "2m")
    add_tower(state, 1, "2- K- Rg", worth=5)
    do(state, play("Rb", 0))
    seen = view(state, None)
    assert seen.towns == [
        Town([cards("1- K- Rb"), cards("2m")], bytes((5, 0))),
        Town([cards("2- K- Rg")], bytes((5,))),
    ]
    assert seen.points == bytes((5, 5))
    assert seen.ladder == [bytes((0b100, 0b110, 0b110, 0b110, 0b110))]


def test_an_own_ladder_has_a_row_for_each_seat() -> None:
    state = stage("Rb", "2- K-", options=Options(ladder=Ladder.OWN, first_heights=(2,)), seats=3)
    do(state, play("Rb", 0))
    first = bytes((0b100,) * 5)
    assert view(state, 1).ladder == [bytes((0b1000,)) + first[1:], first, first]


def test_discards_are_counted_for_all_and_named_for_their_owner() -> None:
    state = stage("Rb 1- Km")
    do(state, discard("1-"))
    do(state, draw("floor"))
    do(state, discard("1c"))
    for seat, own in ((0, cards("1-")), (1, cards("1c")), (None, b"")):
        seen = view(state, seat)
        assert (seen.thrown, seen.discards) == (bytes((1, 1)), own)
        assert (seen.shown, seen.removed) == ([], b"")


def test_an_empty_pile_has_no_top() -> None:
    state = stage("Rb 1- Km")
    state.left[1] = 0
    seen = view(state, None)
    floor, _, roof = (pile[0] for pile in state.deal.piles)
    assert (seen.piles, seen.left) == (bytes((floor, 0, roof)), bytes((19, 0, 17)))


def test_at_the_end_everything_is_shown() -> None:
    state = setup(Options(), 2, SEED)
    rng = Random(1)
    while state.turn < 2:
        actions = legal_actions(state, state.turn)
        apply(state, state.turn, actions[int(rng.random() * len(actions))], BEGINNING)
    for seat in (0, 1, None):
        seen = view(state, seat)
        assert (seen.turn, seen.phase, seen.legal) == (None, Phase.OVER, [])
        assert seen.shown == [bytes(some) for some in state.discards]
        assert seen.removed == b"".join(state.deal.removed)
        assert len(seen.removed) == 8
        everything = b"".join((*(b"".join(t.towers) for t in seen.towns), *seen.shown))
        assert len(everything) == 58


def test_a_view_does_not_change_with_its_state() -> None:
    state = stage("Rb 1- Km", "2-")
    before = view(state, 0)
    do(state, play("1-", 0))
    assert before.towns[0].towers == [cards("2-")]
    assert before.hand == bytes((card("1-"), card("Km"), card("Rb")))
