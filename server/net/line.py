"""The line to one peer: what is sent in a turn of the loop is written at its end, and who does not
read is cut. Another server may have the line for a while.
"""

import asyncio
from typing import Any, Final, Protocol, cast

import structlog
from msgspec import Struct

from server.net.peers import Peer, Peers
from server.net.spectating import Spectating
from server.timer import Timer

WRITE_BYTES: Final = 32 * 1024
"""More than this does not wait for the end of the turn. So a peer that asks for a great many things
at once and reads none of the answers is found out before they fill the memory."""
LAST_WORDS_S: Final = 5.0
"""How long a peer may take to read its last messages before its connection is cut."""


class Owner(Peer, Protocol):
    """The session, which is the protocol of its line unless that is lent."""

    def send(self, message: Struct) -> None:
        """Queue a message."""

    def cut(self) -> None:
        """End the line without a word."""

    def who(self) -> dict[str, str]:
        """For the log."""


class Line:
    """Of one session. `transport`: None before the line stands, and when it is over. `lent`:
    whether another server has it. `spectating`: what matches tell the peer as a watcher."""

    __slots__ = (
        "_last_words",
        "_peers",
        "_session",
        "_unwritten",
        "_waits_bytes",
        "lent",
        "spectating",
        "transport",
    )

    def __init__(self, peers: Peers[Any], session: Owner) -> None:
        self._peers: Final = peers
        self._session: Final = session
        self._last_words: Timer | None = None
        self._unwritten = b""
        self._waits_bytes = WRITE_BYTES
        self.transport: asyncio.Transport | None = None
        self.lent = False
        self.spectating: Final = Spectating(session.send)

    def stands(self, transport: asyncio.Transport) -> None:
        """The peer is there."""
        limits = self._peers.limits
        transport.set_write_buffer_limits(high=min(limits.backlog_bytes, limits.outbox_bytes))
        self.transport = transport

    def send(self, whole: bytes) -> None:
        """Queue frames for a peer that is here. A measured hot path."""
        if not self._unwritten:
            self._peers.write_soon(self)
        self._unwritten += whole
        if len(self._unwritten) > self._waits_bytes:
            self.write()

    def is_shared(self) -> None:
        """Others have the same line, which keeps in order what they are told together and each of
        them alone, and does the waiting."""
        self._waits_bytes = 0

    def pass_on(self, whole: bytes) -> None:
        """Hand over what another server says to the peer, who is cut if they do not read."""
        if self.transport is not None:
            self.transport.write(whole)
            if self.spectating.slow:
                self._cut_if_full()

    def write(self) -> None:
        """Hand over what is queued: an answer and the update that follows it are one write."""
        unwritten, self._unwritten = self._unwritten, b""
        if self.transport is None or not unwritten:
            return
        try:
            self.transport.write(unwritten)
            if self.spectating.slow:
                self._cut_if_full()
        except Exception:
            # Not closed here: a match may be sending to all who sit there just now.
            structlog.get_logger().exception("write failed", name=self._session.name)
            self._session.cut()

    def _cut_if_full(self) -> None:
        """Cut a peer that does not read, when its outbox is full."""
        assert self.transport is not None
        if self.transport.get_write_buffer_size() <= self._peers.limits.outbox_bytes:
            return
        self._peers.hits["outbox_bytes"] += 1
        structlog.get_logger().info("cut: does not read", **self._session.who())
        self._session.cut()

    def lend(self, to: asyncio.Protocol) -> asyncio.Transport:
        """Let the peer speak to this protocol from now on; what is sent still goes to them. Returns
        the transport, which is not read."""
        assert self.transport is not None
        self.lent = True
        self._peers.admitted.discard(self._session)
        self.transport.pause_reading()
        self.transport.set_protocol(to)
        return self.transport

    def take_back(self) -> bool:
        """Let the peer speak to the session again; returns whether the line still stands."""
        if self.transport is None:
            return False
        self.lent = False
        self._peers.admitted.add(self._session)
        self.transport.set_protocol(cast(asyncio.Protocol, self._session))
        return True

    def close(self) -> asyncio.Transport | None:
        """Write what is queued, and nothing more. Returns the transport, which is still open: to be
        handed to `end`."""
        self.write()
        transport, self.transport = self.transport, None
        self._peers.admitted.discard(self._session)
        return transport

    def end(self, transport: asyncio.Transport) -> None:
        """Close it once the last words are read, or cut it."""
        transport.close()
        self._last_words = Timer()
        self._last_words.start(LAST_WORDS_S, transport.abort)

    def lost(self) -> None:
        """The transport is gone."""
        self._peers.gone(self._session)
        if self._last_words is not None:
            self._last_words.stop()
        self.transport = None
