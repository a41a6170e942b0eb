"""Replays a record that has been verified, from the states that its match went through.

A ply here is whatever changed the state: an action of a seat, or something that the clock did. Law:
all states are kept, so that a step back costs what a step forward does: one view.
"""

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, Final, NamedTuple, assert_never

import msgspec

from protocol.ids import Seat
from protocol.recording import (
    ALL_OPEN,
    WATCHER,
    Hear,
    Heard,
    Opened,
    ReplayAnswered,
    ReplayAsked,
    Show,
    Shown,
    payload,
    tell,
)
from server.games.contract import Addressed, Moment, clock_events
from server.matches.replay import events_for
from server.recording.check import check, fresh
from server.recording.records import BOT, Record


class ReelPly(NamedTuple):
    """`seat`: who acted; None = the deal, or the clock. `state`: after it. `action`: the seat's.
    `by_bot`: a bot did it in the place of the seat's person."""

    seat: Seat | None
    at_ms: int
    state: Any
    events: Sequence[Addressed[Any]]
    action: Any = None
    by_bot: bool = False


class Reel:
    """Raises BadRecord. `plies`: the deal, then every ply."""

    def __init__(self, record: Record) -> None:
        check(record)
        self.game: Final = record.game
        self.names: Final = [str(seat["name"]) for seat in record.seats]
        self.plies = list(_played(record))

    @property
    def opens(self) -> bool:
        """Whether the game can show all hands."""
        return self.game.opened is not None

    def view(self, ply: int, eyes: int) -> Any:
        """What these eyes saw after so many plies. Raises IndexError for a ply or for eyes that
        there are not."""
        state = self.plies[ply].state
        if eyes == ALL_OPEN and self.game.opened is not None:
            return self.game.opened(state)
        return self.game.rules.view(state, self._seat(eyes))

    def heard(self, eyes: int) -> list[list[Any]]:
        """What they were told, at the deal and at each ply; ALL_OPEN is told what anybody was."""
        if eyes == ALL_OPEN and self.opens:
            return [[event for _to, event in ply.events] for ply in self.plies]
        seat = self._seat(WATCHER if eyes == ALL_OPEN else eyes)
        return [events_for(seat, ply.events) for ply in self.plies]

    def _seat(self, eyes: int) -> Seat | None:
        if eyes == WATCHER:
            return None
        if eyes not in range(len(self.names)):
            raise IndexError(eyes)
        return Seat(eyes)


def _played(record: Record) -> Iterator[ReelPly]:
    """Nothing is checked any more. Each state is a copy of its own."""
    rules, notation = record.game.rules, record.game.notation
    state = fresh(record)
    yield ReelPly(None, 0, rules.copy(state), rules.opening(state))
    at_ms = 0

    def clock(until_ms: int | None = None) -> Iterator[ReelPly]:
        for due_ms, events in clock_events(rules, state, until_ms):
            yield ReelPly(None, due_ms, rules.copy(state), events)

    for ply in record.plies:
        at_ms = ply.get("at_ms", at_ms)
        yield from clock(at_ms)
        seat, action = Seat(ply["seat"]), notation.moves.from_record(ply["action"])
        events = rules.apply(state, seat, action, Moment(at_ms, tuple(ply.get("lags_ms", ()))))
        yield ReelPly(seat, at_ms, rules.copy(state), events, action, ply.get("by") == BOT)
    yield from clock()


def replay(reel: Reel, asked: BinaryIO, told: BinaryIO) -> None:
    """Serve the client until it closes its end."""
    tell(told, _opened(reel))
    read_asked = msgspec.msgpack.Decoder(ReplayAsked).decode
    while said := payload(asked):
        wish: Any = read_asked(said)
        tell(told, _answer(reel, wish))


def _opened(reel: Reel) -> Opened:
    rules = reel.game.rules
    seats = [-1 if ply.seat is None else ply.seat for ply in reel.plies[1:]]
    outcome = rules.outcome(reel.plies[-1].state)
    return Opened(rules.id, reel.names, seats, outcome, reel.opens)


def _answer(reel: Reel, wish: ReplayAsked) -> ReplayAnswered:
    match wish:
        case Show(ply=ply, eyes=eyes):
            return Shown(ply, reel.plies[ply].at_ms, reel.view(ply, eyes))
        case Hear(eyes=eyes):
            return Heard(reel.heard(eyes))
        case _:
            assert_never(wish)
