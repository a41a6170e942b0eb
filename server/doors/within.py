"""A line within another, such as what is spoken inside TLS."""

import asyncio
from typing import Final, cast


class Within(asyncio.Protocol, asyncio.Transport):
    """The protocol of the outer line's transport, and the transport of the protocol inside.
    `entered`: done when there is one inside, or the line has ended."""

    def __init__(self) -> None:
        super().__init__()
        self.entered: Final[asyncio.Future[None]] = asyncio.get_running_loop().create_future()
        self._outer: asyncio.Transport | None = None
        self._inside: asyncio.Protocol | None = None
        self._closing = False

    # From the outer line ------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._outer = cast(asyncio.Transport, transport)

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

    # From inside --------------------------------------------------------------------------------

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._inside = cast(asyncio.Protocol, protocol)

    def abort(self) -> None:
        self._closing = True
        if self._outer is not None:
            self._outer.abort()

    def is_closing(self) -> bool:
        return self._closing

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        if self._outer is not None:
            self._outer.set_write_buffer_limits(high, low)

    def get_write_buffer_size(self) -> int:
        return 0 if self._outer is None else self._outer.get_write_buffer_size()
