"""What a door is, and the doors that need no more than a protocol of asyncio: one that is not there
has an answer in the caller's own protocol."""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias, cast

from protocol.codec import encode_frame
from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye
from server.net.callers import Caller
from server.tasks import Timer

Door: TypeAlias = Callable[[socket.socket, Caller], Awaitable[None]]
"""Owns the accepted socket, of which nothing was read, from the moment it is awaited, and returns
when the caller is inside or has gone. Raises TimeoutError for a caller who says nothing inside, and
OSError for one who has gone."""
Speak: TypeAlias = Callable[[Caller], asyncio.Protocol]
"""The protocol object that talks to this caller, on a socket or inside TLS."""


def speaking(speak: Speak) -> Door:
    """The door behind which callers are spoken to like this."""

    async def let_in(sock: socket.socket, caller: Caller) -> None:
        try:
            protocol = speak(caller)
        except BaseException:
            sock.close()
            raise
        loop = asyncio.get_running_loop()
        await loop.connect_accepted_socket(lambda: protocol, sock)  # which owns it at once

    return let_in


# What callers are told who knock at a door that is not there, in their own protocol.


LAST_WORDS_S: Final = 1.0
"""How long a caller may take to hear the answer and hang up."""
_HOW_TO_JOIN: Final = (
    "This is a Clocktowers server: install the program and type `clocktowers join`, "
    "with this host and port behind it."
)


def http(sentence: str, status: str = "404 Not Found") -> bytes:
    """A page of this sentence; RFC 9112."""
    body = f"{sentence}\n".encode()
    head = (
        f"HTTP/1.1 {status}",
        "Content-Type: text/plain; charset=utf-8",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    return "\r\n".join([*head, "", ""]).encode() + body


def ssh(sentence: str) -> bytes:
    """A server's version, and SSH_MSG_DISCONNECT with this sentence before any key is exchanged:
    RFC 4253, 4.2, 6 and 11.1."""
    by_application, told = 11, sentence.encode()
    payload = struct.pack(">BII", 1, by_application, len(told)) + told + bytes(4)
    padding = 8 - (5 + len(payload)) % 8 + 8  # at least 4 bytes; the whole in blocks of 8
    packet = struct.pack(">IB", 1 + len(payload) + padding, padding) + payload + bytes(padding)
    return b"SSH-2.0-Clocktowers\r\n" + packet


IN_CLEAR: Final = encode_frame(Goodbye(GoodbyeCode.IN_CLEAR))
NO_PAGES: Final = http(_HOW_TO_JOIN)
ONLY_TLS: Final = http(
    "This server speaks with browsers on other machines inside TLS only: "
    "put https:// in front of its address."
)
TOO_MANY: Final = http(
    "Too many lines from your address are here already; try again later.",
    "503 Service Unavailable",
)
NO_SSH: Final = ssh(_HOW_TO_JOIN)


class OneAnswer(asyncio.Protocol):
    """Says one thing as soon as the caller has spoken, and hangs up."""

    def __init__(self, answer: bytes) -> None:
        self._answer: Final = answer
        self._transport: asyncio.Transport | None = None
        self._end: Final = Timer()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._end.start(LAST_WORDS_S, self._transport.abort)

    def data_received(self, data: bytes) -> None:
        transport, self._transport = self._transport, None
        if transport is None:
            return  # the answer is on its way
        transport.write(self._answer)
        if transport.can_write_eof():
            transport.write_eof()  # closed at once, a socket may lose what the caller has not read
        else:
            transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        self._end.stop()


def answering(answer: bytes) -> Speak:
    def speak(_caller: Caller) -> asyncio.Protocol:
        return OneAnswer(answer)

    return speak
