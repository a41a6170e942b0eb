"""No client is sent a byte of the game that is not for its seat, whatever happens at the table: a
bot stands in, the server falls, a connection is slow or cut, a player takes back or talks, and in a
race everybody acts at once. And what leaks is noticed."""

import asyncio
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any, Final

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from protocol.codec import MAX_FRAME_BYTES, FrameDecoder, from_server
from protocol.from_server import (
    AtTable,
    ChatHistory,
    Ended,
    History,
    Notice,
    Said,
    SeatToken,
    Started,
    Update,
)
from protocol.ids import MatchId, Seat
from protocol.table import PerTurn
from server.config import Limits
from server.games.contract import Addressed
from server.games.registry import GAMES
from server.matches import replay as replaying
from server.matches.fanout import Fanout
from server.matches.replay import Course, Step, events_for, replay
from server.matches.wishes import Accepted, Attach
from server.net.callers import Caller
from server.net.peers import Peers
from server.net.session import Session
from server.store.journal import Entry, Header
from server.tables.seat import SeatState
from server.tables.table import Table
from tests.laws.cases import CASES
from tests.stage import jumping_clock
from tests.stage.hall import Hall, Player, hall, settle
from tests.stage.line import SessionsTransport
from tests.stage.memory_journal import MemoryJournal

TURN_S: Final = 10
OPEN: Final = (Started, Notice, AtTable, Said, ChatHistory)
"""Messages that hold nothing of a game but what stands on the table: none has a field for more."""


def _encode(value: Any) -> bytes:
    """The same for a message that was sent and for one that came."""
    return msgspec.msgpack.encode(msgspec.to_builtins(value, builtin_types=(bytes,)))


class Kept:
    """Everything that each seat, and a watcher (None), may be sent of a match, computed from its
    journal: the view at each version, and all events."""

    def __init__(self, header: Header, entries: list[Entry], seat: Seat | None) -> None:
        self.views: list[bytes] = []
        self.events: set[bytes] = set()
        rules = GAMES[header.game].rules
        for step in replay(rules, header, entries):
            self.views.append(_encode(rules.view(step.state, seat)))
            self.events |= {_encode(event) for event in events_for(seat, step.events)}


def _check(message: Struct, seat: Seat | None, may: Kept, *, over: bool) -> bool:
    """Check a message against what is allowed. Returns whether it held something of the game."""
    match message:
        case Update(version=version, view=view, events=events):
            assert _encode(view) == may.views[version], f"seat {seat} sees what another does"
            _check_events(events, seat, may)
        case History(events=events):
            _check_events(events, seat, may)
        case SeatToken():
            assert message.seat == seat, f"seat {seat} has the token of another"
        case Ended(seed=seed):
            assert over or not seed, "the seed of a match that is being played"
        case _:
            assert isinstance(message, OPEN), f"nobody knows what is in {message}"
    return isinstance(message, Update | History)


def _check_events(events: list[Any], seat: Seat | None, may: Kept) -> None:
    for event in events:
        assert _encode(event) in may.events, f"seat {seat} hears {event} of another"


class SlowWatcher(SessionsTransport):
    """The end of a real session's line, which the session believes to be slow when it is told so:
    keeps what comes."""

    def __init__(self, at: Hall, name: str) -> None:
        self.sent: list[Struct] = []
        self._frames = FrameDecoder(MAX_FRAME_BYTES)
        server: Any = SimpleNamespace(peers=Peers(Limits()), lobby=at.lobby, cluster=None)
        line: Any = self
        self.session = Session(server, Caller())
        self.session.connection_made(line)
        self.session.know(at.names.claim(name) or "", b"", None, None)
        self.session.welcomed(changes=False)

    def write(self, data: bytes) -> None:
        self._frames.feed(data)
        while (payload := self._frames.next_frame()) is not None:
            self.sent.append(from_server(payload))

    @property
    def over(self) -> bool:
        return any(isinstance(message, Ended) for message in self.sent)


class HiddenEvening:
    """A match in which all of this happens. `there`: everybody who was there, by seat."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.journal = MemoryJournal()
        self.there: list[tuple[Player | SlowWatcher, Seat | None]] = []
        self.rng = Random(4)
        self.takes_back = False

    async def play(self) -> int:
        """Play to the end. Returns how many messages held something of the game, all of it
        allowed."""
        async with hall(journal=self.journal) as first:
            ann, ben = await first.table(
                "Ann", "Ben", bots=1, clock=PerTurn(TURN_S), game=self.game, first_seat=1
            )
            await self._first_half(first, ann, ben)
        async with hall(journal=self.journal) as second:
            await self._second_half(second, ann, ben)
            held, entries = await self._checked(MatchId(ann.token.match))
            may = hasattr(CASES[self.game].options[0], "take_back")
            assert any(entry.takes_back for entry in entries) is may
            return held

    async def _first_half(self, at: Hall, ann: Player, ben: Player) -> None:
        table, slow = self._sat_down(at, ann, ben), SlowWatcher(at, "Sue")
        table.watch(slow.session)
        self.there.append((slow, None))
        await asyncio.sleep(TURN_S + 5)
        assert table.seating.chairs[1].state is SeatState.PLAYED_FOR
        await self._plies(12, ann)  # a bot plays for Ben, who sees it
        while ben.may_act():  # noqa: ASYNC110  (on a clock that jumps)
            await asyncio.sleep(0.5)
        table.playing.give_back(table.seating.chairs[1])
        slow.session.pause_writing()
        await self._plies(20, ann, ben, take_back=True)
        slow.session.resume_writing()
        await settle()
        assert any(isinstance(one, Update) and one.skipped for one in slow.sent)
        table.chat.say(slow.session, "who wins?", "")
        ben.drop()
        await asyncio.sleep(60)
        back = await ben.again("Ben")
        ben.sent += back.heard(SeatToken)  # a client keeps it
        self.there.append((back, Seat(1)))
        await self._plies(6, ann, back)

    def _sat_down(self, at: Hall, *players: Player) -> Table:
        self.there += [(player, Seat(seat)) for seat, player in enumerate(players)]
        (table,) = at.lobby.tables.values()
        self._watches(table, Player(at, "Wim"))
        return table

    def _watches(self, table: Table, who: Player) -> None:
        table.watch(who)
        self.there.append((who, None))

    async def _second_half(self, at: Hall, ann: Player, ben: Player) -> None:
        self._watches(next(iter(at.lobby.tables.values())), Player(at, "Wim"))
        ann2 = await ann.again("Ann", ann.update.version, at=at)
        ben2 = await ben.again("Ben", at=at)
        self.there += [(ann2, Seat(0)), (ben2, Seat(1))]
        while not ann2.over:
            await self._plies(1, ann2, ben2)

    async def _plies(self, number: int, *players: Player, take_back: bool = False) -> None:
        for _ in range(number):
            for player in players:
                if player.may_act():
                    await player.act(self.rng)
                    owner = player.update.revocable
                    if take_back and owner == player.seat and self._taken_back_in_turn():
                        assert isinstance(await player.undo(), Accepted)
            await asyncio.sleep(1)
            await settle()

    def _taken_back_in_turn(self) -> bool:
        """The first action that can be taken back is, the next stays, and so on."""
        self.takes_back = not self.takes_back
        return self.takes_back

    async def _checked(self, match: MatchId) -> tuple[int, list[Entry]]:
        """How many messages held something of the game, all of it allowed; and what was done."""
        header, found = await self.journal.load(match)
        entries = list(found)
        may = {seat: Kept(header, entries, seat) for seat in (Seat(0), Seat(1), None)}
        held = [
            sum(_check(message, seat, may[seat], over=player.over) for message in player.sent)
            for player, seat in self.there
        ]
        assert all(held), "somebody was sent nothing of the game"
        return sum(held), entries


class RaceEvening(HiddenEvening):
    """Some minutes of a race in which everybody acts at once."""

    async def play(self) -> int:
        async with hall(journal=self.journal) as first:
            ann, ben = await first.table("Ann", "Ben", bots=1, game=self.game)
            self._sit(first, ann, ben)
            await self._race(60, ann, ben)
            ben.drop()
            await self._race(2, ann)
            back = await ben.again("Ben")
            ben.sent += back.heard(SeatToken)  # a client keeps it
            self._sit(first, ann, back)
            await self._race(60, ann, back)
        async with hall(journal=self.journal) as second:
            again = [await one.again(name, at=second) for one, name in ((ann, "Ann"), (ben, "Ben"))]
            self._sit(second, *again)
            await self._race(120, *again)
            held, entries = await self._checked(MatchId(ann.token.match))
            assert any(entry.lags_ms for entry in entries), "somebody's line is slow"
            return held

    def _sit(self, at: Hall, *players: Player) -> None:
        (table,) = at.lobby.tables.values()
        watcher = Player(at, "Wim")
        table.watch(watcher)
        self.there += [*((one, Seat(seat)) for seat, one in enumerate(players)), (watcher, None)]
        for player, lag in zip(players, (0, 120), strict=True):
            player.lag = lag

    async def _race(self, seconds: int, *players: Player) -> None:
        for _ in range(seconds * 4):
            for player in players:
                if self.rng.random() < 0.3 and not player.over:
                    player.try_something(self.rng)
            await asyncio.sleep(0.25)


def evening(game: str) -> int:
    kind = RaceEvening if GAMES[game].rules.races else HiddenEvening
    return jumping_clock.run(kind(game).play())


@pytest.mark.parametrize("game", list(GAMES))
def test_nobody_is_sent_what_is_not_theirs(game: str) -> None:
    assert evening(game) > 0


# Controls -----------------------------------------------------------------------------------------


def telling_all(update: Callable[..., None]) -> Callable[..., None]:
    """Sends everybody every event, as a fanout that trusts its clients would."""

    def tells(fanout: Fanout, course: Course, change: Step, *rest: Any, **to: Any) -> None:
        everyone = [Addressed(None, event) for _to, event in change.events]
        update(fanout, course, replace(change, events=everyone), *rest, **to)

    return tells


def neighbourly(add: Callable[..., None]) -> Callable[..., None]:
    """Shows a player what seat 0 sees when a bot stands in, as a mistaken seat number would."""

    def adds(fanout: Fanout, who: Attach, version: int) -> None:
        add(fanout, who, version)
        if who.seat is not None and who.beside:
            owner = fanout._at(who.seat).outboxes[:-1]
            fanout._at(Seat(0)).outboxes += owner

    return adds


def all_events(_events_for: Any) -> Callable[..., list[Any]]:
    return lambda _seat, events: [event for _to, event in events]


@pytest.mark.pure("it puts other functions in the place of the fanout's")
@pytest.mark.parametrize(
    ("game", "place", "name", "leaky"),
    [
        ("clocktowers", Fanout, "update", telling_all),
        ("clocktowers", Fanout, "add", neighbourly),
        ("clocktowers", replaying, "events_for", all_events),
        ("wild_wild_pattern", Fanout, "update", telling_all),
    ],
)
def test_a_leak_of_the_server_is_caught(
    monkeypatch: pytest.MonkeyPatch, game: str, place: Any, name: str, leaky: Any
) -> None:
    monkeypatch.setattr(place, name, leaky(getattr(place, name)))
    with pytest.raises(BaseExceptionGroup) as error:
        evening(game)
    assert error.group_contains(AssertionError, match="another")
