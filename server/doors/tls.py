"""The door to what is spoken inside TLS.

Laws: a handshake, and the first byte inside, take no longer than what is left of `hello_s`. What is
not yet sent or read waits outside TLS, in the transport of the socket, where it is counted and held
up as without TLS; asyncio's own TLS would keep 256 KiB and more beside it, for each connection.
Who makes TLS talk to itself and says nothing inside is hung up on.
"""

import asyncio
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final, cast

from server.config import Limits
from server.doors.certificate import Certificate
from server.doors.door import Door, Speak
from server.net.callers import Addresses, Caller
from server.tasks import Bucket, latest

# How many TLS handshakes there are a second: each takes 0.55 ms of the loop before anything is
# known of the caller.
#
# Laws: nobody is refused. A caller waits for those who came earlier from the same address, then for
# all who came earlier from anywhere. The `MOST` addresses that called last are remembered.


MOST: Final = 10_000


class Handshakes:
    """Of one port."""

    def __init__(self, limits: Limits) -> None:
        self._rate_s: Final = limits.handshakes_per_address_s
        self._burst: Final = limits.handshakes_per_address
        self._addresses: Final = Addresses(
            limits.per_address, loopback_counts=limits.loopback_counts
        )
        self._paces: Final[dict[str, PacedQueue]] = {}
        self._of_all: Final = PacedQueue(limits.handshakes_s, limits.handshakes_s)

    async def turn(self, address: str) -> None:
        """Returns when a caller from there may shake hands."""
        if origin := self._addresses.origin(address):
            queue = partial(PacedQueue, self._rate_s, self._burst)
            await latest(self._paces, origin, MOST, queue).turn()
        await self._of_all.turn()

    def __len__(self) -> int:
        """How many addresses are remembered."""
        return len(self._paces)


class PacedQueue:
    """A bucket in front of which callers wait one behind the other."""

    def __init__(self, rate_s: float, burst: int) -> None:
        self._loop: Final = asyncio.get_running_loop()
        self._bucket: Final = Bucket(rate_s, burst, self._loop.time())
        self._first: Final = asyncio.Lock()

    async def turn(self) -> None:
        async with self._first:
            while not self._bucket.take(self._loop.time()):  # noqa: ASYNC110  (time is the event)
                await asyncio.sleep(self._bucket.wait_s())


READ_BYTES: Final = 64 * 1024
SLICE_BYTES: Final = 1024
"""So much is looked at in a turn of the loop: 38 KeyUpdates, 0.8 ms. A match waits for two turns or
three, and in each for a slice of every caller."""
IDLE_BYTES: Final = 20 * 1024
"""So much may come without a word inside: the greatest record has 16 KiB. What TLS says to itself,
such as a KeyUpdate of 27 bytes, costs the loop 20 us."""
HEAD_BYTES: Final = 32
"""A byte said inside may bring so many with it, at most: a record of one byte has 23."""

Begin = Callable[[int], asyncio.Protocol]
"""What talks inside to a caller whose first byte this is."""


def inside_tls(
    certificate: Certificate, choose: Callable[[int], Speak], limit_s: float, pace: Handshakes
) -> Door:
    """`choose`: how to speak with a caller whose first byte inside TLS this is. The door raises
    TimeoutError for a caller who has said none `limit_s` after they came."""

    async def let_in(sock: socket.socket, caller: Caller) -> None:
        try:
            async with asyncio.timeout_at(caller.since_s + limit_s):
                await pace.turn(caller.address)
        except BaseException:
            sock.close()
            raise

        def begin(first: int) -> asyncio.Protocol:
            return choose(first)(caller._replace(encrypted=True))

        line = Encrypted(certificate.context, begin)
        loop = asyncio.get_running_loop()
        await loop.connect_accepted_socket(lambda: line, sock)
        try:
            async with asyncio.timeout_at(caller.since_s + limit_s):
                await line.entered
        except BaseException:
            line.abort()
            raise

    return let_in


class Encrypted(asyncio.Protocol, asyncio.Transport):
    """A line within another: the protocol of a socket's transport, and the transport of the
    protocol inside. `entered`: done when there is one inside, or the line has ended. `calls`: the
    name of the server that this end has dialled, whose inside begins with the handshake's end; "" =
    this is the server."""

    def __init__(self, context: ssl.SSLContext, begin: Begin, calls: str = "") -> None:
        super().__init__()
        self.entered: Final[asyncio.Future[None]] = asyncio.get_running_loop().create_future()
        self._outer: asyncio.Transport | None = None
        self._inside: asyncio.Protocol | None = None
        self._begin: Final = begin
        self._came, self._goes = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._calls: Final = bool(calls)
        self._tls: Final = context.wrap_bio(
            self._came, self._goes, server_side=not calls, server_hostname=calls or None
        )
        self._closing = self._shaken = self._paused = self._turn_comes = False
        self._kept: Final = bytearray()
        """What TLS has not yet seen; meanwhile the socket is not read."""
        self._idle_bytes = 0

    # From the socket's transport ----------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._outer = cast(asyncio.Transport, transport)
        if self._calls:
            self._work()

    def connection_lost(self, error: Exception | None) -> None:
        self._closing = True
        self._end_waiting()
        if self._inside is not None:
            self._inside.connection_lost(error)

    def _end_waiting(self) -> None:
        if not self.entered.done():
            self.entered.set_result(None)

    def pause_writing(self) -> None:
        if self._inside is not None:
            self._inside.pause_writing()

    def resume_writing(self) -> None:
        if self._inside is not None:
            self._inside.resume_writing()

    def data_received(self, data: bytes) -> None:
        self._kept.extend(data)
        self._go_on()

    def _go_on(self) -> None:
        """TLS gets a slice when it is through with the last; the rest waits for a turn of its own,
        and until those inside listen."""
        self._turn_comes = False
        if self._paused or self._closing:
            return
        if not self._came.pending:
            part = self._kept[:SLICE_BYTES]
            self._idle_bytes += len(part) if self._shaken else 0
            self._came.write(part)
            del self._kept[:SLICE_BYTES]
        self._work()
        if self._outer is None or self._paused or self._closing:
            return
        if self._kept:
            self._outer.pause_reading()
            self._go_on_later()
        else:
            self._outer.resume_reading()

    def _go_on_later(self) -> None:
        if not self._turn_comes:
            self._turn_comes = True
            asyncio.get_running_loop().call_soon(self._go_on)

    def _work(self) -> None:
        try:
            if not self._shaken:
                self._tls.do_handshake()
                self._shaken = True
                if self._calls:
                    self._enter(0)
            self._read()
        except ssl.SSLWantReadError:
            if self._idle_bytes > IDLE_BYTES:
                self.abort()
        except ssl.SSLError:
            self.close()  # which says why: TLS has words for it
        self._flush()

    def _read(self) -> None:
        while not (self._paused or self._closing):
            if not (data := self._tls.read(READ_BYTES)):
                self.close()
                return
            self._idle_bytes = max(0, self._idle_bytes - HEAD_BYTES * len(data))
            inside = self._enter(data[0]) if self._inside is None else self._inside
            inside.data_received(data)

    def _enter(self, first: int) -> asyncio.Protocol:
        self._inside = self._begin(first)
        self._inside.connection_made(self)  # which may give its place to another
        self._end_waiting()
        return self._inside

    # From inside --------------------------------------------------------------------------------

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._inside = cast(asyncio.Protocol, protocol)

    def abort(self) -> None:
        self._closing = True
        if self._outer is not None:
            self._outer.abort()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        if self._outer is not None:
            self._outer.set_write_buffer_limits(high, low)

    def get_write_buffer_size(self) -> int:
        return 0 if self._outer is None else self._outer.get_write_buffer_size()

    def write(self, data: Any) -> None:
        rest = memoryview(data)
        while rest and not self._closing:
            rest = rest[self._tls.write(rest) :]
        self._flush()

    def _flush(self) -> None:
        if self._goes.pending and self._outer is not None:
            self._outer.write(self._goes.read())

    def close(self) -> None:
        if self._closing:
            return
        self._closing = True
        with suppress(ssl.SSLError):
            self._tls.unwrap()  # tells the caller; their answer is not waited for
        if self._outer is not None:
            self._flush()
            self._outer.close()

    def is_closing(self) -> bool:
        return self._closing or (self._outer is not None and self._outer.is_closing())

    def pause_reading(self) -> None:
        if not self._paused and self._outer is not None:
            self._paused = True
            self._outer.pause_reading()

    def resume_reading(self) -> None:
        if self._paused and self._outer is not None:
            self._paused = False
            self._go_on_later()

    def can_write_eof(self) -> bool:
        return False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        if name == "ssl_object":
            return self._tls
        return default if self._outer is None else self._outer.get_extra_info(name, default)
