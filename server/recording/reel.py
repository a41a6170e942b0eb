"""Replays a record that has been verified, from the states that its match went through; plays on
from one of them in another way, and judges what was decided there.

A ply here is whatever changed the state: an action of a seat, or something that the clock did.
Laws: all states are kept, so that a step back costs what a step forward does: one view. A judgement
is made of what the seat was sent by then, of what it did and of the ply's number, and of nothing
else.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from random import Random
from typing import Any, BinaryIO, Final, NamedTuple, assert_never

import msgspec
from msgspec.structs import replace

from protocol.codec import read_as
from protocol.errors import Refusal
from protocol.games.moves import RecordError
from protocol.games.registry import GAMES as VOCABULARIES
from protocol.ids import Seat
from protocol.recording import (
    ALL_OPEN,
    NEXT,
    WATCHER,
    FromRecording,
    Hear,
    Heard,
    Judged,
    Opened,
    PlayOn,
    PlaysOn,
    Raced,
    ReplayAsked,
    Show,
    Shown,
    Weigh,
    Weighed,
    from_field,
    payload,
    tell,
)
from protocol.signing import REVIEW
from server.games.contract import Moment, PastPly, clock_events
from server.games.registry import GAMES
from server.matches.replay import events_for
from server.recording.check import check, fresh, lost
from server.recording.records import BOT, PERSON, Record, line

_LEVEL: Final = "normal"
"""Of a bot in the place of a person."""


class Reel:
    """Raises BadRecord. `plies`: the deal, then every ply. `by_mail`: the match may go on, and only
    bots of the record play on."""

    def __init__(self, record: Record, *, by_mail: bool = False) -> None:
        check(record, by_mail=by_mail)
        self.by_mail: Final = by_mail
        self._fields: Final = record.fields
        self.game: Final = record.game
        self.names: Final = [str(seat["name"]) for seat in record.seats]
        self.plies = list(_played(record))
        # What a file says of a level may be anything.
        self._levels = [str(seat.get("level")) for seat in record.seats]
        self.opens: Final = record.game.opened is not None
        """Whether the game can show all hands."""
        self.found: Final = from_field(record.fields.get(REVIEW), len(self.names))
        """What the record says that a review found."""

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

    def go_on(
        self, ply: int, own: int, action: Any = None, acted: Callable[[], None] = lambda: None
    ) -> Refusal | None:
        """Play on after this ply in another way, as `PlayOn` says. `acted` is called after each
        action. Returns why the action is impossible; then nothing is changed."""
        rules, (at_ms, state) = self.game.rules, self.plies[ply][1:3]
        state = rules.copy(state)
        if action is not None and (refusal := rules.refuse(state, Seat(own), action)) is not None:
            return refusal
        del self.plies[ply + 1 :]
        people = [seat for seat, one in enumerate(self._fields["seats"]) if one["kind"] == PERSON]
        waits = people if self.by_mail else [own]
        while (acting := rules.to_act(state)) and (action is not None or acting[0] not in waits):
            done, action = self._bots(acting[0]) if action is None else action, None
            events = rules.apply(state, acting[0], done, Moment(at_ms))
            self.plies.append(PastPly(acting[0], at_ms, rules.copy(state), events, done))
            acted()
        return None

    def written(self) -> bytes:
        """The record's line as far as it has gone, with the name of who acts next."""
        rules, notation, state = self.game.rules, self.game.notation, self.plies[-1].state
        acted, written = [one for one in self.plies if one.action], notation.moves.to_record
        plies = [{"seat": one.seat, "action": written(one.action)} for one in acted]
        due = "".join(self.names[seat] for seat in rules.to_act(state))
        ended = {} if (over := rules.outcome(state)) is None else notation.outcome_to_record(over)
        return line({**self._fields, "plies": plies, "outcome": ended, NEXT: due})

    def _bots(self, seat: Seat) -> Any:
        """What a bot does there now; the same whenever it is asked."""
        told, bots = list(chain.from_iterable(self.heard(seat))), self.game.bots
        bot = bots.get(self._levels[seat], bots[_LEVEL])
        return bot(self.view(-1, seat), told, Random(f"play on {seat} {len(self.plies)}"))

    def _seat(self, eyes: int) -> Seat | None:
        if eyes == WATCHER:
            return None
        if eyes not in range(len(self.names)):
            raise IndexError(eyes)
        return Seat(eyes)


def _played(record: Record) -> Iterator[PastPly]:
    """Nothing is checked any more. Each state is a copy of its own."""
    rules, notation = record.game.rules, record.game.notation
    state = fresh(record)
    yield PastPly(None, 0, rules.copy(state), rules.opening(state))
    at_ms = 0

    def clock(until_ms: int | None = None) -> Iterator[PastPly]:
        for due_ms, events in clock_events(rules, state, until_ms):
            yield PastPly(None, due_ms, rules.copy(state), events)

    for ply in record.plies:
        at_ms = ply.get("at_ms", at_ms)
        yield from clock(at_ms)
        seat, action = Seat(ply["seat"]), notation.moves.from_record(ply["action"])
        events = rules.apply(state, seat, action, Moment(at_ms, tuple(ply.get("lags_ms", ()))))
        yield PastPly(seat, at_ms, rules.copy(state), events, action, ply.get("by") == BOT)
    yield from clock()
    if lost(record, state):
        yield PastPly(None, at_ms, rules.copy(state), [])


class Decision(NamedTuple):
    """What is judged; in msgpack where it is of the game. `events`: all that the seat was
    told before. `by_bot`: as in `Judged`."""

    game: str
    seat: int
    ply: int
    view: bytes
    events: bytes
    action: bytes
    by_bot: bool


def decision(reel: Reel, seat: Seat, number: int, action: Any, *, by_bot: bool = False) -> Decision:
    """The one that led to this ply, as if the seat had done this."""
    rules = reel.game.rules
    told = list(chain.from_iterable(reel.heard(seat)[:number]))
    parts = (rules.view(reel.plies[number - 1].state, seat), told, action)
    view, events, acted = map(msgspec.msgpack.encode, parts)
    return Decision(rules.id, seat, number, view, events, acted, by_bot)


def decisions(reel: Reel, seat: Seat) -> Iterator[Decision]:
    """Every ply at which the seat had a choice, in order; none of a game without a judge."""
    for number, ply in enumerate(reel.plies if reel.game.judge is not None else ()):
        if ply.seat == seat:
            before = reel.plies[number - 1].state
            if len(reel.game.rules.legal_actions(before, seat)) > 1:
                yield decision(reel, seat, number, ply.action, by_bot=ply.by_bot)


def known(reel: Reel, one: Decision) -> Judged | None:
    """What the record says of it; None where it says nothing, or what nobody could have done."""
    rules, found = reel.game.rules, reel.found.get((one.ply, one.seat))
    try:
        best = found and reel.game.notation.moves.from_record(found.best)
    except RecordError:
        return None
    state = reel.plies[one.ply - 1].state
    if found is None or rules.refuse(state, Seat(one.seat), best) is not None:
        return None
    view, action = map(msgspec.Raw, (one.view, one.action))
    return replace(found, view=view, action=action, best=best, by_bot=one.by_bot)


def races(reel: Reel, seat: Seat) -> Iterator[Raced]:
    """Every card with which the seat could shoot, in order; none of a game in turns. A card is a
    bot's whose time ended after a bot's action and before one of the person."""
    if reel.game.chances is not None:
        for chance in reel.game.chances(reel.plies, seat):
            acted = [ply.by_bot for ply in reel.plies[: chance.number + 1] if ply.seat == seat]
            yield Raced(chance.number, seat, *chance[1:], by_bot=acted[-1:] == [True])


def judged(one: Decision, seed: int = 0, best: Any = None) -> Judged:
    """For any process. Another `seed` gives other random numbers: what is found should be the
    same (`bench.review`). `best`: as in `Weigh`."""
    words, judge = VOCABULARIES[one.game], GAMES[one.game].judge
    assert judge is not None
    view = msgspec.msgpack.decode(one.view, type=words.view)
    events = msgspec.msgpack.decode(one.events, type=list[words.event])  # type: ignore[name-defined]
    action = msgspec.msgpack.decode(one.action, type=words.action)
    found = judge(view, events, action, Random(f"review {one.seat} {one.ply} {seed or ''}"), best)
    played, better = (Weighed(came.lead, came.wins) for came in (found.played, found.better))
    told = (found.best, played, better, found.lost, found.error, found.in_points, one.by_bot)
    return Judged(one.ply, one.seat, view, action, *told, [dict(one) for one in found.parts])


def replay(reel: Reel, asked: BinaryIO, told: BinaryIO) -> None:
    """Serve the client until it closes its end."""
    tell(told, _opened(reel))
    read_asked = msgspec.msgpack.Decoder(ReplayAsked).decode
    while said := payload(asked):
        wish: Any = read_asked(said)
        tell(told, _answer(reel, wish, partial(tell, told, PlaysOn())))


def _opened(reel: Reel, refusal: Refusal | None = None) -> Opened:
    rules = reel.game.rules
    seats = [-1 if ply.seat is None else ply.seat for ply in reel.plies[1:]]
    outcome, record = rules.outcome(reel.plies[-1].state), reel.written() if reel.by_mail else b""
    return Opened(rules.id, reel.names, seats, outcome, reel.opens, refusal, record)


def _answer(reel: Reel, wish: ReplayAsked, acted: Callable[[], None]) -> FromRecording:
    match wish:
        case Show(ply=ply, eyes=eyes):
            return Shown(ply, reel.plies[ply].at_ms, reel.view(ply, eyes))
        case Hear(eyes=eyes):
            return Heard(reel.heard(eyes))
        case PlayOn(ply=ply, seat=seat, action=action):
            done = None if action is None else read_as(action, reel.game.rules.words.action)
            return _opened(reel, reel.go_on(ply, seat, done, acted))
        case Weigh(ply=ply, seat=seat, action=action, best=best):
            known = None if best is None else read_as(best, reel.game.rules.words.action)
            return judged(decision(reel, Seat(seat), ply, action), best=known)
        case _:
            assert_never(wish)
