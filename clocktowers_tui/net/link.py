"""The client's end of a connection: asyncio around the protocol's sans-I/O `Connection`.

    link = await Link.open(address, name)
    link.run(heard)                    # a task: `heard` gets what the server pushes, in its order
    answer = await link.request(Start(id=0))

Laws: each request gets one answer or an error; every wait for the server has a limit; `run` is the
only reader and returns a LinkError that says why the line ended.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple, Self, TypeAlias

import msgspec

from clocktowers_tui import VERSION
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.dialing import Dialled, dial
from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.net.trust import FIRST_USE, NO_TICKET, PasswordAsked, Ticket, Trust, is_private
from protocol.connection import Connection
from protocol.errors import GoodbyeCode, ProtocolError
from protocol.from_client import Bye, GetRecord, Hello, Ping, Pong, Request
from protocol.from_server import (
    Done,
    Goodbye,
    Listing,
    RecordPart,
    Refused,
    SeatToken,
    ServerPing,
    ServerPong,
    WaitingList,
    Welcome,
)
from protocol.ids import MAGIC, PROTOCOL_VERSIONS

Answer: TypeAlias = Done | Refused | Listing | WaitingList
Hears: TypeAlias = Callable[[msgspec.Struct], None]
Keep: TypeAlias = Callable[[SeatToken], Awaitable[None]]
Identify: TypeAlias = Callable[[bytes], Awaitable[bytes | None]]

_READ_BYTES: Final = 64 * 1024
_MAX_RECORD_BYTES: Final = 1 << 20
"""Packed. A server that sends more is lying; real ones have a few thousand."""


class Patience(NamedTuple):
    """How long the client waits for the server, in seconds. `answer_s`: while the server still
    answers pings; where its database does not answer, a move waits for it."""

    open_s: float = 8
    answer_s: float = 300
    ping_s: float = 20
    silent_s: float = 60
    write_s: float = 20
    bye_s: float = 1


PATIENCE: Final = Patience()
QUICK: Final = Patience(ping_s=1.25, silent_s=3.25)
"""With a server that has several addresses: a machine that hangs or has vanished says nothing more,
and another one goes on within that time. Where it was the line alone, the same machine is found
again."""


async def nowhere(_token: SeatToken) -> None:
    """Keep no token."""


async def _nobody(_key: bytes) -> None:
    """Show no identity."""


def _seen(answer: "asyncio.Future[Answer]") -> None:
    """Look at the error of an answer for which nobody waits: asyncio logs one that is never looked
    at as a bug."""
    if not answer.cancelled():
        answer.exception()


class Link:
    """A line to a server. Made by `open`; `run` once; `close` at the end."""

    def __init__(self, address: Address, line: Dialled, patience: Patience) -> None:
        self.address: Final = address
        self.welcome = Welcome(version=0, name="")
        self._reader, self._writer, self.trust = line
        self._patience = patience
        self._connection: Final = Connection()
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self._records: dict[str, bytes] = {}
        """What has come of those that were asked for, by match."""
        self._last_id = 0
        self._over: LinkError | None = None

    @classmethod
    async def open(
        cls,
        address: Address,
        name: str,
        ticket: Ticket = NO_TICKET,
        patience: Patience = PATIENCE,
        *,
        trust: Trust = FIRST_USE,
        identify: Identify = _nobody,
    ) -> Self:
        """Dial, say hello, be welcomed. Raises LinkError, and leaves nothing open then. `identify`:
        what a server of that key is shown (b"" = it has none)."""
        unheard = Fault.TIMEOUT
        try:
            async with asyncio.timeout(patience.open_s):
                link = cls(address, await dial(address, trust), patience)
                unheard = Fault.MUTE
                try:
                    await link._greet(name, ticket, await identify(link.trust.key))
                except BaseException:
                    link._writer.transport.abort()
                    raise
                return link
        except TimeoutError:
            raise LinkError(unheard, address=str(address)) from None

    def be_quick(self) -> None:
        """Another machine can go on where this one is silent: wait less for it from now on."""
        self._patience = QUICK

    async def _greet(self, name: str, ticket: Ticket, identity: bytes | None) -> None:
        ours = f"clocktowers-tui {VERSION}"
        if ticket.moved:  # a hello has no room for everything
            ticket = Ticket(moved=ticket.moved)
        hello = Hello(
            magic=MAGIC,
            versions=list(PROTOCOL_VERSIONS),
            name=name,
            client=ours,
            password=ticket.password if ticket.in_clear or self.private else "",
            identity=identity,
            invitation=(ticket.invitation or None) if self.private else None,
            changes=True,
            follows=True,
            ticket=ticket.moved,
        )
        self._writer.write(self._connection.send(hello))
        not_ours = LinkError(Fault.NOT_OURS, address=str(self.address))
        try:
            first = await self._next_message()
        except (EOFError, OSError):
            raise LinkError(Fault.HUNG_UP, address=str(self.address)) from None
        except ProtocolError:
            raise not_ours from None
        if isinstance(first, Goodbye):
            raise self._turned_away(first, hello)
        if not isinstance(first, Welcome) or first.version not in PROTOCOL_VERSIONS:
            raise not_ours
        self.welcome = first

    def _turned_away(self, word: Goodbye, hello: Hello) -> TurnedAway:
        if word.code != GoodbyeCode.PASSWORD or hello.password:
            return TurnedAway(word.code, word.params)
        in_clear = None if self.private else bool(word.params.get("in_clear"))
        return PasswordAsked(in_clear, word.params)

    @property
    def private(self) -> bool:
        """True where the line is encrypted, or stays on this machine."""
        return is_private(self._writer)

    async def _next_message(self) -> msgspec.Struct:
        while (message := self._connection.next_message()) is None:
            if not (received := await self._reader.read(_READ_BYTES)):
                raise EOFError
            self._connection.receive_bytes(received)
        return message

    # A request and its answer -------------------------------------------------------------------

    async def request(self, wish: Request) -> Answer:
        """Send this under a new id and wait for its answer. Raises LinkError."""
        if self._over is not None:
            raise self._over
        self._last_id += 1
        number = self._last_id
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(_seen)
        self._waiting[number] = answer
        try:
            await self._send(msgspec.structs.replace(wish, id=number))
            async with asyncio.timeout(self._patience.answer_s):
                return await answer
        except TimeoutError:
            raise self.break_off(LinkError(Fault.SILENT, address=str(self.address))) from None
        finally:
            self._waiting.pop(number, None)

    async def record(self, match: str, proof: bytes | None = None) -> bytes | Refused:
        """The record of a match that is over, packed as the server sends it. `proof`: as in
        `GetRecord`. Raises LinkError."""
        self._records[match] = b""
        try:
            answer = await self.request(GetRecord(id=0, match=match, proof=proof))
            return answer if isinstance(answer, Refused) else self._records[match]
        finally:
            self._records.pop(match, None)

    async def _send(self, message: Any) -> None:
        if self._over is not None:
            raise self._over
        try:
            self._writer.write(self._connection.send(message))
            async with asyncio.timeout(self._patience.write_s):
                await self._writer.drain()
        except (OSError, TimeoutError):
            raise self.break_off(LinkError(Fault.LOST, address=str(self.address))) from None

    # What comes ---------------------------------------------------------------------------------

    async def run(self, heard: Hears, keep: Keep = nowhere) -> LinkError:
        """Read until the line ends; return why. `heard` gets what is no answer, and listings,
        which are both; `keep` gets the tokens of seats, and nothing more is read until it is done
        with one."""
        async with asyncio.TaskGroup() as tasks:
            pinging = tasks.create_task(self._ping())
            try:
                while True:
                    await self._take(await self._await_message(), heard, keep)
            except LinkError as error:
                return self.break_off(error)
            except ProtocolError:
                return self.break_off(LinkError(Fault.NONSENSE))
            finally:
                pinging.cancel()

    async def _await_message(self) -> msgspec.Struct:
        for _half in range(2):  # a client that was kept waiting itself looks once more
            try:
                async with asyncio.timeout(self._patience.silent_s / 2):
                    return await self._next_message()
            except TimeoutError:
                continue
            except (EOFError, OSError):
                raise self._over or LinkError(Fault.LOST, address=str(self.address)) from None
        raise LinkError(Fault.SILENT, address=str(self.address))

    async def _take(self, message: msgspec.Struct, heard: Hears, keep: Keep) -> None:
        match message:
            case Done(id=number) | Refused(id=number) | Listing(id=number) | WaitingList(id=number):
                waiting = self._waiting.get(number)
                if waiting is not None and not waiting.done():
                    waiting.set_result(message)
                if isinstance(message, Listing):
                    heard(message)  # in order: changes to it follow
            case ServerPing(n=number):
                await self._send(Pong(number))
            case ServerPong():
                pass
            case Goodbye(code=code, params=params):
                raise TurnedAway(code, params)
            case SeatToken():
                await keep(message)
            case RecordPart(match=match, part=part):
                come = self._records.get(match)
                if come is not None and len(come) <= _MAX_RECORD_BYTES:
                    self._records[match] = come + part
            case _:
                heard(message)

    async def _ping(self) -> None:
        """Keep asking, so that both ends notice a line that has died without a word."""
        with contextlib.suppress(LinkError):
            while True:
                await asyncio.sleep(self._patience.ping_s)
                await self._send(Ping())

    # The end ------------------------------------------------------------------------------------

    def break_off(self, error: LinkError) -> LinkError:
        """End the line: tell every waiting request, and wake the reader. Keeps the first
        reason."""
        self._over = self._over or error
        self._writer.transport.abort()
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(self._over)
        return self._over

    def abort(self) -> None:
        """End it without a word: the server sees a broken line."""
        self.break_off(LinkError(Fault.LOST, address=str(self.address)))

    async def close(self) -> None:
        """Say bye, if the line still stands, and close it."""
        try:
            if self._over is None:
                # Bye is the last word.
                self._over = LinkError(Fault.LOST, address=str(self.address))
                with contextlib.suppress(OSError, TimeoutError):
                    async with asyncio.timeout(self._patience.bye_s):
                        self._writer.write(self._connection.send(Bye()))
                        await self._writer.drain()
                        self._writer.close()
                        await self._writer.wait_closed()
        finally:
            self.abort()
