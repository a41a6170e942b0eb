"""Rounds, races and the ends of turns: who wins, who sees what when, what is told."""

import pytest

from protocol.games import Switch
from protocol.games.wild_wild_pattern import (
    Click,
    Clicked,
    DecidedBy,
    Declare,
    Declared,
    Drew,
    Found,
    Mode,
    Options,
    Pass,
    Phase,
    PlayedInPair,
    Ready,
    Replaced,
    Seen,
    Shoot,
    Shot,
    Use,
    Used,
    WentOut,
)
from protocol.games.wild_wild_pattern.cards import CARDS, CHALLENGE_NAMES, Challenge, Fault, Object
from server.games.contract import Addressed
from server.games.wild_wild_pattern.game import RULES
from server.games.wild_wild_pattern.race import to_act
from server.games.wild_wild_pattern.rules import deadline
from server.games.wild_wild_pattern.scoring import end_round
from server.games.wild_wild_pattern.state import State, check_options
from tests.games.wild_wild_pattern.positions import (
    QUIET,
    card,
    cards,
    do,
    every_card,
    everybody_is_ready,
    hold,
    next_tick,
    pattern,
    racing,
    said,
    stage,
    take,
    wait_until,
    why_not,
)

SIXTY = "bottle-red star-red pistol-red"  # one of a suit, and three of a colour
STRAIGHT = "star-red pistol-azure loot-yellow bottle-grey wanted-white"


def banking(money: list[int], *piles: str) -> State:
    """The round is over, with these cards won. What lies before nobody does not matter here."""
    state = stage(seats=len(money))
    state.money = money
    for seat, names in enumerate(piles):
        hold(state, seat, names)
    state.targets = bytes([Object.WANTED] * len(money))
    end_round(state, 0)
    return state


def result(state: State) -> tuple[tuple[int, ...], DecidedBy] | None:
    ended = state.result
    if ended is not None:
        assert (state.phase, deadline(state)) == (Phase.OVER, None)
    return None if ended is None else (ended.winners, ended.decided_by)


@pytest.mark.parametrize(
    ("money", "expected"),
    [
        ([240, 0], None),  # exactly three dollars are not above them
        ([241, 0], ((0,), DecidedBy.MONEY)),
        ([241, 400], ((1,), DecidedBy.MONEY)),
        ([300, 360], None),  # level: another round for all
        ([0, 0], None),
    ],
)
def test_the_richest_above_three_dollars_wins(
    money: list[int], expected: tuple[tuple[int, ...], DecidedBy] | None
) -> None:
    assert result(banking(money, SIXTY)) == expected


def test_two_wilds_share_the_win() -> None:
    other = "star-azure pistol-yellow loot-grey bottle-white wanted-red"
    assert result(banking([0, 0, 500], STRAIGHT, other)) == ((0, 1), DecidedBy.WILD)


PRACTICE = Options(practice=Switch.ON)


@pytest.mark.parametrize(
    ("options", "seats", "wrong"),
    [
        (Options(), 2, None),
        (Options(race_limit_s=0), 4, None),
        (Options(race_limit_s=30), 4, None),
        (Options(race_limit_s=29), 2, "race_limit_s"),
        (Options(), 1, "practice"),
        (PRACTICE, 1, None),
        (PRACTICE, 2, None),
        (PRACTICE, 3, "practice"),
        (Options(mode=Mode.VIVO, practice=Switch.ON), 1, "mode"),
        (Options(mode=Mode.VIVO), 1, "mode"),
        (Options(mode=Mode.VIVO, practice=Switch.ON), 2, None),
    ],
)
def test_options(options: Options, seats: int, wrong: str | None) -> None:
    assert check_options(options, seats) == wrong
    assert RULES.rematch_options(options, seats, bytes(32)) is options


# What all see at the same moment, however slow their lines are (rules: A turn, 1, 2; Over a
# network). Who was first is compared with the oracle.


# All see their cards -----------------------------------------------------------------------------


def test_all_see_their_own_card_at_the_same_moment() -> None:
    """After the last of them is ready; the slower the line, the sooner its copy leaves."""
    state = stage(seats=3)
    do(state, 2, Ready())
    do(state, 0, Ready())
    assert [RULES.view(state, seat).card for seat in range(3)] == [0, 0, 0]
    told = do(state, 1, Ready(), 700, (20, 100, 0))
    assert said(told, Seen)
    assert [(each.to, each.event.card) for each in told if isinstance(each.event, Drew)] == [
        (seat, card) for seat, card in enumerate(state.hand)
    ]
    assert [RULES.view(state, seat).card for seat in range(3)] == state.hand
    assert RULES.view(state, None).card == 0
    assert list(state.hold) == [80, 0, 100]
    assert state.due_ms == 700 + 100 + 60_000
    do(state, 0, Click(), 900)
    assert not any(state.hold)


# Challenge cards that are found ------------------------------------------------------------------


def test_a_challenge_lies_face_up_and_is_replaced_a_second_later() -> None:
    state = stage("hands-up pistol-azure", top="star-grey")
    told = everybody_is_ready(state, 500, (120, 0))
    assert list(state.hold) == [0, 120]
    assert Addressed(None, Found(0, card("hands-up"))) in told
    assert [each.to for each in told if isinstance(each.event, Drew)] == [1]
    assert state.challenges[0] == bytes([card("hands-up")])
    assert str(why_not(state, 0, Shoot(1)).code) == "no_card"  # type: ignore[union-attr]
    assert (RULES.view(state, 1).waiting, RULES.view(state, 1).in_hand) == (
        [True, False],
        [False, True],
    )
    assert deadline(state) == 1_500
    told = next_tick(state)
    assert [(each.to, each.event) for each in told] == [
        (None, Replaced(0)),
        (0, Drew(card("star-grey"))),
    ]
    assert not any(state.hold), "nobody else has to wait for it"
    do(state, 0, Shoot(3), 1_501)
    assert state.phase is Phase.DECLARE


# Click! ------------------------------------------------------------------------------------------


def test_all_see_the_clicked_card_at_the_same_moment_and_the_first_declares() -> None:
    """From then on they have ten seconds."""
    state = racing(seats=3, lags=(0, 120, 40))
    do(state, 0, Click(), 5_000)
    assert said(next_tick(state), Clicked) == [Clicked(0, card("star-red"))]
    assert list(state.hold) == [120, 0, 80]
    assert state.due_ms == 5_120 + 120 + 10_000
    assert deadline(state) == state.due_ms + 120
    assert (to_act(state), RULES.view(state, None).clicked) == ([1, 2], card("star-red"))
    do(state, 2, Shoot(1, clicked=True), 9_000)
    told = wait_until(state, 9_080)
    assert said(told, Shot) == [Shot(2, 1, card("star-red"), card("loot-azure"))]
    assert (state.acting, state.ended_by, state.clicked) == (2, 2, 0)
    assert deadline(state) == 9_080 + 15_000


# What everybody is told of a declaration and of a Challenge card (rules: A turn, 3 and 6).
#
# Who gets which cards, what a Challenge card can do and how a turn ends is compared with the
# oracle.


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
