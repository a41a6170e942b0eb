"""What a bot imagines fits what its seat was sent, and knows no more."""

from collections.abc import Iterator
from random import Random

from protocol.games.wild_wild_pattern import Mode, Options, Phase, Shoot
from protocol.games.wild_wild_pattern.cards import CARDS, is_pattern
from protocol.ids import Seat
from server.games.contract import BEGINNING, Moment
from server.games.wild_wild_pattern.determinize import determinize
from server.games.wild_wild_pattern.legal import legal_actions, to_act
from server.games.wild_wild_pattern.rules import apply, deadline, tick
from server.games.wild_wild_pattern.scoring import outcome
from server.games.wild_wild_pattern.setup import setup
from server.games.wild_wild_pattern.state import State
from server.games.wild_wild_pattern.view import view
from tests.games.wild_wild_pattern.positions import (
    card,
    every_card,
    everybody_is_ready,
    racing,
    stage,
)


def positions(number: int, seats: int) -> Iterator[State]:
    """All of a match played at random."""
    rng, state = Random(number), setup(Options(mode=Mode.VIVO), seats, number.to_bytes(32, "big"))
    while outcome(state) is None:
        yield state
        if not (acting := to_act(state)):
            tick(state, deadline(state) or 0)
            continue
        seat = rng.choice(list(acting))
        actions = list(legal_actions(state, seat))
        kind = rng.choice(
            sorted({type(action).__name__ for action in actions})
        )  # or few would pass
        chosen = rng.choice([each for each in actions if type(each).__name__ == kind])
        apply(state, seat, chosen, BEGINNING)


def test_it_has_every_card_once_and_the_same_choices() -> None:
    phases: set[Phase] = set()
    for number in range(6):
        for state in positions(number, 2 + number % 3):
            phases.add(state.phase)
            for seat in range(state.seats):
                imagined = determinize(view(state, seat), (), Random(1))
                assert every_card(imagined) == CARDS
                own = Seat(seat)
                assert list(legal_actions(imagined, own)) == list(legal_actions(state, own))
                assert list(to_act(imagined)) == list(to_act(state))
    assert phases == set(Phase) - {Phase.OVER}


def test_hands_and_deck_are_imagined() -> None:
    state = racing(seats=3)
    seen = view(state, 0)
    hands = {determinize(seen, (), Random(number)).hand[1] for number in range(60)}
    assert len(hands) > 20
    assert all(map(is_pattern, hands))
    assert {determinize(seen, (), Random(number)).hand[0] for number in range(9)} == {
        card("star-red")
    }
    assert len({determinize(seen, (), Random(number)).seed for number in range(9)}) == 9


def test_ones_own_card_is_imagined_too_before_it_is_seen() -> None:
    seen = view(stage(), 0)
    assert len({determinize(seen, (), Random(number)).hand[0] for number in range(60)}) > 20


def test_shots_of_others_are_not_imagined_and_lines_are_quick() -> None:
    state = racing(lags=(0, 120))
    apply(state, Seat(0), Shoot(3), Moment(5_000, (0, 120)))
    theirs = determinize(view(state, 1), (), Random(1))
    assert (theirs.tries, theirs.lags) == ((), (0, 0))
    own = determinize(view(state, 0), (), Random(1))
    assert [each.place for each in own.tries] == [3]


def test_who_waits_for_another_card_waits_in_the_imagination() -> None:
    state = stage("hands-up pistol-azure")
    everybody_is_ready(state)
    imagined = determinize(view(state, 1), (), Random(1))
    assert (imagined.hand[0], imagined.waits[1]) == (0, None)
    tick(imagined, deadline(imagined) or 0)
    assert imagined.hand[0] != 0 or imagined.waits[0] is not None
