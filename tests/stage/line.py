"""Both ends of a connection, without sockets."""

import asyncio
from typing import Any

from protocol.connection import Connection
from protocol.from_client import Hello
from protocol.from_server import Welcome
from protocol.ids import MAGIC, PROTOCOL_VERSIONS
from tests.stage.server_end import ServerEnd


class Line:
    """A welcomed client and its server. `changes`: whether it asked for those of views."""

    def __init__(self, *, changes: bool) -> None:
        self.client, self.server = Connection(), ServerEnd()
        hello = Hello(magic=MAGIC, versions=list(PROTOCOL_VERSIONS), name="Ann", changes=changes)
        self.server.receive_bytes(self.client.send(hello))
        assert self.server.next_message() == hello
        self.bytes = 0
        self.tell(Welcome(version=1, name="Ann"))

    def tell(self, message: Any) -> Any:
        """What the client makes of the message."""
        self.newest = self.server.send(message)
        self.bytes += len(self.newest)
        self.client.receive_bytes(self.newest)
        return self.client.next_message()

    @property
    def whole(self) -> bool:
        """Whether the newest update had the whole view."""
        return b"\xa4view" in self.newest and b"\xa7changed" not in self.newest


class SessionsTransport:
    """What a session asks of its connection: what is written has gone at once, and nowhere."""

    protocol: asyncio.Protocol

    def write(self, data: bytes) -> None:
        pass

    def set_protocol(self, protocol: asyncio.Protocol) -> None:
        self.protocol = protocol

    def get_write_buffer_size(self) -> int:
        return 0

    def set_write_buffer_limits(self, **_: int) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    resume_reading = abort = close = pause_reading
