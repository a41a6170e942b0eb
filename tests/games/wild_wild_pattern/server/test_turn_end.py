"""What everybody is told of a declaration and of a Challenge card (rules: A turn, 3 and 6).

Who gets which cards, what a Challenge card can do and how a turn ends is compared with the oracle.
"""

import pytest

from protocol.games.wild_wild_pattern import (
    Click,
    Declare,
    Declared,
    Options,
    Pass,
    Phase,
    PlayedInPair,
    Shoot,
    Use,
    Used,
    WentOut,
)
from protocol.games.wild_wild_pattern.cards import CARDS, CHALLENGE_NAMES, Challenge
from protocol.games.wild_wild_pattern.pattern import Fault
from server.games.wild_wild_pattern.state import State
from tests.games.wild_wild_pattern.positions import (
    QUIET,
    cards,
    do,
    every_card,
    hold,
    pattern,
    racing,
    said,
    take,
)

# A declaration -----------------------------------------------------------------------------------


LOOTS = "loot-red wanted-azure loot-grey barrel-red loot-yellow star-grey dynamite-red"
"""Seven cards. Before the second loot lies an azure card, but none before the third."""

TWICE = LOOTS.replace("loot-yellow", "bottle-grey")
FREE = Options(played_in_pair=PlayedInPair.FREE)


@pytest.mark.parametrize(
    ("played", "wheel", "place", "options", "anchors", "fault"),
    [
        ("pistol-azure", f"bottle-red {TWICE}", 0, Options(), 2, None),
        ("horseshoe-azure", f"pistol-azure {TWICE}", 0, Options(), 0, Fault.OLD),
        ("star-red", f"pistol-azure {LOOTS}", 5, Options(), 0, Fault.APART),
        ("star-red", f"pistol-azure {LOOTS}", 5, FREE, 2, None),
        ("pistol-grey", QUIET, 4, Options(), 0, Fault.UNTRUE),
    ],
)
def test_what_is_said_of_a_declaration(
    played: str, wheel: str, place: int, options: Options, anchors: int, fault: Fault | None
) -> None:
    state = racing(f"{played} dynamite-yellow", wheel, options=options)
    do(state, 0, Shoot(place))
    [event] = said(do(state, 0, Declare(pattern("before loot azure"))), Declared)
    assert isinstance(event, Declared)
    assert (event.anchors, event.fault) == (anchors, fault)
    assert (state.winner == 0) is (fault is None)
    assert every_card(state) == CARDS


# Challenge cards ---------------------------------------------------------------------------------


def winning(own: str, theirs: str) -> State:
    """Seat 0 has won a turn by a Click! that nobody answered, and the card on place 7 with it; it
    may use a Challenge card, if one can be used. Seat 1 has `theirs`."""
    state = racing()
    hold(state, 0, own)
    hold(state, 1, theirs)
    before = every_card(state)
    do(state, 0, Click())
    do(state, 1, Pass())
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
    first = Used(0, use.challenge, use.wanted, use.given, **used)
    assert said(told) == [first, *map(WentOut, [*gone, use.challenge])]
    assert {each.to for each in told} == {None}
    assert state.money[0] == used.get("cents", 0)
    assert every_card(state) == CARDS
