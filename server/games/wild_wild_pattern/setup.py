"""From options, seats and a seed to a fresh state; a round and a turn begin (rules: Setting up)."""

from protocol.games.wild_wild_pattern import (
    MAX_PRACTISING,
    MIN_RACE_LIMIT_S,
    READY_MS,
    Event,
    Mode,
    Options,
    Practice,
    Reshuffled,
    RoundBegan,
    TurnBegan,
)
from protocol.games.wild_wild_pattern.deal import reshuffled, round_deal
from server.games.contract import Addressed
from server.games.wild_wild_pattern.state import READY, State


def check_options(options: Options, seats: int) -> str | None:
    """The name of the first option whose value this game does not have, or None."""
    alone = seats == 1
    if alone and options.mode is Mode.VIVO:
        return "mode"
    if 0 < options.race_limit_s < MIN_RACE_LIMIT_S:
        return "race_limit_s"
    crowded = seats > MAX_PRACTISING
    unfit = crowded if options.practice is Practice.ON else alone
    return "practice" if unfit else None


def setup(options: Options, seats: int, seed: bytes) -> State:
    """A fresh state; `protocol.games.wild_wild_pattern.deal` says how the seed is used."""
    state = State(options, seats, seed)
    begin_round(state, 0)
    return state


def rematch_options(options: Options, seats: int, seed: bytes) -> Options:
    """The options for a rematch: unchanged, since no seat begins."""
    return options


def opening(state: State) -> list[Addressed[Event]]:
    """The first Wheel."""
    return [Addressed(None, event) for event in (_round_began(state), _turn_began(state))]


def begin_round(state: State, now_ms: int) -> list[Event]:
    """All cards come back, new Targets are dealt; only money is kept (rules: Setting up)."""
    deal = round_deal(state.seed, state.shuffles)
    state.shuffles += 1
    state.round += 1
    state.turn = state.idle = 0
    targets = iter(deal.targets)
    state.targets = bytes(next(targets) if stands else 0 for stands in state.standing)
    state.wheel, state.deck, state.out = deal.wheel
    state.won = [b""] * state.seats
    state.challenges = [b""] * state.seats
    state.hand = [0] * state.seats
    began = [_round_began(state)]
    return began + begin_turn(state, now_ms)


def begin_turn(state: State, now_ms: int) -> list[Event]:
    """Everybody gets a card unseen, from the lowest seat on (rules: A turn, 1)."""
    for seat in state.in_match():
        state.hand[seat] = state.draw()
    state.turn += 1
    state.phase = READY
    state.due_ms = None if state.patient else now_ms + READY_MS
    state.done = [False] * state.seats
    state.waits = [None] * state.seats
    state.acting = state.clicker = state.place = state.barred = state.winner = None
    state.covered = state.clicked = 0
    return [_turn_began(state)]


def reshuffle(state: State) -> Reshuffled:
    """Wheel, deck and what is out of the game make a new Wheel and deck (rules: A turn, 7)."""
    cards = state.wheel.replace(b"\0", b"") + state.deck + state.out
    wheel = reshuffled(state.seed, state.shuffles, cards)
    state.shuffles += 1
    state.wheel, state.deck, state.out = wheel
    return Reshuffled(wheel.cards, len(wheel.deck), wheel.gone)


def _round_began(state: State) -> Event:
    held = sum(1 for card in state.hand if card)
    return RoundBegan(
        round=state.round,
        targets=state.targets,
        wheel=state.wheel,
        left=len(state.deck) + held,
        gone=state.out,
        options=state.options,
    )


def _turn_began(state: State) -> Event:
    return TurnBegan(state.turn, len(state.deck))
