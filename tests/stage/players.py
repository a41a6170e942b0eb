"""Players who go on with their matches whatever happens to their server, and who remember what they
were told: `tests.stage.siege` compares it with the journal.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any, Final, TypeAlias, TypeVar

from msgspec import Struct, msgpack, structs

from protocol.errors import GoodbyeCode
from protocol.from_client import Act, CreateTable, Join, Request, Resume
from protocol.from_server import Done, Ended, Goodbye, Refused, SeatToken, Update, Welcome
from tests.stage.house import PATIENCE_S, READY, START, Peer, read_view, some_act

M = TypeVar("M", bound=Struct)

THINK_S: Final = 0.04
"""At most this long, so that a match lives through several servers."""
REDIAL_S: Final = 0.02
WELCOME_S: Final = 1.0
"""A server that hangs takes callers and says nothing; they dial again after so long, and then wait
twice as long: a busy machine hangs, too."""
AT_PEACE: Final = 10
"""So many moves of each player are acknowledged before a blow."""
BACK_S: Final = PATIENCE_S
"""A player who is refused for so long has lost the seat."""
GAME: Final = "clocktowers"

Dial: TypeAlias = Callable[[Random], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]
"""A new connection to some server; raises OSError."""
Follow: TypeAlias = Callable[[str], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]
"""The same to where a server leads, "" = to any."""


class LineBroken(ConnectionError):
    """The line, or the server's patience: dial again."""


class Led(ConnectionError):
    """The server leads there."""

    def __init__(self, at: str, ticket: str) -> None:
        self.at = at
        self.ticket = ticket


def seen_as(view: Any) -> bytes:
    """A view in brief."""
    return sha256(msgpack.encode(view)).digest()[:8]


@dataclass
class SiegeTold:
    """What a player was told of a match. `acknowledged`: key → version; `views`: in brief, by
    version; `stalls_s`: how long each move took that had to be sent more than once."""

    match: str
    seat: int
    sent: set[bytes] = field(default_factory=set)
    acknowledged: dict[bytes, int] = field(default_factory=dict)
    views: dict[int, bytes] = field(default_factory=dict)
    contradictions: int = 0
    """How often a version's view was not the one before of the same version."""
    newest: int = -1
    steps_back: int = 0
    """How often a view was older than one before, or, after a new line, older than what somebody
    had been acknowledged before that."""
    stalls_s: list[float] = field(default_factory=list)
    shut_out: bool = False
    """Whether the player did not get the seat back."""

    def saw(self, version: int, view: bytes, floor: int) -> None:
        self.steps_back += version < max(self.newest, floor)
        self.contradictions += self.views.setdefault(version, view) != view
        self.newest = version


class Players:
    """Pairs, each of which plays one match after the other. Once it is `over`, they go after each
    has acted. `patience_s`: by seat, how long a silent line is waited for; None = until it breaks.
    `follow`: dials where a server leads; every second player follows, None = nobody."""

    def __init__(
        self,
        pairs: int,
        seed: int,
        dial: Dial,
        patience_s: tuple[float | None, float | None] = (None, None),
        follow: Follow | None = None,
    ) -> None:
        self.over = False
        self.followed = 0
        """How often somebody was led on, and got there."""
        self.told: list[SiegeTold] = []
        self.interrupted = 0
        """Beginnings in which a server fell before all had a seat."""
        self.acknowledged: dict[str, int] = {}
        """By match the newest version that anybody was acknowledged."""
        self._doing: Final[dict[int, list[SiegePlayer]]] = {}
        """By pair its players; none while it looks for a table."""
        self._pairs: Final = pairs
        self._seed: Final = seed
        self._dial: Final = dial
        self._patience_s: Final = patience_s
        self._follow: Final = follow

    def start(self, group: asyncio.TaskGroup) -> list["asyncio.Task[None]"]:
        return [group.create_task(self._pair(number)) for number in range(self._pairs)]

    async def _pair(self, number: int) -> None:
        rng = Random(f"{self._seed} {number}")
        while not self.over:
            self._doing[number] = []
            try:
                pair = await self.seated(rng, f"Ann{number}", f"Ben{number}")
            except ConnectionError:
                self.interrupted += 1
                continue
            players = [self._player(*one, Random(rng.random())) for one in pair]
            self._doing[number] = players
            for player in await asyncio.gather(*(player.to_the_end() for player in players)):
                player.peer.abort()
        del self._doing[number]

    def _player(self, peer: Peer, token: SeatToken, rng: Random) -> "SiegePlayer":
        told = SiegeTold(token.match, token.seat)
        self.told.append(told)
        return SiegePlayer(self, peer, token, told, rng, self._patience_s[token.seat])

    async def seated(self, rng: Random, *names: str) -> list[tuple[Peer, SeatToken]]:
        """Two players at a new table, their match begun and each with a token. Raises
        ConnectionError."""
        ann, ben = [await self.welcomed(name, rng) for name in names]
        try:
            code = (await granted(ann, CreateTable(id=1, game=GAME, seats=2))).table
            ben, _ = await self.led(ben, Join(id=1, table=code))
            await granted(ben, structs.replace(READY, id=2))
            await granted(ann, structs.replace(START, id=2))
            return [(peer, await heard(peer, SeatToken)) for peer in (ann, ben)]
        except ConnectionError:
            ann.abort()
            ben.abort()
            raise

    @property
    def moves(self) -> int:
        """How many were acknowledged."""
        return sum(len(told.acknowledged) for told in self.told)

    @property
    def crossing(self) -> bool:
        """Whether all pairs play, and two of them at two nodes: one is led to the other's."""
        at = [{player.peer.calls_at() for player in pair} for pair in self._doing.values()]
        return all(at) and any(len(nodes) > 1 for nodes in at)

    async def at_peace(self, seconds: float) -> None:
        """Let them play for so long, and on a busy machine until as much has come of it."""
        enough = self.moves + AT_PEACE * 2 * self._pairs
        await asyncio.sleep(seconds)
        await self.until(enough)

    async def until(self, moves: int) -> None:
        """Wait until so many were acknowledged. Raises AssertionError, which says who waits for
        what."""
        until_s = time.monotonic() + PATIENCE_S
        while self.moves < moves:
            if time.monotonic() > until_s:
                missing = f"{moves - self.moves} moves have not come"
                raise AssertionError("; ".join((missing, *self.waiting())))
            await asyncio.sleep(REDIAL_S)

    async def end(self, pairs: Sequence["asyncio.Task[None]"], within_s: float) -> list[str]:
        """Let each act once more and go. Returns who is stuck, and in what."""
        self.over = True
        _ended, stuck = await asyncio.wait(pairs, timeout=within_s)
        waiting = self.waiting()
        for pair in stuck:
            pair.cancel()
        return waiting

    def waiting(self) -> list[str]:
        """Who waits for what, a sentence for each pair that has not gone."""
        return [
            f"pair {number} " + (" and ".join(map(str, players)) or "looks for a table")
            for number, players in self._doing.items()
        ]

    async def led(self, peer: Peer, wish: Request) -> tuple[Peer, Done]:
        """To the server that grants this. Raises ConnectionError."""
        try:
            return peer, await granted(peer, wish)
        except Led as led:
            peer.abort()
            assert self._follow is not None
            try:
                there = Peer(*await self._follow(led.at), patience_s=None)
            except OSError as error:
                raise LineBroken from error
            try:
                there.say_hello("Led", follows=True, ticket=led.ticket)
                await heard(there, Welcome)
                done = await granted(there, wish)
            except BaseException:
                there.abort()
                raise
            self.followed += 1
            return there, done

    async def welcomed(self, name: str, rng: Random) -> Peer:
        """However many servers have to be dialled."""
        wait_s = WELCOME_S
        while True:
            try:
                return await self._greeted(name, rng, wait_s)
            except TimeoutError:
                wait_s *= 2
            except OSError:
                pass
            await asyncio.sleep(REDIAL_S)

    async def _greeted(self, name: str, rng: Random, wait_s: float) -> Peer:
        peer = Peer(*await self._dial(rng), patience_s=None)
        try:
            async with asyncio.timeout(wait_s):
                peer.say_hello(name, follows=self._follow is not None and rng.random() < 0.5)
                await heard(peer, Welcome)
            return peer
        except BaseException:
            peer.abort()
            raise


class SiegePlayer:
    """One of them in one match. Acts when it is its turn; sends what was not answered again with
    its key."""

    def __init__(
        self,
        all_of_them: Players,
        peer: Peer,
        token: SeatToken,
        told: SiegeTold,
        rng: Random,
        patience_s: float | None,
    ) -> None:
        self.peer = peer
        self.token = token
        self._all: Final = all_of_them
        self._told: Final = told
        self._rng: Final = rng
        self._patience_s: Final = patience_s
        self._requests = 100
        self._unanswered: Act | None = None
        self._sent_at_s = 0.0
        self._sent = 0
        """How often the unanswered act was sent."""
        self._update: Update | None = None
        self._floor = -1
        self._sent_late = False
        """Whether the newest act was first sent since it is over. To one that was sent before, the
        other player may have answered, and waits for us, though our view does not say so yet."""
        self._resuming = False
        self._last_turn = False
        """Whether such an act was acknowledged."""

    def __str__(self) -> str:
        told, view = self._told, self._update
        if told.shut_out:
            waits = "has lost the seat"
        elif self._resuming:
            waits = "wants the seat back"
        elif self._unanswered is not None:
            waits = f"waits for the answer to a move that was sent {self._sent} times"
        elif view is None:
            waits = "waits for a view"
        else:
            waits = f"waits for the other, at version {view.version}"
        return f"seat {told.seat} of {told.match} {waits}"

    async def to_the_end(self) -> "SiegePlayer":
        """Play until the match ends or it is over, however often the connection breaks."""
        while True:
            try:
                await self._play()
                return self
            except (ConnectionError, TimeoutError):
                self.peer.abort()
            self._resuming = True
            self._told.shut_out = not await self._resume()
            self._resuming = False
            if self._told.shut_out:
                return self

    async def _resume(self) -> bool:
        until_s, wait_s = time.monotonic() + BACK_S, self._patience_s
        while time.monotonic() < until_s:
            self._floor = self._all.acknowledged.get(self._told.match, -1)
            self.peer = await self._all.welcomed("Somebody", self._rng)
            wish = Resume(id=0, match=self.token.match, token=self.token.token)
            try:
                async with asyncio.timeout(wait_s):
                    self.peer, _ = await self._all.led(self.peer, wish)
                return True
            except TimeoutError:
                wait_s = None if wait_s is None else wait_s * 2
            except ConnectionError:
                pass
            self.peer.abort()
            await asyncio.sleep(REDIAL_S)
        return False

    async def _play(self) -> None:
        """Raises ConnectionError and TimeoutError."""
        if self._unanswered is not None:
            self._send(self._unanswered)
        while not (self._last_turn and self._waits()):
            async with asyncio.timeout(self._patience_s):
                message = await following(self.peer)
            match message:
                case Ended():
                    return
                case SeatToken():
                    self.token = message
                case Update():
                    self._saw(message)
                case Done() | Refused() if self._unanswered and message.id == self._unanswered.id:
                    self._answered(self._unanswered, message)
            await self._act()

    def _saw(self, update: Update) -> None:
        self._told.saw(update.version, seen_as(read_view(update)), self._floor)
        self._floor = -1
        self._update = update

    def _answered(self, act: Act, answer: Done | Refused) -> None:
        self._unanswered = None
        if isinstance(answer, Refused) or answer.version is None:
            return  # the server has lost what this act was meant for
        if self._sent > 1:
            self._told.stalls_s.append(time.monotonic() - self._sent_at_s)
        self._last_turn = self._sent_late
        self._told.acknowledged[act.key] = version = answer.version
        newest = self._all.acknowledged
        newest[self._told.match] = max(version, newest.get(self._told.match, -1))
        if self._update is not None and self._update.version < version:
            self._update = None  # the newer view is on its way

    async def _act(self) -> None:
        update = self._update
        if update is not None and self._unanswered is None and not self._waits():
            await asyncio.sleep(self._rng.uniform(0, THINK_S))
            self._requests += 1
            self._unanswered = structs.replace(some_act(update, self._rng), id=self._requests)
            self._told.sent.add(self._unanswered.key)
            self._sent, self._sent_at_s = 0, time.monotonic()
            self._sent_late = self._all.over
            self._send(self._unanswered)

    def _waits(self) -> bool:
        """Whether the newest view is there, and it is the other's turn."""
        if self._update is None:
            return False
        view = read_view(self._update)
        return bool(view.turn != view.seat)

    def _send(self, act: Act) -> None:
        self._sent += 1
        self.peer.send(act)


async def following(peer: Peer) -> Struct:
    """The next message. Raises ConnectionError."""
    message = peer.pending.popleft() if peer.pending else await peer._receive()
    if message is None:
        raise LineBroken
    return message


async def heard(peer: Peer, kind: type[M]) -> M:
    """The next message of that kind; those before it stay for later."""
    before: list[Struct] = []
    while not isinstance(message := await following(peer), kind):
        before.append(message)
    peer.pending.extendleft(reversed(before))
    return message


async def granted(peer: Peer, wish: Request) -> Done:
    """Raises ConnectionError, also where it was refused."""
    peer.send(wish)
    before: list[Struct] = []
    while not isinstance(message := await following(peer), Done | Refused | Goodbye):
        before.append(message)
    peer.pending.extendleft(reversed(before))
    if isinstance(message, Goodbye) and message.code == GoodbyeCode.MOVED:
        raise Led(str(message.params["at"]), str(message.params["ticket"]))
    if not isinstance(message, Done):
        raise LineBroken(message.code)
    return message
