"""Every game in the registries keeps the laws."""

from collections.abc import Sequence
from copy import deepcopy
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from protocol.ids import Seat
from server.games.contract import BEGINNING
from server.games.registry import GAMES
from tests.laws.case import Case, Rules
from tests.laws.cases import CASES, TABLES_OF_ANY_SIZE, positions, seed, sent_so_far
from tests.laws.laws import frames, hides_what_is_hidden, pick, plain, sent_to, walk

every_game = pytest.mark.parametrize("game", list(GAMES))
every_table = pytest.mark.parametrize(("game", "seats", "options"), TABLES_OF_ANY_SIZE)


# What a seat may do -------------------------------------------------------------------------------


def refuses_what_is_not_legal(case: Case, rules: Rules, state: Any) -> None:
    """Over all well-typed actions: refused exactly when not legal; legal ones listed once."""
    for seat in range(case.seats_of(state)):
        legal = list(rules.legal_actions(state, seat))
        assert len(set(legal)) == len(legal), "an action is listed twice"
        allowed = {action for action in case.actions if rules.refuse(state, seat, action) is None}
        assert allowed == set(legal), f"seat {seat}: {allowed ^ set(legal)}"
        assert bool(legal) == (seat in rules.to_act(state))


@every_table
def test_refused_exactly_when_not_legal(game: str, seats: int, options: Any) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    for state, _, _ in positions(rules, case, options, seats, 1, every=39):
        refuses_what_is_not_legal(case, rules, state)


@every_table
def test_nothing_is_legal_after_the_end(game: str, seats: int, options: Any) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    state = rules.setup(options, seats, seed(2))
    for _ in walk(rules, state, Random(2), case.plies(seats)):
        assert rules.outcome(state) is None
    refuses_what_is_not_legal(case, rules, state)
    assert rules.outcome(state) is not None


@every_table
def test_only_a_race_has_deadlines(game: str, seats: int, options: Any) -> None:
    """Nobody asks a game in turns for them, so it must have none, and hold nothing back."""
    rules, case = GAMES[game].rules, CASES[game]
    for state, _, _ in positions(rules, case, options, seats, 4, every=5):
        assert rules.races or (rules.deadline(state) is None and not rules.delays(state))


# States -------------------------------------------------------------------------------------------


@every_table
def test_apply_is_deterministic_and_advance_does_the_same(
    game: str, seats: int, options: Any
) -> None:
    """The same action on the same state: the same events, the same state; and whether anybody is
    told of an action changes nothing in what it does."""
    rules, case = GAMES[game].rules, CASES[game]
    for state, seat, action in positions(rules, case, options, seats, 3):
        one, two, untold = (deepcopy(state) for _ in range(3))
        told = rules.apply(one, seat, action, BEGINNING)
        assert told == rules.apply(two, seat, action, BEGINNING)
        rules.advance(untold, seat, action, BEGINNING)
        assert plain(one) == plain(two) == plain(untold)


@every_table
def test_setup_is_deterministic(game: str, seats: int, options: Any) -> None:
    rules = GAMES[game].rules
    assert not any(rules.check_options(options, few) for few in rules.seats if 1 < few < seats)
    deals = [plain(rules.setup(options, seats, seed(number))) for number in (4, 4, 5)]
    assert deals[0] == deals[1] != deals[2]


@every_table
def test_copy_is_independent(game: str, seats: int, options: Any) -> None:
    """Playing a copy on changes nothing in the original, nor in another copy."""
    rules, case = GAMES[game].rules, CASES[game]
    for state, _, _ in positions(rules, case, options, seats, 6, every=79):
        before = deepcopy(plain(state))
        kept, mover = rules.copy(state), rules.copy(state)
        for _ in walk(rules, mover, Random(6), case.plies(seats)):
            pass
        assert plain(state) == before == plain(kept)


# Views --------------------------------------------------------------------------------------------


@every_table
def test_hidden_information(game: str, seats: int, options: Any) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    for state, _, _ in positions(rules, case, options, seats, 7, every=79):
        hides_what_is_hidden(case, rules, state, Random(7))


@every_table
def test_a_seats_view_is_the_public_one_with_its_own_fields(
    game: str, seats: int, options: Any
) -> None:
    """What is not of a seat's own fields is made without knowing for whom."""
    rules, case = GAMES[game].rules, CASES[game]
    for state, _seat, _action in positions(rules, case, options, seats, 3):
        public, names = rules.view(state, None), set(rules.own(state, Seat(0)))
        for seat in map(Seat, range(seats)):
            own = rules.own(state, seat)
            assert set(own) == names
            assert rules.view(state, seat) == replace(public, **own)


def choices_tell_the_truth(case: Case, rules: Rules, state: Any) -> None:
    """A view lists all legal actions with what each does, or none; looking changes nothing."""
    seat = rules.to_act(state)[0]
    before = deepcopy(plain(state))
    view = rules.view(state, seat)
    assert plain(state) == before
    assert hasattr(view, "legal") is rules.lists_legal is (case.check_choice is not None)
    if case.check_choice is None:
        return
    assert [choice.action for choice in view.legal] == list(rules.legal_actions(state, seat))
    for choice in view.legal:
        after = deepcopy(state)
        rules.apply(after, seat, choice.action, BEGINNING)
        case.check_choice(choice, seat, view, rules.view(after, seat))


@every_table
def test_listed_choices(game: str, seats: int, options: Any) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    for state, _, _ in positions(rules, case, options, seats, 8, every=26):
        choices_tell_the_truth(case, rules, state)


SENT = {
    "clocktowers": "8bc7f008e56b8bbf8d66bb32e19556fbe2389d07b288fc74160ce9d9828bf7f9",
    "architetti_attenti": "24569df73f010a4c2e7df213a78806a7232e04afee4ec0983d664db35068faf5",
    "wild_wild_pattern": "4bfc87149f27868aa1e50da9c04e4e1107561fb5ba49adfe7b80f484354dbb13",
}
"""SHA-256 of all that two seats and a watcher are sent in a match."""


@pytest.mark.parametrize("game", SENT)
def test_what_everybody_is_sent_in_a_whole_match_is_what_it_was(game: str) -> None:
    """Every view, and every event to those whom it is for. If the change is meant, read it in the
    frames of `tests/protocol/goldens` and in PROTOCOL.md."""
    rules: Rules = GAMES[game].rules
    rng, sent = Random(1), sha256()
    state = rules.setup(CASES[game].options[0], 2, seed(1))
    told = rules.opening(state)
    while rules.outcome(state) is None:
        for seat in (Seat(0), Seat(1), None):
            sent.update(frames(rules.view(state, seat), sent_to(seat, told)))
        if acting := rules.to_act(state):
            seat = pick(acting, rng)
            action = pick(rules.legal_actions(state, seat), rng)
            told = rules.apply(state, seat, action, BEGINNING)
        else:
            told = rules.tick(state, rules.deadline(state))
    sent.update(frames(rules.view(state, None), sent_to(None, told)))
    assert sent.hexdigest() == SENT[game]


# Taking back --------------------------------------------------------------------------------------


def revocable_is_what_showed_nothing(
    case: Case, rules: Rules, state: Any, seat: int, action: Any, rng: Random
) -> None:
    """A seat may take back only its own action, and only an action that taught it nothing: whatever
    lies hidden, it would have been sent the same. Nothing is revocable when the match is over."""
    sent = []
    for hidden in (state, case.disguise(state, seat, rng, 1)):
        after = deepcopy(hidden)
        events = sent_to(seat, rules.apply(after, seat, action, BEGINNING))
        owner = rules.revocable(after)
        if rules.outcome(after) is not None:
            assert owner is None, "the match is over"
        if owner is None:
            return
        assert owner == seat, f"{action} is seat {seat}'s, not seat {owner}'s"
        sent.append(frames(rules.view(after, seat), events))
    assert sent[0] == sent[1], f"{action} has shown something"


@every_table
def test_revocable(game: str, seats: int, options: Any) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    for state, seat, action in positions(rules, case, options, seats, 15, every=3):
        revocable_is_what_showed_nothing(case, rules, state, seat, action, Random(15))
    assert rules.revocable(rules.setup(options, seats, seed(15))) is None


@pytest.mark.parametrize(
    "game", [game for game in GAMES if hasattr(CASES[game].options[0], "take_back")]
)
def test_a_table_may_do_without_taking_back(game: str) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    usual = case.options[0]
    without = replace(usual, take_back=type(usual.take_back)("off"))
    found = {}
    for options in (usual, without):
        walked = positions(rules, case, options, 2, 1, every=1)
        found[options] = {rules.revocable(state) for state, _, _ in walked}
    assert found == {usual: {None, 0, 1}, without: {None}}


# Imagining ----------------------------------------------------------------------------------------


def imagines_what_fits(
    case: Case, rules: Rules, state: Any, sent: Sequence[Sequence[Any]], rng: Random
) -> None:
    """For each seat: a determinized state looks the same from there and can be played to the end.

    `sent` are the events by seat, from the opening on.
    """
    for seat, events in enumerate(sent):
        view = rules.view(state, seat)
        imagined = rules.determinize(view, events, rng)
        assert frames(rules.view(imagined, seat), ()) == frames(view, ())
        assert rules.revocable(imagined) == rules.revocable(state)
        for other in range(len(sent)):
            assert case.public(rules.view(imagined, other)) == case.public(view)
        for mover, action in walk(rules, imagined, rng, case.plies(len(sent))):
            assert rules.refuse(imagined, mover, action) is None
        assert rules.outcome(imagined) is not None


@pytest.mark.parametrize(
    ("game", "seats", "options", "stop"),
    [
        pytest.param(*table.values, stop, id=f"{table.id}-{stop}")
        for number, table in enumerate(TABLES_OF_ANY_SIZE)
        for stop in ((0, 95) if number % 2 else (30, 200))
    ],
)
def test_determinize(game: str, seats: int, options: Any, stop: int) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    state, sent = sent_so_far(rules, case, options, seats, 9, stop)
    imagines_what_fits(case, rules, state, sent, Random(9))


@every_game
def test_the_same_numbers_imagine_the_same_and_others_something_else(game: str) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    state, sent = sent_so_far(rules, case, case.options[0], 2, 9, 30)
    one, again, other = (
        plain(rules.determinize(rules.view(state, Seat(0)), sent[0], Random(number)))
        for number in (1, 1, 2)
    )
    assert one == again != other


@every_game
@settings(max_examples=settings().max_examples * 2 // 5)
@given(number=st.integers(0, 2**64), table=st.integers(0, 100), stop=st.integers(0, 110))
def test_laws_at_any_position(game: str, number: int, table: int, stop: int) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    seats = rules.seats[table % len(rules.seats)]
    options = case.options[table % len(case.options)]
    state, sent = sent_so_far(rules, case, options, seats, number, stop)
    rng = Random(number)
    refuses_what_is_not_legal(case, rules, state)
    imagines_what_fits(case, rules, state, sent, rng)
    if rules.to_act(state):
        hides_what_is_hidden(case, rules, state, rng)
        choices_tell_the_truth(case, rules, state)


# Hints --------------------------------------------------------------------------------------------


@every_game
def test_what_lies_hidden_changes_no_hint(game: str) -> None:
    """The seat to act gets the same one if all that it cannot see is otherwise."""
    rules, case = GAMES[game].rules, CASES[game]
    options = next(one for one in case.options if GAMES[game].fair_hints(one))
    compared = 0
    for stop in range(3, 60, 7):
        state, sent = sent_so_far(rules, case, options, 2, stop, stop)
        for seat in rules.to_act(state)[:1]:
            twin = case.disguise(state, seat, Random(stop), 1)
            views = (rules.view(one, Seat(seat)) for one in (state, twin))
            hint, other = (GAMES[game].hint(view, sent[seat], Random(1)) for view in views)
            assert hint == other
            compared += 1
    assert compared > 5
