"""What is told of Challenge cards that the winner of a turn uses or keeps (rules: A turn, 5).

What they can do and what comes of it is compared with the oracle.
"""

import pytest

from protocol.games.wild_wild_pattern import Click, Pass, Passed, Phase, Use, Used, WentOut
from protocol.games.wild_wild_pattern.cards import CARDS, Challenge
from server.games.wild_wild_pattern.names import CHALLENGE_NAMES
from server.games.wild_wild_pattern.rules import deadline
from server.games.wild_wild_pattern.state import State
from tests.games.wild_wild_pattern.positions import (
    cards,
    decline,
    do,
    every_card,
    hold,
    next_tick,
    racing,
    said,
    take,
)


def winning(own: str, theirs: str = "", *, seats: int = 2) -> State:
    """Seat 0 has won a turn by a Click! that nobody answered, and the card on place 7 with it; it
    may use a Challenge card, if one can be used. Seat 1 has `theirs`."""
    state = racing(seats=seats)
    hold(state, 0, own)
    hold(state, 1, theirs)
    before = every_card(state)
    do(state, 0, Click())
    for seat in range(1, seats):
        do(state, seat, Pass())
    take(state, 7)
    assert every_card(state) == before
    return state


RED_BOTTLE, GREY_STAR, AZURE_STAR = cards("bottle-red star-grey star-azure")
WHITE_STAR, RED_PISTOL = cards("star-white pistol-red")


@pytest.mark.parametrize(
    ("use", "used", "gone"),
    [
        (Use(Challenge.ONE_DOLLAR), {"cents": 100}, []),
        (Use(Challenge.TEN_CENTS), {"cents": 10}, []),
        (Use(Challenge.ONE_CARD, RED_PISTOL), {}, []),
        (Use(Challenge.ONE_CARD, RED_BOTTLE), {"victim": 1}, []),
        (Use(Challenge.ONE_CARD, Challenge.FIFTY_CENTS), {"victim": 1}, []),
        (Use(Challenge.PIANO_PLAYER, AZURE_STAR), {"victim": 1}, [AZURE_STAR]),
        (Use(Challenge.HANDS_UP, GREY_STAR), {"victim": 1}, [GREY_STAR]),
        (Use(Challenge.TRADE, Challenge.FIFTY_CENTS, WHITE_STAR), {"victim": 1}, []),
    ],
)
def test_everybody_is_told_what_a_challenge_card_did(
    use: Use, used: dict[str, int], gone: list[int]
) -> None:
    own = CHALLENGE_NAMES[Challenge(use.challenge)]
    state = winning(f"{own} star-white", "bottle-red star-azure star-grey 50-cents")
    assert (state.phase, state.acting) == (Phase.CHALLENGE, 0)
    told = do(state, 0, use)
    first = Used(0, use.challenge, use.wanted, use.given, **used)  # type: ignore[arg-type]
    assert said(told) == [first, *map(WentOut, [*gone, use.challenge])]
    assert {each.to for each in told} == {None}
    assert state.money[0] == used.get("cents", 0)
    assert every_card(state) == CARDS


def test_it_may_be_kept_and_is_kept_when_time_is_up() -> None:
    state = winning("1-dollar")
    assert said(decline(state), Passed) == [Passed(0)]
    assert state.challenges[0] == cards("1-dollar")
    state = winning("1-dollar")
    assert deadline(state) == 15_000
    next_tick(state)
    assert (state.phase, state.challenges[0]) == (Phase.LAY, cards("1-dollar"))
