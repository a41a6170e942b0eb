"""Every game in the registry keeps the laws; and each law catches rules made to break it."""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from protocol.games.clocktowers import OpenMemory, Options, YouDiscarded
from protocol.refusal import Refusal
from server.games.contract import BEGINNING, Addressed, Moment
from server.games.registry import GAMES
from tests.games.clocktowers.case import CASE as CLOCKTOWERS
from tests.laws.broken import Broken
from tests.laws.case import Case, Rules
from tests.laws.cases import CASES
from tests.laws.laws import (
    a_view_is_the_public_one_and_what_is_own,
    advance_does_what_apply_does,
    apply_is_deterministic,
    copy_is_independent,
    hides_what_is_hidden,
    imagines_what_fits,
    only_a_race_has_deadlines,
    pick,
    plain,
    previews_tell_the_truth,
    refuses_what_is_not_legal,
    revocable_is_what_showed_nothing,
    sent_to,
    walk,
)

TABLES = [
    pytest.param(game, seats, options, id=f"{game}-{seats}-{number}")
    for game, case in CASES.items()
    for seats in GAMES[game].rules.seats
    for number, options in enumerate(case.options)
    if GAMES[game].rules.check_options(options, seats) is None
]
every_table = pytest.mark.parametrize(("game", "seats", "options"), TABLES)

EVERY = 13
"""The laws look at every thirteenth position; over all tables that is each phase often."""


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def positions(
    rules: Rules, case: Case, options: Any, seats: int, number: int, every: int = EVERY
) -> Any:
    """(state, seat, action) now and then on a random walk."""
    rng = Random(number)
    state = rules.setup(options, seats, seed(number))
    for ply, (seat, action) in enumerate(walk(rules, state, rng, case.plies(seats))):
        if ply % every == number % every:
            yield state, seat, action


def test_every_game_has_the_levels_that_the_lobby_offers() -> None:
    for game in GAMES.values():
        assert {"random", "easy", "normal"} <= set(game.bots)


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
def test_apply_is_deterministic(game: str, seats: int, options: Any) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    for state, seat, action in positions(rules, case, options, seats, 3):
        apply_is_deterministic(rules, state, seat, action)


@every_table
def test_advance_does_what_apply_does(game: str, seats: int, options: Any) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    for state, seat, action in positions(rules, case, options, seats, 5):
        advance_does_what_apply_does(rules, state, seat, action)


@every_table
def test_only_a_race_has_deadlines(game: str, seats: int, options: Any) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    for state, _, _ in positions(rules, case, options, seats, 4, every=5):
        only_a_race_has_deadlines(rules, state)


@pytest.mark.parametrize("broken", [{"deadline": lambda state: 1}, {"holds": lambda state: (1, 0)}])
def test_a_game_in_turns_with_deadlines_is_caught(broken: dict[str, Callable[[Any], Any]]) -> None:
    rules = GAMES["clocktowers"].rules
    with pytest.raises(AssertionError):
        only_a_race_has_deadlines(Broken(rules, **broken), rules.setup(Options(), 2, seed(4)))


@every_table
def test_setup_is_deterministic(game: str, seats: int, options: Any) -> None:
    rules = GAMES[game].rules
    deals = [plain(rules.setup(options, seats, seed(number))) for number in (4, 4, 5)]
    assert deals[0] == deals[1] != deals[2]


@every_table
def test_copy_is_independent(game: str, seats: int, options: Any) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    for state, _, _ in positions(rules, case, options, seats, 6, every=79):
        copy_is_independent(rules, state, Random(6), case.plies(seats))


@every_table
def test_hidden_information(game: str, seats: int, options: Any) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    for state, _, _ in positions(rules, case, options, seats, 7, every=79):
        hides_what_is_hidden(case, rules, state, Random(7))


@every_table
def test_revocable(game: str, seats: int, options: Any) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    for state, seat, action in positions(rules, case, options, seats, 15, every=3):
        revocable_is_what_showed_nothing(case, rules, state, seat, action, Random(15))
    assert rules.revocable(rules.setup(options, seats, seed(15))) is None


@every_table
def test_previews(game: str, seats: int, options: Any) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    for state, _, _ in positions(rules, case, options, seats, 8, every=26):
        previews_tell_the_truth(case, rules, state)


def sent_so_far(
    rules: Rules, case: Case, options: Any, seats: int, number: int, stop: int
) -> tuple[Any, list[list[Any]]]:
    """A state `stop` plies into a match (or at its end), and all events by seat."""
    rng = Random(number)
    state = rules.setup(options, seats, seed(number))
    events = rules.opening(state)
    sent: list[list[Any]] = [sent_to(seat, events) for seat in range(seats)]
    for _ in range(min(stop, case.plies(seats))):
        if not (acting := rules.to_act(state)):
            break
        seat = acting[0]
        events = rules.apply(state, seat, pick(rules.legal_actions(state, seat), rng), BEGINNING)
        for receiver in range(seats):
            sent[receiver] += sent_to(receiver, events)
    return state, sent


@pytest.mark.parametrize(
    ("game", "seats", "options", "stop"),
    [
        pytest.param(*table.values, stop, id=f"{table.id}-{stop}")
        for number, table in enumerate(TABLES)
        for stop in ((0, 95) if number % 2 else (30, 200))
    ],
)
def test_determinize(game: str, seats: int, options: Any, stop: int) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    state, sent = sent_so_far(rules, case, options, seats, 9, stop)
    imagines_what_fits(case, rules, state, sent, Random(9), case.plies(seats))


@pytest.mark.parametrize("game", list(GAMES))
@settings(max_examples=settings().max_examples * 2 // 5)
@given(number=st.integers(0, 2**64), table=st.integers(0, 100), stop=st.integers(0, 110))
def test_laws_at_any_position(game: str, number: int, table: int, stop: int) -> None:
    rules, case = GAMES[game].rules, CASES[game]
    seats = rules.seats[table % len(rules.seats)]
    options = case.options[table % len(case.options)]
    state, sent = sent_so_far(rules, case, options, seats, number, stop)
    rng = Random(number)
    refuses_what_is_not_legal(case, rules, state)
    imagines_what_fits(case, rules, state, sent, rng, case.plies(seats))
    if rules.to_act(state):
        hides_what_is_hidden(case, rules, state, rng)
        previews_tell_the_truth(case, rules, state)


@pytest.mark.parametrize("game", list(GAMES))
def test_disguises_differ(game: str) -> None:
    """Otherwise the law about hidden information would compare each state with itself."""
    rules, case = GAMES[game].rules, CASES[game]
    for state, _, _ in positions(rules, case, case.options[0], rules.seats[0], 14):
        for seat in (0, None):
            assert plain(case.disguise(state, seat, Random(14), 1)) != plain(state)


# Controls: the real rules with one thing broken ---------------------------------------------------


REAL: Rules = GAMES["clocktowers"].rules
broken = partial(Broken, REAL)


def every_position(rules: Rules, options: Options, law: Callable[[Any, int, Any], None]) -> None:
    for state, seat, action in positions(REAL, CLOCKTOWERS, options, 2, 10, every=2):
        law(state, seat, action)


def caught(rules: Rules, law: Callable[[Any, int, Any], None], options: Options) -> bool:
    try:
        every_position(rules, options, law)
    except AssertionError:
        return True
    return False


def hidden_law(rules: Rules) -> Callable[[Any, int, Any], None]:
    return lambda state, seat, action: hides_what_is_hidden(CLOCKTOWERS, rules, state, Random(1))


def leaky_view(field: str, value: Callable[[Any], Any]) -> Rules:
    def view(state: Any, seat: int | None) -> Any:
        return msgspec.structs.replace(REAL.view(state, seat), **{field: value(state)})

    return broken(view=view)


def tells_everyone(state: Any, seat: int, action: Any, at: Moment) -> list[Addressed[Any]]:
    return [Addressed(None, told.event) for told in REAL.apply(state, seat, action, at)]


def tells_the_next(state: Any, seat: int, action: Any, at: Moment) -> list[Addressed[Any]]:
    events: Sequence[Addressed[Any]] = REAL.apply(state, seat, action, at)
    moved = (seat + 1) % state.seats
    return [
        Addressed(moved if isinstance(told.event, YouDiscarded) else told.to, told.event)
        for told in events
    ]


@pytest.mark.parametrize(
    "rules",
    [
        leaky_view("known", lambda state: [bytes(hand) for hand in state.hands]),
        leaky_view("shown", lambda state: [bytes(cards) for cards in state.discards]),
        leaky_view("removed", lambda state: state.deal.removed[0]),
        leaky_view("piles", lambda state: bytes(pile[-1] for pile in state.piles)),
        broken(apply=tells_everyone),
        broken(apply=tells_the_next),
    ],
    ids=["hands", "discards", "removed", "pile bottoms", "events to all", "events to the next"],
)
@pytest.mark.parametrize("options", [Options(), Options(open_memory=OpenMemory.ON)])
def test_a_leak_is_caught(rules: Rules, options: Options) -> None:
    assert caught(rules, hidden_law(rules), options)


@pytest.mark.parametrize("options", [Options(), Options(open_memory=OpenMemory.ON)])
def test_where_nothing_leaks_nothing_is_caught(options: Options) -> None:
    assert not caught(REAL, hidden_law(REAL), options)


@pytest.mark.parametrize("field", ["hands", "towers", "left", "ladder", "points", "discards"])
def test_a_sharing_copy_is_caught(field: str) -> None:
    def copy(state: Any) -> Any:
        twin = REAL.copy(state)
        setattr(twin, field, getattr(state, field))
        return twin

    rules = broken(copy=copy)
    state = REAL.setup(Options(), 2, seed(11))
    with pytest.raises(AssertionError, match="changed with its"):
        copy_is_independent(rules, state, Random(11), 110)


def lenient(state: Any, seat: int, action: Any) -> Refusal | None:
    refusal: Refusal | None = REAL.refuse(state, seat, action)
    return None if refusal is not None and refusal.code == "wrong_height" else refusal


def harsh(state: Any, seat: int, action: Any) -> Refusal | None:
    refusal: Refusal | None = REAL.refuse(state, seat, action)
    return refusal or (Refusal("never") if getattr(action, "tower", None) == 2 else None)


def repeats(state: Any, seat: int) -> list[Any]:
    return [*REAL.legal_actions(state, seat), *REAL.legal_actions(state, seat)[:1]]


@pytest.mark.parametrize(
    "rules",
    [broken(refuse=lenient), broken(refuse=harsh), broken(legal_actions=repeats)],
    ids=["lenient", "harsh", "repeats"],
)
def test_a_wrong_refusal_is_caught(rules: Rules) -> None:
    def law(state: Any, seat: int, action: Any) -> None:
        refuses_what_is_not_legal(CLOCKTOWERS, rules, state)

    assert caught(rules, law, Options())


def always_the_last(state: Any) -> int | None:
    real: int | None = REAL.revocable(state)
    drawn = state.phase == 0 and not state.draw_first
    return (state.turn - 1) % state.seats if real is None and drawn else real


def always_the_next(state: Any) -> int | None:
    real: int | None = REAL.revocable(state)
    return None if real is None else (real + 1) % state.seats


def also_at_the_end(state: Any) -> int | None:
    real: int | None = REAL.revocable(state)
    return real if REAL.outcome(state) is None else 0


@pytest.mark.parametrize("owner", [always_the_last, always_the_next, also_at_the_end])
def test_a_wrong_take_back_is_caught(owner: Callable[[Any], int | None]) -> None:
    def law(rules: Rules) -> Callable[[Any, int, Any], None]:
        return lambda state, seat, action: revocable_is_what_showed_nothing(
            CLOCKTOWERS, rules, state, seat, action, Random(1)
        )

    assert any_caught(law(broken(revocable=owner)))
    assert not any_caught(law(REAL))


def any_caught(law: Callable[[Any, int, Any], None]) -> bool:
    """Over all positions of a match, also the last one."""
    try:
        for state, seat, action in positions(REAL, CLOCKTOWERS, Options(), 2, 10, every=1):
            law(state, seat, action)
    except AssertionError:
        return True
    return False


def test_a_moody_apply_is_caught() -> None:
    calls = iter(range(10**6))

    def apply(state: Any, seat: int, action: Any, at: Moment) -> list[Addressed[Any]]:
        events: list[Addressed[Any]] = REAL.apply(state, seat, action, at)
        return events if next(calls) % 2 else events[:0]

    def law(state: Any, seat: int, action: Any) -> None:
        apply_is_deterministic(rules, state, seat, action)

    rules = broken(apply=apply)
    assert caught(rules, law, Options())


@every_table
def test_a_seats_view_is_the_public_one_with_its_own_fields(
    game: str, seats: int, options: Any
) -> None:
    rules = GAMES[game].rules
    for state, _seat, _action in positions(rules, CASES[game], options, seats, 3):
        a_view_is_the_public_one_and_what_is_own(rules, state, seats)


@pytest.mark.parametrize("forgotten", ["hand", "discards", "legal"])
def test_a_field_of_its_own_that_is_made_for_somebody_is_caught(forgotten: str) -> None:
    def own(state: Any, seat: int) -> dict[str, Any]:
        return {name: mine for name, mine in REAL.own(state, seat).items() if name != forgotten}

    rules = broken(own=own)
    assert caught(
        rules,
        lambda state, _seat, _action: a_view_is_the_public_one_and_what_is_own(rules, state, 2),
        Options(),
    )


def test_an_advance_that_forgets_is_caught() -> None:
    def advance(state: Any, seat: int, action: Any, at: Moment) -> None:
        known = state.known[:]
        REAL.advance(state, seat, action, at)
        state.known = known

    def law(state: Any, seat: int, action: Any) -> None:
        advance_does_what_apply_does(rules, state, seat, action)

    rules = broken(advance=advance)
    assert caught(rules, law, Options(open_memory=OpenMemory.ON))
    assert not caught(rules, law, Options()), "without marks there is nothing to forget"


def test_a_lying_preview_is_caught() -> None:
    def view(state: Any, seat: int | None) -> Any:
        seen = REAL.view(state, seat)
        lies = [msgspec.structs.replace(choice, points=0) for choice in seen.legal]
        return msgspec.structs.replace(seen, legal=lies)

    def preview(state: Any, seat: int, action: Any) -> Any:
        return msgspec.structs.replace(REAL.preview(state, seat, action), points=0)

    def law(state: Any, seat: int, action: Any) -> None:
        previews_tell_the_truth(CLOCKTOWERS, rules, state)

    rules = broken(view=view, preview=preview)
    assert caught(rules, law, Options())


def test_an_imagination_that_forgets_is_caught() -> None:
    def determinize(view: Any, events: Sequence[Any], rng: Random) -> Any:
        state = REAL.determinize(view, events, rng)
        state.discards[view.seat] = state.discards[view.seat][1:]
        return state

    state, sent = sent_so_far(REAL, CLOCKTOWERS, Options(), 2, 12, 50)
    assert min(len(discards) for discards in state.discards) > 0
    with pytest.raises(AssertionError):
        imagines_what_fits(
            CLOCKTOWERS, broken(determinize=determinize), state, sent, Random(12), 110
        )


def test_a_match_without_end_is_caught() -> None:
    rules = broken(apply=lambda state, seat, action, at: [])
    with pytest.raises(AssertionError, match="still running"):
        for _ in walk(rules, REAL.setup(Options(), 2, seed(13)), Random(13), 110):
            pass
