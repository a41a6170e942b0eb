"""However bytes are cut on their way in, the server says the same and its journal keeps the same:
over evenings at one table that are the same every time, at a real server without sockets, on a
clock that jumps, with players who act, repeat, stutter, go and come back by dice of their own."""

import asyncio
import secrets
from collections.abc import Callable
from random import Random
from typing import Any, Final, NamedTuple, cast

import pytest
from msgspec import Struct, to_builtins

from protocol.codec import encode, frame
from protocol.connection import Connection
from protocol.from_client import (
    Act,
    BotSeat,
    CreateTable,
    Join,
    Pong,
    Ready,
    Rematch,
    Resume,
    Start,
    Watch,
)
from protocol.from_server import Done, SeatToken, ServerPing
from protocol.ids import MatchId, Seat, Version
from protocol.table import Bank, Clock, PerTurn
from server import server as server_module
from server.config import Config, Limits
from server.net import peers
from server.net.callers import Caller
from server.server import Server
from server.store.journal import Entry
from server.tables.table import Table
from tests.stage import jumping_clock
from tests.stage.house import HomeBrains, hello_of
from tests.stage.line import SessionsTransport
from tests.stage.memory_journal import MemoryJournal

STEPS: Final = 120
BETWEEN_S: Final = 0.0107
"""Odd times: what happens in the same moment may happen in another order on another way."""
SETTLED_S: Final = 0.0331


class CutEvening(NamedTuple):
    """A table. `bots`: how many of the seats they have. `slow`: the disk takes a millisecond."""

    game: str
    seats: int = 2
    clock: Clock | None = None
    bots: int = 0
    slow: bool = False
    seed: int = 0


class CutTold(NamedTuple):
    """What a client was sent on all of its connections, by name; what the journal kept, by match;
    and how many actions stand there."""

    sent: dict[str, bytes]
    kept: dict[str, Any]
    actions: int


class _Journal(MemoryJournal):
    """Keeps what is let go of, too; may take a moment."""

    def __init__(self, takes_s: float) -> None:
        super().__init__()
        self._takes_s = takes_s

    def append(self, match: MatchId, version: Version, entry: Entry) -> "asyncio.Future[None]":
        if not self._takes_s:
            return super().append(match, version, entry)
        return asyncio.ensure_future(self._append_later(match, version, entry))

    async def _append_later(self, match: MatchId, version: Version, entry: Entry) -> None:
        await asyncio.sleep(self._takes_s)
        await super().append(match, version, entry)

    async def forget(self, match: MatchId) -> None:
        pass


class CutPerson(SessionsTransport):
    """A client, and the transport of its connection as the server sees it. `cut`: what it says
    comes in pieces."""

    def __init__(self, server: Server, name: str, *, changes: bool, cut: bool) -> None:
        self.server, self.name, self.changes, self.cut = server, name, changes, cut
        self.sent = bytearray()
        self.token: SeatToken | None = None
        self.table = ""
        self.asked = 0
        self.dial()

    def dial(self) -> None:
        self.gone = False
        self._client = Connection()
        self.protocol: asyncio.Protocol = self.server.session(Caller("127.0.0.1", here=True))
        self.protocol.connection_made(cast(asyncio.BaseTransport, self))
        self.hear(self._client.send(hello_of(self.name, changes=self.changes)))

    def hear(self, data: bytes) -> None:
        """The server hears this."""
        step = len(data) // 3 + 1 if self.cut else len(data)
        for start in range(0, len(data), step):
            if not self.gone:
                self.protocol.data_received(data[start : start + step])

    def say(self, kind: type[Struct], **fields: Any) -> None:
        self.asked += 1
        self.hear(frame(encode(kind(id=self.asked, **fields))))

    def drop(self) -> None:
        if not self.gone:
            self.gone = True
            self.protocol.connection_lost(None)

    # The transport ------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        self.sent += data
        self._client.receive_bytes(data)
        while (message := self._client.next_message()) is not None:
            match message:
                case SeatToken():
                    self.token = message
                case Done(table=str(table)) if table:
                    self.table = table
                case ServerPing(n=number):
                    asyncio.get_running_loop().call_soon(self.hear, frame(encode(Pong(number))))

    def close(self) -> None:
        asyncio.get_running_loop().call_soon(self.drop)

    abort = close


class _Players:
    """Those at the table, with their dice."""

    def __init__(self, server: Server, evening: CutEvening, *, cut: bool) -> None:
        self.server, self.evening = server, evening
        self.dice = Random(f"{evening}")
        self.people = [
            CutPerson(server, f"p{number}", changes=number % 2 == 0, cut=cut)
            for number in range(evening.seats - evening.bots)
        ]
        self.watchers = [
            CutPerson(server, f"w{number}", changes=number == 0, cut=cut) for number in range(2)
        ]
        self._last = encode(Act(id=1, version=0, key=b"k", action=("draw", 0)))

    @property
    def table(self) -> Table:
        return next(iter(self.server.lobby.tables.values()))

    async def sit_down(self) -> None:
        evening, host = self.evening, self.people[0]
        bots = [
            BotSeat(seat=seat, level="random")
            for seat in range(evening.seats - evening.bots, evening.seats)
        ]
        host.say(
            CreateTable,
            game=evening.game,
            seats=evening.seats,
            clock=evening.clock,
            bots=bots,
        )
        for guest in self.people[1:]:
            await asyncio.sleep(BETWEEN_S)
            guest.say(Join, table=host.table or self.table.code)
            guest.say(Ready)
        for watcher in self.watchers:
            await asyncio.sleep(BETWEEN_S)
            watcher.say(Watch, table=self.table.code)
        await asyncio.sleep(SETTLED_S)
        host.say(Start)
        await asyncio.sleep(SETTLED_S)

    async def step(self) -> None:
        match = self.table.match
        assert match is not None
        if match.over:
            for person in self.people:
                person.say(Rematch)
                await asyncio.sleep(BETWEEN_S)
            await asyncio.sleep(SETTLED_S)
            return
        whims: list[Callable[[], None]]
        whims = [self.act, self.say_again, self.stutter, self.two_at_once, self.go_and_return]
        self.dice.choices(whims, [30, 3, 4, 2, 2])[0]()
        long = self.dice.random() < 0.06
        await asyncio.sleep(12.0 if long else SETTLED_S)

    def _wish(self) -> tuple[CutPerson, bytes]:
        """Somebody who may act, and an action that is possible."""
        match, dice = self.table.match, self.dice
        assert match is not None
        due: list[int] = [seat for seat in match.to_act() if seat < len(self.people)]
        seat = dice.choice(due) if due else dice.randrange(len(self.people))
        actions = match.rules.legal_actions(match._course.state, Seat(seat))
        action = dice.choice(actions) if actions else ("draw", 0)
        person = self.people[seat]
        person.asked += 1
        key, version = dice.randbytes(8), match.version
        self._last = encode(Act(id=person.asked, version=version, key=key, action=action))
        return person, self._last

    def act(self) -> None:
        person, payload = self._wish()
        person.hear(frame(payload))

    def say_again(self) -> None:
        """The newest wish, perhaps of somebody else, with its key."""
        self.dice.choice(self.people).hear(frame(self._last))

    def stutter(self) -> None:
        person, payload = self._wish()
        whole = frame(payload)
        cut = self.dice.randrange(1, len(whole))
        person.hear(whole[:cut])
        person.hear(whole[cut:])

    def two_at_once(self) -> None:
        person, payload = self._wish()
        person.hear(frame(payload) + frame(self._last))

    def go_and_return(self) -> None:
        loop, since = asyncio.get_running_loop(), self.dice.randrange(3)
        person = self.dice.choice(self.people)
        loop.call_later(BETWEEN_S, person.drop)
        loop.call_later(2 * BETWEEN_S, self._return, person, since)

    def _return(self, person: CutPerson, since: int) -> None:
        person.dial()
        if (token := person.token) is not None:
            person.say(Resume, match=token.match, token=token.token, version=since)


def spend(evening: CutEvening, monkeypatch: pytest.MonkeyPatch, *, cut: bool) -> CutTold:
    """The evening, with nothing in it left to chance."""
    dice = Random(evening.seed)
    with monkeypatch.context() as patch:
        patch.setattr(secrets, "token_bytes", lambda size=32: dice.randbytes(size))
        patch.setattr(secrets, "token_hex", lambda size=32: dice.randbytes(size).hex())
        patch.setattr(secrets, "choice", dice.choice)
        patch.setattr(peers, "SHARE_S", 1e9)  # of the processor's time, which is never the same
        patch.setattr("server.tables.record.time.time", lambda: 1_800_000_000.0)
        patch.setattr(server_module, "Brains", lambda workers: HomeBrains())
        return jumping_clock.run(_spend(evening, cut=cut))


async def _spend(evening: CutEvening, *, cut: bool) -> CutTold:
    journal = _Journal(0.001 if evening.slow else 0.0)
    limits = Limits(grace_s=5, per_address=1000, commands_s=2.0, commands_burst=20)
    async with asyncio.TaskGroup() as group:
        server = Server(Config(limits=limits, bot_pace_s=0.01), journal, group)
        group.create_task(server.peers.sweep())
        players = _Players(server, evening, cut=cut)
        await players.sit_down()
        for _ in range(STEPS):
            await players.step()
        everybody = [*players.people, *players.watchers]
        kept: dict[str, Any] = {}
        for match in await journal.current():
            header, entries = await journal.load(match)
            kept[match] = to_builtins((header, entries), builtin_types=(bytes,))
        sent = {person.name: bytes(person.sent) for person in everybody}
        told = CutTold(sent, kept, sum(len(entries) for _, entries in kept.values()))
        for person in everybody:
            person.drop()
        server.tasks.cancel()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
    return told


EVENINGS = {
    "two": CutEvening("clocktowers"),
    "on a slow disk": CutEvening("clocktowers", slow=True, seed=1),
    "three and a clock": CutEvening("clocktowers", 3, clock=PerTurn(10), seed=2),
    "four": CutEvening("clocktowers", 4, seed=3),
    "banks on a slow disk": CutEvening("clocktowers", clock=Bank(60, 2), slow=True, seed=4),
    "against bots": CutEvening("clocktowers", 3, bots=2, seed=5),
    "tiles": CutEvening("architetti_attenti", seed=6),
    "tiles and a clock": CutEvening("architetti_attenti", 3, clock=PerTurn(10), slow=True, seed=7),
    "a race": CutEvening("wild_wild_pattern", seed=8),
    "a race on a slow disk": CutEvening("wild_wild_pattern", 3, slow=True, seed=9),
}


@pytest.mark.parametrize("name", EVENINGS)
def test_how_bytes_are_cut_makes_no_difference(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = spend(EVENINGS[name], monkeypatch, cut=False)
    cut = spend(EVENINGS[name], monkeypatch, cut=True)
    assert whole.kept == cut.kept
    assert whole.sent == cut.sent
    assert whole.actions > 20
