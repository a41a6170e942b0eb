"""The load generator, a process of its own: pairs of clients play random matches in lockstep.

It reads from every message only what it needs for the next action, so that the server is measured.
A client acts as soon as a view says that it is its turn.
"""

import asyncio
import sys
import time
from random import Random
from typing import Final, cast

from msgspec import UNSET, Raw, Struct, UnsetType, msgpack

from bench.load.stage import HEADER_BYTES, RECENT, LoadStage, report
from protocol.codec import frame
from protocol.from_client import Act, CreateTable, Hello, Join, Ready, Rematch, Start
from protocol.ids import MAGIC, PROTOCOL_VERSIONS

GAME: Final = "clocktowers"
_KEY_BYTES: Final = 8


class Choice(Struct, array_like=True, gc=False):
    """The part of a legal action that is sent back."""

    action: Raw


class View(Struct, gc=False):
    """The part of a view that says whose turn it is and what may be done."""

    seat: int
    turn: int | None = None
    legal: list[Choice] = []


class Changed(Struct, gc=False):
    """The same part of what has changed in a view."""

    turn: int | UnsetType | None = UNSET
    legal: list[Choice] | UnsetType = UNSET


class Heard(Struct, gc=False):
    """The fields of a server's message that matter here; the others are passed over."""

    type: str
    version: int = 0
    table: str = ""
    code: str = ""
    view: View | None = None
    changed: Changed | None = None


_OF_A_MOVE: Final = ("update", "done")
_OF_A_MATCH: Final = ("started", "history", "update", "ended")
"""What a match sends beside answers. The table's own news go on without a match, too."""

_read: Final = msgpack.Decoder(Heard).decode
_write: Final = msgpack.Encoder().encode


class Pair:
    """Two players at one table. The first is the host."""

    def __init__(self, stage: LoadStage, number: int) -> None:
        self.stage: Final = stage
        self.rng: Final = Random(f"{stage.plan.seed}/{number}")
        self.players: Final = (Player(self, f"a{number}"), Player(self, f"b{number}"))
        self.table = ""
        self.sent_at_s = [0.0] * RECENT
        self.games = 0
        self._ended = 0

    async def sit_down(self) -> None:
        """Both connect; the rest follows from what the server answers."""
        for player in self.players:
            await self.stage.connect(player)

    def introduce(self) -> None:
        """When both are in the lobby, the host makes a table and the guest joins it."""
        host, guest = self.players
        if host.welcome and guest.welcome:
            host.say(CreateTable(id=1, game=GAME, seats=2))

    def answered(self, player: "Player", heard: Heard) -> None:
        """The server granted a request before the match; ask for the next."""
        host, guest = self.players
        if player is host and not self.table:
            self.table = heard.table
            guest.say(Join(id=1, table=self.table))
        elif player is guest and heard.table:
            guest.say(Ready(id=2))
        elif player is guest:
            host.say(Start(id=2))

    def ended(self) -> None:
        """Called for each player; after the second the next match begins, if any."""
        self._ended += 1
        if self._ended == len(self.players):
            self._ended = 0
            self.games += 1
            if self.stage.goes_on():
                for player in self.players:
                    player.say(Rematch(id=3))


class Player(asyncio.Protocol):
    """A client."""

    def __init__(self, pair: Pair, name: str) -> None:
        self.welcome = False
        self._pair = pair
        self._stage = pair.stage
        self._name = name
        self._rest = b""
        self._version = 0
        self._view = View(seat=0)
        self._moved = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        versions = list(PROTOCOL_VERSIONS)
        self.say(Hello(magic=MAGIC, versions=versions, name=self._name, changes=True))

    def connection_lost(self, error: Exception | None) -> None:
        self._stage.fail(f"the server closed the connection of {self._name}: {error}")

    def say(self, message: Struct) -> None:
        self._transport.write(frame(_write(message)))

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data = self._rest + data
        at, size = 0, len(data)
        while size - at >= HEADER_BYTES:
            start = at + HEADER_BYTES
            end = start + int.from_bytes(data[at:start], "big")
            if end > size:
                break
            self._hear(_read(memoryview(data)[start:end]), end - at)
            at = end
        self._rest = data[at:]

    def _hear(self, heard: Heard, frame_bytes: int) -> None:
        """Take in a message. A measured hot path: the two kinds that make up a move come first."""
        if heard.version and heard.type in _OF_A_MOVE:
            self._stage.found.move_bytes += frame_bytes
        elif heard.type in _OF_A_MATCH:
            self._stage.found.other_bytes += frame_bytes
        match heard.type:
            case "update":
                self._see(heard)
            case "done" if not (heard.version or self._pair.games):
                self._pair.answered(self, heard)
            case "welcome":
                self.welcome = True
                self._pair.introduce()
            case "ended":
                self._pair.ended()
            case "refused" | "goodbye":
                self._stage.fail(f"the server said {heard.type} to {self._name}: {heard.code}")

    def _see(self, heard: Heard) -> None:
        """Take in a view: note how long it took, and act if it is this client's turn."""
        if self._moved:
            self._moved = False
        elif heard.version:
            sent_at_s = self._pair.sent_at_s[heard.version % RECENT]
            self._stage.latencies_s.append(time.perf_counter() - sent_at_s)
        if heard.view is not None:
            self._view = heard.view
        view = self._view
        if (changed := heard.changed) is not None:
            if changed.turn is not UNSET:
                view.turn = changed.turn
            if changed.legal is not UNSET:
                view.legal = changed.legal
        if view.turn == view.seat:
            self._version = heard.version
            if heard.version:
                self.move()
            else:
                self._stage.ready(self.move)

    def move(self) -> None:
        """Do any of the legal actions."""
        legal = self._view.legal
        action = legal[int(self._pair.rng.random() * len(legal))].action
        self._moved = True
        key = self._pair.rng.randbytes(_KEY_BYTES)
        wish = Act(id=self._version + 1, version=self._version, key=key, action=action)
        self._pair.sent_at_s[(self._version + 1) % RECENT] = time.perf_counter()
        self._stage.moved()
        self.say(wish)


async def load(stage: LoadStage) -> None:
    for number in range(stage.plan.matches):
        await Pair(stage, number).sit_down()


if __name__ == "__main__":
    report(sys.argv[1], load)
