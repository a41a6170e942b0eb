"""No client is sent a byte of the game that is not for its seat, whatever happens at the table: a
bot stands in, the server falls, a watcher's connection is slow, a player takes back or talks."""

import asyncio
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import msgspec
import pytest
from msgspec import Struct

from protocol.clock import PerTurn
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
from server.games.registry import GAMES
from server.matches.fanout import Fanout
from server.matches.inbox import Accepted
from server.matches.replay import events_for, replay
from server.net.spectating import Spectating
from server.store.journal import Entry, Header
from server.store.memory import MemoryJournal
from server.tables.seat import SeatState
from server.tables.table import Table
from tests.server.matches.test_fanout import LeakyFanout, MixedUpFanout
from tests.stage import jumping_clock
from tests.stage.hall import Hall, Player, hall, settle

TURN_S: Final = 10
OPEN: Final = (Started, Notice, AtTable, Said, ChatHistory)
"""Messages that hold nothing of a game but what stands on the table: none has a field for more."""

_encode: Final = msgspec.msgpack.Encoder().encode


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


def check(sent: list[Struct], seat: Seat | None, may: Kept, *, over: bool) -> int:
    """Check every message against what is allowed. Returns how many held something of the game."""
    return sum(_check(message, seat, may, over=over) for message in sent)


def _check(message: Struct, seat: Seat | None, may: Kept, *, over: bool) -> bool:
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


class Slow(Player):
    """A watcher whose connection is slow once `spectating.slow` is set."""

    def __init__(self, at: Hall, name: str) -> None:
        super().__init__(at, name)
        self.spectating = Spectating(self.send)
        self.show = self.spectating.show  # type: ignore[method-assign]


class Evening:
    """A match in which all of this happens. `there`: everybody who was there, by seat."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.journal = MemoryJournal()
        self.there: list[tuple[Player, Seat | None]] = []
        self.rng = Random(4)

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
            return await self._checked(MatchId(ann.token.match))

    async def _first_half(self, at: Hall, ann: Player, ben: Player) -> None:
        table, slow = self._sat_down(at, ann, ben), Slow(at, "Sue")
        self._watches(table, slow)
        await asyncio.sleep(TURN_S + 5)
        assert table.seating.chairs[1].state is SeatState.PLAYED_FOR
        await self._plies(12, ann)  # a bot plays for Ben, who sees it
        while ben.may_act():  # noqa: ASYNC110  (on a clock that jumps)
            await asyncio.sleep(0.5)
        table.playing.take_back_from_bot(Seat(1))
        slow.spectating.slow = True
        await self._plies(20, ann, ben, take_back=True)
        slow.spectating.drained(ann.token.match)
        assert any(update.skipped for update in slow.heard(Update))
        table.chat.say(slow, "who wins?", "")
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
                    if take_back and owner == player.seat and self.rng.random() < 0.5:
                        assert isinstance(await player.take_back(), Accepted)
            await asyncio.sleep(1)
            await settle()

    async def _checked(self, match: MatchId) -> int:
        header, entries = await self.journal.load(match)
        may = {seat: Kept(header, list(entries), seat) for seat in (Seat(0), Seat(1), None)}
        assert any(entry.takes_back for entry in entries)
        return sum(
            check(player.sent, seat, may[seat], over=player.over) for player, seat in self.there
        )


def evening(game: str = "clocktowers") -> int:
    return jumping_clock.run(Evening(game).play())


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if not game.rules.races])
def test_nobody_is_sent_what_is_not_theirs(game: str) -> None:
    assert evening(game) > 200


# Controls ----------------------------------------------------------------------------------------


class Neighbourly(Fanout):
    """Shows a player what seat 0 sees when a bot stands in, as a mistaken seat number would."""

    def sit_beside(self, seat: Seat, outbox: Any) -> None:
        owner = self._seats[seat]
        super().sit_beside(seat, outbox)
        self._seats[0] += owner


def _all_events(seat: Seat | None, events: Any) -> list[Any]:
    return [event for _to, event in events]


def _leaks() -> Iterator[Callable[[pytest.MonkeyPatch], None]]:
    for fanout in (LeakyFanout, MixedUpFanout, Neighbourly):
        yield lambda patch, fanout=fanout: patch.setattr("server.matches.parts.Fanout", fanout)  # type: ignore[misc]
    yield lambda patch: patch.setattr("server.matches.replay.events_for", _all_events)


@pytest.mark.parametrize("leak", list(_leaks()), ids=["events", "views", "beside", "history"])
def test_a_leak_is_caught(
    monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None]
) -> None:
    """In Clocktowers, whose players hold cards."""
    leak(monkeypatch)
    with pytest.raises(BaseExceptionGroup) as error:
        evening()
    assert error.group_contains(AssertionError, match="another")
