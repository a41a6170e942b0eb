"""Open memory: what everybody can know of a hand."""

from random import Random

from hypothesis import given, strategies as st

from protocol.games.clocktowers import OpenMemory, Options
from server.games.clocktowers.legal import legal_actions
from server.games.clocktowers.memory import (
    Hands,
    after_discard,
    after_draw,
    after_play,
    begin,
    certain,
)
from server.games.clocktowers.rules import apply
from server.games.clocktowers.setup import setup
from server.games.clocktowers.view import view
from server.games.contract import BEGINNING
from tests.games.clocktowers.positions import SEED, card, cards, codes


def known(hands: Hands) -> str:
    return codes(certain(hands))


def test_the_start_hand_and_draws_are_known() -> None:
    hands = begin()
    assert known(hands) == "1c 1m Km"
    hands = after_play(hands, card("1c"))
    assert known(after_draw(hands, card("2-"))) == "1m 2- Km"


def test_a_discard_makes_everything_doubtful() -> None:
    hands = after_discard(begin())
    assert sorted(hands) == sorted([cards("1c 1m"), cards("1c Km"), cards("1m Km")])
    assert known(hands) == ""
    assert known(after_draw(hands, card("Rb"))) == "Rb"


def test_a_later_play_can_make_certain_again() -> None:
    hands = after_play(after_play(begin(), card("Km")), card("1m"))
    hands = after_draw(after_draw(hands, card("1c")), card("2-"))
    assert known(hands) == "1c 1c 2-"
    hands = after_discard(hands)
    assert sorted(hands) == [cards("1c 1c"), cards("1c 2-")]
    assert known(hands) == "1c"
    # The floor that may have been thrown away is played: so the hand is known, card for card.
    assert list(after_play(hands, card("2-"))) == [cards("1c")]
    # Had it been the other, the doubt would remain.
    assert sorted(after_play(hands, card("1c"))) == [cards("1c"), cards("2-")]


def every_hand_that_fits(story: list[tuple[str, int]]) -> set[bytes]:
    """By trying every card at every discard, from the start: slow, and keeps no set in between."""

    def tell(hand: list[int], rest: list[tuple[str, int]]) -> set[bytes]:
        if not rest:
            return {bytes(sorted(hand))}
        (deed, seen), later = rest[0], rest[1:]
        if deed == "draw":
            return tell([*hand, seen], later)
        gone = [seen] if deed == "play" else hand
        found: set[bytes] = set()
        for one in gone:
            if one in hand:
                left = hand[:]
                left.remove(one)
                found |= tell(left, later)
        return found

    return tell(list(cards("1c 1m Km")), story)


@given(st.integers(0, 2**32), st.booleans(), st.integers(1, 9))
def test_the_set_of_hands_is_complete(number: int, draw_first: bool, turns: int) -> None:
    rng = Random(number)
    hand = list(cards("1c 1m Km"))
    story: list[tuple[str, int]] = []
    hands = begin()
    for _ in range(turns):
        drawn = rng.choice(cards("1c 2- Rb K-"))
        gone = rng.choice([*hand, drawn] if draw_first else hand)
        hidden = rng.random() < 0.6
        deeds = [("discard" if hidden else "play", 0 if hidden else gone), ("draw", drawn)]
        hand = [*hand, drawn]
        hand.remove(gone)
        for deed, seen in reversed(deeds) if draw_first else deeds:
            story.append((deed, seen))
            if deed == "draw":
                hands = after_draw(hands, seen)
            else:
                hands = after_discard(hands) if deed == "discard" else after_play(hands, seen)
    assert set(hands) == every_hand_that_fits(story)
    assert bytes(sorted(hand)) in hands


def test_one_of_two_equal_cards_is_marked_once() -> None:
    hands = after_draw(after_draw(begin(), card("Rb")), card("Rb"))
    assert known(hands) == "1c 1m Km Rb Rb"
    assert known(after_discard(hands)) == "Rb"


def test_the_discards_kept_beside_a_hand_lead_to_it() -> None:
    hands = after_discard(after_draw(after_discard(begin()), card("2c")))
    for hand, gone in hands.items():
        assert sorted(hand + gone) == sorted(cards("1c 1m Km 2c"))


@given(st.integers(0, 2**32), st.sampled_from([2, 3, 4]))
def test_what_is_certain_is_true_and_all_that_is_certain(number: int, seats: int) -> None:
    """On random matches: marks are in the real hand, and the set of hands stays small."""
    rng = Random(number)
    state = setup(Options(open_memory=OpenMemory.ON), seats, number.to_bytes(32, "big"))
    while state.turn < seats:
        actions = legal_actions(state, state.turn)
        apply(state, state.turn, actions[int(rng.random() * len(actions))], BEGINNING)
        assert state.memory is not None
        for seat, hand in enumerate(state.hands):
            hands = state.memory[seat]
            assert bytes(hand) in hands
            assert len(hands) <= 200
            for mark in range(1, 14):
                fewest = min(possible.count(mark) for possible in hands)
                assert view(state, None).known[seat].count(mark) == fewest


def test_without_the_option_nothing_is_kept_or_sent() -> None:
    state = setup(Options(), 2, SEED)
    assert state.memory is None
    assert view(state, 0).known == []
