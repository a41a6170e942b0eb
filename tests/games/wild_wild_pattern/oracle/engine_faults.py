"""Ways to play a race wrongly, each planted in the engine; the oracle of records notices."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import pytest

from protocol.games.wild_wild_pattern.bank import lines
from protocol.games.wild_wild_pattern.cards import Challenge, Suit, colour_of
from protocol.games.wild_wild_pattern.deal import round_deal
from server.games.wild_wild_pattern import (
    challenges,
    legal,
    race,
    rewards,
    scoring,
    setup,
    turn_end,
)
from server.games.wild_wild_pattern.state import State

Patch: TypeAlias = pytest.MonkeyPatch
Fault: TypeAlias = Callable[[Patch], None]


def number(module: Any, name: str, value: int) -> Fault:
    """Another number in the place of one of the game's."""

    def fault(patch: Patch) -> None:
        patch.setattr(module, name, value)

    fault.__name__ = f"{name.lower()}_{value}"
    return fault


# The race ----------------------------------------------------------------------------------------


def arrival_alone_counts(patch: Patch) -> None:
    real = race.attempt
    patch.setattr(race, "attempt", lambda state, *rest: _without_lags(state, real, *rest))


def _without_lags(state: State, real: Any, *rest: Any) -> Any:
    kept, state.lags = state.lags, (0,) * state.seats
    told = real(state, *rest)
    state.lags = kept
    return told


def the_first_to_arrive_wins(patch: Patch) -> None:
    """Nobody waits for a slower line."""
    patch.setattr(race, "decision_ms", lambda state: state.tries[0].at_ms if state.tries else None)


def late_shots_count(patch: Patch) -> None:
    patch.setattr(race, "first_try", lambda state: state.tries[0] if state.tries else None)


def nobody_is_waited_for_at_the_limit(patch: Patch) -> None:
    real = race.decision_ms

    def decision_ms(state: State) -> int | None:
        return real(state) if race.first_try(state) is not None else state.due_ms

    patch.setattr(race, "decision_ms", decision_ms)


def lags_may_jump(patch: Patch) -> None:
    patch.setattr(race, "MAX_RISE_MS", 150)


def lags_are_made_good_where_they_shall_not(patch: Patch) -> None:
    patch.setattr(race, "Lag", type("Lag", (), {"OFF": None}))


def the_slowest_line_is_not_waited_for(patch: Patch) -> None:
    patch.setattr(race, "_show_at_once", lambda state, now_ms: now_ms)


def the_last_lags_are_forgotten(patch: Patch) -> None:
    def look(state: State, now_ms: int) -> Any:
        state.measured = (0,) * state.seats
        return real(state, now_ms)

    real = race.look
    patch.setattr(race, "look", look)


def only_one_challenge_is_replaced(patch: Patch) -> None:
    def replace(state: State, seat: int, now_ms: int) -> Any:
        told = real(state, seat, now_ms)
        state.waits[seat] = None
        return told

    real = challenges.replace
    patch.setattr(race, "replace", replace)


def who_waits_has_nothing_to_lay(patch: Patch) -> None:
    """The rule of version 1: a seat that still waits when the laying begins gets no card."""

    def replace_at_once(state: State, now_ms: int) -> Any:
        state.waits = [None] * state.seats
        return []

    patch.setattr(turn_end, "replace_at_once", replace_at_once)


def a_second_challenge_is_not_replaced_at_the_laying(patch: Patch) -> None:
    def replace_at_once(state: State, now_ms: int) -> Any:
        waiting = [seat for seat in state.in_match() if state.waits[seat] is not None]
        told = [each for seat in waiting for each in challenges.replace(state, seat, now_ms)]
        state.waits = [None] * state.seats
        return told

    patch.setattr(turn_end, "replace_at_once", replace_at_once)


def the_highest_seat_is_replaced_first(patch: Patch) -> None:
    def replace_at_once(state: State, now_ms: int) -> Any:
        told = []
        for seat in reversed(state.in_match()):
            while state.waits[seat] is not None:
                told += challenges.replace(state, seat, now_ms)
        return told

    patch.setattr(turn_end, "replace_at_once", replace_at_once)


# Cards -------------------------------------------------------------------------------------------


def clockwise(patch: Patch) -> None:
    real = State.from_the_right_of
    patch.setattr(State, "from_the_right_of", lambda state, seat: real(state, seat)[::-1])


def gaps_may_stay(patch: Patch) -> None:
    def places(state: State, card: int) -> list[int]:
        same = [at for at, other in enumerate(state.wheel) if other and _alike(other, card)]
        return same or list(range(8))

    patch.setattr(legal, "places_to_lay", places)


def _alike(one: int, other: int) -> bool:
    return colour_of(one) == colour_of(other)


def colours_do_not_matter(patch: Patch) -> None:
    patch.setattr(
        legal,
        "places_to_lay",
        lambda state, card: [at for at in range(8) if not state.wheel[at]] or list(range(8)),
    )


def suits_earn_like_colours(patch: Patch) -> None:
    patch.setattr(rewards, "_suit_reward", rewards._colour_reward)


def the_played_card_may_be_taken(patch: Patch) -> None:
    real = turn_end.let_take

    def let_take(state: State, takes: Any, now_ms: int) -> Any:
        state.barred = None
        return real(state, takes, now_ms)

    patch.setattr(rewards, "let_take", let_take)


def the_covered_card_is_lost(patch: Patch) -> None:
    """After a wrong declaration it is not on the Wheel again."""
    real = rewards._miss

    def miss(state: State, *rest: Any) -> Any:
        state.covered = state.wheel[state.place or 0]
        return real(state, *rest)

    patch.setattr(rewards, "_miss", miss)


def who_missed_may_use_a_challenge(patch: Patch) -> None:
    real = rewards._miss

    def miss(state: State, seat: int, now_ms: int) -> Any:
        state.winner = seat
        return real(state, seat, now_ms)

    patch.setattr(rewards, "_miss", miss)


def the_piano_player_may_be_shot_with_coins(patch: Patch) -> None:
    real = challenges._uses

    def more(state: State, seat: int, card: int) -> Any:
        yield from real(state, seat, card)
        if card == Challenge.PIANO_PLAYER:
            yield from (use for use in challenges._shots_at(state, seat, card, Suit.COIN))

    patch.setattr(challenges, "_uses", more)


def a_used_challenge_stays(patch: Patch) -> None:
    real = challenges.use

    def use(state: State, seat: int, wish: Any) -> Any:
        told = real(state, seat, wish)
        challenges.give(state, seat, wish.challenge)
        return told

    patch.setattr(turn_end, "use", use)


def what_is_out_stays_out(patch: Patch) -> None:
    real = setup.reshuffle

    def reshuffle(state: State) -> Any:
        state.out = bytes(card for card in state.out if card not in range(41, 48))
        return real(state)

    patch.setattr(turn_end, "reshuffle", reshuffle)


def every_shuffle_is_the_first(patch: Patch) -> None:
    real = round_deal
    patch.setattr(setup, "round_deal", lambda seed, shuffle: real(seed, 0))


# The end -----------------------------------------------------------------------------------------


def only_one_is_eliminated(patch: Patch) -> None:
    real = scoring._vivo

    def vivo(state: State) -> None:
        before = list(state.standing)
        real(state)
        out = [seat for seat in range(state.seats) if before[seat] != state.standing[seat]]
        if state.result is None:
            for seat in out[1:]:
                state.standing[seat] = True

    patch.setattr(scoring, "_vivo", vivo)


def money_stays_in_vivo(patch: Patch) -> None:
    patch.setattr(scoring, "_next_round", setup.begin_round)


def five_colours_always_win(patch: Patch) -> None:
    real = lines
    patch.setattr(
        scoring,
        "lines",
        lambda cards, target, five_colours_win: real(cards, target, five_colours_win=True),
    )


FAULTS: Final[list[Fault]] = [
    arrival_alone_counts,
    the_first_to_arrive_wins,
    late_shots_count,
    nobody_is_waited_for_at_the_limit,
    lags_may_jump,
    lags_are_made_good_where_they_shall_not,
    the_slowest_line_is_not_waited_for,
    the_last_lags_are_forgotten,
    only_one_challenge_is_replaced,
    who_waits_has_nothing_to_lay,
    a_second_challenge_is_not_replaced_at_the_laying,
    the_highest_seat_is_replaced_first,
    clockwise,
    gaps_may_stay,
    colours_do_not_matter,
    suits_earn_like_colours,
    the_played_card_may_be_taken,
    the_covered_card_is_lost,
    who_missed_may_use_a_challenge,
    the_piano_player_may_be_shot_with_coins,
    a_used_challenge_stays,
    what_is_out_stays_out,
    every_shuffle_is_the_first,
    only_one_is_eliminated,
    money_stays_in_vivo,
    five_colours_always_win,
    number(setup, "READY_MS", 19_999),
    number(challenges, "REPLACED_MS", 999),
    number(race, "CHOICE_MS", 14_000),
    number(race, "SONG_MS", 9_000),
    number(turn_end, "CHOICE_MS", 14_000),
    number(turn_end, "ROUND_ENDS_AT", 4),
    number(turn_end, "MAX_IDLE_TURNS", 2),
    number(scoring, "SALOON_CENTS", 200),
    number(scoring, "MAX_LEVEL_ROUNDS", 2),
]
