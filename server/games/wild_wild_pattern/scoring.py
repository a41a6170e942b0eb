"""What the Bank pays at the end of a round, and who has won the match (rules: Bank; Modes)."""

from collections.abc import Sequence

from protocol.games.wild_wild_pattern import (
    MAX_LEVEL_ROUNDS,
    MAX_ROUNDS,
    SALOON_CENTS,
    Banked,
    DecidedBy,
    Event,
    Mode,
    Outcome,
    Phase,
    Visit,
)
from protocol.games.wild_wild_pattern.bank import Line, cents, lines
from protocol.games.wild_wild_pattern.cards import Object
from server.games.wild_wild_pattern.state import State, begin_round


def end_round(state: State, now_ms: int) -> list[Event]:
    """Everybody goes to the Bank; a new round begins if that has not ended the match."""
    visitors = state.in_match()
    met = {seat: _lines(state, seat) for seat in visitors}
    for seat in visitors:
        state.money[seat] += cents(met[seat])
    wild = [seat for seat in visitors if Line.WILD in met[seat]]
    if wild:
        end_match(state, wild, DecidedBy.WILD)
    else:
        (_saloon if state.options.mode is Mode.SALOON else _vivo)(state)
    state.bank = tuple(_visit(state, seat, met[seat]) for seat in visitors)
    banked = Banked(state.bank)
    return [banked] if state.result is not None else [banked, *_next_round(state, now_ms)]


def end_match(state: State, winners: Sequence[int], by: DecidedBy) -> None:
    """It is decided, and no clock runs any more."""
    state.result = Outcome(tuple(state.money), tuple(winners), by)
    state.phase, state.due_ms, state.acting = Phase.OVER, None, None
    state.waits = [None] * state.seats


def _lines(state: State, seat: int) -> list[Line]:
    target, win = Object(state.targets[seat]), state.options.five_colours_win
    return lines(state.won[seat], target, five_colours_win=win)


def _visit(state: State, seat: int, met: list[Line]) -> Visit:
    return Visit(
        seat=seat,
        cards=state.won[seat],
        target=state.targets[seat],
        paid=cents(met),
        money=state.money[seat],
        eliminated=not state.standing[seat],
    )


def _saloon(state: State) -> None:
    """The richest of those above three dollars, if nobody is level with them."""
    most = max(state.money)
    richest = [seat for seat in range(state.seats) if state.money[seat] == most]
    if most > SALOON_CENTS and len(richest) == 1:
        end_match(state, richest, DecidedBy.MONEY)
    elif state.round == MAX_ROUNDS:
        end_match(state, richest, DecidedBy.ROUNDS)


def _vivo(state: State) -> None:
    """All who have the least are out; if that were all, nobody is."""
    seats = state.in_match()
    least = min(state.money[seat] for seat in seats)
    losers = [seat for seat in seats if state.money[seat] == least]
    if losers == seats:
        state.levels += 1
        if state.levels == MAX_LEVEL_ROUNDS:
            end_match(state, seats, DecidedBy.LEVEL)
        return
    state.levels = 0
    for seat in losers:
        state.standing[seat] = False
    if len(left := state.in_match()) == 1:
        end_match(state, left, DecidedBy.LAST)


def _next_round(state: State, now_ms: int) -> list[Event]:
    """In Vivo o Morto! those who are left begin it with nothing."""
    if state.options.mode is Mode.VIVO:
        for seat in state.in_match():
            state.money[seat] = 0
    return begin_round(state, now_ms)
